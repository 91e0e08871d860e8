package notifications

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestKinds(t *testing.T) {
	t.Run("9-notification-kinds-fixed", func(t *testing.T) {
		for k, fixed := range map[Kind]bool{Project: false, News: false, Market: false, Security: true, Contract: true, Payment: true} {
			assert.Equal(t, fixed, k.isFixed(), k)
			assert.True(t, k.isKnown(), k)
			said := strings.Contains(texts["nl"]["notifications.mail.optional.unsubscribe"], " "+string(k)+" {")
			assert.Equal(t, !fixed, said, "mails of %s can be ended, and say of what", k)
		}
		assert.Len(t, kinds, 6)
		assert.False(t, Kind("other").isKnown())
		assert.False(t, Kind("").isKnown())
	})
}

func TestPreferences(t *testing.T) {
	set := &Settings{Mail: []Kind{News}}
	of := func(stored map[Kind]Preference) map[Kind]Preference {
		out := map[Kind]Preference{}
		for _, p := range preferences(set, stored) {
			out[p.Kind] = p
		}
		return out
	}
	fixed := func(k Kind) Preference { return Preference{Kind: k, Portal: true, Mail: true, Fixed: true} }
	t.Run("9-notification-preferences,9-notification-kinds-fixed", func(t *testing.T) {
		assert.Equal(t, map[Kind]Preference{
			Project: {Kind: Project, Portal: true}, News: {Kind: News, Portal: true, Mail: true}, Market: {Kind: Market, Portal: true},
			Security: fixed(Security), Contract: fixed(Contract), Payment: fixed(Payment),
		}, of(nil), "nothing was chosen")
		got := of(map[Kind]Preference{News: {Kind: News}, Market: {Kind: Market, Mail: true}, Payment: {Kind: Payment}})
		assert.Equal(t, map[Kind]Preference{
			Project: {Kind: Project, Portal: true}, News: {Kind: News}, Market: {Kind: Market, Mail: true},
			Security: fixed(Security), Contract: fixed(Contract), Payment: fixed(Payment),
		}, got, "what was chosen of a fixed kind does not count")
	})
	t.Run("9-notification-kinds-fixed", func(t *testing.T) {
		assert.Empty(t, checkPreferences(nil))
		assert.Empty(t, checkPreferences([]Preference{{Kind: News}, {Kind: Project, Portal: true}, {Kind: Security, Portal: true, Mail: true}}))
		assert.Equal(t, []string{"kinds.1.portal " + codeKindFixed, "kinds.2.mail " + codeKindFixed, "kinds.3.kind invalid"},
			errorsOf(checkPreferences([]Preference{{Kind: News}, {Kind: Security, Mail: true}, {Kind: Payment, Portal: true}, {Kind: News}})))
	})
}
