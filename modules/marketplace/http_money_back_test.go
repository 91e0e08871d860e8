package marketplace

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/audit"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/history"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/settlement"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// orders places a member's order for shares of an offer, and waits until it can be paid.
func (w *world) orders(as module.Scope, offer string, n int, start string) order.Order {
	w.t.Helper()
	call[order.Basket](w, 200, as, "POST", "/sustainable/basket", m{"offer": m{"identifier": offer, "shares": n, "address": home(7)}})
	p := call[order.Placed](w, 200, as, "POST", "/sustainable/basket/order", m{"waiveWithdrawalPeriod": true, "start_date": start})
	require.Equal(w.t, order.PlacedSuccess, p.Status)
	w.pump()
	return w.order(as, p.Order.ID)
}

// buys places an order and pays for it.
func (w *world) buys(as module.Scope, offer string, n int, start string) order.Order {
	w.t.Helper()
	o := w.orders(as, offer, n, start)
	p := w.paymentOf(o.ID)
	require.NoError(w.t, w.sandbox().Choose(w.system(), p.ID, payment.Paid, payment.Open))
	w.notifies(p.ID)
	o = w.order(as, o.ID)
	require.Equal(w.t, order.Bought, o.Status)
	return o
}

func (w *world) order(as module.Scope, id string) order.Order {
	w.t.Helper()
	for _, o := range call[[]order.Order](w, 200, as, "GET", "/sustainable/orders", nil) {
		if o.ID == id {
			return o
		}
	}
	w.t.Fatalf("no order %s", id)
	return order.Order{}
}

// notifies calls the webhook for a payment.
func (w *world) notifies(payment string) {
	w.t.Helper()
	require.NoError(w.t, w.s.settlements.PaymentChanged(w.system(), payment))
	w.pump()
}

// paymentOf returns the newest payment of an order as staff see it.
func (w *world) paymentOf(order string) settlement.StaffPayment {
	w.t.Helper()
	for _, p := range call[operation.PageOf[settlement.StaffPayment]](w, 200, staffMember(), "GET", "/sustainable/staff/payments",
		nil).Content {
		if p.Order == order {
			return p
		}
	}
	w.t.Fatalf("no payment of %s", order)
	return settlement.StaffPayment{}
}

// cases returns the order ids of payments that need attention.
func (w *world) cases() (orders []string) {
	w.t.Helper()
	for _, p := range call[operation.PageOf[settlement.StaffPayment]](w, 200, staffMember(), "GET",
		"/sustainable/staff/payments?attention=true", nil).Content {
		orders = append(orders, p.Order)
	}
	return orders
}

// notices returns the notices after the first n queued events, as "kind reason", by relation.
func (w *world) notices(since int) map[string][]string {
	w.t.Helper()
	out := map[string][]string{}
	for _, r := range w.queued("event")[since:] {
		var e module.Event
		require.NoError(w.t, json.Unmarshal(r.Payload, &e))
		var n notice.Notice
		if e.Type == marketplaceapi.EventNotice && json.Unmarshal(e.Data, &n) == nil {
			out[n.Relation] = append(out[n.Relation], strings.TrimSpace(fmt.Sprint(n.Kind, " ", n.Reason)))
		}
	}
	return out
}

// publishedCases returns the payment cases published after the first n queued events.
func (w *world) publishedCases(since int) (out []marketplaceapi.PaymentCase) {
	w.t.Helper()
	for _, r := range w.queued("event")[since:] {
		var e module.Event
		require.NoError(w.t, json.Unmarshal(r.Payload, &e))
		if e.Type == marketplaceapi.EventPaymentCase {
			var c marketplaceapi.PaymentCase
			require.NoError(w.t, json.Unmarshal(e.Data, &c))
			out = append(out, c)
		}
	}
	return out
}

func (w *world) returnsMoney(payment string, what ...string) {
	w.t.Helper()
	for _, x := range what {
		require.NoError(w.t, w.sandbox().ReturnMoney(w.system(), payment, x))
	}
}

func (w *world) balance(identifier string) ledger.Balance {
	w.t.Helper()
	row, err := participation.Named(w.system(), w.s.host.DB, module.Label(w.system(), "test"), identifier)
	require.NoError(w.t, err)
	return row.Balance
}

func TestMoneyThatComesBack(t *testing.T) {
	const far = "2027-06-01"
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		log := &w.auditLog
		one, two, three := member("1"), member("2"), member("3")
		for _, who := range []module.Scope{one, two, three} {
			w.accounts = append(w.accounts, account{ID: who.Subject, Relation: who.Relation, Role: module.RoleCustomer, Email: who.Subject +
				"@voorbeeld.example", Locale: "nl"})
		}
		offered := w.offered(one, jsonOf(newOffer("P-1", 12, "date", w.today().String()))).Identifier
		w.pump()
		path := func(p settlement.StaffPayment, what string) string {
			return "/sustainable/staff/payments/" + p.ID + "/" + what
		}
		see := func(order string) {
			call[settlement.StaffPayment](w, 200, staffMember(), "POST", path(w.paymentOf(order), "seen"), nil)
		}

		t.Run("9-money-back-before-transfer,9-withdrawal-reconcile,9-money-back-told,9-money-back-agree", func(t *testing.T) {
			w := w.in(t)
			o := w.buys(three, offered, 4, far)
			w.days(40) // long after the withdrawal period of 14 days
			w.refused(409, "marketplace.withdrawal_over", three, "DELETE", "/sustainable/orders/"+o.ID, nil)
			assert.Equal(t, ledger.Balance{Share: 20, Offered: 8, Held: 4}, w.balance("P-1"))
			p := w.paymentOf(o.ID)
			since := len(w.queued("event"))
			w.returnsMoney(p.ID, "charge_back")
			for range 3 { // repeated notifications change nothing
				w.notifies(p.ID)
			}
			o = w.order(three, o.ID)
			assert.Equal(t, []any{order.Cancelled, payment.NoteChargedBack}, []any{o.Status, o.EndReason})
			assert.Equal(t, ledger.Balance{Share: 20, Offered: 12}, w.balance("P-1"), "the shares return, and are for sale")
			p = w.paymentOf(o.ID)
			assert.Equal(t, []any{"CHARGED_BACK", payment.NoteChargedBack, true, true, false, false, value.Cents(40000)},
				[]any{p.State, p.Note, p.Late, p.MaySee, p.Refund, p.MayCancel, p.Charged})
			assert.Equal(t, map[string][]string{three.Relation: {"purchase_reversed CHARGED_BACK"}, one.Relation: {"sale_undone CHARGED_BACK"}},
				w.notices(since), "each is told once")
			require.Len(t, w.publishedCases(since), 1)
			assert.Equal(t, marketplaceapi.PaymentCase{Payment: p.ID, Order: o.ID, Reference: o.Reference, Relation: three.Relation,
				OrderStatus: string(order.Cancelled), Note: payment.NoteChargedBack,
				State: "CHARGED_BACK", Amount: 40000, ChargedBack: 40000}, w.publishedCases(since)[0])
			assert.Equal(t, []string{o.ID}, w.cases())
			entry := call[history.History](w, 200, one, "GET", "/sustainable/participations/P-1/history", nil).Entries[0]
			assert.Equal(t, []any{ledger.Returned, payment.NoteChargedBack, "system", o.ID}, []any{entry.Kind, entry.Reason, entry.By, entry.Ref})
			assert.Equal(t, "Betaling van de koper teruggeboekt", entry.Text("nl"))
			// only the buyer's own withdrawal has a receipt
			w.refused(409, state.CodeTransition, three, "POST", "/sustainable/orders/"+o.ID+"/withdrawal", nil)
			w.requireConsistent()
			see(o.ID)
			assert.Empty(t, w.cases())
			w.days(1)
			assert.Empty(t, w.cases(), "the daily sweep hears nothing new")

			partly := w.buys(three, offered, 2, far)
			p = w.paymentOf(partly.ID)
			w.returnsMoney(p.ID, "charge_back_part")
			w.notifies(p.ID)
			p = w.paymentOf(partly.ID)
			assert.Equal(t, []any{order.Cancelled, "CHARGED_BACK", value.Cents(10000), value.Cents(10000)},
				[]any{w.order(three, partly.ID).Status, p.State, p.Charged, p.Refunded}, "the rest goes back")
			outside := w.buys(three, offered, 1, far)
			p = w.paymentOf(outside.ID)
			w.returnsMoney(p.ID, "refund_all")
			w.notifies(p.ID)
			assert.Equal(t, []any{order.Cancelled, payment.NoteOutside}, []any{w.order(three, outside.ID).Status,
				w.order(three, outside.ID).EndReason})
			assert.Equal(t, ledger.Balance{Share: 20, Offered: 12}, w.balance("P-1"), "the shares of all three returned")
			see(partly.ID)
			see(outside.ID)
			w.requireConsistent()
		})

		t.Run("9-money-back-news", func(t *testing.T) { // without a webhook, the provider is queried before the transfer and every day
			w := w.in(t)
			start := w.today().AddDays(31)
			o, kept := w.buys(three, offered, 3, start.String()), w.buys(three, offered, 1, start.String())
			w.days(30)
			w.returnsMoney(w.paymentOf(o.ID).ID, "charge_back")
			w.Clock.Advance(24 * time.Hour)
			w.pumpOnce(func(e module.Event) bool { return e.Type == marketplaceapi.EventOrdersTransfer })
			assert.Equal(t, order.Cancelled, w.order(three, o.ID).Status, "it is asked for before its shares are handed over")
			assert.Equal(t, order.Completed, w.order(three, kept.ID).Status)
			w.pump()
			see(o.ID)
			for _, age := range []int{1, 100, 400} {
				w.days(age)
				p := w.paymentOf(kept.ID)
				what := map[bool]string{true: "charge_back", false: "reverse"}[p.Charged == 0]
				w.returnsMoney(p.ID, what)
				require.NoError(t, w.s.sweep(w.system(), module.Event{}))
				assert.NotEqual(t, p.Charged, w.paymentOf(kept.ID).Charged, "after %d days more", age)
			}
			p := w.paymentOf(kept.ID)
			requested := p.Charged
			w.returnsMoney(p.ID, "reverse")
			require.NoError(t, w.s.sweep(w.system(), module.Event{}))
			assert.Equal(t, requested, w.paymentOf(kept.ID).Charged, "a day has not passed")
			w.notifies(p.ID)
			assert.Zero(t, w.paymentOf(kept.ID).Charged)
			w.days(15)
			require.Equal(t, 547, int(w.Clock.Now().Sub(p.Created).Hours()/24)) // 18 months
			w.returnsMoney(p.ID, "charge_back")
			require.NoError(t, w.s.sweep(w.system(), module.Event{}))
			assert.NotZero(t, w.paymentOf(kept.ID).Charged, "on the last day")
			w.returnsMoney(p.ID, "reverse")
			w.notifies(p.ID)
			require.Zero(t, w.paymentOf(kept.ID).Charged)
			w.days(2)
			w.returnsMoney(p.ID, "charge_back")
			require.NoError(t, w.s.sweep(w.system(), module.Event{}))
			assert.Zero(t, w.paymentOf(kept.ID).Charged, "no bank takes it back any more")
			w.notifies(p.ID)
			assert.NotZero(t, w.paymentOf(kept.ID).Charged, "if one does, the webhook tells")
			see(kept.ID)
			w.requireConsistent()
		})
		offered = w.offered(one, jsonOf(newOffer("P-1", 8, "date", w.today().String(), "price", 60))).Identifier
		later := func() string { return w.today().AddDays(60).String() }

		t.Run("9-money-back-after-transfer,9-money-back-told,9-money-back-agree", func(t *testing.T) {
			w := w.in(t)
			o := w.buys(two, offered, 3, w.today().AddDays(31).String())
			before := w.balance("P-1")
			w.days(31)
			require.Equal(t, order.Completed, w.order(two, o.ID).Status)
			p := w.paymentOf(o.ID)
			since := len(w.queued("event"))
			w.returnsMoney(p.ID, "charge_back")
			w.notifies(p.ID)
			w.notifies(p.ID)
			assert.Equal(t, order.Completed, w.order(two, o.ID).Status, "what has been handed over stays handed over")
			assert.Equal(t, before.Share-3, w.balance("P-1").Share)
			p = w.paymentOf(o.ID)
			assert.Equal(t, []any{"CHARGED_BACK", payment.NoteChargedLate, true, false, order.Completed, int64(3), value.Cents(18000)},
				[]any{p.State, p.Note, p.MaySee, p.MayCancel, p.OrderIs, p.Shares, p.Charged})
			require.NotNil(t, p.Free)
			assert.EqualValues(t, 3, *p.Free, "what can be taken back")
			assert.Equal(t, map[string][]string{two.Relation: {"money_returned CHARGED_BACK_AFTER_TRANSFER"},
				one.Relation: {"sale_money CHARGED_BACK_AFTER_TRANSFER"}}, w.notices(since))
			assert.Len(t, w.publishedCases(since), 1)
			assert.Equal(t, []string{o.ID}, w.cases())
			bought := ""
			for _, x := range call[[]project.Project](w, 200, two, "GET", "/sustainable/projects", nil)[0].Participations {
				if x.Identifier != "P-3" {
					bought = x.Identifier
				}
			}
			w.offered(two, jsonOf(newOffer(bought, 1, "date", w.today().String())))
			assert.EqualValues(t, 2, *w.paymentOf(o.ID).Free, "one of them is on offer")
			refused := w.tryLoad("participation", shareRecord("2", bought, "WP", 0))
			require.Len(t, refused, 1, "more than are free")
			assert.Equal(t, "share "+ledger.CodeShares, refused[0].Field+" "+refused[0].Code)
			w.load("participation", shareRecord("2", bought, "WP", 1), shareRecord("1", "P-1", "WP", 22))
			w.load("participation", shareRecord("2", bought, "WP", 1), shareRecord("1", "P-1", "WP", 22)) // the same import
			assert.Equal(t, ledger.Balance{Share: 1, Offered: 1}, w.balance(bought), "the others were taken back")
			assert.Equal(t, before.Share-3+2, w.balance("P-1").Share, "and are the seller's")
			assert.Zero(t, *w.paymentOf(o.ID).Free)
			w.requireConsistent()
			see(o.ID)
			w.returnsMoney(p.ID, "reverse")
			w.notifies(p.ID)
			p = w.paymentOf(o.ID)
			assert.Equal(t, []any{"PAID", payment.NoteRestored, value.Cents(0)}, []any{p.State, p.Note, p.Charged})
			assert.Equal(t, []string{o.ID}, w.cases(), "the case is there again")
			assert.Len(t, w.publishedCases(since), 2)
			see(o.ID)
			w.requireConsistent()
		})

		t.Run("9-money-back-part,9-money-back-told", func(t *testing.T) {
			w := w.in(t)
			o, kept := w.buys(two, offered, 2, later()), w.buys(two, offered, 1, later())
			p := w.paymentOf(o.ID)
			since := len(w.queued("event"))
			w.returnsMoney(p.ID, "refund_part")
			w.notifies(p.ID)
			p = w.paymentOf(o.ID)
			assert.Equal(t, []any{order.Bought, "PAID", payment.NotePart, true, true, value.Cents(6000)},
				[]any{w.order(two, o.ID).Status, p.State, p.Note, p.MaySee, p.MayCancel, p.Refunded})
			assert.Equal(t, map[string][]string{two.Relation: {"money_returned REFUNDED_PART"}, one.Relation: {"sale_money REFUNDED_PART"}},
				w.notices(since))
			assert.Len(t, w.publishedCases(since), 1)
			held := w.balance("P-1")
			assert.Equal(t, []string{o.ID}, w.cases())
			w.refused(409, state.CodeTransition, staffMember(), "POST", path(w.paymentOf(kept.ID), "cancel-sale"), nil)
			*log = nil
			p = call[settlement.StaffPayment](w, 200, staffMember(), "POST", path(p, "cancel-sale"), nil)
			assert.Equal(t, []map[string]string{{"action": "marketplace.sale_cancelled", "relation": two.Relation, "target": p.ID}}, *log)
			w.pump()
			assert.Equal(t, []any{order.Cancelled, payment.NoteStaff}, []any{w.order(two, o.ID).Status, w.order(two, o.ID).EndReason})
			p = w.paymentOf(o.ID)
			assert.Equal(t, []any{"REFUNDED", value.Cents(12000)}, []any{p.State, p.Refunded}, "what was left of it")
			assert.Empty(t, w.cases())
			assert.Equal(t, ledger.Balance{Share: held.Share, Offered: held.Offered + 2, Held: held.Held - 2}, w.balance("P-1"),
				"the shares return")
			w.refused(409, state.CodeTransition, staffMember(), "POST", path(p, "cancel-sale"), nil)
			// every withdrawal receipt contains the refunded amount, however often it is requested
			p = w.paymentOf(kept.ID)
			w.returnsMoney(p.ID, "refund_part")
			w.notifies(p.ID)
			for range 2 {
				r := call[order.WithdrawalReceipt](w, 200, two, "POST", "/sustainable/orders/"+kept.ID+"/withdrawal", nil)
				assert.Equal(t, value.Cents(3000), r.Amount)
				w.pump()
			}
			assert.Equal(t, value.Cents(6000), w.paymentOf(kept.ID).Refunded)
			see(kept.ID)
			w.requireConsistent()
		})

		t.Run("9-money-back-refund-failed,9-money-back-told", func(t *testing.T) {
			w := w.in(t)
			o := w.buys(two, offered, 1, later())
			call[order.WithdrawalReceipt](w, 200, two, "POST", "/sustainable/orders/"+o.ID+"/withdrawal", nil)
			w.pump()
			p := w.paymentOf(o.ID)
			require.Equal(t, "REFUNDED", p.State)
			since := len(w.queued("event"))
			w.returnsMoney(p.ID, "fail_refund")
			w.notifies(p.ID)
			w.notifies(p.ID)
			p = w.paymentOf(o.ID)
			assert.Equal(t, []any{"REFUNDING", payment.NoteFailed, true, true}, []any{p.State, p.Note, p.Refund, p.MaySee})
			assert.Equal(t, map[string][]string{two.Relation: {"money_returned REFUND_FAILED"}}, w.notices(since), "the seller has lost nothing")
			assert.Len(t, w.publishedCases(since), 1)
			w.days(2)
			// an event that arrives late
			require.NoError(t, w.s.settlements.HandleRefund(w.system(), module.Event{Data: []byte(jsonOf(marketplaceapi.RefundDue{Payment: p.ID}))}))
			assert.Equal(t, "REFUNDING", w.paymentOf(o.ID).State, "not again by itself")
			assert.Equal(t, []string{o.ID}, w.cases())
			call[settlement.StaffPayment](w, 200, staffMember(), "POST", path(p, "refund"), nil)
			w.pump()
			p = w.paymentOf(o.ID)
			assert.Equal(t, []any{"REFUNDED", value.Cents(6000)}, []any{p.State, p.Refunded})
			assert.Empty(t, w.cases())
			w.requireConsistent()
		})

		t.Run("9-money-back-news", func(t *testing.T) { // also for a payment that waits for staff and whose notification was lost
			w := w.in(t)
			o := w.buys(two, offered, 1, later())
			call[order.WithdrawalReceipt](w, 200, two, "POST", "/sustainable/orders/"+o.ID+"/withdrawal", nil)
			w.pump()
			p := w.paymentOf(o.ID)
			w.returnsMoney(p.ID, "fail_refund")
			w.notifies(p.ID)
			require.Equal(t, "REFUNDING", w.paymentOf(o.ID).State)
			w.returnsMoney(p.ID, "charge_back")
			w.days(2)
			require.NoError(t, w.s.sweep(w.system(), module.Event{}))
			p = w.paymentOf(o.ID)
			assert.Equal(t, []any{"CHARGED_BACK", value.Cents(6000)}, []any{p.State, p.Charged})
			w.requireConsistent()
		})

		t.Run("9-money-back-agree", func(t *testing.T) { // the audit reports a payment that nobody has marked as seen
			w := w.in(t)
			o := w.buys(two, offered, 1, later())
			p := w.paymentOf(o.ID)
			found := func() string {
				r, err := audit.New(w.s.host).Report(w.system())
				require.NoError(t, err)
				return jsonOf(r.Findings)
			}
			require.NoError(t, w.exec("UPDATE marketplace_payments SET charged_back = 100 WHERE id = '"+p.ID+"'"))
			assert.Contains(t, found(), "waits for its transfer, and its money went back")
			require.NoError(t, w.exec("UPDATE marketplace_payments SET charged_back = 0 WHERE id = '"+p.ID+"'",
				"UPDATE marketplace_orders SET status = 'EXPIRED' WHERE id = '"+o.ID+"'"))
			assert.Contains(t, found(), "has ended, and its money is still here")
			require.NoError(t, w.exec("UPDATE marketplace_orders SET status = 'BOUGHT' WHERE id = '"+o.ID+"'"))
			w.requireConsistent()
		})
	})
}

// in returns the world for a subtest.
func (w *world) in(t *testing.T) *world {
	inner := *w
	inner.t = t
	return &inner
}

func TestTextsOfMoney(t *testing.T) {
	mail := func(locale string, n notice.Notice) module.Mail {
		m, ok := notice.Mail(notice.Reader{Locale: locale, Zone: time.UTC}, n)
		require.True(t, ok)
		return m
	}
	for _, reason := range []string{payment.NoteChargedBack, payment.NoteOutside, payment.NoteStaff} {
		for locale, word := range map[string]string{"nl": "bedenktijd", "en": "cooling-off"} {
			undone := mail(locale, notice.Notice{Kind: notice.SaleUndone, Shares: 1, Reason: reason})
			assert.NotContains(t, undone.Title+undone.Lines[0], word, "the buyer has done nothing")
			assert.Contains(t, mail(locale, notice.Notice{Kind: notice.PurchaseReversed, Reference: "B-1", Shares: 1, Refund: 2500,
				Reason: reason}).Lines[1], "€ 25,00")
		}
	}
	titles := map[string]bool{}
	for _, reason := range []string{payment.NoteChargedLate, payment.NoteFailed, payment.NoteRestored, payment.NotePart} {
		titles[mail("nl", notice.Notice{Kind: notice.MoneyReturned, Refund: 100, Reason: reason}).Title] = true
	}
	assert.Len(t, titles, 4)
	assert.True(t, slices.Contains(mail("nl", notice.Notice{Kind: notice.SaleUndone, Shares: 1}).Lines,
		"De koper maakt gebruik van de bedenktijd. De delen blijven van jou en zijn weer te koop."))
}
