package marketplace

import (
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A label that sets nothing has the numbers of the rules, and the tests of the module use them.
func TestDefaultSettings(t *testing.T) {
	t.Run("5.7-offer-date-horizon,5.7-checkout-date-default", func(t *testing.T) {
		ctx := cuecontext.New()
		var got Settings
		label := ctx.CompileString(settings).LookupPath(cue.MakePath(cue.Def("Settings")))
		require.NoError(t, label.Unify(ctx.CompileString(`payment: provider: "sandbox"`)).Decode(&got))
		assert.Equal(t, []int{90, 31}, []int{got.Offer.MaxDaysAhead, got.Transfer.EarliestDays})
		assert.Equal(t, testSettings(), got)
	})
}

// A label cannot promise a transfer date that comes before an order must be paid, or within its withdrawal period.
func TestSettingsThatCannotBeKept(t *testing.T) {
	const mollie, sandbox = `payment: {provider: "mollie", key: "K"}, `, `payment: provider: "sandbox", `
	t.Run("9-transfer-when-paid", func(t *testing.T) {
		ctx := cuecontext.New()
		schema := ctx.CompileString(settings)
		require.NoError(t, schema.Err())
		for text, fine := range map[string]bool{
			``: true, mollie: true, sandbox: true,
			mollie + `transfer: earliest_days: 28`:                             false,
			mollie + `transfer: earliest_days: 29`:                             true,
			mollie + `transfer: earliest_days: 7`:                              false,
			mollie + `transfer: earliest_days: 0`:                              false,
			mollie + `transfer: earliest_days: 16, order: reservation_days: 1`: true,
			mollie + `withdrawal_days: 30`:                                     false,
			mollie + `withdrawal_days: 30, transfer: earliest_days: 45`:        true,
			`transfer: earliest_days: 7`:                                       false,
			sandbox + `transfer: earliest_days: 0`:                             true,
			sandbox + `transfer: earliest_days: 7`:                             false,
			sandbox + `transfer: earliest_days: 60, order: {reservation_days: 14, link_days: 1}, withdrawal_days: 45`: true,
		} {
			label := schema.LookupPath(cue.MakePath(cue.Def("Settings"))).Unify(ctx.CompileString("{" + text + "}"))
			if err := label.Validate(cue.Concrete(true), cue.Final()); fine {
				assert.NoError(t, err, text)
			} else {
				assert.ErrorContains(t, err, "earliest_days", text)
			}
		}
	})
}
