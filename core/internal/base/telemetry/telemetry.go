// Package telemetry sends traces to a collector when OTEL_EXPORTER_OTLP_ENDPOINT (or its variant for traces) names one. Otherwise
// nothing is recorded or sent.
package telemetry

import (
	"context"
	"fmt"
	"os"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

// Start enables tracing when the environment names a collector. stop sends the remaining spans; it is never nil.
func Start(ctx context.Context, version string) (stop func(context.Context) error, err error) {
	off := func(context.Context) error { return nil }
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" {
		return off, nil
	}
	exporter, err := otlptracehttp.New(ctx) // New reads the other OTEL_ variables
	if err != nil {
		return off, fmt.Errorf("telemetry: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "wattle"),
		attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return off, fmt.Errorf("telemetry: %w", err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(about))
	otel.SetTracerProvider(provider)
	otel.SetTextMapPropagator(propagation.TraceContext{})
	return provider.Shutdown, nil
}
