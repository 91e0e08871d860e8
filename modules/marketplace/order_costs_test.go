package marketplace

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/settlement"
)

// charging returns the settings of a label that charges administration costs with an order.
func charging() Settings {
	set := testSettings()
	set.Order.AdministrationCosts = true
	return set
}

// amounts returns the amounts in the notices to a relation, by kind.
func (w *world) amounts(relation string) map[notice.Kind]value.Cents {
	w.t.Helper()
	out := map[notice.Kind]value.Cents{}
	for _, r := range w.queued("event") {
		var e module.Event
		require.NoError(w.t, json.Unmarshal(r.Payload, &e))
		var n notice.Notice
		if json.Unmarshal(e.Data, &n) == nil && n.Kind != "" && n.Relation == relation {
			out[n.Kind] = n.Amount
		}
	}
	return out
}

func TestOrdersWithAdministrationCosts(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, charging())
		one, three := member("1"), member("3")
		w.accounts = append(w.accounts, account{ID: "a3", Relation: three.Relation, Role: module.RoleCustomer, Email: "drie@voorbeeld.example",
			Locale: "nl"})
		wind := w.offered(one, jsonOf(newOffer("P-1", 12))).Identifier
		sun := w.offered(one, jsonOf(newOffer("P-2", 3))).Identifier
		add := func(w *world, offer string, n int) order.Basket {
			return call[order.Basket](w, 200, three, "POST", "/sustainable/basket",
				m{"offer": m{"identifier": offer, "shares": n, "address": home(7)}})
		}
		place := func(w *world, due any) order.Placed {
			return call[order.Placed](w, 200, three, "POST", "/sustainable/basket/order",
				m{"waiveWithdrawalPeriod": true, "start_date": w.on(40), "amount_due": due})
		}
		t.Run("3-basket-amounts", func(t *testing.T) {
			w := w.in(t)
			add(w, wind, 2)
			add(w, wind, 3)
			b := add(w, sun, 1)
			assert.Equal(t, []value.Cents{30000, 10000, 40000, 2500, 42500}, []value.Cents{b.Items[0].Amount, b.Items[1].Amount, b.Total, b.Costs,
				b.Due})
		})
		t.Run("9-order-costs-seen", func(t *testing.T) {
			w := w.in(t)
			for _, invalid := range []any{"400.00", 424.99, 425.01, 0} {
				p := place(w, json.Number(fmt.Sprint(invalid)))
				assert.Equal(t, "BASKET_CHANGED", p.Status, invalid)
				assert.Len(t, p.Basket.Items, 2)
			}
			assert.Empty(t, call[[]order.Order](w, 200, three, "GET", "/sustainable/orders", nil))
		})
		t.Run("9-order-costs", func(t *testing.T) {
			w := w.in(t)
			o := *place(w, json.Number("425.00")).Order
			assert.Equal(t, []value.Cents{40000, 2500, 42500}, []value.Cents{o.Amount, o.Costs, o.Due})
			w.pump()
			assert.Equal(t, value.Cents(42500), w.paymentOf(o.ID).Amount)
			page := operation.Base + "/sandbox/" + w.paymentOf(o.ID).ID
			shown, paid := httptest.NewRecorder(), httptest.NewRecorder()
			w.s.ServeHTTP(shown, httptest.NewRequestWithContext(w.system(), http.MethodGet, page, nil))
			assert.Contains(t, shown.Body.String(), "€ 425,00")
			w.s.ServeHTTP(paid, httptest.NewRequestWithContext(w.system(), http.MethodPost, page, strings.NewReader("do=pay")))
			assert.Equal(t, "/thank-you?n="+order.ThankYou(o.Reference, 42500), paid.Header().Get("Location"))
			w.pump()
			o = w.order(three, o.ID)
			assert.Equal(t, []any{order.Bought, value.Cents(40000), value.Cents(2500), value.Cents(42500)},
				[]any{o.Status, o.Amount, o.Costs, o.Due})
			staffs := call[operation.PageOf[order.StaffOrder]](w, 200, staffMember(), "GET", "/sustainable/staff/orders", nil).Content[0]
			assert.Equal(t, []value.Cents{40000, 2500, 42500}, []value.Cents{staffs.Amount, staffs.Costs, staffs.Due})
			r := call[order.WithdrawalReceipt](w, 200, three, "POST", "/sustainable/orders/"+o.ID+"/withdrawal", nil)
			assert.Equal(t, value.Cents(42500), r.Amount, "the costs come back too")
			w.pump()
			p := w.paymentOf(o.ID)
			assert.Equal(t, []any{"REFUNDED", value.Cents(42500)}, []any{p.State, p.Refunded})
			mails := w.amounts(three.Relation)
			for _, kind := range []notice.Kind{notice.OrderPlaced, notice.OrderPaid, notice.Withdrawal} {
				assert.Equal(t, value.Cents(42500), mails[kind], kind)
			}
			var sold []value.Cents
			for _, r := range w.queued("event") {
				var e module.Event
				require.NoError(t, json.Unmarshal(r.Payload, &e))
				var n notice.Notice
				if json.Unmarshal(e.Data, &n) == nil && n.Kind == notice.OfferSold && n.Relation == one.Relation {
					sold = append(sold, n.Amount)
				}
			}
			assert.ElementsMatch(t, []value.Cents{30000, 10000}, sold, "sellers get the price of their shares")
		})
		t.Run("7.6-paylink-status", func(t *testing.T) { // before the event that creates the payment is handled
			w := w.in(t)
			add(w, wind, 1)
			o := *place(w, nil).Order
			require.Equal(t, order.Created, o.Status)
			link := call[settlement.PayLink](w, 200, three, "POST", "/sustainable/orders/"+o.ID+"/paylink", nil).URL
			assert.Equal(t, order.Awaiting, w.order(three, o.ID).Status)
			w.pump()
			all, err := payment.ByOrder(w.system(), w.s.host.DB, o.ID)
			require.NoError(t, err)
			require.Len(t, all, 1, "the event makes no second one")
			assert.Equal(t, []any{link, value.Cents(11250)}, []any{all[0].URL, all[0].Amount})
		})
		t.Run("9-order-costs-stored", func(t *testing.T) {
			w := w.in(t)
			require.NoError(t, w.exec(`INSERT INTO marketplace_orders (label_key, id, reference, relation_id, status, amount, administration_costs, shares, private_deal, transfer_date,
				placed_at, expires_at, digest, email, locale) VALUES ('`+moduletest.LabelOne+`', 'without', 'B-WITHOUT', '`+three.Relation+`', 'AWAITING_PAYMENT', 4000, 0, 1, false,
				'2027-01-01', '2026-11-20 09:00:00', '2026-12-04 09:00:00', '', '', 'nl')`)) // placed when the label charged no costs
			o := w.order(three, "without")
			assert.Equal(t, []value.Cents{4000, 0, 4000}, []value.Cents{o.Amount, o.Costs, o.Due})
			call[settlement.PayLink](w, 200, three, "POST", "/sustainable/orders/without/paylink", nil)
			assert.Equal(t, value.Cents(4000), w.paymentOf("without").Amount, "what was agreed")
			require.NoError(t, w.exec("DELETE FROM marketplace_orders WHERE id = 'without'"))
		})
	})
}

func TestOrdersWithoutAdministrationCosts(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		t.Run("9-order-costs", func(t *testing.T) { // off by default
			w := openMarket(t, o, testSettings())
			three := member("3")
			offer := w.offered(member("1"), jsonOf(newOffer("P-1", 12))).Identifier
			b := call[order.Basket](w, 200, three, "POST", "/sustainable/basket",
				m{"offer": m{"identifier": offer, "shares": 2, "address": home(7)}})
			assert.Equal(t, []value.Cents{20000, 0, 20000}, []value.Cents{b.Total, b.Costs, b.Due})
			bought := w.buys(three, offer, 2, w.on(40))
			assert.Equal(t, []value.Cents{20000, 0, 20000}, []value.Cents{bought.Amount, bought.Costs, bought.Due})
			assert.Equal(t, value.Cents(20000), w.paymentOf(bought.ID).Amount)
			w.requireConsistent()
		})
	})
}
