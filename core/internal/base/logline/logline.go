// Package logline has the format of log lines: JSON, with every duration as text with its unit.
package logline

import (
	"io"
	"log/slog"
)

// NewHandler returns a handler that writes JSON lines from the given level on.
func NewHandler(out io.Writer, level slog.Leveler) slog.Handler {
	return slog.NewJSONHandler(out, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string,
		a slog.Attr) slog.Attr {
		return WithUnit(a)
	}})
}

// WithUnit returns a duration as text with its unit, such as "1.5s", which slog would write as a number of nanoseconds, and any other
// attribute as it is.
func WithUnit(a slog.Attr) slog.Attr {
	if v := a.Value.Resolve(); v.Kind() == slog.KindDuration {
		return slog.String(a.Key, v.Duration().String())
	}
	return a
}
