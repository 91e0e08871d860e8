package jobs

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/internal/storetest"
)

// Whoever stops the program at a bad moment, in the middle of River's own statements, reads of no error.
func TestStopIsNoError(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		var out bytes.Buffer
		log := slog.New(slog.NewTextHandler(&locked{w: &out}, nil))
		nothing := func(context.Context) {}
		for i := range 10 {
			w, err := startRiver(t.Context(), s, log, nothing, nothing)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(4*i) * time.Millisecond)
			ctx, cancel := context.WithTimeout(t.Context(), farewell)
			if err := w.stop(ctx); err != nil {
				t.Error(err)
			}
			cancel()
		}
		if said := out.String(); strings.TrimSpace(said) != "" {
			t.Errorf("the log says:\n%s", said)
		}
	})
}

// Any other error is told, while stopping too, and one of a statement that was cut off before.
func TestErrorsAreTold(t *testing.T) {
	for _, c := range []struct {
		stopping bool
		err      string
		told     bool
	}{{true, "driver: context canceled", false}, {false, "driver: context canceled", true}, {true, "disk is full", true}} {
		var out bytes.Buffer
		stopping := &atomic.Bool{}
		stopping.Store(c.stopping)
		log := slog.New(telling{slog.NewTextHandler(&out, nil), stopping}).With("part", "river").WithGroup("x")
		log.Error("Error fetching jobs", "err", c.err)
		log.Info("nobody wants to know")
		if got := strings.Contains(out.String(), "Error fetching jobs"); got != c.told || strings.Contains(out.String(), "nobody") {
			t.Errorf("%+v: %s", c, out.String())
		}
	}
}

type locked struct {
	mu sync.Mutex
	w  *bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}
