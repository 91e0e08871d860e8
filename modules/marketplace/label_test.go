package marketplace

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A label without settings has the default values of the rules, which the tests of the module use.
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

// The default values and the limits of the settings.
func TestBoundsOfSettings(t *testing.T) {
	ctx := cuecontext.New()
	schema := ctx.CompileString(settings)
	require.NoError(t, schema.Err())
	label := func(text string) (cue.Value, error) {
		v := schema.LookupPath(cue.MakePath(cue.Def("Settings"))).Unify(ctx.CompileString("{transfer: earliest_days: 365, " + text + "}"))
		return v, v.Validate(cue.Concrete(true), cue.Final())
	}
	for rows, c := range map[string]struct {
		setting     string
		is          int64
		fine, wrong []int
	}{
		"9-market-page-size": {"page_size", 10, []int{1, 100}, []int{0, 101}},
		"9-order-reservation,9-reservation-link-reconcile": {"order.reservation_days", 14, []int{1, 14}, []int{0, 15}},
		"9-payment-link-life,9-reservation-link-reconcile": {"order.link_days", 7, []int{1, 7}, []int{0, 8}},
		"9-withdrawal-period":                              {"withdrawal_days", 14, []int{14, 30}, []int{13}},
	} {
		t.Run(rows, func(t *testing.T) {
			v, err := label("")
			require.NoError(t, err)
			is, err := v.LookupPath(cue.ParsePath(c.setting)).Int64()
			require.NoError(t, err)
			assert.Equal(t, c.is, is)
			for _, n := range append(c.fine, c.wrong...) {
				_, err := label(strings.ReplaceAll(c.setting, ".", ": ") + ": " + strconv.Itoa(n))
				assert.Equal(t, slices.Contains(c.fine, n), err == nil, "%d: %v", n, err)
			}
		})
	}
	t.Run("9-order-costs", func(t *testing.T) {
		v, err := label("")
		require.NoError(t, err)
		charged, err := v.LookupPath(cue.ParsePath("order.administration_costs")).Bool()
		require.NoError(t, err)
		assert.False(t, charged)
	})
}

// A label cannot promise a transfer date before an order must be paid, or within the withdrawal period.
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
