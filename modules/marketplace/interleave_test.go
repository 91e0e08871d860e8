package marketplace

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/audit"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/move"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Random interleavings of members, staff, a payment provider and the clock. Each round runs up to eight actions concurrently and then
// counts shares and money. WATTLE_INTERLEAVINGS is the number of runs for each engine, of about forty rounds each; the default is low.
func TestInterleavings(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		runs := 12
		if o.Database != "" {
			runs = 6
		}
		if testing.Short() {
			runs = 2 * 5 // rapid runs a fifth of them in short mode
		}
		if n, err := strconv.Atoi(os.Getenv("WATTLE_INTERLEAVINGS")); err == nil {
			runs = n
		}
		old := flag.Lookup("rapid.checks").Value.String()
		require.NoError(t, flag.Set("rapid.checks", strconv.Itoa(runs)))
		defer func() { require.NoError(t, flag.Set("rapid.checks", old)) }()
		w := openWorld(t, o, charging())
		for i := range people {
			w.accounts = append(w.accounts, account{ID: fmt.Sprint("a", i), Relation: who(i).Relation, Role: module.RoleCustomer, Email: emailOf(i)})
		}
		f := &marketDay{world: w, done: map[string]int{}, issued: map[string]int64{}}
		t.Run("9-order-costs,9-refund-bounded", func(t *testing.T) { rapid.Check(t, f.run) })
		w.requireConsistent()
		names := make([]string, 0, len(f.done))
		did := 0
		for name, n := range f.done {
			names = append(names, fmt.Sprintf("%s %d", name, n))
			if !strings.Contains(name, "4") {
				did += n
			}
		}
		slices.Sort(names)
		t.Logf("%d runs, %d rounds of things at once, %d things tried: %s", f.runs, f.rounds, f.tried, strings.Join(names, ", "))
		require.Positive(t, did)
	})
}

const people = 6

func who(i int) module.Scope { return member(fmt.Sprint("m", i%people)) }

func emailOf(i int) string { return fmt.Sprintf("m%d@voorbeeld.example", i%people) }

// marketDay is one market day. The numbers of an action choose its target.
type marketDay struct {
	*world
	project string // of the current run
	issued  map[string]int64

	mu     sync.Mutex
	done   map[string]int // number of actions, by name and outcome
	queue  []module.Event // published and not yet delivered for the last time
	runs   int
	rounds int
	tried  int
}

// action is one action of a round.
type action struct {
	what    string
	a, b, n int
}

var actions = []string{"offer", "offer", "decide", "decide", "retract", "redeem", "basket", "basket", "basket", "unbasket", "order",
	"order", "order", "choose", "choose", "choose", "hear", "paylink", "cancel", "withdraw", "transfer", "move", "unmove", "refund", "money",
	"money", "money", "see", "uncase", "deliver", "deliver", "deliver", "deliver", "deliver", "sweep", "correct"}

// run is one run: a new project whose shares the members trade.
func (f *marketDay) run(rt *rapid.T) {
	f.runs++
	f.project = fmt.Sprintf("W%d-%d", f.runs, rand.Uint32())
	f.load("project", projectRecordOf(f.project))
	for i := range people {
		f.issue(i, rapid.IntRange(0, 30).Draw(rt, "shares"))
	}
	f.relay(rt)
	for range 3 { // some shares are for sale at the start
		f.round(rt, []action{{"offer", rapid.IntRange(0, 5).Draw(rt, "a"), 12, rapid.IntRange(1, 12).Draw(rt, "n")}})
	}
	f.round(rt, []action{{"decide", 0, 1, 1}, {"decide", 1, 1, 1}, {"decide", 2, 1, 1}})
	rounds := rapid.IntRange(10, 60).Draw(rt, "rounds")
	for range rounds {
		if rapid.IntRange(0, 5).Draw(rt, "rush") == 0 {
			f.rush(rt)
		}
		if rapid.IntRange(0, 9).Draw(rt, "clock") == 0 {
			f.Clock.Advance(time.Duration(rapid.SampledFrom([]int{1, 6, 24, 3 * 24, 8 * 24, 15 * 24, 32 * 24}).Draw(rt, "hours")) * time.Hour)
		}
		at := make([]action, rapid.SampledFrom([]int{1, 1, 2, 3, 5, 8}).Draw(rt, "at once"))
		for i := range at {
			at[i] = action{rapid.SampledFrom(actions).Draw(rt, "what"), rapid.IntRange(0, 63).Draw(rt, "a"), rapid.IntRange(0, 63).Draw(rt, "b"),
				rapid.IntRange(1, 12).Draw(rt, "n")}
		}
		f.round(rt, at)
	}
	f.end(rt)
}

// rush makes many members order the same offer at once.
func (f *marketDay) rush(rt *rapid.T) {
	n := rapid.IntRange(1, 12).Draw(rt, "wanted")
	fill, order := make([]action, people), make([]action, people)
	for i := range people {
		fill[i], order[i] = action{"basket", i, 0, n}, action{"order", i, 0, 1}
	}
	f.round(rt, fill)
	f.round(rt, order)
	f.round(rt, []action{{"deliver", 0, 1, 1}, {"deliver", 0, 1, 1}, {"deliver", 0, 1, 1}})
}

// round runs actions concurrently and checks the totals afterwards.
func (f *marketDay) round(rt *rapid.T, at []action) {
	now := f.look(rt)
	errs := make([]error, len(at))
	var wg sync.WaitGroup
	for i, x := range at {
		wg.Go(func() { errs[i] = f.do(now, x) })
	}
	wg.Wait()
	f.rounds++
	f.tried += len(at)
	if err := errors.Join(errs...); err != nil {
		rt.Fatalf("%+v: %v", at, err)
	}
	f.relay(rt)
	f.count(rt)
}

// snapshot is the state before a round.
type snapshot struct {
	offers   []offer.Offer
	orders   []order.Row
	payments []payment.Payment
	moves    []move.Row
	shares   []ledger.Participation
	buyers   []string // members with something in the basket
}

func (f *marketDay) look(rt *rapid.T) (s snapshot) {
	db, ctx := moduletest.Raw(f.s.host.DB), f.system()
	label := module.Label(ctx, "test")
	ids := func(q *bun.SelectQuery, order string) {
		if err := q.OrderExpr(order + " DESC").Limit(40).Scan(ctx); err != nil {
			rt.Fatal(err)
		}
	}
	ids(label.Select(f.s.host.DB, &s.offers).Where("project_code = ?", f.project), "o.created_at")
	ids(label.Select(f.s.host.DB, &s.orders).Where("d.id IN (SELECT order_id FROM marketplace_order_lines l WHERE l.label_key = d.label_key AND l.project_code = ?)", f.project), "d.placed_at")
	ids(label.Select(f.s.host.DB, &s.payments).Where("y.order_id IN (SELECT order_id FROM marketplace_order_lines l WHERE l.label_key = y.label_key AND l.project_code = ?)", f.project), "y.created_at")
	if err := db.NewRaw("SELECT DISTINCT relation_id FROM marketplace_baskets WHERE label_key = ? ORDER BY relation_id", label.Key()).Scan(ctx,
		&s.buyers); err != nil {
		rt.Fatal(err)
	}
	ids(label.Select(f.s.host.DB, &s.moves).Where("state = ?", move.Planned), "m.created_at")
	err := db.NewRaw("SELECT id, relation_id, participation_identifier, project_code, share FROM marketplace_participations WHERE label_key = ? AND project_code = ? ORDER BY id DESC LIMIT 40", label.Key(), f.project).Scan(ctx, &s.shares)
	if err != nil {
		rt.Fatal(err)
	}
	return s
}

// one picks one of the values by number; ok is false when there are none.
func one[T any](of []T, n int) (x T, ok bool) {
	if len(of) == 0 {
		return x, false
	}
	return of[n%len(of)], true
}

// do performs one action. It returns an error only for what must never happen: a refusal is fine.
func (f *marketDay) do(now snapshot, x action) error {
	today := f.today()
	switch x.what {
	case "offer":
		p, ok := one(now.shares, x.a)
		if !ok {
			return nil
		}
		body := newOffer(p.ParticipationIdentifier, x.n, "date", today.AddDays(x.b%4/3).String(), "price", 60+x.b)
		if x.b%5 == 0 {
			body["buyer_email_address"] = emailOf(x.b)
		}
		return f.post(f.owner(p.RelationID), x.what, "POST", "/sustainable/offers", body)
	case "decide":
		var waiting []offer.Offer
		for _, o := range now.offers {
			if o.Status == offer.Created {
				waiting = append(waiting, o)
			}
		}
		o, ok := one(waiting, x.a)
		if !ok {
			return nil
		}
		state := module.Processed
		if x.b%6 == 0 {
			state = module.Rejected
		}
		return f.post(module.Scope{Role: module.RoleSystem}, x.what, "POST", "/marketplace/changes/"+o.ChangeID+"/decide",
			m{"state": state, "by": "staff", "reason": offer.RejectProvider})
	case "retract":
		o, ok := one(now.offers, x.a)
		if !ok {
			return nil
		}
		body := m{"reference": o.Reference}
		if x.b%2 == 0 {
			body["shares"] = x.n
		}
		return f.post(f.owner(o.RelationID), x.what, "POST", "/sustainable/offers/retract", body)
	case "redeem":
		for _, o := range now.offers {
			if o.Code != "" {
				return f.post(who(x.a), x.what, "POST", "/sustainable/activation/direct/"+o.Code, nil)
			}
		}
	case "basket":
		o, ok := one(now.offers, x.b)
		if !ok {
			return nil
		}
		var active []offer.Offer
		for _, o := range now.offers {
			if o.Status == offer.Active && o.Left > 0 {
				active = append(active, o)
			}
		}
		if some, ok := one(active, x.b); ok && x.b%8 != 7 {
			o = some
			x.n = 1 + x.n%int(o.Left)
		}
		return f.post(who(x.a), x.what, "POST", "/sustainable/basket",
			m{"offer": m{"identifier": o.ID, "reference": o.Reference, "shares": x.n, "project_code": o.ProjectCode, "address": home(x.a % 3)}})
	case "unbasket":
		o, ok := one(now.offers, x.b)
		if !ok {
			return nil
		}
		return f.post(who(x.a), x.what, "DELETE", "/sustainable/basket/"+o.ID, nil)
	case "order":
		as := who(x.a)
		if r, ok := one(now.buyers, x.a); ok && x.b > 0 {
			as = f.owner(r)
		}
		_, raw := f.ask(as, "GET", "/sustainable/basket", nil)
		var b m
		if err := json.Unmarshal(raw, &b); err != nil {
			return err
		}
		return f.post(as, x.what, "POST", "/sustainable/basket/order", m{"waiveWithdrawalPeriod": true, "basket": b,
			"start_date": today.AddDays(31 + x.b%4).String()})
	case "choose":
		var open []payment.Payment
		for _, p := range now.payments {
			if p.State == string(payment.Open) || x.a%8 == 0 {
				open = append(open, p)
			}
		}
		p, ok := one(open, x.a)
		if !ok {
			return nil
		}
		to := []payment.State{payment.Paid, payment.Paid, payment.Paid, payment.Paid, payment.Failed, payment.Cancelled, payment.Expired}[x.b%7]
		err := f.sandbox().Choose(f.system(), p.ID, to, payment.Open)
		if err == nil && x.n%2 == 0 {
			err = f.s.settlements.PaymentChanged(f.system(), p.ID)
		}
		return f.note(x.what, err)
	case "hear": // a webhook that is repeated or arrives too early
		if p, ok := one(now.payments, x.a); ok {
			return f.note(x.what, f.s.settlements.PaymentChanged(f.system(), p.ID))
		}
		return f.s.settlements.PaymentChanged(f.system(), "unknown")
	case "paylink", "cancel", "withdraw":
		o, ok := one(now.orders, x.a)
		if !ok {
			return nil
		}
		method, path := map[string]string{"paylink": "GET", "cancel": "DELETE", "withdraw": "POST"}[x.what],
			map[string]string{"paylink": "/paylink", "withdraw": "/withdrawal"}[x.what]
		return f.post(f.owner(o.RelationID), x.what, method, "/sustainable/orders/"+o.ID+path, nil)
	case "transfer":
		p, ok := one(now.shares, x.a)
		if !ok {
			return nil
		}
		return f.post(f.owner(p.RelationID), x.what, "POST", "/sustainable/transfers",
			m{"participation_identifier": p.ParticipationIdentifier, "number_of_shares": x.n,
				"buyer_email_address": emailOf(x.b), "date": today.AddDays(x.b % 3).String()})
	case "move":
		p, ok := one(now.shares, x.a)
		if !ok {
			return nil
		}
		return f.post(f.owner(p.RelationID), x.what, "POST", "/sustainable/participations/move", m{"date": today.AddDays(x.b % 4).String(),
			"items": []m{{"participationIdentifier": p.ParticipationIdentifier, "shares": x.n, "address": home(x.b % 4)}}})
	case "unmove":
		if v, ok := one(now.moves, x.a); ok {
			return f.post(f.owner(v.RelationID), x.what, "DELETE", "/sustainable/participations/moves/"+v.ID, nil)
		}
	case "refund":
		if p, ok := one(now.payments, x.a); ok {
			return f.post(staffMember(), x.what, "POST", "/sustainable/staff/payments/"+p.ID+"/refund", nil)
		}
	case "money": // a bank or provider changes a payment, with or without a webhook
		var paid []payment.Payment
		for _, p := range now.payments {
			if p.PaidAt != nil {
				paid = append(paid, p)
			}
		}
		p, ok := one(paid, x.a)
		if !ok {
			return nil
		}
		err := f.sandbox().ReturnMoney(f.system(), p.ID, []string{"charge_back", "charge_back_part", "reverse", "refund_part", "refund_all",
			"fail_refund"}[x.b%6])
		if err == nil && x.n%2 == 0 {
			err = f.s.settlements.PaymentChanged(f.system(), p.ID)
		}
		return f.note(x.what, err)
	case "see", "uncase":
		if p, ok := one(now.payments, x.a); ok {
			return f.post(staffMember(), x.what, "POST", "/sustainable/staff/payments/"+p.ID+
				map[string]string{"see": "/seen", "uncase": "/cancel-sale"}[x.what], nil)
		}
	case "deliver":
		return f.deliver(x.a, x.b%8 == 0)
	case "sweep":
		return f.note(x.what, f.s.sweep(f.system(), module.Event{}))
	case "correct":
		return f.note(x.what, f.correct(x))
	}
	return nil
}

// owner returns the scope of the member with a relation.
func (f *marketDay) owner(relation string) module.Scope {
	for i := range people {
		if s := who(i); s.Relation == relation {
			return s
		}
	}
	return module.Scope{Relation: relation, Subject: "somebody", Actor: "somebody"}
}

func home(i int) m {
	return m{"street_name": "Molenweg", "house_number": fmt.Sprint(i), "house_postfix": "", "postal_code": "9861GT", "city": "Grootegast"}
}

// ask makes a call outside the goroutine of the test.
func (f *marketDay) ask(as module.Scope, method, path string, body any) (int, []byte) {
	text := ""
	if body != nil {
		text = jsonOf(body)
	}
	return f.Do(context.Background(), moduletest.Call{Method: method, Path: path, Body: text, As: as})
}

func (f *marketDay) post(as module.Scope, what, method, path string, body any) error {
	status, raw := f.ask(as, method, path, body)
	var response struct{ Status string }
	outcome := fmt.Sprint(status)
	if what == "order" && json.Unmarshal(raw, &response) == nil && response.Status != "" {
		outcome = response.Status
	}
	f.mu.Lock()
	f.done[what+" "+outcome]++
	f.mu.Unlock()
	if status >= 500 {
		return fmt.Errorf("%s %s: %d %s", method, path, status, raw)
	}
	return nil
}

// note counts an outcome. A refusal is not an error.
func (f *marketDay) note(what string, err error) error {
	outcome := "ok"
	if p, refused := errors.AsType[*problem.Problem](err); refused && p.Status < 500 {
		outcome, err = fmt.Sprint(p.Status), nil
	}
	f.mu.Lock()
	f.done[what+" "+outcome]++
	f.mu.Unlock()
	return err
}

// relay takes published events from the outbox, as core does.
func (f *marketDay) relay(rt *rapid.T) {
	var rows []queuedRow
	err := f.s.host.DB.Tx(f.system(), func(ctx context.Context, tx module.Tx) error {
		rows = nil
		if err := moduletest.Raw(tx).NewRaw("SELECT label_key, id, kind, payload FROM marketplace_outbox ORDER BY at, id").Scan(ctx,
			&rows); err != nil {
			return err
		}
		_, err := moduletest.Raw(tx).NewRaw("DELETE FROM marketplace_outbox").Exec(ctx)
		return err
	})
	if err != nil {
		rt.Fatal(err)
	}
	for _, r := range rows {
		var e module.Event
		if r.Kind != "event" || json.Unmarshal(r.Payload, &e) != nil || !slices.Contains(handled, e.Type) ||
			e.Type == marketplaceapi.EventNotice {
			continue
		}
		f.queue = append(f.queue, e)
	}
}

// deliver delivers one of the due events; with again, the event stays in the queue and is delivered another time.
func (f *marketDay) deliver(n int, repeat bool) error {
	f.mu.Lock()
	now := f.Clock.Now()
	var due []int
	for i, e := range f.queue {
		if !e.Due.After(now) {
			due = append(due, i)
		}
	}
	at, ok := one(due, n)
	if !ok {
		f.mu.Unlock()
		return nil
	}
	e := f.queue[at]
	if !repeat {
		f.queue = slices.Delete(f.queue, at, at+1)
	}
	f.mu.Unlock()
	return f.note("deliver "+strings.TrimPrefix(e.Type, "marketplace."), f.s.Handle(f.system(), e))
}

// issue gives a member shares at the start of a run.
func (f *marketDay) issue(i, n int) {
	f.load("participation", shareRecord(fmt.Sprint("m", i), fmt.Sprintf("%s-%d", f.project, i), f.project, n))
	f.issued[f.project] += int64(n)
}

// correct imports a correction by the back office, which must not take offered shares.
func (f *marketDay) correct(x action) error {
	f.mu.Lock()
	defer f.mu.Unlock() // the number that is read must not change before the import
	i := x.a % people
	name := fmt.Sprintf("%s-%d", f.project, i)
	row, err := participation.Named(f.system(), f.s.host.DB, module.Label(f.system(), "test"), name)
	if err != nil {
		return err
	}
	d, err := participation.DocumentOf(row)
	if err != nil {
		return err
	}
	delta := int64(x.b%9) - 4
	if *d.Imported+delta < 0 {
		return nil
	}
	data := shareRecord(fmt.Sprint("m", i), name, f.project, int(*d.Imported+delta))
	refused, err := f.s.Import(f.system(), participation.ImportKind, []record.Row{{Line: 1, Data: json.RawMessage(data)}})
	if err == nil && len(refused) == 0 {
		f.issued[f.project] += delta
	}
	return err
}

// count checks shares and money: no share is lost or has two owners, and every payment matches its order.
func (f *marketDay) count(rt *rapid.T) {
	ctx := f.system()
	db := moduletest.Raw(f.s.host.DB)
	label := module.ScopeOf(ctx).Label
	number := func(query string, args ...any) (n int64) {
		if err := db.NewRaw(query, args...).Scan(ctx, &n); err != nil {
			rt.Fatal(err)
		}
		return n
	}
	if got := number("SELECT coalesce(sum(share), 0) FROM marketplace_participations WHERE label_key = ? AND project_code = ?", label,
		f.project); got != f.issued[f.project] {
		rt.Fatalf("%d shares were issued, %d are there", f.issued[f.project], got)
	}
	for what, query := range map[string]string{
		"a participation whose shares are in two places":         "SELECT count(*) FROM marketplace_participations WHERE label_key = ? AND project_code = ? AND (share < offered + reserved + held + moving OR offered < 0 OR reserved < 0 OR held < 0 OR moving < 0)",
		"an offer that does not come to its shares":              "SELECT count(*) FROM marketplace_offers WHERE label_key = ? AND project_code = ? AND status NOT IN ('REVOKED', 'REJECTED') AND shares <> left_shares + reserved + held + transferred",
		"an order that handed shares over twice":                 "SELECT count(*) FROM (SELECT e.ref, e.participation_id, e.counter FROM marketplace_entries e JOIN marketplace_orders d ON d.label_key = e.label_key AND d.id = e.ref WHERE e.label_key = ? AND ? <> '' AND e.kind = 'TRANSFERRED_OUT' GROUP BY e.ref, e.participation_id, e.counter HAVING sum(-e.share) > (SELECT sum(shares) FROM marketplace_order_lines l WHERE l.order_id = e.ref AND l.seller_participation = e.participation_id)) x",
		"an order that was sold more than once":                  "SELECT count(*) FROM (SELECT e.ref FROM marketplace_entries e WHERE e.label_key = ? AND ? <> '' AND e.kind = 'SOLD' GROUP BY e.ref HAVING sum(e.held) <> (SELECT d.shares FROM marketplace_orders d WHERE d.label_key = ? AND d.id = e.ref)) x",
		"an order that stands and was not paid exactly once":     "SELECT count(*) FROM marketplace_orders d WHERE d.label_key = ? AND ? <> '' AND d.status IN ('BOUGHT', 'COMPLETED') AND d.amount + d.administration_costs > 0 AND 1 <> (SELECT count(*) FROM marketplace_payments y WHERE y.label_key = ? AND y.order_id = d.id AND y.bought)",
		"money that was taken for an order that does not stand":  "SELECT count(*) FROM marketplace_payments y JOIN marketplace_orders d ON d.label_key = y.label_key AND d.id = y.order_id WHERE y.label_key = ? AND ? <> '' AND y.state = 'PAID' AND d.status NOT IN ('BOUGHT', 'COMPLETED') AND y.note <> 'AMOUNT_DIFFERS'",
		"an order that waits for its transfer without its money": "SELECT count(*) FROM marketplace_payments y JOIN marketplace_orders d ON d.label_key = y.label_key AND d.id = y.order_id WHERE y.label_key = ? AND ? <> '' AND y.bought AND d.status = 'BOUGHT' AND (y.state <> 'PAID' OR y.charged_back > 0 OR y.refunded >= y.amount)",
		"money that went back and that nobody was to look at":    "SELECT count(*) FROM marketplace_payments y JOIN marketplace_orders d ON d.label_key = y.label_key AND d.id = y.order_id WHERE y.label_key = ? AND ? <> '' AND NOT y.late AND (y.refunded + y.charged_back > y.amount OR y.bought AND d.status = 'COMPLETED' AND y.refunded + y.charged_back > 0 OR d.end_reason NOT IN ('', 'BY_STAFF') AND y.bought)",
		"an order without the costs of each of its projects":     "SELECT count(*) FROM marketplace_orders d WHERE d.label_key = ? AND ? <> '' AND d.administration_costs <> 1250 * (SELECT count(DISTINCT l.project_code) FROM marketplace_order_lines l WHERE l.label_key = d.label_key AND l.order_id = d.id)",
		"a payment of another amount than is due":                "SELECT count(*) FROM marketplace_payments y JOIN marketplace_orders d ON d.label_key = y.label_key AND d.id = y.order_id WHERE y.label_key = ? AND ? <> '' AND y.amount <> d.amount + d.administration_costs",
		"more refunded than was paid":                            "SELECT count(*) FROM marketplace_payments y WHERE y.label_key = ? AND ? <> '' AND (y.refunded > y.amount OR y.refund_amount > y.amount OR (y.refunded > 0 OR y.refund_amount > 0) AND y.paid_at IS NULL)",
		"money that came back while something is left of it":     "SELECT count(*) FROM marketplace_payments y WHERE y.label_key = ? AND ? <> '' AND y.state = 'REFUNDED' AND y.refunded + y.charged_back < y.amount",
	} {
		args := []any{label, f.project}
		if strings.Count(query, "?") == 3 {
			args = append(args, label)
		}
		if n := number(query, args...); n != 0 {
			rt.Fatalf("%d times %s", n, what)
		}
	}
}

// end ends the run: it delivers all events, advances the clock until nothing is waiting, and audits the ledger.
func (f *marketDay) end(rt *rapid.T) {
	for range 12 {
		for f.hasDueEvent() {
			if err := f.deliver(0, false); err != nil {
				rt.Fatal(err)
			}
			f.relay(rt)
		}
		if err := f.s.sweep(f.system(), module.Event{}); err != nil { // the sweep may find a payment whose order is transferred days later
			rt.Fatal(err)
		}
		f.relay(rt)
		f.Clock.Advance(9 * 24 * time.Hour)
	}
	for range 2 { // the second sweep refunds payments that the first one found
		if err := f.s.sweep(f.system(), module.Event{}); err != nil {
			rt.Fatal(err)
		}
		f.relay(rt)
		f.count(rt)
		f.Clock.Advance(25 * time.Hour)
	}
	f.settled(rt)
	for _, o := range f.look(rt).orders {
		if o.Status == order.Created || o.Status == order.Awaiting || o.Status == order.Bought {
			rt.Fatalf("order %s is %s at the end", o.ID, o.Status)
		}
	}
	r, err := audit.New(f.s.host).Report(f.system())
	if err != nil {
		rt.Fatal(err)
	}
	for _, x := range r.Findings {
		rt.Errorf("%s", x)
	}
}

// settled compares each stored payment with its provider: every refund and chargeback is recorded.
func (f *marketDay) settled(rt *rapid.T) {
	for _, p := range f.look(rt).payments {
		if p.PaidAt == nil {
			continue
		}
		found, err := f.sandbox().Get(f.system(), *p.ProviderID)
		if err != nil {
			rt.Fatal(err)
		}
		if found.Returned != p.Returned() {
			rt.Fatalf("payment %s (%s %s) has %+v back, its provider says %+v", p.ID, p.State, p.Note, p.Returned(), found)
		}
		if p.State == string(payment.Refunding) && !p.WaitsForStaff() && p.Note != payment.NoteRefused {
			rt.Fatalf("payment %s (%s) is on its way back for ever", p.ID, p.Note)
		}
	}
}

// hasDueEvent reports whether an event is due.
func (f *marketDay) hasDueEvent() bool {
	now := f.Clock.Now()
	return slices.ContainsFunc(f.queue, func(e module.Event) bool { return !e.Due.After(now) })
}
