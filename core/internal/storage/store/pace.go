package store

import (
	"context"
	"sync/atomic"
	"time"
)

// Limits for how long a background transaction waits for transactions of callers.
const (
	idleGap  = 10 * time.Millisecond  // required time without a caller's transaction; under load the gaps are shorter
	maxDelay = 250 * time.Millisecond // maximum total wait, so that background work progresses under constant load
)

type laterKey struct{}

// Later returns a context for background transactions, which no caller waits for, such as payments and emails after a commit. They let the
// transactions of callers go first, for at most maxDelay.
func Later(ctx context.Context) context.Context { return context.WithValue(ctx, laterKey{}, true) }

// pace records when callers last had a transaction in this process.
type pace struct {
	callers atomic.Int64 // transactions running or waiting
	last    atomic.Int64 // when the last one ended, in Unix nanoseconds; 0 when there was none
}

// enter counts the transaction of a caller; a background transaction waits for its turn instead. leave must be called at the end of the
// transaction.
func (p *pace) enter(ctx context.Context) (leave func(), err error) {
	if later, _ := ctx.Value(laterKey{}).(bool); later {
		return func() {}, p.waitTurn(ctx)
	}
	p.callers.Add(1)
	return func() {
		p.last.Store(time.Now().UnixNano())
		p.callers.Add(-1)
	}, nil
}

// waitTurn waits until callers have had no transaction for idleGap, at most maxDelay.
func (p *pace) waitTurn(ctx context.Context) error {
	for end := time.Now().Add(maxDelay); ; {
		pause := idleGap
		if p.callers.Load() == 0 {
			pause -= time.Duration(time.Now().UnixNano() - p.last.Load())
		}
		if pause = min(pause, time.Until(end)); pause <= 0 {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
