package identity

import (
	"cmp"
	"crypto/rand"
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// passwordMin is what the identity service demands, beside a lower-case letter, an upper-case letter and a digit; the form allows
// shorter ones (5.5-password-length-reconcile).
const passwordMin = 8

// fieldMax bounds every field of an auth call, in characters (8-id-invalid-chars).
const fieldMax = 128

// Owner is what a new password may not be built from (5.5-password-personal). What is not known is empty.
type Owner struct {
	Name     string `json:"name"`
	Username string `json:"username"`
	Email    string `json:"email"`
	Label    string `json:"label"` // the label's name, as customers read it
}

// CheckPassword judges the characters of a password: nil or CodePasswordPolicy (5.5-password-length-reconcile, 8-id-password-policy).
func CheckPassword(p string) []string {
	lower, upper, digit := false, false, false
	for _, r := range p {
		lower = lower || unicode.IsLower(r)
		upper = upper || unicode.IsUpper(r)
		digit = digit || unicode.IsDigit(r)
	}
	if utf8.RuneCountInString(p) < passwordMin || !lower || !upper || !digit {
		return []string{CodePasswordPolicy}
	}
	return nil
}

// CheckNewPassword judges a password that somebody chooses: nil, or the one thing to mend first. Beyond CheckPassword it is not built
// from what belongs to its owner (5.5-password-personal) and not common (5.5-password-common).
func CheckNewPassword(p string, o Owner) []string {
	if codes := CheckPassword(p); codes != nil {
		return codes
	}
	if code := builtFrom(p, o); code != "" {
		return []string{code}
	}
	if isCommon(p) {
		return []string{CodePasswordCommon}
	}
	return nil
}

const (
	minPart   = 3 // letters and digits of a part of a name that counts: "Jan"
	minOthers = 4 // letters that a password has beyond such parts
)

// builtFrom returns the code of what a password is built from: it holds a part of that, also with digits for letters or in reverse,
// and fewer than four other letters. Empty when it is built from nothing known.
func builtFrom(p string, o Owner) string {
	type part struct{ text, code string }
	var parts []part
	for _, from := range []struct{ value, code string }{{o.Name, CodePasswordName}, {o.Username, CodePasswordUsername},
		{o.Email, CodePasswordEmail}, {o.Label, CodePasswordLabel}} {
		value := fold(from.value)
		if from.code == CodePasswordEmail { // the last part of its domain is everybody's
			value = value[:max(strings.LastIndexByte(value, '.'), strings.LastIndexByte(value, '@'), 0)]
		}
		words := strings.FieldsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		words = append(words, strings.Join(words, ""))
		words = append(words, strings.FieldsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) })...)
		for _, w := range words {
			if utf8.RuneCountInString(w) >= minPart && strings.ContainsFunc(w, unicode.IsLetter) {
				parts = append(parts, part{w, from.code}, part{reversed(w), from.code})
			}
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(len(b.text), len(a.text)) }) // "annadewit" before "anna"
	for _, form := range forms(fold(p)) {
		code := ""
		for _, x := range parts {
			if strings.Contains(form, x.text) {
				form, code = strings.ReplaceAll(form, x.text, " "), cmp.Or(code, x.code)
			}
		}
		if code != "" && letters(form) < minOthers {
			return code
		}
	}
	return ""
}

//go:embed common_passwords.txt
var commonPasswords string

// isCommon reports whether a password, or all of it but the digits and signs around it, is on the list.
func isCommon(p string) bool {
	text := fold(p)
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	for _, base := range []string{
		strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }),
		strings.TrimFunc(text, notLetter),
		strings.TrimRightFunc(text, notLetter), // "$ommer26"
	} {
		for _, form := range forms(base) {
			if listed(form) {
				return true
			}
		}
	}
	return false
}

// listed looks a line up in the list, which is in the order of bytes.
func listed(line string) bool {
	lo, hi := 0, len(commonPasswords)
	for lo < hi {
		mid := lo + (hi-lo)/2
		from := strings.LastIndexByte(commonPasswords[:mid], '\n') + 1
		to := from + strings.IndexByte(commonPasswords[from:], '\n')
		switch got := commonPasswords[from:to]; {
		case got == line:
			return true
		case got < line:
			lo = to + 1
		default:
			hi = from
		}
	}
	return false
}

// fold makes texts alike that people take for the same: lower case, without accents.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(s))
}

var (
	digitsAsI = strings.NewReplacer("0", "o", "1", "i", "!", "i", "3", "e", "4", "a", "@", "a", "5", "s", "$", "s", "7", "t")
	digitsAsL = strings.NewReplacer("0", "o", "1", "l", "!", "l", "3", "e", "4", "a", "@", "a", "5", "s", "$", "s", "7", "t")
)

// forms are a folded text as it is, and with the letters that digits and signs stand for.
func forms(s string) []string { return []string{s, digitsAsI.Replace(s), digitsAsL.Replace(s)} }

func letters(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// newPassword makes a temporary password that the policy likes and that can be typed over: no 0, O, 1, l or I.
func newPassword() string {
	const lower, upper, digits = "abcdefghjkmnpqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789"
	return pick(upper, 2) + pick(lower, 5) + pick(digits, 4) + pick(lower, 3)
}

func pick(from string, n int) string {
	out := make([]byte, 0, n)
	for len(out) < n {
		var b [1]byte
		_, _ = rand.Read(b[:])                   // never fails
		if int(b[0]) < 256/len(from)*len(from) { // no letter more often than another
			out = append(out, from[int(b[0])%len(from)])
		}
	}
	return string(out)
}
