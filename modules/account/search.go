package account

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"github.com/wattle-portal/wattle/core/problem"
)

// Found is what a search says of a relation (6-staff-start-impersonation).
type Found struct {
	RelationID   string `json:"relation"`
	DebtorNumber string `json:"debtor_number"`
	Name         string `json:"name"`
	Email        string `json:"email"`
	PhoneNumber  string `json:"phone_number"`
	Place        string `json:"place" doc:"Town of the invoice address, else of the first"`
}

// Found is the relation as a search shows it.
func (r *Relation) Found(id string) Found {
	f := Found{RelationID: id, DebtorNumber: r.DebtorNumber, Name: r.Name(), Email: r.Email, PhoneNumber: r.PhoneNumber}
	for _, a := range r.Addresses {
		if f.Place == "" || a.Type == Invoice {
			f.Place = a.City
		}
	}
	return f
}

// Wanted is what somebody looks for: a mailbox, a debtor number, or the beginning of a name. Names are matched from their first
// letter on, so that an index answers however many relations there are.
type Wanted struct {
	Email  string   // lower case; all else is empty then
	Debtor []string // as it was typed, and in capitals
	Names  []string // beginnings of Key; none begins with another
	Firm   string   // beginning of FirmKey
}

// small are words of a Dutch surname that stand before it and are not sorted on.
var small = []string{"de", "den", "der", "van", "von", "het", "'t", "t", "ten", "ter", "te", "op", "in", "la", "le", "el"}

// ReadWanted reads what was typed. "F. de Boer", "de boer", "Fenna de Boer" and "boer" all find Boer.
func ReadWanted(typed string) Wanted {
	typed = strings.TrimSpace(typed)
	if strings.Contains(typed, "@") {
		return Wanted{Email: strings.ToLower(typed)}
	}
	whole := Fold(typed)
	if whole == "" {
		return Wanted{}
	}
	w := Wanted{Debtor: []string{typed}, Firm: whole}
	if upper := strings.ToUpper(typed); upper != typed {
		w.Debtor = append(w.Debtor, upper)
	}
	words := strings.Fields(whole)
	core := slices.DeleteFunc(slices.Clone(words), func(s string) bool {
		return slices.Contains(small, s) || strings.HasSuffix(s, ".") || len([]rune(s)) == 1
	})
	all := []string{whole}
	if len(core) > 0 {
		all = append(all, strings.Join(core, " "), core[len(core)-1])
	}
	for _, n := range all {
		// a shorter beginning finds what a longer one of the same finds
		if !slices.ContainsFunc(all, func(other string) bool { return other != n && strings.HasPrefix(n, other) }) && !slices.Contains(w.Names, n) {
			w.Names = append(w.Names, n)
		}
	}
	return w
}

// Key is what a relation is sorted and found on: surname, then initials, folded.
func (r *Relation) Key() string { return Fold(r.LastName + " " + r.Initials) }

// FirmKey is the same for the name of its company; empty for a person.
func (r *Relation) FirmKey() string {
	if r.Company == nil {
		return ""
	}
	return Fold(r.Company.Name)
}

// Fold makes one spelling of all: lower case, without accents, single spaces.
func Fold(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 { // most names have none, and an import has millions
		if plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s); err == nil {
			s = plain
		}
	}
	return strings.Join(strings.Fields(strings.ToLower(s)), " ")
}

// Cursor is a place in a list ordered by Key (or FirmKey) and relation.
type Cursor struct{ Key, Relation string }

// String is the cursor as a caller hands it back.
func (c Cursor) String() string {
	raw, _ := json.Marshal([2]string{c.Key, c.Relation}) // texts
	return base64.RawURLEncoding.EncodeToString(raw)
}

// ReadCursor reads a cursor; empty is the beginning. Problem: 400 invalid for one that is not ours.
func ReadCursor(s string) (Cursor, error) {
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
