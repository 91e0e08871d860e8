// Package words writes numbers with their nouns in sentences for operators.
package words

import "strconv"

// Count returns a number with its noun: "1 label", "2 labels".
func Count[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(int64(n), 10) + " " + many
}
