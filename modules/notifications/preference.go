package notifications

import (
	"fmt"
	"slices"

	"github.com/wattle-portal/wattle/core/problem"
)

// Preference is how a customer receives notifications of a kind.
type Preference struct {
	Kind   Kind `json:"kind" enum:"project,news,market,security,contract,payment" doc:"Kind of notification"`
	Portal bool `json:"portal" doc:"Whether notifications of this kind are in the list"`
	Mail   bool `json:"mail" doc:"Whether they are also sent by mail, if the sender mails them"`
	Fixed  bool `json:"fixed" required:"false" doc:"Whether the kind cannot be switched off; ignored in requests"`
}

// preferenceOf returns the default preference for a kind.
func preferenceOf(set *Settings, k Kind) Preference {
	return Preference{Kind: k, Portal: true, Mail: k.isFixed() || slices.Contains(set.Mail, k), Fixed: k.isFixed()}
}

// preferences returns the preferences of a customer for all kinds. A stored preference of a fixed kind is ignored.
func preferences(set *Settings, stored map[Kind]Preference) []Preference {
	out := make([]Preference, len(kinds))
	for i, k := range kinds {
		out[i] = preferenceOf(set, k)
		if p, ok := stored[k]; ok && !k.isFixed() {
			out[i].Portal, out[i].Mail = p.Portal, p.Mail
		}
	}
	return out
}

// checkPreferences returns errors for fixed kinds that are switched off, and for kinds that occur twice.
func checkPreferences(wanted []Preference) (fieldErrors []problem.FieldError) {
	seen := map[Kind]bool{}
	for i, p := range wanted {
		at := func(field string) string { return fmt.Sprintf("kinds.%d.%s", i, field) }
		if seen[p.Kind] {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: at("kind"), Code: problem.CodeInvalid})
		}
		seen[p.Kind] = true
		if p.Kind.isFixed() && !p.Portal {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: at("portal"), Code: codeKindFixed})
		}
		if p.Kind.isFixed() && !p.Mail {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: at("mail"), Code: codeKindFixed})
		}
	}
	return fieldErrors
}
