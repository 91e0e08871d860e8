package module

import (
	"context"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/problem"
)

// Limit bounds attempts, in the database and so across replicas.
type Limit struct {
	What      string
	Most      int
	Window    time.Duration
	PerClient bool // apart for each network address
}

// Take counts an attempt and reports whether it may be made.
func (l Limit) Take(ctx context.Context, client *http.Client) (bool, error) {
	out, err := coreapi.New(client).TakeLimit(ctx, coreapi.TakeInputBody{Key: l.What, Max: int64(l.Most), WindowSeconds: int64(l.Window.Seconds()),
		PerClient: l.PerClient})
	return out.Allowed, err
}

// Try counts an attempt. Problem: 429 too_many_calls.
func (l Limit) Try(ctx context.Context, client *http.Client) error {
	ok, err := l.Take(ctx, client)
	if err != nil || ok {
		return err
	}
	return problem.Fail(http.StatusTooManyRequests, problem.CodeTooManyCalls)
}
