package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/fault"
	"github.com/wattle-portal/wattle/core/problem"
)

// requestInfo contains the fields of the log line that are set by inner handlers.
type requestInfo struct{ operation, label, role, route, actor, code string }

type infoKey struct{}

func infoOf(ctx context.Context) *requestInfo {
	s, _ := ctx.Value(infoKey{}).(*requestInfo)
	if s == nil {
		return &requestInfo{}
	}
	return s
}

// observe logs, counts and traces every request. It logs no paths, queries or bodies, because a path may contain a token. The log line of a
// request is also the security event of a sign-in or a refusal: who, from where, and why it was refused (11-security-log).
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, info := time.Now(), &requestInfo{operation: "page"}
		client := scope.ClientOf(r.Context())
		ctx := scope.WithCaller(context.WithValue(r.Context(), infoKey{}, info), &info.actor)
		ctx = problem.WithObserver(ctx, func(err error) {
			level, what := slog.LevelError, "internal error"
			if k := fault.Of(err); k != fault.None { // not a defect of the portal; /readyz and wattle_check report it once
				level, what = slog.LevelWarn, "database "+string(k)
			}
			s.Log.LogAttrs(ctx, level, what, slog.String("request", client.RequestID),
				slog.String("operation", info.operation), slog.String("label", info.label), slog.String("error", err.Error()))
		})
		ctx, span := startSpan(ctx, r)
		defer span.End()
		out := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(out, r.WithContext(ctx))

		status, took := max(out.Status(), http.StatusOK), time.Since(start)
		span.SetName(info.operation)
		span.SetAttributes(attribute.String("wattle.label", info.label), attribute.Int("http.response.status_code", status),
			attribute.String("http.request.method", method(r.Method)))
		if info.route != "" {
			span.SetAttributes(attribute.String("http.route", info.route))
		}
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status))
		}
		s.metrics.count(info.operation, status, took)
		level := slog.LevelInfo
		if info.operation == "page" && status < 400 {
			level = slog.LevelDebug
		}
		s.Log.LogAttrs(ctx, level, "request", slog.String("request", client.RequestID), slog.String("method", method(r.Method)),
			slog.String("operation", info.operation), slog.String("label", info.label), slog.String("role", info.role),
			slog.String("actor", info.actor), slog.Int("status", status), slog.String("code", info.code), slog.Int("bytes", out.BytesWritten()),
			slog.Duration("took", took), slog.String("ip", client.IP))
	})
}

// startSpan starts the span of a request (9-trace-continued). A trace from a trusted proxy, which client put into ctx, is continued. A
// trace from any other caller is only linked: an untrusted caller must not decide which requests are sampled or which trace the portal's
// spans join.
func startSpan(ctx context.Context, r *http.Request) (context.Context, trace.Span) {
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer)}
	if !trace.SpanContextFromContext(ctx).IsValid() {
		remote := otel.GetTextMapPropagator().Extract(context.Background(), propagation.HeaderCarrier(r.Header))
		if from := trace.SpanContextFromContext(remote); from.IsValid() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: from}))
		}
	}
	return otel.Tracer("wattle/web").Start(ctx, "request", options...)
}

// method returns an HTTP method for the log. It replaces an unknown method, which a caller may have invented, by "other".
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "other"
}

// recover turns a panic into a 500 response without details; the stack trace is only logged.
func (s *Server) recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler {
				panic(v) // the caller has disconnected, or must see a broken response
			}
			problem.Observe(r.Context(), fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
			if out, ok := w.(middleware.WrapResponseWriter); ok && out.Status() != 0 {
				panic(http.ErrAbortHandler) // an incomplete response must not look complete
			}
			problem.Write(w, problem.Fail(http.StatusInternalServerError, problem.CodeInternal))
		}()
		next.ServeHTTP(w, r)
	})
}

// metrics counts requests by operation. A nil metrics counts nothing.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

func newMetrics(r prometheus.Registerer) *metrics {
	if r == nil {
		return nil
	}
	m := &metrics{
		prometheus.NewCounterVec(prometheus.CounterOpts{Name: "wattle_requests_total", Help: "Answered requests."},
			[]string{"operation", "status"}),
		prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "wattle_request_seconds", Help: "Time to answer a request.",
			Buckets: []float64{.001, .005, .02, .1, .5, 2, 10}}, []string{"operation"}),
	}
	r.MustRegister(m.requests, m.seconds)
	return m
}

func (m *metrics) count(operation string, status int, took time.Duration) {
	if m == nil {
		return
	}
	m.requests.WithLabelValues(operation, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(operation).Observe(took.Seconds())
}
