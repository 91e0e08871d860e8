package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/clock"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/outbox"
	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/internal/storetest"
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
	got   []string // label and tick of what was handled
}

func (w *world) Handlers(string) []outbox.Subscriber {
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
	all := labels{{Key: "nl", Location: zone(t, "Europe/Amsterdam"), Modules: on}, {Key: "off", Location: time.UTC}, {Key: "us", Location: zone(t, "America/New_York"), Modules: on}}
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
	if err := w.Pass(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.got)
	got := w.got
	w.got = nil
	return got
}

// Midnight is the label's own, also in the night that the clock goes forward (2026-03-29 in Amsterdam).
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
		w.clock.Set(time.Date(2026, 3, 30, 5, 0, 0, 0, time.UTC)) // stood still for two days
		want := []string{"nl 2026-03-29T00:00:00+01:00", "nl 2026-03-30T00:00:00+02:00",
			"us 2026-03-28T00:00:00-04:00", "us 2026-03-29T00:00:00-04:00", "us 2026-03-30T00:00:00-04:00"}
		if got := w.pass(); !slices.Equal(got, want) {
			t.Errorf("%v", got)
		}
		storetest.LabelKeyEverywhere(t, s)
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
		// Killed after the events were handed over and before that was remembered.
		if _, err := s.DB().Exec("UPDATE jobs_ticks SET last_at = '2026-03-27 12:00:00+00:00'"); err != nil {
			t.Fatal(err)
		}
		if got := w.pass(); len(got) != 2 { // one midnight each
			t.Errorf("%v", got)
		}
	})
}

func TestStandstillIsMadeUpForWithinBounds(t *testing.T) {
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

func TestRiverWakesAndStops(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld(t, s)
		var running atomic.Int64
		woken := make(chan struct{}, 10)
		w.Also = []func(context.Context) error{func(context.Context) error {
			running.Add(1)
			defer running.Add(-1)
			woken <- struct{}{}
			time.Sleep(50 * time.Millisecond)
			return errors.New("a failure does not stop the next one")
		}}
		if err := w.Stop(context.Background()); err != nil {
			t.Errorf("stopped before it was started: %v", err)
		}
		for range 2 { // a second start finds everything there
			began := time.Now()
			if err := w.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
			t.Log("started in", time.Since(began))
			select {
			case <-woken:
				t.Log("woken after", time.Since(began))
			case <-time.After(20 * time.Second):
				t.Fatal("not woken")
			}
			began = time.Now()
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			if err := w.Stop(ctx); err != nil {
				t.Error(err)
			}
			cancel()
			t.Log("stopped in", time.Since(began))
			if running.Load() != 0 {
				t.Error("stopped in the middle of a job")
			}
		}
		storetest.LabelKeyEverywhere(t, s)
	})
}
