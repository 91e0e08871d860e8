// Package mistake describes mistakes in what people write: a name that does not exist, and text that is not JSON.
package mistake

import (
	"regexp"
	"strings"
)

// Suggest returns "; did you mean X?" for the known name that is most similar to name, or an empty string when none is similar.
func Suggest(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// Nearest returns the known name that is most similar to name, or an empty string. Of equally similar names it returns the first one. It
// ignores case, and the difference between trustedProxies, trusted-proxies and trusted_proxies.
func Nearest(name string, known []string) (best string) {
	if len(name) > maxCompared {
		return ""
	}
	name = normal(name)
	least := max(2, len(name)/3) + 1
	if len(name) < minLength {
		least = 2
	}
	for _, k := range known {
		if d := Distance(name, normal(k)); d < least {
			best, least = k, d
		}
	}
	if best != "" || len(name) < minLength {
		return best
	}
	for _, k := range known { // "proxies" is contained in trusted_proxies
		n := normal(k)
		if (strings.Contains(n, name) || len(n) >= minLength && strings.Contains(name, n)) && (best == "" || len(k) < len(best)) {
			best = k
		}
	}
	return best
}

// minLength is the number of letters from which two changed letters, or a shared part, make two names similar.
const minLength = 4

var upperCase = regexp.MustCompile(`([a-z])([A-Z])`)

func normal(name string) string {
	return strings.ToLower(upperCase.ReplaceAllString(strings.ReplaceAll(name, "-", "_"), "${1}_$2"))
}

// maxCompared is the length in bytes up to which names are compared: the time grows with the product of their lengths.
const maxCompared = 100

// Distance returns how many letters must be inserted, deleted, replaced or swapped with a neighbor to turn a into b (optimal string
// alignment).
func Distance(a, b string) int {
	if len(a) > maxCompared || len(b) > maxCompared {
		return maxCompared
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
