package telemetry

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
)

func TestTracesAreSentOnlyWhereTheEnvironmentSays(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")
	stop, err := Start(t.Context(), "1")
	require.NoError(t, err)
	_, span := otel.Tracer("test").Start(t.Context(), "off")
	require.False(t, span.SpanContext().IsValid())
	require.NoError(t, stop(t.Context()))

	paths := make(chan string, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { paths <- r.URL.Path }))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	stop, err = Start(t.Context(), "1")
	require.NoError(t, err)
	_, span = otel.Tracer("test").Start(context.Background(), "on")
	span.End()
	require.NoError(t, stop(t.Context()))
	require.Equal(t, "/v1/traces", <-paths)
}
