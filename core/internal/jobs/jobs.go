// Package jobs wakes what must happen without a call: cron schedules of modules, change requests that are processed by themselves,
// and housekeeping. Wakes come on wall time and on one replica; what is due is judged by the injected clock.
package jobs

import (
	"context"
	"embed"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/wattle-portal/wattle/core/internal/clock"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/outbox"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
)

//go:embed migrations
var migrations embed.FS

// Migrations makes the tables of this package.
var Migrations = store.Migrations{Name: "jobs", FS: migrations}

// Deps is what Jobs needs.
type Deps struct {
	Store  *store.Store
	Clock  *clock.Clock
	Log    *slog.Logger
	Labels label.Source
	// Modules gives the manifests of all running modules, plugins too.
	Modules func() []module.Manifest
	Outbox  *outbox.Outbox
	// Also is called at every wake, such as Ledger.Auto.
	Also []func(context.Context) error
}

// Jobs wakes.
type Jobs struct {
	Deps
	runs *prometheus.CounterVec

	running     sync.WaitGroup
	end, cutOff context.CancelFunc // of the loops, of what is under way; nil before Start
}

// New makes Jobs; Start makes them run.
func New(d Deps) *Jobs {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Jobs{Deps: d, runs: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "wattle_jobs_total",
		Help: "Wakes of this replica, by job and how they ended."}, []string{"job", "outcome"})}
}

// Describe implements prometheus.Collector.
func (j *Jobs) Describe(ch chan<- *prometheus.Desc) { j.runs.Describe(ch) }

// Collect implements prometheus.Collector.
func (j *Jobs) Collect(ch chan<- prometheus.Metric) { j.runs.Collect(ch) }

// Start begins to wake, until Stop.
func (j *Jobs) Start(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	var stop, work context.Context
	stop, j.end = context.WithCancel(ctx)
	work, j.cutOff = context.WithCancel(ctx)
	for _, w := range []wake{{"tick", tickEvery, j.tick}, {"purge", purgeEvery, j.Outbox.Purge}} {
		j.running.Go(func() { j.repeat(stop, work, w) })
	}
	return nil
}

// Stop ends gracefully: what is under way has until shutdownTimeout, as long as ctx lasts, and is then canceled.
func (j *Jobs) Stop(ctx context.Context) error {
	if j.end == nil {
		return nil
	}
	j.end()
	defer j.cutOff()
	done := make(chan struct{})
	go func() { j.running.Wait(); close(done) }()
	late := time.AfterFunc(shutdownTimeout, j.cutOff)
	defer late.Stop()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Pass does what a wake does, at once, and then all that the outbox has to do: for tests and for a clock that was moved.
func (j *Jobs) Pass(ctx context.Context) error {
	if err := j.Outbox.Work(ctx); err != nil { // what is filed but not yet in the ledger
		return err
	}
	return errors.Join(j.tick(ctx), j.Outbox.Work(ctx))
}

func (j *Jobs) tick(ctx context.Context) error {
	errs := []error{j.schedules(ctx)}
	for _, f := range j.Also {
		errs = append(errs, f(ctx))
	}
	j.Outbox.Wake()
	return errors.Join(errs...)
}
