package store

import (
	"context"
	"sync/atomic"
	"time"
)

// Bounds of how long a transaction that nobody waits for leaves the turn to others.
const (
	quiet   = 10 * time.Millisecond  // without a caller's transaction: callers who come in a crowd have shorter gaps
	giveWay = 250 * time.Millisecond // at most, so that work after the commit gets on however long the crowd lasts
)

type laterKey struct{}

// Later returns a context whose transactions nobody waits for: what is done after a commit, such as payments and mails. Each lets the
// transactions of callers go first, for a quarter of a second at most.
func Later(ctx context.Context) context.Context { return context.WithValue(ctx, laterKey{}, true) }

// pace knows when callers last had a transaction in this process.
type pace struct {
	callers atomic.Int64 // transactions under way or waiting
	last    atomic.Int64 // when the last one ended, in Unix nanoseconds; 0: there was none
}

// enter counts a caller's transaction, or has one that is for later wait for its turn. leave is to be called at its end.
func (p *pace) enter(ctx context.Context) (leave func(), err error) {
	if later, _ := ctx.Value(laterKey{}).(bool); later {
		return func() {}, p.turn(ctx)
	}
	p.callers.Add(1)
	return func() {
		p.last.Store(time.Now().UnixNano())
		p.callers.Add(-1)
	}, nil
}

// turn waits until no caller has had a transaction for a moment, and not for long.
func (p *pace) turn(ctx context.Context) error {
	for end := time.Now().Add(giveWay); ; {
		rest := quiet
		if p.callers.Load() == 0 {
			rest -= time.Duration(time.Now().UnixNano() - p.last.Load())
		}
		if rest = min(rest, time.Until(end)); rest <= 0 {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rest):
		}
	}
}
