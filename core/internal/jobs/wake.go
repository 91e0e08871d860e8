package jobs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/uptrace/bun"
)

const (
	tickEvery  = 5 * time.Second
	purgeEvery = time.Hour
	// timerSlack is how much earlier than due a wake is taken, because timers of replicas do not fire at the same moment.
	timerSlack      = 500 * time.Millisecond
	maxWake         = 5 * time.Minute
	shutdownTimeout = 10 * time.Second // for a wake that is under way at the end
)

// wake is work that one replica does every so often.
type wake struct {
	job   string
	every time.Duration
	do    func(context.Context) error
}

// taken is when a replica last took a wake, by its own clock.
type taken struct {
	bun.BaseModel `bun:"table:jobs_wakes,alias:w"`

	Label string    `bun:"label_key,pk"` // empty: a wake is of the installation
	Job   string    `bun:"job,pk"`
	At    time.Time `bun:"taken_at"`
}

// take reports whether a wake is due and this replica the one that does it. All replicas ask every few seconds, one statement decides,
// and nobody holds a lock that outlives its process. A time that is further ahead than the next wake comes from a wrong clock and
// counts for nothing.
func (j *Jobs) take(ctx context.Context, w wake, now time.Time) (due bool, err error) {
	now = now.UTC().Truncate(time.Microsecond)
	err = j.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewInsert().Model(&taken{Job: w.job, At: now}).On("CONFLICT (label_key, job) DO UPDATE").
			Set("taken_at = EXCLUDED.taken_at").Where("w.taken_at <= ? OR w.taken_at > ?", now.Add(timerSlack-w.every), now.Add(w.every)).Exec(ctx)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		due = n > 0
		return err
	})
	return due, err
}

// repeat does a wake whenever it is due, until stop ends. What is under way ends with work.
func (j *Jobs) repeat(stop, work context.Context, w wake) {
	timer := time.NewTicker(tickEvery)
	defer timer.Stop()
	for {
		j.wake(work, w)
		select {
		case <-stop.Done():
			return
		case <-timer.C:
		}
	}
}

// wake keeps a failure from being more than a line in the log and a count: the next wake tries again.
func (j *Jobs) wake(ctx context.Context, w wake) {
	ctx, cancel := context.WithTimeout(ctx, maxWake)
	defer cancel()
	due, err := j.take(ctx, w, time.Now())
	if err == nil && !due {
		return
	}
	if err == nil {
		err = attempt(ctx, w.do)
	}
	outcome := "ok"
	if err != nil && !errors.Is(ctx.Err(), context.Canceled) {
		outcome = "failed"
		j.Log.Error("jobs: "+w.job, "error", err)
	}
	j.runs.WithLabelValues(w.job, outcome).Inc()
}

// attempt makes a panic an error.
func attempt(ctx context.Context, do func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do(ctx)
}
