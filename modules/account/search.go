package account

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Found is a relation in a search result (6-staff-start-impersonation).
type Found struct {
	RelationID   string `json:"relation" doc:"Id of the relation"`
	DebtorNumber string `json:"debtor_number" doc:"Customer number of the back office"`
	Name         string `json:"name" doc:"Name of the company or the person"`
	Email        string `json:"email" doc:"E-mail address from the administration"`
	PhoneNumber  string `json:"phone_number" doc:"Phone number"`
	Place        string `json:"place" doc:"City of the invoice address, otherwise of the first address"`
}

// Found returns the relation as a search result with the given id.
func (r *Relation) Found(id string) Found {
	f := Found{RelationID: id, DebtorNumber: r.DebtorNumber, Name: r.Name(), Email: r.Email, PhoneNumber: r.PhoneNumber}
	for _, a := range r.Addresses {
		if f.Place == "" || a.Type == Invoice {
			f.Place = a.City
		}
	}
	return f
}

// Query is a search for an email address, a debtor number, an address, or the beginning of a name. Names and addresses are matched from
// their first character, so that an index can be used for any number of relations.
type Query struct {
	Email         string   // lower case; the other fields are then empty
	DebtorNumbers []string // as entered, and in upper case
	Place         string   // prefix of PlaceKey; there are then no names
	Names         []string // prefixes of NameKey; none of them begins with another
	Company       string   // prefix of CompanyKey
}

// Kind returns what the query searches for: email, address, number or name. It contains nothing of the text, so it may be logged.
func (q Query) Kind() string {
	switch {
	case q.Email != "":
		return "email"
	case q.Place != "":
		return "address"
	case len(q.DebtorNumbers) > 0 && strings.ContainsAny(q.DebtorNumbers[0], "0123456789"):
		return "number"
	}
	return "name"
}

// surnamePrefixes are Dutch surname prefixes, which sorting ignores.
var surnamePrefixes = []string{"de", "den", "der", "van", "von", "het", "'t", "t", "ten", "ter", "te", "op", "in", "la", "le", "el"}

// placePattern matches a Dutch postal code, with or without a house number and the beginning of its extension.
var placePattern = regexp.MustCompile(`^(\d{4}\s*[A-Za-z]{2})(?:[\s,]*(\d.*))?$`)

// ParseQuery parses the input of a search field. "F. de Boer", "de boer", "Fenna de Boer" and "boer" all find Boer; "2555BX" and
// "2555 bx 12" find the addresses 2555 BX 12 and 12 A.
func ParseQuery(typed string) Query {
	typed = strings.TrimSpace(typed)
	if strings.Contains(typed, "@") {
		return Query{Email: strings.ToLower(typed)}
	}
	folded := Fold(typed)
	if folded == "" {
		return Query{}
	}
	w := Query{DebtorNumbers: []string{typed}, Company: folded}
	if upper := strings.ToUpper(typed); upper != typed {
		w.DebtorNumbers = append(w.DebtorNumbers, upper)
	}
	if m := placePattern.FindStringSubmatch(typed); m != nil {
		return Query{DebtorNumbers: w.DebtorNumbers, Place: placeKey(m[1], m[2])}
	}
	words := strings.Fields(folded)
	core := slices.DeleteFunc(slices.Clone(words), func(s string) bool {
		return slices.Contains(surnamePrefixes, s) || strings.HasSuffix(s, ".") || len([]rune(s)) == 1
	})
	all := []string{folded}
	if len(core) > 0 {
		all = append(all, strings.Join(core, " "), core[len(core)-1])
	}
	for _, n := range all {
		// a shorter prefix also matches all names with the longer one
		if !slices.ContainsFunc(all, func(other string) bool { return other != n && strings.HasPrefix(n, other) }) &&
			!slices.Contains(w.Names, n) {
			w.Names = append(w.Names, n)
		}
	}
	return w
}

// NameKey returns the key for sorting and searching by name: the folded surname and initials.
func (r *Relation) NameKey() string { return Fold(r.LastName + " " + r.Initials) }

// CompanyKey returns the folded name of the company, or "" for a person.
func (r *Relation) CompanyKey() string {
	if r.Company == nil {
		return ""
	}
	return Fold(r.Company.Name)
}

// PlaceKey returns the key for searching by address: that of the first address of delivery, otherwise of the first address.
func (r *Relation) PlaceKey() string {
	if len(r.Addresses) == 0 {
		return ""
	}
	a := r.Addresses[max(0, slices.IndexFunc(r.Addresses, func(a Address) bool { return a.Type == Shipping }))]
	return placeKey(a.ZipCode, a.Number+a.Extension)
}

// placeKey returns the postal code, the digits of the house number, and its extension in lower case: "2555BX 12 a". Without a number it is
// a prefix of all keys of the postal code.
func placeKey(zipCode, number string) string {
	zipCode, number = value.NormalizeZipCode(zipCode), strings.ReplaceAll(Fold(number), " ", "")
	switch {
	case zipCode == "":
		return ""
	case number == "":
		return zipCode + " "
	}
	extension := strings.TrimLeft(number, "0123456789")
	return zipCode + " " + strings.TrimSuffix(number, extension) + " " + strings.TrimLeft(extension, "-/")
}

// Fold returns a string in lower case, without accents, and with single spaces.
func Fold(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 { // faster for most names; an import may have millions
		if plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s); err == nil {
			s = plain
		}
	}
	return strings.Join(strings.Fields(strings.ToLower(s)), " ")
}

// Cursor is a position in a list sorted by NameKey or CompanyKey, then by relation.
type Cursor struct{ Key, Relation string }

// String encodes the cursor for the caller.
func (c Cursor) String() string {
	raw, _ := json.Marshal([2]string{c.Key, c.Relation}) // strings cannot fail
	return base64.RawURLEncoding.EncodeToString(raw)
}

// ParseCursor decodes a cursor; "" is the start of the list. It returns 400 invalid for any other string.
func ParseCursor(s string) (Cursor, error) {
	var parts [2]string
	if s == "" {
		return Cursor{}, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || json.Unmarshal(raw, &parts) != nil {
		return Cursor{}, problem.Refuse(problem.FieldError{Field: "after", Code: problem.CodeInvalid})
	}
	return Cursor{parts[0], parts[1]}, nil
}
