// Package registry knows which modules run. Router, OpenAPI, label schema and subscriptions are all derived from one atomic
// snapshot of it, so that a module can come and go while the portal runs.
package registry

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/wattle-portal/wattle/core/internal/outbox"
	"github.com/wattle-portal/wattle/core/module"
)

// Core is the key of the pseudo module that carries core's own operations. Every label has it.
const Core = "core"

// Errors of Add, wrapped with the modules and claims that are at odds.
var (
	ErrClaimed = errors.New("registry: two operations claim the same method and path")
	ErrNeeds   = errors.New("registry: a needed module is missing")
	ErrCycle   = errors.New("registry: modules need each other in a circle")
	ErrInvalid = errors.New("registry: an operation that core cannot guard")
)

// Registry holds the running modules. Reading it takes no lock.
type Registry struct {
	mu      sync.Mutex // one writer at a time
	current atomic.Pointer[Snapshot]
	changed []func()
}

// New makes a registry without modules.
func New() *Registry {
	r := &Registry{}
	s, _ := newSnapshot(nil) // nothing in it that could be wrong
	r.current.Store(s)
	return r
}

// Snapshot is what runs now. It never changes; ask again for the next one.
func (r *Registry) Snapshot() *Snapshot { return r.current.Load() }

// Add takes modules in as one step, or none of them. A module that is there already is replaced: so a plugin takes the place of
// the in-process module of its key, and comes back after a restart. Errors: ErrClaimed, ErrNeeds, ErrCycle, ErrInvalid.
func (r *Registry) Add(modules ...module.Running) error {
	return r.change(func(all map[string]module.Running) error {
		seen := map[string]bool{}
		for _, m := range modules {
			if m.Key == "" || seen[m.Key] {
				return fmt.Errorf("%w: module %q is given twice or has no key", ErrInvalid, m.Key)
			}
			seen[m.Key] = true
			all[m.Key] = m
		}
		for _, m := range modules {
			for _, need := range m.Needs {
				if _, there := all[need]; !there {
					return fmt.Errorf("%w: %s needs %s", ErrNeeds, m.Key, need)
				}
			}
		}
		return acyclic(all)
	})
}

// Remove takes a module out. Its operations are not found any more; those that need it answer for themselves.
func (r *Registry) Remove(key string) {
	_ = r.change(func(all map[string]module.Running) error { // fewer modules cannot be at odds
		delete(all, key)
		return nil
	})
}

// Handlers are the modules that want an event now.
func (r *Registry) Handlers(eventType string) []outbox.Subscriber {
	return r.Snapshot().Handlers(eventType)
}

// OnChange runs f after every change, in the goroutine that made it.
func (r *Registry) OnChange(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changed = append(r.changed, f)
}

func (r *Registry) change(edit func(map[string]module.Running) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]module.Running{}
	for k, m := range r.current.Load().Modules {
		all[k] = m
	}
	if err := edit(all); err != nil {
		return err
	}
	next, err := newSnapshot(all)
	if err != nil {
		return err
	}
	r.current.Store(next)
	for _, f := range r.changed {
		f()
	}
	return nil
}

// acyclic refuses modules of which none could be switched on first.
func acyclic(all map[string]module.Running) error {
	done := map[string]bool{}
	var walk func(key string, path []string) error
	walk = func(key string, path []string) error {
		if i := slices.Index(path, key); i >= 0 {
			return fmt.Errorf("%w: %s", ErrCycle, strings.Join(append(path[i:], key), " → "))
		}
		if done[key] {
			return nil
		}
		for _, need := range all[key].Needs {
			if err := walk(need, append(path, key)); err != nil {
				return err
			}
		}
		done[key] = true
		return nil
	}
	for key := range all {
		if err := walk(key, nil); err != nil {
			return err
		}
	}
	return nil
}
