package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

func TestEverySubscriberGetsItsOwnDelivery(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var got sync.Map
		for _, m := range []string{"billing", "move", "usage"} {
			w.on("acme.made", m, func(ctx context.Context, e module.Event) error {
				got.Store(m, e)
				if s := scope.Of(ctx); s.Label != "a" || s.Role != scope.RoleSystem || s.Caller != m || scope.IsTx(ctx) {
					t.Errorf("scope %+v", s)
				}
				if _, ok := ctx.Deadline(); !ok {
					t.Error("no deadline")
				}
				return nil
			})
		}
		w.off["ausage"] = true // the label does not have this module
		w.publish(module.Event{Type: "acme.made", Key: "r1", Data: json.RawMessage(`{"n":1}`)})
		w.work()
		for _, m := range []string{"billing", "move"} {
			e, _ := got.Load(m)
			if e, ok := e.(module.Event); !ok || e.Key != "r1" || string(e.Data) != `{"n":1}` || e.Seq != 1 {
				t.Errorf("%s got %+v", m, e)
			}
		}
		if _, ok := got.Load("usage"); ok {
			t.Error("delivered to a module that the label lacks")
		}
		if n := len(w.deliveries(done)); n != 2 {
			t.Errorf("%d done", n)
		}
	})
}

func TestRetryBackOffAndDeadLetters(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var calls int
		answer := fmt.Errorf("sibling away: %w", problem.ErrRetry)
		w.on("acme.made", "billing", func(context.Context, module.Event) error {
			calls++
			if answer != nil && answer.Error() == "panic" {
				panic("boom")
			}
			return answer
		})
		w.publish(module.Event{Type: "acme.made"})
		w.work()
		w.work() // not due yet
		if d := w.deliveries(waiting); calls != 1 || len(d) != 1 || d[0].Attempts != 1 || !d[0].Due.After(w.clock.Now()) || d[0].Error == "" {
			t.Fatalf("%d calls, %+v", calls, d)
		}
		for i := range 40 {
			w.clock.Advance(8 * time.Hour)
			w.work()
			if calls > maxAttempts {
				t.Fatalf("still tried after %d passes", i)
			}
		}
		if d := w.deliveries(dead); calls != maxAttempts || len(d) != 1 || d[0].Ended == nil {
			t.Fatalf("%d calls, %+v", calls, d)
		}
		for _, failure := range []string{"refused for good", "panic"} {
			answer = errors.New(failure)
			calls = 0
			id := w.deliveries(dead)[0].ID
			if err := w.Replay(context.Background(), "b", id); !errors.Is(err, problem.ErrNotFound) {
				t.Errorf("replayed from another label: %v", err)
			}
			if err := w.Replay(context.Background(), "a", id); err != nil {
				t.Fatal(err)
			}
			w.work()
			if d := w.deliveries(dead); calls != 1 || len(d) != 1 {
				t.Fatalf("%s: %d calls, %+v", failure, calls, d)
			}
		}
		if got := metrics(t, w.Outbox); got["dead"] != 1 || got["waiting"] != 0 {
			t.Errorf("metrics tell %v", got)
		}
		answer = nil
		id := w.deliveries(dead)[0].ID
		if err := w.Replay(context.Background(), "a", id); err != nil {
			t.Fatal(err)
		}
		w.work()
		if d := w.deliveries(done); len(d) != 1 || d[0].Error != "" {
			t.Errorf("%+v", d)
		}
		if err := w.Replay(context.Background(), "a", id); !errors.Is(err, problem.ErrNotFound) {
			t.Errorf("replayed what was delivered: %v", err)
		}
	})
}

func TestOutcomesAreWrittenTogether(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		answers := map[string]error{"fine": nil, "later": problem.ErrRetry, "never": errors.New("refused")}
		w.on("acme.made", "acme", func(_ context.Context, e module.Event) error { return answers[e.Key] })
		want := map[string]int{waiting: 0, done: 0, dead: 0}
		w.tx(func(ctx context.Context, tx module.Tx) error {
			for range 10 {
				for key, state := range map[string]string{"fine": done, "later": waiting, "never": dead} {
					want[state]++
					if err := tx.Publish(ctx, module.Event{Type: "acme.made", Key: key}); err != nil {
						return err
					}
				}
			}
			return nil
		})
		w.work()
		for state, n := range want {
			if got := w.deliveries(state); len(got) != n {
				t.Errorf("%d are %s, want %d", len(got), state, n)
			}
		}

		w.clock.Advance(time.Hour)
		got, err := w.exchange(context.Background(), "acme", nil, ask(100))
		mine := got.batch
		if err != nil || len(mine) != 10 {
			t.Fatal(len(mine), err)
		}
		if _, err := w.Store.DB().NewUpdate().Model((*delivery)(nil)).Set("leased_until = ?", mine[0].Leased.Add(time.Second)).
			Where("id = ?", mine[0].ID).Exec(context.Background()); err != nil {
			t.Fatal(err)
		}
		var all []outcome
		for _, d := range mine {
			all = append(all, outcome{delivery: d})
		}
		if _, err := w.exchange(context.Background(), "acme", all, order{}); err != nil {
			t.Fatal(err)
		}
		if left := w.deliveries(waiting); len(left) != 1 || left[0].ID != mine[0].ID {
			t.Errorf("what another worker has was written: %+v", left)
		}
	})
}

func TestBackOffGrowsWithJitter(t *testing.T) {
	for n := 1; n < 100; n++ {
		d := backOff(n)
		if mean := min(time.Second<<min(n, 15), maxBackOff); d < mean*79/100 || d > mean*121/100 {
			t.Errorf("after %d attempts %v", n, d)
		}
	}
	seen := map[time.Duration]bool{}
	for range 5 {
		seen[backOff(5)] = true
	}
	if len(seen) == 1 {
		t.Error("no jitter")
	}
}

func TestDueIsJudgedByTheInjectedClock(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		calls := 0
		w.on("acme.expired", "acme", func(context.Context, module.Event) error { calls++; return nil })
		w.publish(module.Event{Type: "acme.expired", Due: w.clock.Now().Add(14 * 24 * time.Hour)})
		w.work()
		w.clock.Advance(14*24*time.Hour - time.Minute)
		w.work()
		if calls != 0 {
			t.Fatal("delivered before it was due")
		}
		w.clock.Advance(2 * time.Minute)
		w.work()
		if calls != 1 {
			t.Fatalf("delivered %d times", calls)
		}
	})
}

func TestWhatHandlersPublishIsDeliveredToo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		handled := map[string]int{}
		w.on("acme.first", "acme", func(ctx context.Context, e module.Event) error {
			return w.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
				if first, err := tx.Once(ctx, e); err != nil || !first {
					return err
				}
				return tx.Publish(ctx, module.Event{Type: "acme.second"})
			})
		})
		w.on("acme.second", "acme", func(context.Context, module.Event) error { handled["second"]++; return nil })
		w.publish(module.Event{Type: "acme.first"})
		w.work()
		if handled["second"] != 1 {
			t.Error(handled)
		}
	})
}

func TestMail(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.mailErr = errors.New("451 greylisted")
		w.tx(func(ctx context.Context, tx module.Tx) error {
			return tx.Mail(ctx, module.Mail{To: "x@y.example", Subject: "Code", Code: "123456"})
		})
		w.work()
		if d := w.deliveries(waiting); len(d) != 1 || d[0].Kind != "mail" {
			t.Fatalf("%+v", d)
		}
		w.mu.Lock()
		w.mailErr = nil
		w.mu.Unlock()
		w.clock.Advance(time.Minute)
		w.work()
		if len(w.mails) != 1 || w.mails[0].Code != "123456" {
			t.Fatalf("%+v", w.mails)
		}
		var kept string
		if err := w.Store.Read().NewRaw("SELECT payload FROM outbox_messages WHERE kind = 'mail'").Scan(context.Background(),
			&kept); err != nil || kept != "{}" {
			t.Errorf("a sent mail stays: %s, %v", kept, err)
		}
	})
}

// A plugin sends rows again until it receives a confirmation. Each subscriber gets a message once, however often and in whatever order rows
// arrive.
func TestRunDeliversOnWakeAndStops(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		got := make(chan struct{}, 100)
		hold, entered := make(chan struct{}), make(chan struct{}, 1)
		w.on("acme.made", "billing", func(context.Context, module.Event) error { got <- struct{}{}; return nil })
		w.on("acme.made", "slow", func(context.Context, module.Event) error {
			select {
			case entered <- struct{}{}:
			default:
			}
			<-hold
			return nil
		})
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error)
		go func() { ended <- w.Run(ctx) }()
		for i := range 20 { // the slow subscriber does not delay others
			w.publish(module.Event{Type: "acme.made"})
			select {
			case <-got:
			case <-time.After(10 * time.Second):
				t.Fatalf("event %d was not delivered", i)
			}
		}
		<-entered
		cancel()
		select {
		case <-ended:
			t.Fatal("Run ended before the delivery under way")
		case <-time.After(50 * time.Millisecond):
		}
		close(hold)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		for _, d := range w.deliveries(done) {
			if d.Subscriber == "slow" {
				return
			}
		}
		t.Error("the delivery under way was not finished")
	})
}

// With two replicas on one database, or two passes in one process, only one worker has a delivery at a time.
func TestReplicasDoNotDeliverTwice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var mu sync.Mutex
		calls := map[string]int{}
		w.on("acme.made", "billing", func(_ context.Context, e module.Event) error {
			time.Sleep(time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			calls[e.ID]++
			return nil
		})
		w.work() // on SQLite the first pass of a process releases the leases of a killed process; after this call both have done so
		other := New(w.Deps)
		other.reclaimOnce.Do(func() {})
		for range 50 {
			w.publish(module.Event{Type: "acme.made"})
		}
		var wg sync.WaitGroup
		for _, o := range []*Outbox{w.Outbox, other, w.Outbox} {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
				defer cancel()
				if err := o.DeliverDue(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(calls) != 50 {
			t.Errorf("%d events delivered", len(calls))
		}
		for id, n := range calls {
			if n != 1 {
				t.Errorf("%s delivered %d times", id, n)
			}
		}
	})
}

func TestPurge(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		fail := errors.New("no")
		w.on("acme.made", "billing", func(context.Context, module.Event) error { return nil })
		w.on("acme.bad", "billing", func(context.Context, module.Event) error { return fail })
		w.publish(module.Event{Type: "acme.made"})
		w.publish(module.Event{Type: "acme.bad"})
		w.work()
		w.clock.Advance(messageRetention + time.Hour)
		w.publish(module.Event{Type: "acme.made"})
		w.work()
		if err := w.Purge(context.Background()); err != nil {
			t.Fatal(err)
		}
		if a, b := len(w.deliveries(done)), len(w.deliveries(dead)); a != 1 || b != 1 {
			t.Errorf("%d done and %d dead letters are left", a, b)
		}
		t.Run("11-retention-messages", func(t *testing.T) {
			w.KeepMessages, w.KeepDead = 60*24*time.Hour, 100*24*time.Hour
			left := func() [4]int {
				if err := w.Purge(context.Background()); err != nil {
					t.Fatal(err)
				}
				messages, err := w.Store.Read().NewSelect().Model((*message)(nil)).Count(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				return [4]int{int(messages), len(w.deliveries(done)), len(w.deliveries(dead)), len(w.deliveries(waiting))}
			}
			died := w.clock.Now().Add(-messageRetention - time.Hour) // the earlier deliveries were made at this time
			w.publish(module.Event{Type: "acme.made"})
			w.work()
			w.publish(module.Event{Type: "acme.made"})
			if _, err := w.relayAll(context.Background()); err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				days int
				want [4]int
			}{
				{89, [4]int{4, 2, 1, 1}}, // nothing is old enough to be deleted
				{91, [4]int{2, 0, 1, 1}}, // the delivered messages are old enough; messages with a dead or waiting delivery are kept
				{99, [4]int{2, 0, 1, 1}},
				{101, [4]int{1, 0, 0, 1}}, // waiting deliveries are never deleted
			} {
				w.clock.Set(died.Add(time.Duration(c.days) * 24 * time.Hour))
				if got := left(); got != c.want {
					t.Errorf("after %d days: %v", c.days, got)
				}
			}
		})
	})
}

func TestTablesContainTheLabel(t *testing.T) {
	each(t, func(t *testing.T, w *world) { storetest.RequireLabelKeys(t, w.Store) })
}

func metrics(t *testing.T, c prometheus.Collector) map[string]float64 {
	t.Helper()
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(c)
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		if f.GetName() != "wattle_deliveries" {
			continue
		}
		for _, m := range f.Metric {
			for _, l := range m.Label {
				out[l.GetValue()] = m.GetGauge().GetValue()
			}
		}
	}
	return out
}
