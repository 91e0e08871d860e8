package marketplace

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/history"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// noticeOf returns the latest notice of a kind to a relation.
func (w *world) noticeOf(kind notice.Kind, relation string) (last notice.Notice) {
	w.t.Helper()
	for _, r := range w.queued("event") {
		var e module.Event
		require.NoError(w.t, json.Unmarshal(r.Payload, &e))
		var n notice.Notice
		if json.Unmarshal(e.Data, &n) == nil && n.Kind == kind && n.Relation == relation {
			last = n
		}
	}
	return last
}

// An order that is paid after its transfer date is transferred later, and can be undone until then.
func TestOrderThatIsPaidLate(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		set := testSettings()
		set.Transfer.EarliestDays = 2
		w := openMarket(t, o, set)
		one, three := member("1"), member("3")
		offered := w.offered(one, jsonOf(newOffer("P-1", 12))).Identifier
		w.pump()
		t.Run("9-transfer-when-paid", func(t *testing.T) {
			w := w.in(t)
			placed, early := w.orders(three, offered, 3, w.on(2)), w.orders(three, offered, 1, w.on(2))
			assert.Equal(t, w.on(2), placed.TransferDate.String())
			w.chooses(early.ID, payment.Paid)
			w.notifies(w.paymentOf(early.ID).ID)
			assert.Equal(t, early.TransferDate, w.order(three, early.ID).TransferDate, "what was chosen holds for who pays at once")
			w.days(10)
			assert.Equal(t, order.Completed, w.order(three, early.ID).Status)
			w.chooses(placed.ID, payment.Paid)
			w.notifies(w.paymentOf(placed.ID).ID)
			bought := w.order(three, placed.ID)
			assert.Equal(t, []any{order.Bought, w.on(2), w.on(1)}, []any{bought.Status, bought.TransferDate.String(), bought.Withdraw.String()})
			for kind, to := range map[notice.Kind]string{notice.OrderPaid: three.Relation, notice.OfferSold: one.Relation} {
				assert.Equal(t, w.on(2), w.noticeOf(kind, to).Day.String(), "%s says it", kind)
			}
			w.days(1)
			require.NoError(t, w.s.sweep(w.system(), module.Event{}))
			assert.Equal(t, order.Bought, w.order(three, placed.ID).Status)
			w.days(1)
			assert.Equal(t, order.Completed, w.order(three, placed.ID).Status)
			entry := call[history.History](w, 200, one, "GET", "/sustainable/participations/P-1/history", nil).Entries[0]
			assert.Equal(t, []any{placed.ID, w.on(0)}, []any{entry.Ref, entry.Effective.String()}, "nothing is dated back")
			w.requireConsistent()
		})
		t.Run("9-withdrawal-period", func(t *testing.T) { // the period at the time of the payment applies
			w := w.in(t)
			day := func(n int) value.Day { return w.today().AddDays(n) }
			bought, other := w.buys(three, offered, 1, w.on(90)), w.buys(three, offered, 1, w.on(90))
			assert.Equal(t, day(14), bought.Withdraw)
			// the label granted 30 days then
			require.NoError(t, w.exec("UPDATE marketplace_orders SET withdrawal_days = 30 WHERE id = '"+bought.ID+"' AND withdrawal_days = 14"))
			assert.Equal(t, day(30), w.order(three, bought.ID).Withdraw)
			assert.Equal(t, day(14), w.order(three, other.ID).Withdraw)
			w.Clock.Advance(30 * 24 * time.Hour)
			w.refused(409, "marketplace.withdrawal_over", three, "DELETE", "/sustainable/orders/"+other.ID, nil)
			assert.Equal(t, order.Cancelled, call[order.Order](w, 200, three, "DELETE", "/sustainable/orders/"+bought.ID, nil).Status)
			w.pump()
			w.requireConsistent()
		})
		t.Run("9-withdrawal-period", func(t *testing.T) { // in a label that grants more days
			more := set
			more.WithdrawalDays = 30
			w := openMarket(t, o, more)
			bought := w.buys(three, w.offered(one, jsonOf(newOffer("P-1", 3))).Identifier, 1, w.on(90))
			w.Clock.Advance(30 * 24 * time.Hour)
			o := w.order(three, bought.ID)
			assert.Equal(t, w.today(), o.Withdraw, "the last day")
			w.Clock.Advance(24 * time.Hour)
			w.refused(409, "marketplace.withdrawal_over", three, "DELETE", "/sustainable/orders/"+bought.ID, nil)
		})
	})
}
