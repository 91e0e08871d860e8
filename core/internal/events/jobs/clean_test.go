package jobs

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// Each of two processes on one database cleans its own data folder. The next cleaner runs even when one fails.
func TestEveryProcessCleansItsFolder(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		t.Run("11-retention-job", func(t *testing.T) {
			for range 2 {
				w := newWorld(t, s)
				var log bytes.Buffer
				w.Log = slog.New(slog.NewTextHandler(&log, nil))
				cleaned := make(chan struct{}, 1)
				w.Cleaners = []func(context.Context) error{
					func(context.Context) error { return errors.New("no such disk") },
					func(context.Context) error { cleaned <- struct{}{}; return nil },
				}
				require.NoError(t, w.Start(t.Context()))
				select {
				case <-cleaned:
				case <-time.After(20 * time.Second):
					t.Fatal("the folder was not cleaned")
				}
				require.NoError(t, w.Stop(t.Context()))
				require.Contains(t, log.String(), "no such disk")
				require.Equal(t, 1.0, testutil.ToFloat64(w.runs.WithLabelValues("clean", "failed")))
			}
		})
	})
	t.Run("11-retention-job", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var runs atomic.Int32
			j := New(Deps{Cleaners: []func(context.Context) error{func(context.Context) error { runs.Add(1); return errors.New("no such disk") }}})
			stop, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() { j.clean(stop, t.Context()); close(ended) }()
			for hour := range 3 {
				synctest.Wait()
				require.EqualValues(t, hour+1, runs.Load(), "at the start and every hour, after a failure too")
				time.Sleep(time.Hour - time.Second)
				synctest.Wait()
				require.EqualValues(t, hour+1, runs.Load())
				time.Sleep(time.Second)
			}
			cancel()
			<-ended
			require.Equal(t, 4.0, testutil.ToFloat64(j.runs.WithLabelValues("clean", "failed")))
		})
	})
}
