// Package registry contains the running modules. Router, OpenAPI, label schema and subscriptions are derived from one atomic snapshot of
// it, so that modules can be added and removed while the portal runs.
package registry

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/wattle-portal/wattle/core/module"
)

// Core is the key of the pseudo module with core's own operations. Every label has it.
const Core = "core"

// Errors of Add, wrapped with the modules and operations in conflict.
var (
	ErrClaimed = errors.New("registry: two operations claim the same method and path")
	ErrNeeds   = errors.New("registry: a needed module is missing")
	ErrCycle   = errors.New("registry: modules need each other in a circle")
	ErrInvalid = errors.New("registry: an operation that core cannot guard")
)

// Registry contains the running modules. Reading takes no lock.
type Registry struct {
	mu      sync.Mutex // one writer at a time
	current atomic.Pointer[Snapshot]
	next    atomic.Pointer[Snapshot] // set while a change is being made; otherwise nil
	before  []func() error
}

// New returns a registry without modules.
func New() *Registry {
	r := &Registry{}
	s, _ := newSnapshot(map[string][]module.Running{}) // an empty snapshot has no errors
	r.current.Store(s)
	return r
}

// Snapshot returns the current state. A snapshot never changes; call Snapshot again for the newer state.
func (r *Registry) Snapshot() *Snapshot { return r.current.Load() }

// Add adds all modules in one step, or none of them. Several modules with the same key are versions that run side by side. They replace all
// modules that had this key, so that a plugin replaces the in-process module with its key, and itself after a restart. Errors: ErrClaimed,
// ErrNeeds, ErrCycle, ErrInvalid.
func (r *Registry) Add(modules ...module.Running) error {
	return r.change(func(all map[string][]module.Running) error {
		added := map[string][]module.Running{}
		for _, m := range modules {
			if m.Key == "" || slices.ContainsFunc(added[m.Key], func(o module.Running) bool { return o.Version == m.Version }) {
				return fmt.Errorf("%w: module %q is given twice or has no key", ErrInvalid, m.Key)
			}
			added[m.Key] = append(added[m.Key], m)
		}
		for key, versions := range added {
			slices.SortFunc(versions, func(a, b module.Running) int { return CompareVersions(b.Version, a.Version) })
			all[key] = versions
		}
		for _, m := range modules {
			for _, need := range m.Needs {
				if len(all[need]) == 0 {
					return fmt.Errorf("%w: %s needs %s", ErrNeeds, m.Key, need)
				}
			}
		}
		return acyclic(all)
	})
}

// Remove removes all versions of a module, with their operations. Modules that need it must handle its absence. Only a function registered
// with BeforeChange can refuse the removal.
func (r *Registry) Remove(key string) error {
	return r.change(func(all map[string][]module.Running) error {
		delete(all, key)
		return nil
	})
}

// Upcoming returns the state that the running change leads to, or the current state if there is none.
func (r *Registry) Upcoming() *Snapshot {
	if next := r.next.Load(); next != nil {
		return next
	}
	return r.Snapshot()
}

// BeforeChange registers f to be called before every change, in the goroutine that makes the change. Upcoming then returns the new state.
// If f returns an error, the change is refused.
func (r *Registry) BeforeChange(f func() error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.before = append(r.before, f)
}

func (r *Registry) change(edit func(map[string][]module.Running) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := maps.Clone(r.current.Load().versions)
	if err := edit(all); err != nil {
		return err
	}
	next, err := newSnapshot(all)
	if err != nil {
		return err
	}
	r.next.Store(next)
	defer r.next.Store(nil)
	for _, f := range r.before {
		if err := f(); err != nil {
			return err
		}
	}
	r.current.Store(next)
	return nil
}

// acyclic returns an error when modules need each other in a cycle, in any combination of their versions.
func acyclic(all map[string][]module.Running) error {
	done := map[string]bool{}
	var walk func(key string, path []string) error
	walk = func(key string, path []string) error {
		if i := slices.Index(path, key); i >= 0 {
			return fmt.Errorf("%w: %s", ErrCycle, strings.Join(append(path[i:], key), " → "))
		}
		if done[key] {
			return nil
		}
		for _, m := range all[key] {
			for _, need := range m.Needs {
				if err := walk(need, append(path, key)); err != nil {
					return err
				}
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
