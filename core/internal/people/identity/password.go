package identity

import (
	"cmp"
	"compress/gzip"
	"crypto/rand"
	_ "embed"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/problem"
)

// minPasswordLength is the minimum length that the identity service requires, in addition to a lower-case letter, an upper-case
// letter and a digit. The sign-in form accepts shorter passwords (5.5-password-length-reconcile).
const minPasswordLength = 8

// Owner is the personal data that a new password must not be built from (5.5-password-personal). Unknown values are empty.
type Owner struct {
	Name     string `json:"name"`
	Username string `json:"username"`
	Email    string `json:"email"`
	Label    string `json:"label"` // name of the label, as customers see it
}

// CheckPassword checks the characters of a password. It returns nil or CodePasswordPolicy (5.5-password-length-reconcile,
// 8-id-password-policy).
func CheckPassword(p string) []string {
	lower, upper, digit := false, false, false
	for _, r := range p {
		lower = lower || unicode.IsLower(r)
		upper = upper || unicode.IsUpper(r)
		digit = digit || unicode.IsDigit(r)
	}
	if utf8.RuneCountInString(p) < minPasswordLength || !lower || !upper || !digit {
		return []string{CodePasswordPolicy}
	}
	return nil
}

// CheckNewPassword checks a password that a person chooses. It returns nil or the code of the first problem. In addition to
// CheckPassword, the password must not be built from data of its owner (5.5-password-personal) and must not be common
// (5.5-password-common).
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
	minPart   = 3 // minimum length of a part of a name that counts, such as "Jan"
	minOthers = 4 // minimum number of letters in addition to such parts
)

// builtFrom returns the code of what a password is built from. A password is built from a name if it contains a part of the name, even with
// digits for letters or in reverse, and fewer than minOthers other letters. It returns an empty string if the password is not built from
// data of the owner.
func builtFrom(p string, o Owner) string {
	type part struct{ text, code string }
	var parts []part
	for _, from := range []struct{ value, code string }{{o.Name, CodePasswordName}, {o.Username, CodePasswordUsername},
		{o.Email, CodePasswordEmail}, {o.Label, CodePasswordLabel}} {
		value := foldString(from.value)
		if from.code == CodePasswordEmail { // many people share the last part of a domain
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
	for _, form := range variants(foldString(p)) {
		code := ""
		for _, x := range parts {
			if strings.Contains(form, x.text) {
				form, code = strings.ReplaceAll(form, x.text, " "), cmp.Or(code, x.code)
			}
		}
		if code != "" && countLetters(form) < minOthers {
			return code
		}
	}
	return ""
}

//go:embed common_passwords.gz
var packedPasswords string

// commonPasswords returns a sorted list with one password per line. It panics if the program was built with a broken list.
var commonPasswords = sync.OnceValue(func() string {
	r, err := gzip.NewReader(strings.NewReader(packedPasswords))
	if err != nil {
		panic(err)
	}
	all, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return string(all)
})

// isCommon reports whether a password is on the list of common passwords, with or without the digits and signs around it.
func isCommon(p string) bool {
	text := foldString(p)
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	for _, base := range []string{
		strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }),
		strings.TrimFunc(text, notLetter),
		strings.TrimRightFunc(text, notLetter), // such as "$ommer26"
	} {
		for _, form := range variants(base) {
			if isListed(form) {
				return true
			}
		}
	}
	return false
}

// isListed reports whether a line is in the list, which is sorted by bytes.
func isListed(line string) bool {
	list := commonPasswords()
	lo, hi := 0, len(list)
	for lo < hi {
		mid := lo + (hi-lo)/2
		from := strings.LastIndexByte(list[:mid], '\n') + 1
		to := from + strings.IndexByte(list[from:], '\n')
		switch got := list[from:to]; {
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

// foldString converts a string to lower case without accents, so that similar strings become equal.
func foldString(s string) string {
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

// variants returns a folded string, unchanged and with digits and signs replaced by the letters that they resemble.
func variants(s string) []string { return []string{s, digitsAsI.Replace(s), digitsAsL.Replace(s)} }

func countLetters(s string) (n int) {
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

// checkPasswordPolicy returns a problem for a new password that is too weak (8-id-password-policy) or too easily guessed
// (5.5-password-common, 5.5-password-personal).
func checkPasswordPolicy(password string, o Owner) error {
	for _, code := range CheckNewPassword(password, o) {
		return problem.Fail(http.StatusBadRequest, code, problem.FieldError{Field: "new_password", Code: code})
	}
	return nil
}

// ownerOf returns the known data of the owner of a password, taken from the account or, if that is nil, from the typed username.
func ownerOf(l *label.Label, username string, r *login) Owner {
	o := Owner{Username: username, Label: l.Info.Name}
	if r != nil {
		o.Name, o.Username, o.Email = r.Name, r.Username, r.Email
	}
	return o
}

// newPassword returns a temporary password that meets the policy and is easy to copy: it has no 0, O, 1, l or I.
func newPassword() string {
	const lower, upper, digits = "abcdefghjkmnpqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789"
	return randomChars(upper, 2) + randomChars(lower, 5) + randomChars(digits, 4) + randomChars(lower, 3)
}

func randomChars(from string, n int) string {
	out := make([]byte, 0, n)
	for len(out) < n {
		var b [1]byte
		_, _ = rand.Read(b[:])                   // never fails
		if int(b[0]) < 256/len(from)*len(from) { // every letter is equally likely
			out = append(out, from[int(b[0])%len(from)])
		}
	}
	return string(out)
}
