package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/wattle-portal/wattle/core/internal/store"
)

const (
	tickEvery  = 5 * time.Second
	purgeEvery = time.Hour
	farewell   = 10 * time.Second // for a job under way at the end
)

type tickArgs struct{}

func (tickArgs) Kind() string { return "wattle_tick" }

type purgeArgs struct{}

func (purgeArgs) Kind() string { return "wattle_purge" }

// once is the policy of both jobs: the next one comes anyway, so none is repeated.
func once() *river.InsertOpts { return &river.InsertOpts{MaxAttempts: 1} }

// riverWaker is River with the pool that it works on.
type riverWaker[Tx any] struct {
	client   *river.Client[Tx]
	close    func() error
	stopping *atomic.Bool
}

func (w *riverWaker[Tx]) stop(ctx context.Context) error {
	w.stopping.Store(true)
	return errors.Join(w.client.Stop(ctx), w.close())
}

// startRiver starts River beside the database: in the same PostgreSQL, where the replicas elect one leader, or in a SQLite file of
// its own, so that its bookkeeping never waits for a customer's write nor the other way round. Nothing in it is worth keeping.
func startRiver(ctx context.Context, s *store.Store, log *slog.Logger, tick, purge func(context.Context)) (waker, error) {
	if s.Engine() == store.SQLite {
		db, err := s.Beside("jobs.db")
		if err != nil {
			return nil, err
		}
		return start(ctx, s, riversqlite.New(db), log, tick, purge, db.Close)
	}
	pool, err := s.Pool(ctx, 4)
	if err != nil {
		return nil, err
	}
	return start(ctx, s, riverpgxv5.New(pool), log, tick, purge, func() error { pool.Close(); return nil })
}

func start[Tx any](ctx context.Context, s *store.Store, driver riverdriver.Driver[Tx], log *slog.Logger, tick, purge func(context.Context),
	closePool func() error) (waker, error) {
	stopping := &atomic.Bool{}
	quiet := slog.New(telling{log.Handler(), stopping})
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: quiet})
	if err != nil {
		return nil, errors.Join(err, closePool())
	}
	err = s.Locked(ctx, func(ctx context.Context) error {
		_, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, closePool())
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, _ *river.Job[tickArgs]) error { tick(ctx); return nil }))
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, _ *river.Job[purgeArgs]) error { purge(ctx); return nil }))
	client, err := river.NewClient(driver, &river.Config{
		Workers: workers,
		Queues:  map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 2}},
		PeriodicJobs: []*river.PeriodicJob{
			river.NewPeriodicJob(river.PeriodicInterval(tickEvery), func() (river.JobArgs, *river.InsertOpts) { return tickArgs{}, once() },
				&river.PeriodicJobOpts{RunOnStart: true}),
			river.NewPeriodicJob(river.PeriodicInterval(purgeEvery), func() (river.JobArgs, *river.InsertOpts) { return purgeArgs{}, once() }, nil),
		},
		CompletedJobRetentionPeriod: time.Minute,
		DiscardedJobRetentionPeriod: time.Hour,
		CancelledJobRetentionPeriod: time.Hour,
		JobTimeout:                  5 * time.Minute,
		SoftStopTimeout:             farewell,
		Logger:                      quiet,
	})
	if err != nil {
		return nil, errors.Join(err, closePool())
	}
	if err := client.Start(context.WithoutCancel(ctx)); err != nil { // it ends by Stop only
		return nil, errors.Join(err, closePool())
	}
	return &riverWaker[Tx]{client, closePool, stopping}, nil
}

// telling gives the log what matters of what River tells. While it stops, it reports every statement of its own that the stop cut off
// as an error; those are no news, and any other error is.
type telling struct {
	slog.Handler
	stopping *atomic.Bool
}

func (h telling) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && h.Handler.Enabled(ctx, l)
}

func (h telling) Handle(ctx context.Context, r slog.Record) error {
	if h.stopping.Load() && cutOff(r) {
		if !h.Handler.Enabled(ctx, slog.LevelDebug) {
			return nil
		}
		r.Level = slog.LevelDebug
	}
	return h.Handler.Handle(ctx, r)
}

// cutOff reports whether a record is about a statement that was given up. River writes the error as text.
func cutOff(r slog.Record) (cut bool) {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "err" || a.Key == "error" {
			cut = strings.Contains(a.Value.String(), context.Canceled.Error())
		}
		return !cut
	})
	return cut
}

func (h telling) WithAttrs(a []slog.Attr) slog.Handler {
	return telling{h.Handler.WithAttrs(a), h.stopping}
}
func (h telling) WithGroup(g string) slog.Handler { return telling{h.Handler.WithGroup(g), h.stopping} }
