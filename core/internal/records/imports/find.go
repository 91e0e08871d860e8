package imports

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/records/imports/dryrun"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
)

// Find returns the target of an import into a label, which passes records to the running modules of the label that accept them. It also
// returns the kinds in the order in which they must be imported: those of core first, and those of a required module before those of the
// module that requires it. scopeFor is sibling.Hub.ScopeFor.
func Find(s *registry.Snapshot, labelKey string, scopeFor func(labelKey, moduleKey string) (context.Context, bool)) (Target, []string) {
	type taker struct {
		module.Importer
		scope context.Context
	}
	takers, order := map[string]taker{}, []string(nil)
	seen := map[string]bool{}
	var visit func(key string)
	visit = func(key string) {
		m, exists := s.Modules[key]
		if seen[key] || !exists {
			return
		}
		seen[key] = true
		for _, need := range m.Needs {
			visit(need)
		}
		scope, on := scopeFor(labelKey, key)
		importer, ok := m.Instance.(module.Importer)
		if !on || !ok {
			return
		}
		for _, kind := range m.Imports {
			if _, taken := takers[kind]; !taken {
				takers[kind] = taker{importer, scope}
				order = append(order, kind)
			}
		}
	}
	visit(registry.Core)
	for _, key := range slices.Sorted(maps.Keys(s.Modules)) {
		visit(key)
	}
	return func(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error) {
		t, ok := takers[kind]
		if !ok {
			return nil, fmt.Errorf("%w: %q", ErrKind, kind)
		}
		inner, cancel := context.WithCancel(store.KeepHold(t.scope, ctx))
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		if dryrun.Is(ctx) {
			inner = dryrun.With(inner)
		}
		inner = record.OnWarning(inner, func(w record.Refusal) { record.Warn(ctx, w.Line, w.Field, w.Code) })
		return t.Import(inner, kind, rows)
	}, order
}
