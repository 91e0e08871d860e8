package imports

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// quietTime is how long nobody else must have written before an import uses shorter pauses and larger transactions.
const quietTime = time.Second

// pace decides how long an import pauses between two transactions (docs/decisions/0008). At the start an import assumes that others write.
type pace struct {
	db        Database  // nil: assumes that others always write
	quiet     time.Time // since when nobody else has written
	isUnknown bool      // a module did not report how long it held the writer
	short     time.Time // earliest start of the next transaction when nobody else writes
	full      time.Time // earliest start of the next transaction otherwise
}

func newPace(db Database) *pace { return &pace{db: db, quiet: time.Now()} }

// isAlone reports whether nobody else has written for quietTime.
func (p *pace) isAlone(now time.Time) bool {
	return p.db != nil && !p.isUnknown && now.Sub(p.quiet) >= quietTime
}

// check checks for writes of others.
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

// setPause sets the pause after a transaction.
func (p *pace) setPause(ctx context.Context, start time.Time, hold *store.Hold) error {
	end := time.Now()
	p.isUnknown = hold.Requested.IsZero() // a module in another process may use another database
	p.short, p.full = shortPause(start, end, hold), resume(start, end, hold)
	return p.check(ctx)
}

// resume returns the earliest start of the next batch, so that others can use the writer between two transactions for as long as the
// previous one held it. The time for decoding and checking before a batch requests the writer counts as part of that pause. For a module in
// another process the time is unknown, and the whole batch counts as held.
func resume(start, end time.Time, hold *store.Hold) time.Time {
	if hold.Requested.IsZero() {
		return end.Add(end.Sub(start))
	}
	return hold.Released.Add(hold.Total - hold.Requested.Sub(start))
}

// shortPause returns the earliest start of the next batch while nobody else writes. The pause is long enough for a process that started to
// wait while the writer was held. The time before a batch requests the writer counts, as in resume.
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

// pause waits until the next transaction may start. A write by others during a short pause extends it to a full pause.
func (p *pace) pause(ctx context.Context) error {
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

// sleepUntil returns at the given time, or with an error when the context ends before it.
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
