package marketplace

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/move"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/settlement"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// pays makes the sandbox report an order's newest payment as paid.
func (w *world) pays(order string) {
	w.t.Helper()
	p := w.paymentOf(order)
	require.NoError(w.t, w.sandbox().Choose(w.system(), p.ID, payment.Paid, payment.Open))
	w.notifies(p.ID)
}

// on returns the clock's day plus a number of days.
func (w *world) on(days int) string { return w.today().AddDays(days).String() }

func TestWithdrawal(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		set := testSettings()
		set.Transfer.EarliestDays = 10
		w := openMarket(t, o, set)
		three := member("3")
		w.accounts = append(w.accounts, account{ID: "a3", Relation: three.Relation, Role: module.RoleCustomer, Email: "drie@voorbeeld.example",
			Locale: "nl"})
		offer := w.offered(member("1"), jsonOf(newOffer("P-1", 12))).Identifier
		path := func(o order.Order) string { return "/sustainable/orders/" + o.ID }
		t.Run("9-withdrawal-period", func(t *testing.T) { // ordered on day 0 and paid on day 5: can be undone until day 19
			w := w.in(t)
			first, second := w.orders(three, offer, 1, w.on(60)), w.orders(three, offer, 1, w.on(60))
			w.days(5)
			paid := w.today()
			w.pays(first.ID)
			w.pays(second.ID)
			assert.Equal(t, paid.AddDays(14), w.order(three, first.ID).Withdraw)
			w.days(14)
			call[order.WithdrawalReceipt](w, 200, three, "POST", path(first)+"/withdrawal", nil)
			assert.Equal(t, order.Cancelled, w.order(three, first.ID).Status)
			w.days(1)
			assert.True(t, w.order(three, second.ID).Withdraw.IsZero())
			w.refused(409, "marketplace.withdrawal_over", three, "POST", path(second)+"/withdrawal", nil)
			w.refused(409, "marketplace.withdrawal_over", three, "DELETE", path(second), nil)
			assert.Equal(t, order.Bought, w.order(three, second.ID).Status)
		})
		t.Run("9-withdrawal-reconcile,9-withdrawal-period", func(t *testing.T) {
			w := w.in(t)
			// its shares are transferred on day 10, before the 14 days are over
			first, second := w.orders(three, offer, 1, w.on(10)), w.orders(three, offer, 1, w.on(10))
			transfer := w.today().AddDays(10)
			w.days(5)
			w.pays(first.ID)
			w.pays(second.ID)
			assert.Equal(t, transfer.AddDays(-1), w.order(three, first.ID).Withdraw)
			w.days(4)
			w.refused(404, "not_found", member("2"), "DELETE", path(first), nil)
			assert.Equal(t, order.Cancelled, call[order.Order](w, 200, three, "DELETE", path(first), nil).Status,
				"the day before, and though the period was waived")
			w.Clock.Advance(24 * time.Hour) // the transfer date has arrived, and the shares have not been transferred yet
			require.Equal(t, order.Bought, w.order(three, second.ID).Status)
			w.refused(409, "marketplace.withdrawal_over", three, "DELETE", path(second), nil)
			w.refused(409, "marketplace.withdrawal_over", three, "POST", path(second)+"/withdrawal", nil)
			w.pump()
			assert.Equal(t, order.Completed, w.order(three, second.ID).Status)
			w.refused(409, state.CodeTransition, three, "POST", path(second)+"/withdrawal", nil)
		})
		t.Run("9-withdrawal-function", func(t *testing.T) {
			w := w.in(t)
			o := w.buys(three, offer, 2, w.on(60))
			w.Clock.Advance(3 * time.Hour)
			at, since := state.StoredTime(w.Clock.Now()), len(w.queued("event"))
			r := call[order.WithdrawalReceipt](w, 200, three, "POST", path(o)+"/withdrawal", nil)
			assert.Equal(t, []any{o.Reference, value.Cents(20000)}, []any{r.Reference, r.Amount})
			assert.WithinDuration(t, at, r.At, time.Minute, "when it was withdrawn from, not ordered or paid")
			w.Clock.Advance(time.Hour)
			w.pump()
			second := call[order.WithdrawalReceipt](w, 200, three, "POST", path(o)+"/withdrawal", nil)
			assert.Equal(t, []any{r.At.UTC(), r.Amount, "REFUNDED"}, []any{second.At.UTC(), second.Amount, second.Refund},
				"the same receipt, however often")
			w.pump()
			var mails []module.Mail
			for _, q := range w.queued("mail") {
				var m module.Mail
				require.NoError(t, json.Unmarshal(q.Payload, &m))
				if m.To == "drie@voorbeeld.example" && m.Subject == "Bewijs dat je van de koop afziet: bestelling "+o.Reference {
					mails = append(mails, m)
				}
			}
			require.Len(t, mails, 1, "the receipt is mailed once")
			assert.Contains(t, mails[0].Lines, "Ontvangen op: "+r.At.In(state.Zone(w.system())).Format("02-01-2006 om 15:04 uur"))
			assert.Contains(t, mails[0].Lines, "Je krijgt terug: € 200,00")
			assert.Equal(t, []string{"sale_undone"}, w.notices(since)[member("1").Relation])
		})
		t.Run("9-payment-link-life", func(t *testing.T) {
			w := w.in(t)
			o := w.orders(three, offer, 1, w.on(60))
			link := func() string {
				return call[settlement.PayLink](w, 200, three, "POST", path(o)+"/paylink", nil).URL
			}
			first := link()
			w.Clock.Advance(7*24*time.Hour - time.Minute)
			assert.Equal(t, first, link())
			w.Clock.Advance(time.Minute)
			second := link()
			assert.NotEqual(t, first, second, "7 days later")
			w.Clock.Advance(7*24*time.Hour - time.Minute)
			assert.Equal(t, second, link())
			call[order.Order](w, 200, three, "DELETE", path(o), nil)
		})
		t.Run("9-reservation-link-reconcile", func(t *testing.T) { // a link of day 10 would be valid until day 17, its order until day 14
			w := w.in(t)
			o := w.orders(three, offer, 1, w.on(60))
			w.days(10)
			link := call[settlement.PayLink](w, 200, three, "POST", path(o)+"/paylink", nil).URL
			newest, err := payment.ByOrder(w.system(), w.s.host.DB, o.ID)
			require.NoError(t, err)
			require.Len(t, newest, 2, "the first link ended on day 7")
			assert.Equal(t, o.Expires.UTC(), newest[0].ExpiresAt.UTC(), "the link ends with its order")
			w.Clock.Advance(4*24*time.Hour - time.Minute)
			assert.Equal(t, link, call[settlement.PayLink](w, 200, three, "POST", path(o)+"/paylink", nil).URL)
			w.Clock.Advance(time.Minute)
			w.refused(409, "marketplace.not_payable", three, "POST", path(o)+"/paylink", nil) // before the expiry has been processed
			w.pump()
			assert.Equal(t, order.Expired, w.order(three, o.ID).Status)
		})
		w.requireConsistent()
	})
}

// Every transition that orders do not have is tried over HTTP, on orders that reached their status through operations.
func TestForbiddenMovesOfOrders(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		three := member("3")
		offer := w.offered(member("1"), jsonOf(newOffer("P-1", 12))).Identifier
		const webhook = "/sustainable/payments/webhook"
		reach := map[state.Status]func(w *world) order.Order{
			order.Created: func(w *world) order.Order { // the provider has not been called yet
				call[order.Basket](w, 200, three, "POST", "/sustainable/basket", m{"offer": m{"identifier": offer, "shares": 1, "address": home(7)}})
				return *call[order.Placed](w, 200, three, "POST", "/sustainable/basket/order",
					m{"waiveWithdrawalPeriod": true, "start_date": w.on(40)}).Order
			},
			order.Awaiting: func(w *world) order.Order { return w.orders(three, offer, 1, w.on(40)) },
			order.Bought:   func(w *world) order.Order { return w.buys(three, offer, 1, w.on(40)) },
			order.Completed: func(w *world) order.Order {
				o := w.buys(three, offer, 1, w.on(31))
				w.days(31)
				return o
			},
			order.Expired: func(w *world) order.Order {
				o := w.orders(three, offer, 1, w.on(40))
				w.days(14)
				return o
			},
			order.Cancelled: func(w *world) order.Order {
				o := w.orders(three, offer, 1, w.on(40))
				call[order.Order](w, 200, three, "DELETE", "/sustainable/orders/"+o.ID, nil)
				return o
			},
		}
		moves := map[string]func(w *world, o order.Order) int{
			"cancel": func(w *world, o order.Order) int {
				n, _ := w.do(three, "DELETE", "/sustainable/orders/"+o.ID, nil)
				return n
			},
			"withdraw": func(w *world, o order.Order) int {
				n, _ := w.do(three, "POST", "/sustainable/orders/"+o.ID+"/withdrawal", nil)
				return n
			},
			"pay link": func(w *world, o order.Order) int {
				n, _ := w.do(three, "POST", "/sustainable/orders/"+o.ID+"/paylink", nil)
				return n
			},
			"old link": func(w *world, o order.Order) int {
				n, _ := w.do(three, "GET", "/sustainable/orders/"+o.ID+"/paylink", nil)
				return n
			},
		}
		want := map[state.Status]map[string]int{ // 409 unless listed
			order.Created:  {"cancel": 200, "pay link": 200, "old link": 200}, // 7.6-paylink-status
			order.Awaiting: {"cancel": 200, "pay link": 200, "old link": 200},
			order.Bought:   {"cancel": 200, "withdraw": 200},
		}
		t.Run("4-order-transitions,4-order-cancel-statuses,7.6-paylink-status", func(t *testing.T) {
			w := w.in(t)
			for from, get := range reach {
				for what, move := range moves {
					o := get(w)
					require.Equal(t, from, w.order(three, o.ID).Status)
					code := want[from][what]
					if code == 0 {
						code = http.StatusConflict
					}
					assert.Equal(t, code, move(w, o), "%s from %s", what, from)
					if is := w.order(three, o.ID).Status; code == http.StatusConflict {
						assert.Equal(t, from, is, "%s was refused", what)
					}
					if from == order.Created || from == order.Awaiting || from == order.Bought { // returns the shares, which the next order needs
						w.do(three, "DELETE", "/sustainable/orders/"+o.ID, nil)
						w.pump()
					}
				}
			}
			// a webhook changes only an order that waits for payment
			for from, get := range reach {
				if from == order.Created {
					continue
				}
				o := get(w)
				p := w.paymentOf(o.ID)
				_ = w.sandbox().Choose(w.system(), p.ID, payment.Paid, payment.Open)
				for range 2 {
					call[any](w, 200, module.Scope{Role: module.RolePublic}, "POST", webhook, "id="+p.ID)
					w.pump()
				}
				is := map[bool]state.Status{true: order.Bought, false: from}[from == order.Awaiting]
				assert.Equal(t, is, w.order(three, o.ID).Status, "paid when it was %s", from)
			}
			w.days(60)
			// an unpaid order expires exactly at its expiration date
			for from, to := range map[state.Status]state.Status{order.Created: order.Expired, order.Awaiting: order.Expired,
				order.Bought: order.Bought} {
				o := reach[from](w)
				is := func() state.Status {
					require.NoError(t, order.Expire(w.system(), w.s.host.DB, w.s.host.Now, o.ID))
					return w.order(three, o.ID).Status
				}
				w.Clock.Advance(o.Expires.Sub(w.Clock.Now()) - time.Second)
				assert.Equal(t, from, is(), "before it")
				w.Clock.Advance(time.Second)
				assert.Equal(t, to, is(), "on it")
			}
			w.days(60)
			w.requireConsistent()
		})
	})
}

// Nobody can read or change the data of another member; the responses are the same as for data that does not exist.
func TestOwnDataOfMembers(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		one, two, three := member("1"), member("2"), member("3")
		public := w.offered(one, jsonOf(newOffer("P-1", 6)))
		waiting := call[offer.MarketOffer](w, 201, one, "POST", "/sustainable/offers", newOffer("P-1", 1, "date", w.on(5)))
		bought, awaiting := w.buys(three, public.Identifier, 1, w.on(40)), w.orders(three, public.Identifier, 1, w.on(40))
		basket := call[order.Basket](w, 200, three, "POST", "/sustainable/basket",
			m{"offer": m{"identifier": public.Identifier, "shares": 1, "address": home(7)}})
		t.Run("3-basket-amounts", func(t *testing.T) { // the label does not charge the administration costs of the project
			assert.Equal(t, []value.Cents{10000, 0, 10000}, []value.Cents{basket.Total, basket.Costs, basket.Due})
		})
		moves := call[[]move.Move](w, 200, one, "POST", "/sustainable/participations/move",
			m{"date": w.on(9), "items": []m{{"participationIdentifier": "P-1", "shares": 2, "address": home(9)}}})
		require.Len(t, moves, 1)
		t.Run("6-customer-own-data,6-customer-own-data-status", func(t *testing.T) {
			w := w.in(t)
			const none = "0000000000000000000000000x"
			for _, c := range []struct{ method, path, id string }{
				{"DELETE", "/sustainable/orders/%", awaiting.ID}, {"DELETE", "/sustainable/orders/%", bought.ID},
				{"POST", "/sustainable/orders/%/withdrawal", bought.ID},
				{"GET", "/sustainable/orders/%/paylink", awaiting.ID}, {"POST", "/sustainable/orders/%/paylink", awaiting.ID},
				{"DELETE", "/sustainable/basket/%", public.Identifier}, {"POST", "/sustainable/basket/%/delete", public.Identifier},
				{"DELETE", "/sustainable/participations/moves/%", moves[0].ID},
				{"GET", "/sustainable/participations/%/history", "P-1"}, {"GET", "/sustainable/participations/%/receipt", "P-1"},
			} {
				status, theirs := w.do(two, c.method, strings.Replace(c.path, "%", c.id, 1), nil)
				assert.Equal(t, http.StatusNotFound, status, "%s %s of another", c.method, c.path)
				_, nobodys := w.do(two, c.method, strings.Replace(c.path, "%", none, 1), nil)
				assert.JSONEq(t, string(nobodys), string(theirs), "%s %s tells that it is there", c.method, c.path)
			}
			for _, reference := range []string{public.Reference, waiting.Reference, "NOBODYS"} {
				w.refused(404, "not_found", two, "POST", "/sustainable/offers/retract", m{"reference": reference})
			}
			assert.Empty(t, call[[]order.Order](w, 200, two, "GET", "/sustainable/orders", nil))
			assert.Empty(t, call[order.Basket](w, 200, two, "GET", "/sustainable/basket", nil).Items)
			assert.Empty(t, call[operation.PageOf[offer.MarketOffer]](w, 200, two, "POST", "/sustainable/market",
				m{"filters": m{"my_offer": true}}).Content)
			for _, o := range call[operation.PageOf[offer.MarketOffer]](w, 200, two, "POST", "/sustainable/market", m{"filters": m{}}).Content {
				assert.NotEqual(t, waiting.Identifier, o.Identifier)
			}
			assert.Equal(t, order.Bought, w.order(three, bought.ID).Status)
			assert.Equal(t, order.Awaiting, w.order(three, awaiting.ID).Status)
			assert.Len(t, call[order.Basket](w, 200, three, "GET", "/sustainable/basket", nil).Items, 1)
			// all of them work for the owner
			assert.Empty(t, call[order.Basket](w, 200, three, "DELETE", "/sustainable/basket/"+public.Identifier, nil).Items)
			call[order.Order](w, 200, three, "DELETE", "/sustainable/orders/"+awaiting.ID, nil)
			call[any](w, 204, one, "DELETE", "/sustainable/participations/moves/"+moves[0].ID, nil)
		})
		t.Run("7.6-post-move-shares", func(t *testing.T) {
			w := w.in(t)
			const path = "/sustainable/participations/move"
			item := func(from string, n any, to m) m {
				out := m{"participationIdentifier": from, "shares": n}
				for k, v := range to {
					out[k] = v
				}
				return out
			}
			before := w.balance("P-1")
			w.refused(400, "items.1.participationIdentifier marketplace.participation_unknown", one, "POST", path,
				m{"date": w.on(0), "items": []m{item("P-1", 1, m{"address": home(3)}), item("P-3", 1, m{"address": home(3)})}})
			w.refused(400, "items.0.toParticipationIdentifier marketplace.participation_unknown", one, "POST", path,
				m{"date": w.on(0), "items": []m{item("P-1", 1, m{"toParticipationIdentifier": "P-3"})}})
			w.refused(400, "date marketplace.date_past", one, "POST", path, m{"date": w.on(-1), "items": []m{item("P-1", 1, m{"address": home(3)})}})
			w.refused(409, "marketplace.shares_offered", one, "POST", path, m{"date": w.on(0),
				"items": []m{item("P-1", 1, m{"address": home(3)}), item("P-1", before.Free(), m{"address": home(4)})}})
			assert.Equal(t, before, w.balance("P-1"), "all items or none")
			full := m{"street_name": "Dam", "house_number": "1", "house_postfix": "a", "postal_code": "1012JS", "city": "Amsterdam"}
			call[[]move.Move](w, 200, one, "POST", path, m{"date": w.on(0), "items": []m{item("P-1", 2, m{"address": full}),
				item("P-1", 1, m{"address": home(4)})}})
			assert.Equal(t, before.Share-3, w.balance("P-1").Share, "both, at once")
			to := map[string]int64{}
			for _, p := range call[[]project.Project](w, 200, one, "GET", "/sustainable/projects", nil) {
				for _, x := range p.Participations {
					to[x.Address.Line()] = x.Share
				}
			}
			assert.EqualValues(t, 2, to["Dam 1 a, 1012JS Amsterdam"])
			assert.EqualValues(t, 1, to["Molenweg 4, 9861GT Grootegast"])
			call[[]move.Move](w, 200, one, "POST", path, m{"date": w.on(3), "items": []m{item("P-1", 1, m{"address": full})}})
			assert.Equal(t, before.Share-3, w.balance("P-1").Share, "not before its day")
			w.days(3)
			assert.Equal(t, before.Share-4, w.balance("P-1").Share)
		})
		w.requireConsistent()
	})
}
