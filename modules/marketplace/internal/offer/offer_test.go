package offer

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

const ruleVectors = "../../../../schemas/rules/"

// The rules of an offer, with the test vectors that the form in the browser uses too.
func TestOfferRules(t *testing.T) {
	for _, row := range []string{"5.7-offer-required", "5.7-offer-shares", "5.7-offer-buyer-email", "5.7-offer-price-range",
		"5.7-offer-price-personal",
		"5.7-offer-price-floor-order", "5.7-offer-allow-selling", "5.7-offer-date-horizon"} {
		t.Run(row, func(t *testing.T) {
			moduletest.RunCases(t, ruleVectors+row+".json", func(o NewOffer, today value.Day, b Bounds) []problem.FieldError {
				return append([]problem.FieldError{}, o.Check(b, today)...)
			})
		})
	}
	t.Run("5.7-offer-price-floor", func(t *testing.T) {
		moduletest.RunCases(t, ruleVectors+"5.7-offer-price-floor.json", func(o NewOffer, _ value.Day, _ struct{}) int64 {
			price, ok := FloorPrice(o.Price)
			require.True(t, ok)
			return int64(price) / 100
		})
	})
	t.Run("what nobody types is refused by its field", func(t *testing.T) {
		today := value.Day{Year: 2026, Month: 11, Day: 20}
		b := Bounds{10, []project.OfferSetting{{From: value.Day{Year: 2026, Month: 1, Day: 1}, Min: 0, Max: 25000, AllowSelling: true}}, 90}
		for _, c := range []struct{ in, want string }{
			{`{"date":"20-11-2026"}`, "date marketplace.invalid_input"},
			{`{"date":"2026-02-30"}`, "date marketplace.invalid_input"},
			{`{"number_of_shares":1e3}`, "number_of_shares marketplace.invalid_input"},
			{`{"number_of_shares":99999999999999999999}`, "number_of_shares marketplace.invalid_input"},
			{`{"price":1e300}`, "price marketplace.invalid_input"},
			{`{"price":99999999999}`, "price marketplace.invalid_input"},
			{`{"price":-0.5}`, "price marketplace.min_price"},
			{`{"offer_type":"PUBLIC"}`, "offer_type marketplace.invalid_input"},
			{`{"offer_type":"personal","buyer_email_address":"a@b, c@d"}`, "buyer_email_address marketplace.invalid_input"},
			{`{"offer_type":"personal","buyer_email_address":"A <a@b.nl>"}`, "buyer_email_address marketplace.invalid_input"},
		} {
			o := NewOffer{Participation: "P", Type: FormPublic, Date: "2026-11-20", Shares: "5", Price: "100"}
			require.NoError(t, json.Unmarshal([]byte(c.in), &o))
			var got []string
			for _, w := range o.Check(b, today) {
				got = append(got, w.Field+" "+w.Code)
			}
			assert.Equal(t, []string{c.want}, got, c.in)
		}
	})
	t.Run("what is accepted is within its bounds", func(t *testing.T) {
		today := value.Day{Year: 2026, Month: 11, Day: 20}
		rapid.Check(t, func(t *rapid.T) {
			price, shares := rapid.IntRange(-300, 30000).Draw(t, "cents"), rapid.IntRange(-2, 12).Draw(t, "shares")
			on := today.AddDays(rapid.IntRange(-3, 95).Draw(t, "days"))
			o := NewOffer{Participation: "P", Type: FormPublic, Date: on.String(), Shares: json.Number(jsonOf(shares)),
				Price: json.Number(value.Cents(price).String())}
			fieldErrors := o.Check(Bounds{10, []project.OfferSetting{{From: today, Min: 5000, Max: 25000, AllowSelling: true}}, 90}, today)
			floor := price - price%100
			if fine := floor >= 5000 && floor <= 25000 && price >= 0 && shares >= 1 && shares <= 10 && !on.Before(today) &&
				!on.After(today.AddDays(90)); fine != (len(fieldErrors) == 0) {
				t.Fatalf("%+v: %v", o, fieldErrors)
			}
		})
	})
}

func jsonOf(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// The sum of the four numbers of an offer never exceeds its shares, however many are retracted.
func TestRetracted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Offer{Status: Active, Left: rapid.Int64Range(1, 5).Draw(t, "left"), Reserved: rapid.Int64Range(0, 3).Draw(t, "reserved"),
			Held: rapid.Int64Range(0, 3).Draw(t, "held"), Transferred: rapid.Int64Range(0, 3).Draw(t, "transferred")}
		n := rapid.Int64Range(1, o.Left).Draw(t, "n")
		to := o.Retracted(n)
		if to != o.Status && state.Next(Transitions, o.Status, to) != nil {
			t.Fatalf("%+v retracts %d to %s", o, n, to)
		}
		if gone := n == o.Left && o.Reserved == 0; gone != (to != Active) || to == Revoked && o.Held+o.Transferred > 0 {
			t.Fatalf("%+v retracts %d to %s", o, n, to)
		}
	})
}

func TestItemStatus(t *testing.T) {
	t.Run("4-offer-status-reconcile,4-offer-item-status-enum", func(t *testing.T) {
		for _, c := range []struct {
			Offer
			want string
		}{
			{Offer{Status: Created, Shares: 5, Left: 5}, "CREATED"},
			{Offer{Status: Approved, Shares: 5, Left: 5}, "APPROVED"},
			{Offer{Status: Active, Shares: 5, Left: 5}, "AVAILABLE"},
			{Offer{Status: Active, Shares: 5, Left: 1, Reserved: 4}, "AVAILABLE"},
			{Offer{Status: Active, Shares: 5, Reserved: 5}, "RESERVED"},
			{Offer{Status: Active, Shares: 5, Reserved: 1, Held: 4}, "RESERVED"},
			{Offer{Status: Sold, Shares: 5, Held: 5}, "COMPLETED"},
			{Offer{Status: Sold, Shares: 5, Held: 2, Transferred: 3}, "COMPLETED"},
			{Offer{Status: Sold, Shares: 5, Transferred: 5}, "TRANSFERRED"},
			{Offer{Status: Sold, Shares: 0}, "CLOSED"},
			{Offer{Status: Revoked, Shares: 5}, "CLOSED"},
			{Offer{Status: Rejected, Shares: 5}, "CLOSED"},
		} {
			assert.Equal(t, c.want, c.ItemStatus(), "%+v", c.Offer)
		}
	})
}

func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		code := RandomString(CodeLength)
		require.Len(t, code, 11)
		require.False(t, seen[code])
		seen[code] = true
		want, ok := CodeHash(code)
		require.True(t, ok)
		got, _ := CodeHash("  " + strings.ToLower(code) + "\n")
		require.Equal(t, want, got, "however it was typed")
	}
	_, ok := CodeHash("short")
	require.False(t, ok)
}
