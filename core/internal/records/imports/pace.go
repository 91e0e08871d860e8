package imports

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// quietTime is for how long nobody else must have written before an import pauses for less and has larger transactions.
const quietTime = time.Second

// pace decides how long an import pauses between two transactions (docs/decisions/0008). An import begins as if others wrote.
type pace struct {
	db        Database  // nil: as if others always wrote
	quiet     time.Time // since when nobody else has written
	isUnknown bool      // a module did not report how long it held the writer
	short     time.Time // earliest start of the next transaction when nobody else writes
	full      time.Time // earliest start otherwise
}

func newPace(db Database) *pace { return &pace{db: db, quiet: time.Now()} }

// isAlone reports whether nobody else has written for quietTime.
func (p *pace) isAlone(now time.Time) bool {
	return p.db != nil && !p.isUnknown && now.Sub(p.quiet) >= quietTime
}

// check notices writes of others.
func (p *pace) check(ctx context.Context) error {
	if p.db == nil {
		return nil
	}
	written, err := p.db.WrittenByOthers(ctx)
	if err == nil && written {
		p.quiet = time.Now()
	}
	return err
}

// stored sets the pause after a transaction.
func (p *pace) stored(ctx context.Context, start time.Time, hold *store.Hold) error {
	end := time.Now()
	p.isUnknown = hold.Requested.IsZero() // the database of a module in another process may be another one
	p.short, p.full = shortPause(start, end, hold), resume(start, end, hold)
	return p.check(ctx)
}

// resume returns the earliest start of the next batch, so that between two transactions others have the writer for as long as the
// previous one held it. Decoding and checking before a batch requests the writer count as part of that time. For a module in another
// process the time is unknown, and the whole batch counts as held.
func resume(start, end time.Time, hold *store.Hold) time.Time {
	if hold.Requested.IsZero() {
		return end.Add(end.Sub(start))
	}
	return hold.Released.Add(hold.Total - hold.Requested.Sub(start))
}

// shortPause returns the earliest start of the next batch while nobody else writes: somebody who came while the writer was held finds it
// free. The time before a batch requests the writer counts, as in resume.
func shortPause(start, end time.Time, hold *store.Hold) time.Time {
	full := resume(start, end, hold)
	if hold.Requested.IsZero() {
		return full
	}
	short := hold.Released.Add(store.PollGap(hold.Total) - hold.Requested.Sub(start))
	if short.Before(full) {
		return short
	}
	return full
}

// rest waits until the next transaction may begin. Somebody who writes during a short pause makes it a full one.
func (p *pace) rest(ctx context.Context) error {
	if p.isAlone(time.Now()) {
		if err := sleepUntil(ctx, p.short); err != nil {
			return err
		}
		if err := p.check(ctx); err != nil {
			return err
		}
		if p.isAlone(time.Now()) {
			return nil
		}
	}
	return sleepUntil(ctx, p.full)
}

// sleepUntil returns at a time, or with an error when the context ends before.
func sleepUntil(ctx context.Context, t time.Time) error {
	left := time.Until(t)
	if left <= 0 {
		return nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
