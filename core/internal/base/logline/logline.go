// Package logline defines the format of log lines: JSON, with durations as strings that include the unit.
package logline

import (
	"io"
	"log/slog"
)

// NewHandler returns a handler that writes JSON lines at the given level and above.
func NewHandler(out io.Writer, level slog.Leveler) slog.Handler {
	return slog.NewJSONHandler(out, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string,
		a slog.Attr) slog.Attr {
		return WithUnit(a)
	}})
}

// WithUnit returns a duration as a string with its unit, such as "1.5s", because slog would write a number of nanoseconds. It returns any
// other attribute unchanged.
func WithUnit(a slog.Attr) slog.Attr {
	if v := a.Value.Resolve(); v.Kind() == slog.KindDuration {
		return slog.String(a.Key, v.Duration().String())
	}
	return a
}
