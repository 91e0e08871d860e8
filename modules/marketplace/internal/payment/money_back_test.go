package payment

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
)

// The actions that staff can take on a payment depend on its order and its note.
func TestWhatStaffCanDo(t *testing.T) {
	refunding := string(Refunding)
	for want, all := range map[bool][]Payment{
		true:  {{State: string(Paid), Note: NoteAmount}, {State: refunding}},
		false: {{State: string(Paid)}, {State: string(Open), Note: NoteAmount}, {State: string(Refunded), Note: NoteAmount}, {}},
	} {
		for _, p := range all {
			assert.Equal(t, want, p.CanRefund(), "%+v", p)
		}
	}
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	assert.True(t, Payment{Late: true, State: string(Paid)}.CanMarkSeen())
	assert.True(t, Payment{Late: true, State: refunding, Note: StuckNotes[0]}.CanMarkSeen())
	for _, p := range []Payment{{State: string(Paid)}, {Late: true, State: string(Paid), SeenAt: &at}, {Late: true, State: refunding},
		{State: refunding, Note: StuckNotes[0]}} {
		assert.False(t, p.CanMarkSeen(), "%+v", p)
	}
	assert.True(t, Payment{State: refunding, Note: parkedNotes[0]}.WaitsForStaff())
	assert.False(t, Payment{State: refunding}.WaitsForStaff())
	assert.False(t, Payment{State: string(Paid), Note: parkedNotes[0]}.WaitsForStaff())

	part := Payment{Bought: true, Refunded: 1, State: string(Paid)}
	assert.True(t, part.CanCancelSale(SaleBought))
	assert.False(t, part.CanCancelSale(SaleCompleted))
	for _, p := range []Payment{{Refunded: 1, State: string(Paid)}, {Bought: true, State: string(Paid)},
		{Bought: true, Refunded: 1, State: refunding}} {
		assert.False(t, p.CanCancelSale(SaleBought), "%+v", p)
	}
	assert.Equal(t, string(Refunded), Payment{State: string(Refunded)}.DisplayState())
	assert.Equal(t, string(ChargedBack), Payment{State: string(Refunded), ChargedBack: 1}.DisplayState())
}

const vectors = "../../../../schemas/rules/"

const saleCancelled Sale = "CANCELLED"

// sales lists the statuses of an order.
var sales = []Sale{"CREATED", "AWAITING_PAYMENT", SaleBought, SaleCompleted, "EXPIRED", saleCancelled}

func TestMoneyBack(t *testing.T) {
	for _, row := range []string{"9-money-back-before-transfer", "9-money-back-after-transfer", "9-money-back-part",
		"9-money-back-refund-failed", "9-money-back-news"} {
		t.Run(row, func(t *testing.T) {
			moduletest.RunCases(t, vectors+row+".json", func(f Facts, _ value.Day, _ struct{}) Decision { return DecideReturn(f) })
		})
	}
	amount := func(t *rapid.T, what string) value.Cents { return value.Cents(rapid.Int64Range(0, 5).Draw(t, what)) }
	t.Run("whatever comes back, nobody holds money without somebody who looks at it", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			f := Facts{State: rapid.SampledFrom([]State{Paid, Refunding, Refunded}).Draw(t, "state"), Bought: rapid.Bool().Draw(t, "bought"),
				Order: rapid.SampledFrom(sales).Draw(t, "order"), Amount: 4}
			f.Had, f.Now = Returned{Refunded: amount(t, "had refunded"), ChargedBack: amount(t, "had charged")},
				Returned{Refunded: amount(t, "refunded"), ChargedBack: amount(t, "charged")}
			v := DecideReturn(f)
			stands := f.Bought && (f.Order == SaleBought || f.Order == SaleCompleted)
			left := f.Amount - f.Now.Sum()
			switch {
			case f.Now == f.Had:
				require.Equal(t, Decision{State: f.State, Note: f.Note}, v, "what was known changes nothing")
			case v.Cancel != "":
				require.True(t, stands && f.Order == SaleBought, "only a sale before its transfer is cancelled")
				require.Equal(t, left > 0, v.Rest, "what is left goes back too")
				require.True(t, v.Case)
			case stands:
				require.True(t, v.Case)
				require.Equal(t, left > 0, v.State == Paid, "it is paid as long as some of its money is here")
				require.False(t, f.Order == SaleBought && f.Now.ChargedBack > 0)
			default:
				require.True(t, left > 0 || v.State == Refunded, "nothing is left")
				require.True(t, left <= 0 || v.State != Refunded, "%v is left and nobody gives it back", left)
				require.True(t, left >= 0 || v.Case, "more came back than was paid")
			}
		})
	})
	t.Run("9-money-back-news", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			order := rapid.SampledFrom([]Sale{SaleCompleted, saleCancelled}).Draw(t, "order")
			state, had := Paid, Returned{}
			if order == saleCancelled {
				state, had = Refunded, Returned{Refunded: 4}
			}
			straight := Facts{State: state, Bought: true, Order: order, Amount: 4, Had: had}
			now := straight
			var last Returned
			for range rapid.IntRange(1, 6).Draw(t, "news") {
				last = Returned{Refunded: amount(t, "refunded"), ChargedBack: amount(t, "charged")}
				now.Now = last
				v := DecideReturn(now)
				now.State, now.Note, now.Had = v.State, v.Note, last
			}
			straight.Now = last
			if v := DecideReturn(straight); last != had {
				require.Equal(t, v.State, now.State)
				require.Equal(t, v.Note != "", now.Note != "")
			}
		})
	})
}

func TestReturnedOfAProvider(t *testing.T) {
	p := Payment{RefundID: "re_1", Refunded: 40}
	assert.Equal(t, Returned{Refunded: 40}, p.ReturnedNow(Found{Refunds: []string{}}), "it does not list our refund yet")
	assert.Equal(t, Returned{}, p.ReturnedNow(Found{Refunds: []string{"re_1"}}), "it lists it, and it is not in the sum: it failed")
	assert.Equal(t, Returned{}, p.ReturnedNow(Found{}), "it lists none: its total counts")
	assert.Equal(t, Returned{Refunded: 50, ChargedBack: 1},
		p.ReturnedNow(Found{Refunds: []string{}, Returned: Returned{Refunded: 50, ChargedBack: 1}}))
	assert.Equal(t, "CHARGED_BACK", Payment{State: string(Refunded), ChargedBack: 1}.DisplayState())
	assert.Equal(t, "PAID", Payment{State: string(Paid), ChargedBack: 1}.DisplayState())
}
