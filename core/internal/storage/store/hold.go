package store

import (
	"context"
	"time"
)

// Hold measures how long the transactions of a context blocked other writers, so that an import can pause for the same time.
type Hold struct {
	Requested time.Time     // when the first transaction requested the writer; zero when there was none in this process
	Released  time.Time     // when the last transaction ended
	Total     time.Duration // total time from BEGIN to the end of the commit, without waiting for the writer
}

type holdKey struct{}

// WithHold returns a context whose transactions are added to the Hold. They must run one after another.
func WithHold(ctx context.Context) (context.Context, *Hold) {
	h := &Hold{}
	return context.WithValue(ctx, holdKey{}, h), h
}

// KeepHold returns ctx with the Hold of another context, for a call that runs in a separate scope.
func KeepHold(ctx, from context.Context) context.Context {
	if h, _ := from.Value(holdKey{}).(*Hold); h != nil {
		return context.WithValue(ctx, holdKey{}, h)
	}
	return ctx
}

// hasHold reports whether the transactions of a context are added to a Hold.
func hasHold(ctx context.Context) bool {
	h, _ := ctx.Value(holdKey{}).(*Hold)
	return h != nil
}

// measureHold records that a transaction requests the writer. The caller must call taken when the transaction begins and released after it
// has ended.
func measureHold(ctx context.Context) (taken, released func()) {
	h, _ := ctx.Value(holdKey{}).(*Hold)
	if h == nil {
		return func() {}, func() {}
	}
	if h.Requested.IsZero() {
		h.Requested = time.Now()
	}
	var began time.Time
	return func() { began = time.Now() }, func() {
		if h.Released = time.Now(); !began.IsZero() {
			h.Total += h.Released.Sub(began)
		}
	}
}
