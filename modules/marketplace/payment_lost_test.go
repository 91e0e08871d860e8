package marketplace

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/settlement"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// chooses sets the outcome of a payment at the provider; the notification is lost.
func (w *world) chooses(order string, to payment.State) settlement.StaffPayment {
	w.t.Helper()
	p := w.paymentOf(order)
	require.NoError(w.t, w.sandbox().Choose(w.system(), p.ID, to, payment.Open))
	return p
}

// sweeps advances the clock day by day, with a sweep on each; due events are lost.
func (w *world) sweeps(days int) {
	w.t.Helper()
	for range days {
		w.Clock.Advance(24 * time.Hour)
		require.NoError(w.t, w.s.sweep(w.system(), module.Event{}))
	}
}

func TestPaymentWhoseNotificationIsLost(t *testing.T) {
	const far = "2027-06-01"
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		one, two, three := member("1"), member("2"), member("3")
		offered := w.offered(one, jsonOf(newOffer("P-1", 20, "date", w.today().String()))).Identifier
		w.pump()
		of := func(id string) []any {
			p := w.paymentOf(id)
			return []any{w.order(three, p.Order).Status, p.State, p.Note, p.Late}
		}

		t.Run("9-payment-lost-news", func(t *testing.T) {
			t.Run("paid in time", func(t *testing.T) {
				w := w.in(t)
				paid, open := w.orders(three, offered, 1, far), w.orders(three, offered, 1, far)
				w.chooses(paid.ID, payment.Paid)
				w.sweeps(1)
				assert.Equal(t, []any{order.Bought, "PAID", "", false}, of(paid.ID))
				assert.Equal(t, order.Awaiting, w.order(three, open.ID).Status)
				w.chooses(open.ID, payment.Paid)
				require.NoError(t, w.s.sweep(w.system(), module.Event{}))
				assert.Equal(t, order.Awaiting, w.order(three, open.ID).Status, "it was asked for a moment ago")
				w.sweeps(1)
				assert.Equal(t, order.Bought, w.order(three, open.ID).Status)
				w.pump()
			})
			t.Run("before a reminder", func(t *testing.T) {
				w := w.in(t)
				paid, open := w.orders(three, offered, 1, far), w.orders(two, offered, 1, far)
				w.chooses(paid.ID, payment.Paid)
				w.Clock.Advance(12 * 24 * time.Hour)
				since := len(w.queued("event"))
				w.pumpOnce(func(e module.Event) bool { return e.Type == marketplaceapi.EventOrdersRemind })
				assert.Equal(t, order.Bought, w.order(three, paid.ID).Status)
				notices := w.notices(since)
				assert.NotContains(t, notices[three.Relation], string(notice.OrderExpiresSoon), "who has paid is not reminded")
				assert.Equal(t, []string{string(notice.OrderExpiresSoon)}, notices[two.Relation])
				w.days(3)
				assert.Equal(t, order.Expired, w.order(two, open.ID).Status)
			})
			t.Run("before a reminder, while the provider is unavailable", func(t *testing.T) {
				w := w.in(t)
				paid := w.orders(three, offered, 1, far)
				p := w.chooses(paid.ID, payment.Paid)
				// a provider whose key is no longer in the settings
				require.NoError(t, w.exec("UPDATE marketplace_payments SET provider = 'mollie' WHERE id = '"+p.ID+"'"))
				w.Clock.Advance(12 * 24 * time.Hour)
				since, tried := len(w.queued("event")), []module.Event{}
				w.failed = func(e module.Event, _ error) { tried = append(tried, e) }
				w.pumpOnce(func(e module.Event) bool { return e.Type == marketplaceapi.EventOrdersRemind })
				require.Len(t, tried, 1, "it is tried again")
				assert.Empty(t, w.notices(since))
				require.NoError(t, w.exec("UPDATE marketplace_payments SET provider = 'sandbox' WHERE id = '"+p.ID+"'"))
				require.NoError(t, w.s.Handle(w.system(), tried[0]))
				assert.NotContains(t, w.notices(since)[three.Relation], string(notice.OrderExpiresSoon))
				assert.Equal(t, order.Bought, w.order(three, paid.ID).Status)
				w.pump()
			})
			t.Run("after its order expired", func(t *testing.T) {
				w := w.in(t)
				w.days(1)
				honoured, gone := w.orders(three, offered, 1, far), w.orders(three, offered, 2, far)
				w.days(15)
				require.Equal(t, order.Expired, w.order(three, honoured.ID).Status)
				for _, rest := range []int{4, 10} { // the rest is not enough for the second one
					w.orders(two, offered, rest, far)
				}
				w.chooses(honoured.ID, payment.Paid)
				p := w.chooses(gone.ID, payment.Paid)
				w.sweeps(1)
				w.pump()
				assert.Equal(t, []any{order.Expired, "REFUNDED", payment.NoteGone, true}, of(gone.ID))
				all := call[operation.PageOf[settlement.StaffPayment]](w, 200, staffMember(), "GET", "/sustainable/staff/payments?attention=true",
					nil).Content
				at := slices.IndexFunc(all, func(p settlement.StaffPayment) bool { return p.Note == payment.NoteHonoured })
				require.GreaterOrEqual(t, at, 0)
				assert.Equal(t, order.Bought, w.order(three, all[at].Order).Status)
				assert.Equal(t, p.ID, w.paymentOf(gone.ID).ID)
				assert.Contains(t, w.cases(), gone.ID, "staff see both")
				w.days(15)
			})
			t.Run("after its order was canceled", func(t *testing.T) {
				w := w.in(t)
				o := w.orders(three, offered, 1, far)
				call[order.Order](w, 200, three, "DELETE", "/sustainable/orders/"+o.ID, nil)
				w.chooses(o.ID, payment.Paid)
				w.sweeps(1)
				w.pump()
				assert.Equal(t, []any{order.Cancelled, "REFUNDED", payment.NoteEnded, true}, of(o.ID))
			})
			t.Run("until the provider ends it", func(t *testing.T) {
				w := w.in(t)
				o := w.orders(three, offered, 1, far)
				w.days(100)
				require.Equal(t, order.Expired, w.order(three, o.ID).Status)
				checked := func() (at *time.Time) {
					p, err := payment.Find(w.system(), w.s.host.DB, "id", w.paymentOf(o.ID).ID)
					require.NoError(t, err)
					return p.CheckedAt
				}
				w.sweeps(1)
				require.NotNil(t, checked())
				assert.WithinDuration(t, w.Clock.Now(), *checked(), time.Second)
				w.chooses(o.ID, payment.Expired)
				w.sweeps(1)
				assert.Equal(t, []any{order.Expired, "EXPIRED", "", false}, of(o.ID))
				last := *checked()
				w.sweeps(3)
				assert.Equal(t, last, *checked())
			})
			t.Run("one that cannot be asked for does not keep the others waiting", func(t *testing.T) {
				w := w.in(t)
				stuck := w.orders(three, offered, 1, w.on(60))
				w.Clock.Advance(time.Minute)
				paid := w.orders(two, offered, 1, w.on(60))
				require.NoError(t, w.exec("UPDATE marketplace_payments SET provider = 'mollie' WHERE order_id = '"+stuck.ID+"'"))
				w.chooses(paid.ID, payment.Paid)
				w.sweeps(1)
				assert.Equal(t, order.Bought, w.order(two, paid.ID).Status)
				w.chooses(stuck.ID, payment.Paid)
				require.NoError(t, w.exec("UPDATE marketplace_payments SET provider = 'sandbox' WHERE order_id = '"+stuck.ID+"'"))
				for range 2 {
					w.Clock.Advance(30 * time.Minute)
					require.NoError(t, w.s.sweep(w.system(), module.Event{}))
				}
				assert.Equal(t, order.Bought, w.order(three, stuck.ID).Status, "an hour later")
			})
		})
		w.pump()
		w.requireConsistent()
	})
}
