package outbox

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

// txOf runs a transaction of a label.
func (w *world) txOf(label string, f func(context.Context, module.Tx) error) {
	w.t.Helper()
	require.NoError(w.t, w.db.Tx(scope.With(context.Background(), scope.Scope{Label: label, Relation: "r1", Locale: "nl"}, nil), f))
}

// mail queues emails of a label to n addresses.
func (w *world) mail(label string, n int, security bool) {
	w.t.Helper()
	w.txOf(label, func(ctx context.Context, tx module.Tx) error {
		for i := range n {
			if err := tx.Mail(ctx, module.Mail{To: fmt.Sprint(label, i, "@b.example"), Subject: "Hoi", Security: security}); err != nil {
				return err
			}
		}
		return nil
	})
}

// run runs the outbox until the returned function is called.
func (w *world) run() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	return sync.OnceFunc(func() {
		cancel()
		assert.NoError(w.t, <-ended)
	})
}

// wants waits until a condition is true.
func wants(t *testing.T, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, 20*time.Second, 2*time.Millisecond, what)
}

// leased returns the number of deliveries that workers have leased.
func (w *world) leased() int {
	n, err := w.Store.Read().NewSelect().Model((*delivery)(nil)).Where("state = ? AND leased_until > ?", waiting, wallClock()).
		Count(context.Background())
	assert.NoError(w.t, err)
	return int(n)
}

// A message to all customers of a label occupies the mail server for a long time. An email with a code is sent in the meantime.
func TestSecurityMailDoesNotWait(t *testing.T) {
	t.Run("11-mail-security-first", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			hold := make(chan struct{})
			var held atomic.Int64
			sent := make(chan module.Mail, 100)
			w.Outbox.Mail = func(_ context.Context, _, _ string, m module.Mail) error {
				if !m.Security {
					held.Add(1)
					<-hold
				}
				sent <- m
				return nil
			}
			w.mail("a", 60, false)
			stop := w.run()
			defer stop()
			defer close(hold)
			wants(t, "all workers of the lane for other mail send", func() bool { return held.Load() == workers })
			for _, label := range []string{"b", "a"} { // codes of another label and of the same one
				w.mail(label, 1, true)
				select {
				case m := <-sent:
					require.True(t, m.Security)
				case <-time.After(20 * time.Second):
					t.Fatalf("the code of label %s waits for mails of label a", label)
				}
			}
			require.EqualValues(t, workers, held.Load(), "the others still wait")
			for _, d := range w.deliveries(done) {
				require.Equal(t, securityLane, d.Subscriber)
			}
		})
	})
}

// Labels take turns: an email of one label is sent next, however many emails another label has queued before it.
func TestLabelsTakeTurns(t *testing.T) {
	t.Run("11-mail-labels-fair", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			next := make(chan struct{})
			var mu sync.Mutex
			var order []string
			w.Outbox.Mail = func(_ context.Context, label, _ string, _ module.Mail) error {
				mu.Lock()
				order = append(order, label)
				mu.Unlock()
				<-next
				return nil
			}
			begun := func(n int) func() bool {
				return func() bool { mu.Lock(); defer mu.Unlock(); return len(order) >= n }
			}
			w.mail("a", 60, false)
			w.quickAttempt = 0
			stop := w.run()
			defer stop()
			defer close(next)
			wants(t, "mails are being sent", begun(workers))
			w.mail("b", 2, false)
			wants(t, "the mails of label b are due", func() bool {
				w.Outbox.mu.Lock()
				defer w.Outbox.mu.Unlock()
				return slices.Contains(w.lanes[mailLane].labels, "b")
			})
			for i := range 4 {
				next <- struct{}{}
				wants(t, "the next mail is being sent", begun(workers+i+1))
			}
			mu.Lock()
			others := slices.DeleteFunc(slices.Clone(order), func(label string) bool { return label == "a" })
			require.Len(t, others, 2, "of the next four: %v", order)
			mu.Unlock()
		})
	})
}

// A payment provider that hangs in one label does not delay the events of another.
func TestOneLabelHangs(t *testing.T) {
	t.Run("11-events-labels-fair", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			hold, handled := make(chan struct{}), make(chan string, 10)
			var held atomic.Int64
			w.on("acme.made", "market", func(_ context.Context, e module.Event) error {
				if e.Label == "a" {
					held.Add(1)
					<-hold
					return nil
				}
				handled <- e.Label
				return nil
			})
			publish := func(label string, n int) {
				w.txOf(label, func(ctx context.Context, tx module.Tx) error {
					for range n {
						if err := tx.Publish(ctx, module.Event{Type: "acme.made"}); err != nil {
							return err
						}
					}
					return nil
				})
			}
			publish("a", 40)
			stop := w.run()
			defer stop()
			defer close(hold)
			wants(t, "label a hangs", func() bool { return held.Load() == workers })
			publish("b", 3)
			for range 3 {
				select {
				case <-handled:
				case <-time.After(20 * time.Second):
					t.Fatal("label b waits for label a")
				}
			}
			require.EqualValues(t, workers, held.Load(), "a label has no more attempts at once than before")
		})
	})
}

// With a slow server a process leases only deliveries that it attempts. Another process can take the waiting ones, and no lease ends before
// its attempt.
func TestOnlyWhatBeginsIsClaimed(t *testing.T) {
	t.Run("11-mail-once-slow", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			hold := make(chan struct{})
			var began atomic.Int64
			w.Outbox.Mail = func(context.Context, string, string, module.Mail) error { began.Add(1); <-hold; return nil }
			w.mail("a", 20, false)
			stop := w.run()
			defer stop()
			release := sync.OnceFunc(func() { close(hold) })
			defer release()
			wants(t, "mails are being sent", func() bool { return began.Load() == workers })
			require.Equal(t, workers, w.leased(), "the others are free")

			deps, sent := w.Deps, 0
			var mu sync.Mutex
			deps.Mail = func(context.Context, string, string, module.Mail) error {
				mu.Lock()
				defer mu.Unlock()
				sent++
				return nil
			}
			other := New(deps)
			other.reclaimOnce.Do(func() {})
			_, err := other.newLane(mailLane, []string{"a"}).run(t.Context(), t.Context())
			require.NoError(t, err)
			require.Equal(t, 20-workers, sent)
			release()
			stop()
			require.EqualValues(t, workers, began.Load())
			require.Len(t, w.deliveries(done), 20)
		})
	})
}

// A delivery that waited for a worker is attempted only if its lease could be renewed.
func TestLeaseIsRenewed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.mail("a", 2, false)
		_, err := w.relayAll(t.Context())
		require.NoError(t, err)
		w.lease = 10 * time.Second
		mine := w.claims(ask(2))
		require.Len(t, mine, 2)
		overtake(t, w, mine[1])
		w.lease = time.Hour // makes leases of ten seconds old enough to be renewed
		l := w.newLane(mailLane, nil)
		for _, d := range mine {
			l.attempt(t.Context(), d)
		}
		first, second := <-l.ended, <-l.ended
		require.Equal(t, []bool{false, true}, []bool{first.lost, second.lost})
		require.Len(t, w.mails, 1)
		require.WithinDuration(t, time.Now().Add(w.lease), first.Leased, time.Minute)
		_, err = w.exchange(t.Context(), mailLane, []outcome{first}, order{})
		require.NoError(t, err)
		require.Len(t, w.deliveries(done), 1)
	})
}

// ask returns an order for n deliveries of label a.
func ask(n int) order {
	return order{labels: []string{"a"}, maxPerLabel: map[string]int{"a": n}, maxTotal: n}
}

// claims claims emails.
func (w *world) claims(want order) []delivery {
	w.t.Helper()
	got, err := w.exchange(context.Background(), mailLane, nil, want)
	require.NoError(w.t, err)
	return got.batch
}

// overtake gives the lease of a delivery to another worker.
func overtake(t *testing.T, w *world, d delivery) {
	t.Helper()
	_, err := w.Store.DB().NewUpdate().Model((*delivery)(nil)).Set("leased_until = ?", d.Leased.Add(time.Minute)).
		Where("label_key = ? AND id = ?", d.Label, d.ID).Exec(t.Context())
	require.NoError(t, err)
}

// A worker that has lost its lease does not delete the content of the email, because another worker has the lease.
func TestLostLeaseKeepsTheMail(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.mail("a", 2, false)
		_, err := w.relayAll(t.Context())
		require.NoError(t, err)
		slow := w.claims(ask(2))
		overtake(t, w, slow[0])
		_, err = w.exchange(t.Context(), mailLane, []outcome{{delivery: slow[0]}, {delivery: slow[1]}}, order{})
		require.NoError(t, err)

		left := w.deliveries(waiting)
		require.Len(t, left, 1)
		require.Equal(t, slow[0].ID, left[0].ID)
		require.Len(t, w.deliveries(done), 1)
		_, err = w.Store.DB().NewUpdate().Model((*delivery)(nil)).Set("leased_until = NULL").Where("state = ?", waiting).Exec(t.Context())
		require.NoError(t, err)
		w.work()
		require.Len(t, w.mails, 1)
		require.NotEmpty(t, w.mails[0].To, "its text was deleted")
	})
}

// The result of a delivery cannot be stored while another writer holds the SQLite database. A shutdown does not wait for that writer.
func TestStoringAnEndHasATimeout(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.mail("a", 1, false)
		_, err := w.relayAll(t.Context())
		require.NoError(t, err)
		mine := w.claims(ask(1))
		w.finishTimeout = 50 * time.Millisecond
		stopped, cancel := context.WithCancel(t.Context())
		cancel()
		locked, free, released := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		go func() {
			released <- w.Store.Tx(context.Background(), func(ctx context.Context, tx bun.Tx) error {
				_, err := tx.NewUpdate().Model((*delivery)(nil)).Set("attempts = 7").Where("label_key = 'a'").Exec(ctx)
				close(locked)
				<-free
				return err
			})
		}()
		<-locked
		ended := make(chan error, 1)
		go func() {
			_, err := w.exchange(stopped, mailLane, []outcome{{delivery: mine[0]}}, order{})
			ended <- err
		}()
		select {
		case err = <-ended:
		case <-time.After(20 * time.Second):
			t.Error("it waits for the other writer")
		}
		close(free)
		require.NoError(t, <-released)
		require.True(t, store.Transient(err), "%v", err)
	})
}

// A long outbox of one label delays neither another label nor another module.
func TestRelayTakesTurns(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		second := module.Manifest{Key: "second"}
		require.NoError(t, w.Store.MigrateModule(t.Context(), second))
		w.mail("a", 3*Batch, false)
		w.mail("b", 1, false)
		w.db = w.Store.Module(second, w.clock, w.Wake)
		w.mail("a", 1, false)
		moved, err := w.relayAll(t.Context())
		require.NoError(t, err)
		require.True(t, moved)
		var got []struct {
			Label, Module string
			N             int
		}
		require.NoError(t, w.Store.Read().NewRaw("SELECT label_key AS label, module, count(*) AS n FROM outbox_messages "+
			"GROUP BY label_key, module ORDER BY module, label_key").Scan(t.Context(), &got))
		require.Len(t, got, 3)
		require.Equal(t, 1, got[1].N, "of label b")
		require.Equal(t, 1, got[2].N, "of the other module")
		require.LessOrEqual(t, got[0].N, Batch)
		w.work()
		require.Len(t, w.mails, 3*Batch+2)
	})
}

// A failed claim does not prevent the results of attempts from being stored.
func TestAFailedClaimLosesNoOutcome(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t)) // SQLite, because PostgreSQL refuses to store such a row
	w.mail("a", 2, false)
	_, err := w.relayAll(t.Context())
	require.NoError(t, err)
	mine := w.claims(ask(1))
	_, err = w.Store.DB().NewUpdate().Model((*message)(nil)).Set("at = ?", "no time").Where("id <> ?", mine[0].MessageID).Exec(t.Context())
	require.NoError(t, err)
	_, err = w.exchange(t.Context(), mailLane, []outcome{{delivery: mine[0]}}, ask(1))
	require.NoError(t, err)
	require.Len(t, w.deliveries(done), 1)
}
