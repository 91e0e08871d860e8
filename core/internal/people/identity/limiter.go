package identity

import (
	"container/list"
	"context"
	"sync"
)

// limiter bounds how much work of one kind runs at the same time, first come, first served. It evaluates the bound whenever work
// arrives or ends, so that the bound may depend on what else the process does.
type limiter struct {
	bound func() int // at least 1
	max   int        // running and waiting; above that, enter refuses

	mu      sync.Mutex
	running int
	queue   list.List // of chan struct{}, closed when the turn comes
}

// enter waits for a turn; leave ends the turn. It returns ErrUnavailable when too many callers wait.
func (g *limiter) enter(ctx context.Context) (leave func(), err error) {
	g.mu.Lock()
	if g.running+g.queue.Len() >= g.max {
		g.mu.Unlock()
		return nil, ErrUnavailable
	}
	turn := make(chan struct{})
	place := g.queue.PushBack(turn)
	g.admit()
	g.mu.Unlock()
	select {
	case <-turn:
		return g.leave, nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-turn: // the turn came at the same moment
		g.running--
	default:
		g.queue.Remove(place)
	}
	g.admit()
	return nil, ctx.Err()
}

func (g *limiter) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.admit()
}

// admit lets callers run up to the bound. The caller holds mu.
func (g *limiter) admit() {
	for g.queue.Len() > 0 && g.running < g.bound() {
		g.running++
		close(g.queue.Remove(g.queue.Front()).(chan struct{}))
	}
}
