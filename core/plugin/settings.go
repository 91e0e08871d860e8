package plugin

import (
	"context"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
)

// settings caches the module's settings by label and revision. They are requested from core once, with the handle of a call.
type settings struct {
	host wire.HostClient
	kept *lru.Cache[string, *scope.Settings]
}

func newSettings(h wire.HostClient) *settings {
	kept, _ := lru.New[string, *scope.Settings](4096) // fails only for a negative size
	return &settings{h, kept}
}

type handleKey struct{}

func handleOf(ctx context.Context) string {
	h, _ := ctx.Value(handleKey{}).(string)
	return h
}

// enter adds the scope, settings and handle of a call to a context.
func (s *settings) enter(ctx context.Context, c wire.Call) (context.Context, error) {
	ctx = context.WithValue(ctx, handleKey{}, c.Handle)
	ctx = scope.WithClient(ctx, c.Client)
	if c.Scope.Label == "" {
		return scope.With(ctx, c.Scope, nil), nil
	}
	key := c.Scope.Label + "@" + c.Scope.Revision
	if x, ok := s.kept.Get(key); ok {
		return scope.With(ctx, c.Scope, x), nil
	}
	out, err := s.host.Settings(ctx, &wire.SettingsRequest{Handle: c.Handle})
	if err != nil {
		return nil, fmt.Errorf("plugin: settings of label %s: %w", c.Scope.Label, err)
	}
	x := &scope.Settings{Raw: out.Settings}
	if len(out.Settings) == 0 {
		x = nil
	}
	s.kept.Add(key, x)
	return scope.With(ctx, c.Scope, x), nil
}
