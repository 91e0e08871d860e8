// Package jobs runs work that no request starts: cron schedules of modules, change requests that are processed automatically, and
// housekeeping. Each periodic job runs on one replica at a time, at intervals measured by the wall clock; the injected clock determines
// what is due.
package jobs

import (
	"context"
	"embed"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

//go:embed migrations
var migrations embed.FS

// Migrations creates the tables of this package.
var Migrations = store.Migrations{Name: "jobs", FS: migrations}

// Deps contains the dependencies of Jobs.
type Deps struct {
	Store  *store.Store
	Clock  *clock.Clock
	Log    *slog.Logger
	Labels label.Source
	// Modules returns the manifests of all running modules, including all versions of plugins.
	Modules func() []module.Manifest
	// IsServed reports whether a label uses this version of a module; nil: it uses every version.
	IsServed func(*label.Label, module.Manifest) bool
	Outbox   *outbox.Outbox
	// Sweepers are called at every tick, such as Queue.Auto.
	Sweepers []func(context.Context) error
	// Cleaners are called on each replica at the start and every hour. They delete old files in its data folder.
	Cleaners []func(context.Context) error
}

// Jobs runs the periodic jobs.
type Jobs struct {
	Deps
	runs *prometheus.CounterVec

	running         sync.WaitGroup
	stop, cancel    context.CancelFunc // stop ends the loops, cancel cancels the current runs; nil before Start
	shutdownTimeout time.Duration
	canceled        <-chan struct{} // closed some time after the current runs were canceled; nil before End
}

// New returns Jobs; Start starts them.
func New(d Deps) *Jobs {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Jobs{Deps: d, shutdownTimeout: shutdownTimeout, runs: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "wattle_jobs_total",
		Help: "Runs of periodic jobs on this replica, by job and outcome."}, []string{"job", "outcome"})}
}

// Describe implements prometheus.Collector.
func (j *Jobs) Describe(ch chan<- *prometheus.Desc) { j.runs.Describe(ch) }

// Collect implements prometheus.Collector.
func (j *Jobs) Collect(ch chan<- prometheus.Metric) { j.runs.Collect(ch) }

// Start starts the periodic jobs, which run until Stop.
func (j *Jobs) Start(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	var stop, work context.Context
	stop, j.stop = context.WithCancel(ctx)
	work, j.cancel = context.WithCancel(ctx)
	for _, p := range []periodicJob{{"tick", tickInterval, j.tick}, {"purge", purgeInterval, j.Outbox.Purge}} {
		j.running.Go(func() { j.repeat(stop, work, p) })
	}
	j.running.Go(func() { j.clean(stop, work) })
	return nil
}

// End starts no further runs, and cancels the current ones after shutdownTimeout. It does not wait, so that other parts can stop at the
// same time.
func (j *Jobs) End() {
	if j.stop == nil || j.canceled != nil {
		return
	}
	j.stop()
	canceled := make(chan struct{})
	j.canceled = canceled
	time.AfterFunc(j.shutdownTimeout, func() {
		j.cancel()
		time.AfterFunc(cancelTimeout, func() { close(canceled) })
	})
}

// Stop calls End and waits for the current runs. It returns an error when a canceled run does not end, or when ctx ends, which cancels all
// runs.
func (j *Jobs) Stop(ctx context.Context) error {
	if j.stop == nil {
		return nil
	}
	j.End()
	defer j.cancel()
	done := make(chan struct{})
	go func() { j.running.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-j.canceled:
		return errors.New("a job does not end")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// RunDue runs one tick at once, and all outbox work before and after it. It is for tests and for a clock that was changed.
func (j *Jobs) RunDue(ctx context.Context) error {
	if err := j.Outbox.DeliverDue(ctx); err != nil { // relays change requests that are not yet in the queue
		return err
	}
	return errors.Join(j.tick(ctx), j.Outbox.DeliverDue(ctx))
}

func (j *Jobs) tick(ctx context.Context) error {
	errs := []error{j.schedules(ctx)}
	for _, f := range j.Sweepers {
		errs = append(errs, f(ctx))
	}
	j.Outbox.Wake()
	return errors.Join(errs...)
}
