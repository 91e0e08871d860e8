package web_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	semantic "go.opentelemetry.io/otel/trace"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/module"
)

func TestTraces(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	provider, propagator := otel.GetTracerProvider(), otel.GetTextMapPropagator()
	otel.SetTracerProvider(trace.NewTracerProvider(trace.WithSpanProcessor(spans)))
	otel.SetTextMapPropagator(propagation.TraceContext{})
	t.Cleanup(func() {
		otel.SetTracerProvider(provider)
		otel.SetTextMapPropagator(propagator)
	})
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	traced := map[string]string{"traceparent": "00-" + id + "-00f067aa0ba902b7-01"}
	last := func() trace.ReadOnlySpan { return spans.Ended()[len(spans.Ended())-1] }
	t.Run("9-trace-continued", func(t *testing.T) {
		trusted := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe},
			Config: config.Config{Proxies: []string{"127.0.0.0/8"}}})
		require.Equal(t, 200, trusted.Do(apptest.Call{Path: "/probe/open", Header: traced}).Status)
		span := last()
		require.Equal(t, id, span.SpanContext().TraceID().String())
		require.Equal(t, "00f067aa0ba902b7", span.Parent().SpanID().String())
		require.Equal(t, "probe.open", span.Name())
		require.Equal(t, semantic.SpanKindServer, span.SpanKind())
		said := map[string]string{}
		for _, a := range span.Attributes() {
			said[string(a.Key)] = a.Value.String()
		}
		require.Equal(t, map[string]string{"http.request.method": "GET", "http.route": "/api/v0/probe/open",
			"http.response.status_code": "200", "wattle.label": "alpha"}, said)
		t.Run("11-trace-example", func(t *testing.T) {
			page, err := os.ReadFile("../../../../docs/monitoring.md")
			require.NoError(t, err)
			var example struct {
				Kind       string
				Attributes map[string]any
			}
			_, traces, _ := strings.Cut(string(page), "## Traces")
			_, block, _ := strings.Cut(traces, "```json\n")
			block, _, _ = strings.Cut(block, "```")
			require.NoError(t, json.Unmarshal([]byte(block), &example))
			require.Equal(t, span.SpanKind().String(), example.Kind)
			require.ElementsMatch(t, slices.Collect(maps.Keys(said)), slices.Collect(maps.Keys(example.Attributes)))
		})

		open := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}})
		require.Equal(t, 200, open.Do(apptest.Call{Path: "/probe/open", Header: traced}).Status)
		span = last()
		require.NotEqual(t, id, span.SpanContext().TraceID().String(), "an untrusted caller does not decide which trace the portal joins")
		require.Len(t, span.Links(), 1)
		require.Equal(t, id, span.Links()[0].SpanContext.TraceID().String())

		require.Equal(t, 200, open.Do(apptest.Call{Path: "/probe/open", Header: map[string]string{"traceparent": "junk"}}).Status)
		require.Empty(t, last().Links())
	})
}
