package order

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

const checkoutRules = "../../../../schemas/rules/"

type checkoutGiven struct {
	Day    value.Day `json:"day"`
	Basket struct {
		First value.Day `json:"first_valid_start_date"`
	} `json:"basket"`
}

func TestCheckoutRules(t *testing.T) {
	t.Run("5.7-checkout-date-min", func(t *testing.T) {
		moduletest.RunCases(t, checkoutRules+"5.7-checkout-date-min.json", func(g checkoutGiven, today value.Day, set Settings) []string {
			return append([]string{}, CheckTransferDate(g.Day, g.Basket.First, today, set.Transfer)...)
		})
	})
	t.Run("5.7-checkout-date-default", func(t *testing.T) {
		moduletest.RunCases(t, checkoutRules+"5.7-checkout-date-default.json", func(g checkoutGiven, today value.Day, set Settings) value.Day {
			return FirstTransferDay(g.Basket.First, today, set.Transfer)
		})
	})
	t.Run("2.4-thank-you-encoding", func(t *testing.T) {
		type given struct {
			Reference string      `json:"reference"`
			Amount    value.Cents `json:"amount"`
		}
		moduletest.RunCases(t, checkoutRules+"2.4-thank-you-encoding.json", func(g given, _ value.Day, _ struct{}) string {
			return ThankYou(g.Reference, g.Amount)
		})
	})
	t.Run("the first day of a basket is that of the latest offer", func(t *testing.T) {
		today, set := value.Day{Year: 2026, Month: 11, Day: 20}, TransferSettings{EarliestDays: 31}
		assert.Equal(t, "", firstOf(nil, today, set).String())
		assert.Equal(t, "2026-12-21", firstOf([]value.Day{{Year: 2026, Month: 12, Day: 1}, today}, today, set).String())
		assert.Equal(t, "2027-02-01", firstOf([]value.Day{today, {Year: 2027, Month: 2, Day: 1}, today}, today, set).String())
	})
	t.Run("a purchase can be undone for its days, until it is transferred", func(t *testing.T) {
		paid := value.Day{Year: 2026, Month: 11, Day: 20}
		assert.Equal(t, "2026-12-04", WithdrawUntil(paid, value.Day{Year: 2026, Month: 12, Day: 21}, 14).String())
		assert.Equal(t, "2026-11-30", WithdrawUntil(paid, value.Day{Year: 2026, Month: 12, Day: 1}, 14).String())
		assert.Equal(t, "2026-12-20", WithdrawUntil(paid, value.Day{Year: 2026, Month: 12, Day: 21}, 60).String())
	})
	t.Run("9-transfer-when-paid", func(t *testing.T) {
		for _, c := range []struct {
			chosen, paid         string
			earliest, withdrawal int
			want                 string
		}{
			{"2026-12-21", "2026-11-20", 31, 14, "2026-12-21"},
			{"2026-12-21", "2026-12-20", 31, 14, "2026-12-21"},
			{"2026-11-29", "2026-11-28", 2, 14, "2026-11-29"},
			{"2026-11-29", "2026-11-29", 2, 14, "2026-12-01"},
			{"2026-11-29", "2026-12-07", 2, 14, "2026-12-09"}, // no earlier date, and days to withdraw remain
			{"2026-12-07", "2026-12-07", 20, 14, "2026-12-22"},
			{"2026-11-27", "2026-11-27", 0, 14, "2026-11-27"},
			{"2026-11-27", "2026-12-07", 0, 14, "2026-12-07"},
		} {
			chosen, err := value.ParseDay(c.chosen)
			require.NoError(t, err)
			paid, err := value.ParseDay(c.paid)
			require.NoError(t, err)
			got := TransferWhenPaid(chosen, paid, Settings{Transfer: TransferSettings{EarliestDays: c.earliest}, WithdrawalDays: c.withdrawal})
			assert.Equal(t, c.want, got.String(), "%+v", c)
		}
	})
}

func TestBrowsersBasketIsComparedOnly(t *testing.T) {
	b := Basket{Items: []BasketItem{{Identifier: "b", Shares: 2, Price: 5000, Amount: 10000},
		{Identifier: "a", Shares: 1, Price: 100, Amount: 100}}, Total: 10100}
	read := func(text string) *BasketSeen {
		seen := &BasketSeen{}
		require.NoError(t, json.Unmarshal([]byte(text), seen), text)
		return seen
	}
	assert.True(t, b.same(nil), "a client that sends none orders what the server has")
	same := `{"items":[{"identifier":"a","shares":1,"price_per_share":1,"amount":1.00,"project_name":"x"},{"identifier":"b","shares":2,"price_per_share":50.00,"amount":100}],"total_amount":101}`
	assert.True(t, b.same(read(same)), "in any order, with whatever else stands in it")
	for name, text := range map[string]string{
		"cheaper": `{"items":[{"identifier":"a","shares":1,"price_per_share":1,"amount":1},{"identifier":"b","shares":2,"price_per_share":0.01,"amount":100}],"total_amount":101}`,
		"more":    `{"items":[{"identifier":"a","shares":1,"price_per_share":1,"amount":1},{"identifier":"b","shares":20,"price_per_share":50,"amount":100}],"total_amount":101}`,
		"fewer":   `{"items":[{"identifier":"b","shares":2,"price_per_share":50,"amount":100}],"total_amount":101}`,
		"other":   `{"items":[{"identifier":"c","shares":1,"price_per_share":1,"amount":1},{"identifier":"b","shares":2,"price_per_share":50,"amount":100}],"total_amount":101}`,
		"total":   `{"items":[{"identifier":"a","shares":1,"price_per_share":1,"amount":1},{"identifier":"b","shares":2,"price_per_share":50,"amount":100}],"total_amount":0}`,
		"amount":  `{"items":[{"identifier":"a","shares":1,"price_per_share":1,"amount":1},{"identifier":"b","shares":2,"price_per_share":50,"amount":1}],"total_amount":101}`,
		"twice":   `{"items":[{"identifier":"a","shares":1,"price_per_share":1,"amount":1},{"identifier":"a","shares":1,"price_per_share":1,"amount":1}],"total_amount":101}`,
		"empty":   `{}`,
	} {
		assert.False(t, b.same(read(text)), name)
	}
	assert.True(t, Basket{}.same(read(`{"items":null}`)))
}

// Every status is combined with every other: transitions that are not in the table are refused.
func TestOrderTransitions(t *testing.T) {
	all := []state.Status{Created, Awaiting, Bought, Completed, Expired, Cancelled}
	want := map[[2]state.Status]bool{
		{Created, Awaiting}: true, {Awaiting, Bought}: true, {Bought, Completed}: true,
		{Created, Expired}: true, {Awaiting, Expired}: true,
		{Created, Cancelled}: true, {Awaiting, Cancelled}: true, {Bought, Cancelled}: true,
	}
	for _, from := range all {
		for _, to := range append(all, "LENT") {
			err := state.Next(Transitions, from, to)
			if want[[2]state.Status{from, to}] {
				assert.NoError(t, err, "%s to %s", from, to)
				continue
			}
			assert.Equal(t, 409, problem.Of(err).Status, "%s to %s", from, to)
			assert.Equal(t, state.CodeTransition, problem.Of(err).Code)
		}
	}
	assert.Len(t, Transitions, len(want))
}
