package outbox

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
)

// While mail fails, its deliveries are counted at all times, between two attempts too, and their age grows from their creation.
func TestMetricsShowAnOutage(t *testing.T) {
	t.Run("9-deliveries-metric", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			w.on("acme.planned", "acme", func(context.Context, module.Event) error { return nil })
			w.mailErr = errors.New("421 try again later")
			w.publish(module.Event{Type: "acme.planned", Key: "k", Due: w.clock.Now().Add(24 * time.Hour)})
			w.tx(func(ctx context.Context, tx module.Tx) error {
				return tx.Mail(ctx, module.Mail{To: "anna@klant.example", Subject: "s"})
			})
			for minute := range 20 {
				w.work()
				got := gather(t, w.Outbox)
				require.Equal(t, []float64{0, 1, 0}, []float64{got["wattle_deliveries waiting"], got["wattle_deliveries retrying"], got["wattle_deliveries dead"]}, "minute %d", minute)
				require.InDelta(t, float64(minute*60), got["wattle_delivery_oldest_seconds retrying"], 30, "its age counts from its creation")
				require.InDelta(t, float64(minute*60), got["wattle_delivery_overdue_seconds"], 30)
				require.Zero(t, got["wattle_delivery_oldest_seconds waiting"], "what is planned for later is not late")
				w.clock.Advance(time.Minute)
			}
			w.mu.Lock()
			w.mailErr = nil
			w.mu.Unlock()
			w.clock.Advance(12 * time.Hour)
			w.work()
			got := gather(t, w.Outbox)
			require.Zero(t, got["wattle_deliveries retrying"])
			require.Zero(t, got["wattle_delivery_overdue_seconds"])
			w.clock.Advance(12 * time.Hour)
			require.Equal(t, 1.0, gather(t, w.Outbox)["wattle_deliveries waiting"])
			require.Less(t, gather(t, w.Outbox)["wattle_delivery_oldest_seconds waiting"], 3600.0, "what was planned counts from its time")
		})
	})
}

// gather returns every metric by its name and labels.
func gather(t *testing.T, c prometheus.Collector) map[string]float64 {
	t.Helper()
	r := prometheus.NewRegistry()
	r.MustRegister(c)
	families, err := r.Gather()
	require.NoError(t, err)
	out := map[string]float64{}
	for _, f := range families {
		for _, m := range f.Metric {
			name := []string{f.GetName()}
			for _, l := range m.Label {
				name = append(name, l.GetValue())
			}
			out[strings.Join(name, " ")] = m.GetGauge().GetValue()
		}
	}
	return out
}
