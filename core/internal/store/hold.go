package store

import (
	"context"
	"time"
)

// Hold tells for how long the transactions of a context kept others from writing, so that an import can leave them as much.
type Hold struct {
	Asked    time.Time     // when the first one wanted to begin; zero: there was none in this process
	Released time.Time     // when the last one had ended
	Held     time.Duration // from begin to end of commit, of all of them; waiting for the turn does not count
}

type holdKey struct{}

// WithHold returns a context whose transactions are added to the Hold. They must come one after the other.
func WithHold(ctx context.Context) (context.Context, *Hold) {
	h := &Hold{}
	return context.WithValue(ctx, holdKey{}, h), h
}

// KeepHold gives ctx the Hold of another context, for a call that is made in a scope of its own.
func KeepHold(ctx, from context.Context) context.Context {
	if h, _ := from.Value(holdKey{}).(*Hold); h != nil {
		return context.WithValue(ctx, holdKey{}, h)
	}
	return ctx
}

// asked notes that a transaction wants to begin. taken is to be called at its begin, released after its end.
func asked(ctx context.Context) (taken, released func()) {
	h, _ := ctx.Value(holdKey{}).(*Hold)
	if h == nil {
		return func() {}, func() {}
	}
	if h.Asked.IsZero() {
		h.Asked = time.Now()
	}
	var began time.Time
	return func() { began = time.Now() }, func() {
		if h.Released = time.Now(); !began.IsZero() {
			h.Held += h.Released.Sub(began)
		}
	}
}
