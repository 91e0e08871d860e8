package pluginhost

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/hashicorp/go-hclog"
)

// transport is the logger name of go-plugin's connection, both in core and in the plugin's process.
const transport = "yamux"

// newLogger returns a logger that writes what go-plugin and the plugin's process log to log. Messages of go-plugin itself have level
// debug, and so have errors of its connection: a process that exits breaks the connection, and the supervisor logs the exit.
func newLogger(log *slog.Logger) hclog.Logger {
	l := hclog.NewInterceptLogger(&hclog.LoggerOptions{Level: hclog.Debug, Output: io.Discard})
	l.RegisterSink(sink{log})
	return l
}

type sink struct{ log *slog.Logger }

// Accept implements hclog.SinkAdapter.
func (s sink) Accept(name string, level hclog.Level, msg string, args ...any) {
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
	s.log.LogAttrs(context.Background(), to, msg, attrs...)
}
