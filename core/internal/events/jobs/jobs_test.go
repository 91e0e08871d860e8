package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

type labels []*label.Label

func (l labels) ByHost(string) *label.Label { return nil }
func (l labels) All() []*label.Label        { return l }
func (l labels) ByKey(string) *label.Label  { return nil }

var acme = module.Manifest{Key: "acme", Schedule: map[string]string{"acme.midnight": "0 0 * * *"}}

type world struct {
	*Jobs
	t     *testing.T
	clock *clock.Clock
	mu    sync.Mutex
	got   []string // label and tick of each handled event
}

func (w *world) Handlers(_, _ string) []outbox.Subscriber {
	return []outbox.Subscriber{{Module: "acme", Handle: func(_ context.Context, e module.Event) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		var data struct{ Tick string }
		if err := json.Unmarshal(e.Data, &data); err != nil {
			return err
		}
		w.got = append(w.got, e.Label+" "+data.Tick)
		return nil
	}}}
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func newWorld(t *testing.T, s *store.Store) *world {
	t.Helper()
	w := &world{t: t, clock: &clock.Clock{}}
	w.clock.Set(time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC))
	on := map[string]json.RawMessage{"acme": nil}
	all := labels{{Key: "nl", Location: zone(t, "Europe/Amsterdam"), Modules: on}, {Key: "off", Location: time.UTC},
		{Key: "us", Location: zone(t, "America/New_York"), Modules: on}}
	if err := s.Migrate(context.Background(), outbox.Migrations, Migrations); err != nil {
		t.Fatal(err)
	}
	o := outbox.New(outbox.Deps{Store: s, Clock: w.clock, Subscriptions: w, ScopeFor: func(l, _ string) (context.Context, bool) {
		return scope.With(context.Background(), scope.Scope{Label: l}, nil), true
	}})
	w.Jobs = New(Deps{Store: s, Clock: w.clock, Labels: all, Outbox: o, Modules: func() []module.Manifest { return []module.Manifest{acme} }})
	return w
}

func (w *world) pass() []string {
	w.t.Helper()
	if err := w.RunDue(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.got)
	got := w.got
	w.got = nil
	return got
}

// Schedules use the label's own midnight, even in the night when the clock goes forward (2026-03-29 in Amsterdam).
func TestOneEventPerLabelAndTickInTheLabelsZone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld(t, s)
		if got := w.pass(); len(got) != 0 {
			t.Fatalf("a new schedule made events of the past: %v", got)
		}
		w.clock.Set(time.Date(2026, 3, 27, 23, 30, 0, 0, time.UTC))
		if got := w.pass(); !slices.Equal(got, []string{"nl 2026-03-28T00:00:00+01:00"}) {
			t.Errorf("%v", got)
		}
		if got := w.pass(); len(got) != 0 {
			t.Errorf("again: %v", got)
		}
		w.clock.Set(time.Date(2026, 3, 30, 5, 0, 0, 0, time.UTC)) // after an outage of two days
		want := []string{"nl 2026-03-29T00:00:00+01:00", "nl 2026-03-30T00:00:00+02:00",
			"us 2026-03-28T00:00:00-04:00", "us 2026-03-29T00:00:00-04:00", "us 2026-03-30T00:00:00-04:00"}
		if got := w.pass(); !slices.Equal(got, want) {
			t.Errorf("%v", got)
		}
		storetest.RequireLabelKeys(t, s)
	})
}

func TestReplicasAndCrashesMakeOneEvent(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld(t, s)
		w.pass()
		w.clock.Advance(20 * time.Hour)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if err := w.schedules(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		// Simulates a process that was killed after it published the events and before it stored their ticks.
		if _, err := s.DB().Exec("UPDATE jobs_ticks SET last_at = '2026-03-27 12:00:00+00:00'"); err != nil {
			t.Fatal(err)
		}
		if got := w.pass(); len(got) != 2 { // one midnight per label
			t.Errorf("%v", got)
		}
	})
}

func TestMissedTicksAreLimitedAfterAStandstill(t *testing.T) {
	everyMinute, err := ParseSchedule("* * * * *")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC)
	ticks := between(everyMinute, now.AddDate(-3, 0, 0), now, nil)
	if len(ticks) != maxTicks || !ticks[len(ticks)-1].Equal(now) || !ticks[0].Equal(now.Add(-(maxTicks-1)*time.Minute)) {
		t.Errorf("%d ticks, the last at %v", len(ticks), ticks[len(ticks)-1])
	}
	yearly, err := ParseSchedule("0 0 1 1 *")
	if err != nil {
		t.Fatal(err)
	}
	if ticks := between(yearly, now.AddDate(-3, 0, 0), now, nil); len(ticks) != 3 {
		t.Errorf("%v", ticks)
	}
	if ticks := between(everyMinute, now, now.Add(-time.Hour), nil); len(ticks) != 0 {
		t.Errorf("ticks of a clock that went back: %v", ticks)
	}
}

// Of all replicas that try to claim a run, one succeeds in every interval, even when their timers differ or a clock is wrong.
func TestOneReplicaClaimsARun(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		j, began := newWorld(t, s).Jobs, time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC)
		p := periodicJob{name: "tick", interval: tickInterval}
		t.Run("9-one-wake,11-retention-job", func(t *testing.T) { // deleting from the database is such a job too
			if tickInterval != 5*time.Second {
				t.Errorf("the interval is %v", tickInterval)
			}
			for _, c := range []struct {
				after  time.Duration
				claims int64
			}{{0, 1}, {time.Millisecond, 0}, {tickInterval / 2, 0}, {tickInterval - claimTolerance/2, 1}, {tickInterval + time.Second, 0},
				{2*tickInterval - claimTolerance/2, 1},
				{time.Hour, 1}, {0, 1}} { // in the last case the time one hour ahead came from a wrong clock
				var got atomic.Int64
				var wg sync.WaitGroup
				for range 8 {
					wg.Go(func() {
						claimed, err := j.claim(t.Context(), p, began.Add(c.after))
						if err != nil {
							t.Error(err)
						}
						if claimed {
							got.Add(1)
						}
					})
				}
				wg.Wait()
				if got.Load() != c.claims {
					t.Errorf("after %v %d of 8 replicas claimed the run, not %d", c.after, got.Load(), c.claims)
				}
			}
		})
		t.Run("9-one-wake", func(t *testing.T) { // what a replica did not claim, it does not run
			var runs atomic.Int64
			other := periodicJob{"other", time.Hour, func(context.Context) error { runs.Add(1); return nil }}
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() { j.runIfDue(t.Context(), t.Context(), other) })
			}
			wg.Wait()
			if runs.Load() != 1 {
				t.Errorf("it ran %d times", runs.Load())
			}
		})
		t.Run("11-retention-job", func(t *testing.T) {
			purge := periodicJob{name: "purge", interval: purgeInterval}
			for _, c := range []struct {
				after time.Duration
				want  bool
			}{{0, true}, {0, false}, {59 * time.Minute, false}, {time.Hour, true}, {time.Hour, false}} {
				if claimed, err := j.claim(t.Context(), purge, began.Add(c.after)); claimed != c.want || err != nil {
					t.Errorf("the purge after %v: %v %v", c.after, claimed, err)
				}
			}
		})
		storetest.RequireLabelKeys(t, s)
	})
}

func TestJobsRunAndStop(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld(t, s)
		var log bytes.Buffer
		w.Log = slog.New(slog.NewTextHandler(&log, nil))
		var running atomic.Int64
		var runs int
		started, finish := make(chan struct{}, 10), make(chan struct{})
		w.Sweepers = []func(context.Context) error{func(context.Context) error {
			running.Add(1)
			defer running.Add(-1)
			started <- struct{}{}
			if runs++; runs == 1 {
				panic("a panic does not stop the next one")
			}
			<-finish
			return errors.New("a failure does not stop the next one")
		}}
		if err := w.Stop(t.Context()); err != nil {
			t.Errorf("stopped before it was started: %v", err)
		}
		if err := w.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			select {
			case <-started:
			case <-time.After(20 * time.Second):
				t.Fatal("no run")
			}
		}
		stopped := make(chan error)
		go func() { stopped <- w.Stop(context.Background()) }()
		select {
		case <-stopped:
			t.Error("stopped in the middle of a job")
		case <-time.After(100 * time.Millisecond):
		}
		close(finish)
		if err := <-stopped; err != nil || running.Load() != 0 {
			t.Error(err, running.Load())
		}
		for _, want := range []string{"a panic does not stop", "a failure does not stop"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log does not say %q:\n%s", want, log.String())
			}
		}
	})
}

// A run that does not end by itself is canceled. It does not prevent the program from stopping, and is not logged as an error.
func TestStopIsNoError(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld(t, s)
		var log bytes.Buffer
		w.Log = slog.New(slog.NewTextHandler(&log, nil))
		began := make(chan struct{})
		w.Sweepers = []func(context.Context) error{func(ctx context.Context) error {
			close(began)
			<-ctx.Done()
			return ctx.Err()
		}}
		if err := w.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		<-began
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := w.Stop(ctx); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		w.running.Wait()
		if log.Len() > 0 {
			t.Errorf("the log says:\n%s", log.String())
		}
	})
}
