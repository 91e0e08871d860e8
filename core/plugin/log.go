package plugin

import (
	"io"
	"log/slog"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/base/logline"
)

// newLogHandler returns a handler that writes log lines in a form from which go-plugin, in core, can parse level and attributes.
func newLogHandler(out io.Writer) slog.Handler {
	return slog.NewJSONHandler(out, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		a = logline.WithUnit(a)
		if len(groups) > 0 {
			return a
		}
		switch a.Key {
		case slog.TimeKey:
			return slog.String("@timestamp", a.Value.Time().Format("2006-01-02T15:04:05.000000Z07:00"))
		case slog.LevelKey:
			return slog.String("@level", strings.ToLower(a.Value.String()))
		case slog.MessageKey:
			a.Key = "@message"
		}
		return a
	}})
}
