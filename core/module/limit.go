package module

import (
	"context"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/problem"
)

// Limit limits the rate of attempts. Attempts are counted in the database, so the limit applies to all replicas together.
type Limit struct {
	Key       string
	Max       int
	Window    time.Duration
	PerClient bool // counts each client address separately
}

// Take counts an attempt and reports whether it is within the limit.
func (l Limit) Take(ctx context.Context, client *http.Client) (bool, error) {
	out, err := coreapi.New(client).TakeLimit(ctx, coreapi.TakeInputBody{Key: l.Key, Max: int64(l.Max),
		WindowSeconds: int64(l.Window.Seconds()),
		PerClient:     l.PerClient})
	return out.Allowed, err
}

// Try counts an attempt. Above the limit it returns the problem 429 too_many_calls.
func (l Limit) Try(ctx context.Context, client *http.Client) error {
	ok, err := l.Take(ctx, client)
	if err != nil || ok {
		return err
	}
	return problem.Fail(http.StatusTooManyRequests, problem.CodeTooManyCalls)
}
