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
	claimInterval = 5 * time.Second // interval at which a replica tries to claim a job
	tickInterval  = 5 * time.Second
	purgeInterval = time.Hour
	// claimTolerance is how early a run may be claimed, because the timers of replicas do not fire at the same time.
	claimTolerance  = 500 * time.Millisecond
	runTimeout      = 5 * time.Minute
	shutdownTimeout = 10 * time.Second // limits a run that is in progress when End is called
	cancelTimeout   = time.Second      // limits how long a canceled run may take to end
)

// periodicJob is work that one of the replicas does once per interval.
type periodicJob struct {
	name     string
	interval time.Duration
	run      func(context.Context) error
}

// claim is the row that records when a replica last claimed a job, by its own wall clock.
type claim struct {
	bun.BaseModel `bun:"table:jobs_claims,alias:c"`

	Label     string    `bun:"label_key,pk"` // always empty: a job runs for the whole installation
	Job       string    `bun:"job,pk"`
	ClaimedAt time.Time `bun:"claimed_at"`
}

// claim reports whether a run of the job is due and this replica has claimed it. All replicas try every few seconds, and a single statement
// decides which one gets the run, so no lock can outlive its process. A recorded time that is more than one interval ahead comes from a
// replica with a wrong clock and is ignored.
func (j *Jobs) claim(ctx context.Context, p periodicJob, now time.Time) (claimed bool, err error) {
	now = now.UTC().Truncate(time.Microsecond)
	err = j.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewInsert().Model(&claim{Job: p.name, ClaimedAt: now}).On("CONFLICT (label_key, job) DO UPDATE").
			Set("claimed_at = EXCLUDED.claimed_at").
			Where("c.claimed_at <= ? OR c.claimed_at > ?", now.Add(claimTolerance-p.interval), now.Add(p.interval)).Exec(ctx)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		claimed = n > 0
		return err
	})
	return claimed, err
}

// repeat runs the job whenever this replica claims it, until stop is canceled. Canceling work cancels the current run.
func (j *Jobs) repeat(stop, work context.Context, p periodicJob) {
	timer := time.NewTicker(claimInterval)
	defer timer.Stop()
	for {
		j.runIfDue(stop, work, p)
		select {
		case <-stop.Done():
			return
		case <-timer.C:
		}
	}
}

// runIfDue claims the job and runs it. It logs and counts a failure, and does not retry before the next run. Canceling stop cancels a
// claim, and canceling work cancels a run.
func (j *Jobs) runIfDue(stop, work context.Context, p periodicJob) {
	claimed, err := j.claim(stop, p, time.Now())
	if err == nil && !claimed || stop.Err() != nil {
		return
	}
	if err == nil {
		err = j.run(work, p)
	}
	j.record(work, p, err)
}

// record counts a run, and logs a failure unless the run was canceled.
func (j *Jobs) record(work context.Context, p periodicJob, err error) {
	outcome := "ok"
	if err != nil && work.Err() == nil {
		outcome = "failed"
		j.Log.Error("jobs: "+p.name, "error", err)
	}
	j.runs.WithLabelValues(p.name, outcome).Inc()
}

// clean calls the cleaners at once and then every hour, until stop is canceled. It needs no claim, because each replica has its own data
// folder.
func (j *Jobs) clean(stop, work context.Context) {
	p := periodicJob{"clean", purgeInterval, func(ctx context.Context) error {
		var errs []error
		for _, f := range j.Cleaners {
			errs = append(errs, f(ctx))
		}
		return errors.Join(errs...)
	}}
	timer := time.NewTicker(p.interval)
	defer timer.Stop()
	for {
		j.record(work, p, j.run(work, p))
		select {
		case <-stop.Done():
			return
		case <-timer.C:
		}
	}
}

// run calls the job with runTimeout and returns its error; a panic is returned as an error.
func (j *Jobs) run(ctx context.Context, p periodicJob) (err error) {
	ctx, cancel := context.WithTimeout(ctx, runTimeout)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return p.run(ctx)
}
