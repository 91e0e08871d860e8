package marketplace

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

func TestMoneyBack(t *testing.T) {
	for _, row := range []string{"9-money-back-before-transfer", "9-money-back-after-transfer", "9-money-back-part", "9-money-back-refund-failed", "9-money-back-news"} {
		t.Run(row, func(t *testing.T) {
			moduletest.Vectors(t, ruleVectors+row+".json", func(f moneyFacts, _ value.Day, _ struct{}) moneyVerdict { return judgeMoney(f) })
		})
	}
	amount := func(t *rapid.T, what string) value.Cents { return value.Cents(rapid.Int64Range(0, 5).Draw(t, what)) }
	t.Run("whatever comes back, nobody holds money without somebody who looks at it", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			f := moneyFacts{State: rapid.SampledFrom([]payment.State{payment.Paid, payment.Refunding, payment.Refunded}).Draw(t, "state"), Bought: rapid.Bool().Draw(t, "bought"),
				Order: rapid.SampledFrom(orderStatuses).Draw(t, "order"), Amount: 4}
			f.Had, f.Now = payment.Returned{Refunded: amount(t, "had refunded"), ChargedBack: amount(t, "had charged")}, payment.Returned{Refunded: amount(t, "refunded"), ChargedBack: amount(t, "charged")}
			v := judgeMoney(f)
			stands := f.Bought && (f.Order == orderBought || f.Order == orderCompleted)
			left := f.Amount - f.Now.Sum()
			switch {
			case f.Now == f.Had:
				require.Equal(t, moneyVerdict{State: f.State, Note: f.Note}, v, "what was known changes nothing")
			case v.Cancel != "":
				require.True(t, stands && f.Order == orderBought, "only a sale before its transfer is cancelled")
				require.Equal(t, left > 0, v.Rest, "what is left goes back too")
				require.True(t, v.Case)
			case stands:
				require.True(t, v.Case)
				require.Equal(t, left > 0, v.State == payment.Paid, "it is paid as long as some of its money is here")
				require.False(t, f.Order == orderBought && f.Now.ChargedBack > 0)
			default:
				require.True(t, left > 0 || v.State == payment.Refunded, "nothing is left")
				require.True(t, left <= 0 || v.State != payment.Refunded, "%v is left and nobody gives it back", left)
				require.True(t, left >= 0 || v.Case, "more came back than was paid")
			}
		})
	})
	t.Run("where it ends does not hang on the way there", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			order := rapid.SampledFrom([]status{orderCompleted, orderCancelled}).Draw(t, "order")
			state, had := payment.Paid, payment.Returned{}
			if order == orderCancelled {
				state, had = payment.Refunded, payment.Returned{Refunded: 4}
			}
			straight := moneyFacts{State: state, Bought: true, Order: order, Amount: 4, Had: had}
			now := straight
			var last payment.Returned
			for range rapid.IntRange(1, 6).Draw(t, "news") {
				last = payment.Returned{Refunded: amount(t, "refunded"), ChargedBack: amount(t, "charged")}
				now.Now = last
				v := judgeMoney(now)
				now.State, now.Note, now.Had = v.State, v.Note, last
			}
			straight.Now = last
			if v := judgeMoney(straight); last != had {
				require.Equal(t, v.State, now.State)
				require.Equal(t, v.Note != "", now.Note != "")
			}
		})
	})
}

func TestReturnedOfAProvider(t *testing.T) {
	p := paymentRow{RefundID: "re_1", Refunded: 40}
	assert.Equal(t, payment.Returned{Refunded: 40}, p.returnedNow(payment.Found{Refunds: []string{}}), "it does not list our refund yet")
	assert.Equal(t, payment.Returned{}, p.returnedNow(payment.Found{Refunds: []string{"re_1"}}), "it lists it, and it is not in the sum: it failed")
	assert.Equal(t, payment.Returned{}, p.returnedNow(payment.Found{}), "it lists none: its total counts")
	assert.Equal(t, payment.Returned{Refunded: 50, ChargedBack: 1}, p.returnedNow(payment.Found{Refunds: []string{}, Returned: payment.Returned{Refunded: 50, ChargedBack: 1}}))
	assert.Equal(t, "CHARGED_BACK", paymentRow{State: string(payment.Refunded), ChargedBack: 1}.shown())
	assert.Equal(t, "PAID", paymentRow{State: string(payment.Paid), ChargedBack: 1}.shown())
}
