package pluginhost

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/hashicorp/go-hclog"
)

// transport is the name under which go-plugin's connection to the process logs, here and at its other end in the process.
const transport = "yamux"

// newLogger carries what go-plugin and the plugin's process log into ours. go-plugin's own chatter stays at debug, and so do the
// errors of its connection: a process that ends breaks it, and what that means is logged by who supervises the process.
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
