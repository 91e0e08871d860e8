// Package jobs wakes what must happen without a call: cron schedules of modules, change requests that are processed by themselves,
// and housekeeping. River wakes, on wall time and on one replica; what is due is judged by the injected clock.
package jobs

import (
	"context"
	"embed"
	"errors"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/wattle-portal/wattle/core/internal/clock"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/outbox"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
)

//go:embed migrations
var migrations embed.FS

// Migrations makes the table of this package; River's own are made by Start.
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
	waker waker
	runs  *prometheus.CounterVec
}

// waker calls tick every few seconds and purge every hour, on one replica at a time.
type waker interface {
	// stop waits for what runs, as long as ctx lasts.
	stop(ctx context.Context) error
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
func (j *Jobs) Start(ctx context.Context) (err error) {
	j.waker, err = startRiver(ctx, j.Store, j.Log, j.counted("tick", j.tick), j.counted("purge", j.Outbox.Purge))
	return err
}

// counted keeps the failure of one wake from being more than a line in the log and a count: the next one tries again.
func (j *Jobs) counted(job string, f func(context.Context) error) func(context.Context) {
	return func(ctx context.Context) {
		outcome := "ok"
		if err := f(ctx); err != nil && ctx.Err() == nil {
			outcome = "failed"
			j.Log.Error("jobs: "+job, "error", err)
		}
		j.runs.WithLabelValues(job, outcome).Inc()
	}
}

// Stop ends gracefully: what runs is finished as long as ctx lasts.
func (j *Jobs) Stop(ctx context.Context) error {
	if j.waker == nil {
		return nil
	}
	return j.waker.stop(ctx)
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
