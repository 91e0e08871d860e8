package logline

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// human writes lines for a developer who reads them in a terminal.
type human struct {
	out   io.Writer
	inner slog.Handler // writes the attributes to text

	mu   *sync.Mutex
	text *bytes.Buffer
}

// NewHumanHandler returns a handler that writes the time of day, the level, the message and the attributes.
func NewHumanHandler(out io.Writer, level slog.Leveler) slog.Handler {
	text := &bytes.Buffer{}
	inner := slog.NewTextHandler(text, &slog.HandlerOptions{Level: level, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
			return slog.Attr{} // Handle writes them
		}
		return WithUnit(a)
	}})
	return human{out, inner, &sync.Mutex{}, text}
}

// Enabled implements slog.Handler.
func (h human) Enabled(ctx context.Context, level slog.Level) bool {
	return h.inner.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h human) Handle(ctx context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Reset()
	if err := h.inner.Handle(ctx, r); err != nil {
		return err
	}
	line := fmt.Sprintf("%s %-5s %s %s", r.Time.Format(time.TimeOnly), r.Level, r.Message, h.text)
	_, err := fmt.Fprintln(h.out, strings.TrimSpace(line))
	return err
}

// WithAttrs implements slog.Handler.
func (h human) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.inner = h.inner.WithAttrs(attrs)
	return h
}

// WithGroup implements slog.Handler.
func (h human) WithGroup(name string) slog.Handler {
	h.inner = h.inner.WithGroup(name)
	return h
}
