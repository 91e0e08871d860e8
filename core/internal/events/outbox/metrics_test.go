package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// While emails fail, their deliveries are counted at all times, even between two attempts, and their age is measured from their creation.
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
				require.Equal(t, []float64{0, 1, 0}, []float64{got["wattle_deliveries waiting"], got["wattle_deliveries retrying"],
					got["wattle_deliveries dead"]}, "minute %d", minute)
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

// Each delivery is counted in exactly one state: events to modules, emails and webhooks.
func TestMetricsOfEachState(t *testing.T) {
	t.Run("9-deliveries-metric", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			office := newBackOffice(t)
			w.Web, w.PlainWebhooks = office.Client(), true
			hook, err := w.AddWebhook(t.Context(), "a", office.URL, []string{"acme.made"})
			require.NoError(t, err)
			office.secret, office.status = hook.Secret, http.StatusInternalServerError
			w.mailErr = errors.New("421 try again later")
			counts := func() []float64 {
				got := gather(t, w.Outbox)
				return []float64{got["wattle_deliveries waiting"], got["wattle_deliveries retrying"], got["wattle_deliveries dead"]}
			}
			ages := func() []float64 {
				got := gather(t, w.Outbox)
				return []float64{got["wattle_delivery_oldest_seconds waiting"], got["wattle_delivery_oldest_seconds retrying"]}
			}
			w.on("acme.made", "other", func(context.Context, module.Event) error { return problem.ErrRetry })
			require.Equal(t, []float64{0, 0, 0}, counts())
			w.publish(module.Event{Type: "acme.made", Key: "r1", Data: json.RawMessage(`{}`), Due: w.clock.Now().Add(time.Hour)})
			w.work()
			w.clock.Advance(time.Hour - time.Minute)
			require.Equal(t, []float64{0, 0, 0}, counts(), "planned")
			w.clock.Advance(time.Minute)
			require.Equal(t, []float64{2, 0, 0}, counts(), "due for the first time: the event and its webhook")
			w.clock.Advance(time.Minute)
			require.InDeltaSlice(t, []float64{60, 0}, ages(), 30)
			w.tx(func(ctx context.Context, tx module.Tx) error {
				return tx.Mail(ctx, module.Mail{To: "anna@klant.example", Subject: "s"})
			})
			w.work()
			require.Equal(t, []float64{0, 3, 0}, counts(), "the event, its webhook and the mail failed")
			require.InDeltaSlice(t, []float64{0, 3660}, ages(), 30, "since the oldest was created")
			office.status = http.StatusGone
			w.clock.Advance(time.Hour)
			w.work()
			require.Equal(t, []float64{0, 2, 1}, counts(), "the webhook is given up")
			require.InDeltaSlice(t, []float64{0, 7260}, ages(), 30, "a dead letter is not late")
		})
	})
}

// gather returns all metrics by name and labels.
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
