package jobs

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// During a shutdown, jobs already end while requests are still served, so that deliveries have the rest of the time.
func TestEnd(t *testing.T) {
	begin := func(t *testing.T, sweep func(context.Context)) *world {
		w := newWorld(t, storetest.SQLite(t))
		w.shutdownTimeout = 0
		began := make(chan struct{})
		w.Sweepers = []func(context.Context) error{func(ctx context.Context) error {
			close(began)
			sweep(ctx)
			return nil
		}}
		require.NoError(t, w.Start(t.Context()))
		<-began
		return w
	}
	t.Run("cancels runs without waiting for Stop", func(t *testing.T) {
		canceled := make(chan struct{})
		w := begin(t, func(ctx context.Context) { <-ctx.Done(); close(canceled) })
		w.End()
		<-canceled
		require.NoError(t, w.Stop(t.Context()))
	})
	t.Run("a run that ignores it does not use up the time of a stop", func(t *testing.T) {
		free := make(chan struct{})
		w := begin(t, func(context.Context) { <-free })
		require.ErrorContains(t, w.Stop(t.Context()), "does not end")
		close(free)
		w.running.Wait()
	})
}
