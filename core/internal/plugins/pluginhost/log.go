package pluginhost

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"github.com/hashicorp/go-hclog"
)

// transport is the logger name of go-plugin's connection, both in core and in the plugin's process.
const transport = "yamux"

// newLogger returns a logger that passes the log lines of go-plugin and of the plugin's process to log. Messages of go-plugin itself have
// level debug. So do errors of its connection, because a process that exits breaks the connection, and the supervisor logs the exit.
func newLogger(log *slog.Logger) hclog.Logger {
	l := hclog.NewInterceptLogger(&hclog.LoggerOptions{Level: hclog.Debug, Output: io.Discard})
	l.RegisterSink(&sink{log: log, lines: ratelimiter.NewBursty[any](maxLines, time.Second)})
	return l
}

// maxLines is the number of lines that a plugin may log per second.
const maxLines = 200

type sink struct {
	log   *slog.Logger
	lines ratelimiter.RateLimiter[any]
	lost  atomic.Int64
}

// Accept implements hclog.SinkAdapter.
func (s *sink) Accept(name string, level hclog.Level, msg string, args ...any) {
	to := map[hclog.Level]slog.Level{hclog.Trace: slog.LevelDebug, hclog.Debug: slog.LevelDebug, hclog.Info: slog.LevelInfo,
		hclog.Warn: slog.LevelWarn, hclog.Error: slog.LevelError}[level]
	var attrs []slog.Attr
	for i := 0; i+1 < len(args); i += 2 {
		key := fmt.Sprint(args[i])
		if key == "@module" {
			name = fmt.Sprint(args[i+1])
		}
		if key != "timestamp" {
			attrs = append(attrs, slog.Any(key, args[i+1]))
		}
	}
	if name == transport {
		to = slog.LevelDebug
	}
	ctx := context.Background()
	if !s.log.Enabled(ctx, to) {
		return
	}
	if !s.lines.TryAcquirePermit() {
		s.lost.Add(1)
		return
	}
	if n := s.lost.Swap(0); n > 0 {
		s.log.Warn("plugin is contained: it logs too much; lines are left out", "lines", n)
	}
	s.log.LogAttrs(ctx, to, msg, attrs...)
}
