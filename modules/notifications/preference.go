package notifications

import (
	"fmt"
	"slices"

	"github.com/wattle-portal/wattle/core/problem"
)

// Preference is how a customer wants to get notifications of a kind.
type Preference struct {
	Kind   Kind `json:"kind" enum:"project,news,market,security,contract,payment"`
	Portal bool `json:"portal" doc:"In the list of notifications"`
	Mail   bool `json:"mail" doc:"By mail, when the sender mails them"`
	Fixed  bool `json:"fixed" required:"false" doc:"Cannot be switched off; ignored when it is sent"`
}

// preferenceOf is what holds for a kind of which a customer has said nothing.
func preferenceOf(set *Settings, k Kind) Preference {
	return Preference{Kind: k, Portal: true, Mail: k.fixed() || slices.Contains(set.Mail, k), Fixed: k.fixed()}
}

// preferences are those of a customer for all kinds. What is stored of a fixed kind does not count.
func preferences(set *Settings, stored map[Kind]Preference) []Preference {
	out := make([]Preference, len(kinds))
	for i, k := range kinds {
		out[i] = preferenceOf(set, k)
		if p, ok := stored[k]; ok && !k.fixed() {
			out[i].Portal, out[i].Mail = p.Portal, p.Mail
		}
	}
	return out
}

// checkPreferences says what is wrong with what a customer wants: fixed kinds stay on, and no kind stands there twice.
func checkPreferences(wanted []Preference) (wrong []problem.FieldError) {
	seen := map[Kind]bool{}
	for i, p := range wanted {
		at := func(field string) string { return fmt.Sprintf("kinds.%d.%s", i, field) }
		if seen[p.Kind] {
			wrong = append(wrong, problem.FieldError{Field: at("kind"), Code: problem.CodeInvalid})
		}
		seen[p.Kind] = true
		if p.Kind.fixed() && !p.Portal {
			wrong = append(wrong, problem.FieldError{Field: at("portal"), Code: codeKindFixed})
		}
		if p.Kind.fixed() && !p.Mail {
			wrong = append(wrong, problem.FieldError{Field: at("mail"), Code: codeKindFixed})
		}
	}
	return wrong
}
