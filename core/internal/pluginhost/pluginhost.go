// Package pluginhost runs modules as processes of their own and lets them stand in the registry like any other. Control goes over
// go-plugin's gRPC, HTTP over unix sockets both ways. A plugin that dies answers 503 for its own paths until it is back, and
// nothing else notices.
package pluginhost

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/wattle-portal/wattle/core/internal/clock"
	"github.com/wattle-portal/wattle/core/internal/registry"
	"github.com/wattle-portal/wattle/core/internal/sibling"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
)

// Options say where plugins are and what they get.
type Options struct {
	Dir      string         // of --plugins: each sub folder with a plugin.json is a plugin
	Digests  []string       // of --plugin-digest: SHA-256 of the binaries that may run, hex; empty: any that its plugin.json names
	Data     string         // --data; a plugin's own folder is plugins/<key> in it
	Database string         // --database; a plugin on PostgreSQL gets a schema and a role of its own there. Empty: SQLite
	Unsafe   bool           // tests only: plugins do not wait for the disk
	Allow    []netip.Prefix // private addresses that modules may call nevertheless: the demo's own stubs

	Registry *registry.Registry
	Hub      *sibling.Hub
	Clock    *clock.Clock
	Log      *slog.Logger
	// Relay takes rows of a plugin's outbox into core; idempotent by row id.
	Relay func(ctx context.Context, moduleKey string, rows []store.Row) error
}

// Host is the plugins that run.
type Host struct {
	plugins []*Plugin
}

// Open starts every plugin in o.Dir and takes those that came up into the registry, in the order in which they need each other;
// one of the same key as an in-process module takes its place. What could not be started is told in the error, and does not keep
// the others, or the portal, from running: a plugin whose process fails is tried again for ever, with back-off.
func Open(ctx context.Context, o Options) (*Host, error) {
	specs, err := Scan(o.Dir)
	errs := []error{err}
	h := &Host{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, s := range specs {
		p, err := newPlugin(s, o)
		if err != nil {
			errs = append(errs, fmt.Errorf("plugin %s: %w", s.Key, err))
			continue
		}
		h.plugins = append(h.plugins, p)
		all.Go(func() {
			if err := p.start(ctx); err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, fmt.Errorf("plugin %s: %w", p.Spec.Key, err))
			}
		})
	}
	all.Wait()
	errs = append(errs, h.join(o.Registry))
	for _, p := range h.plugins {
		go p.supervise()
	}
	return h, errors.Join(errs...)
}

// Described is a plugin whose manifest was read.
type Described struct {
	Spec     Spec
	Manifest module.Manifest // of its key only, when Err says why it could not be read
	Err      error
}

// Describe reads the manifests of the plugins in dir, ordered by folder, for commands that check labels: each binary is run for as long
// as that takes, under the same conditions as Open, and nothing is built. An error is a folder that is no plugin.
func Describe(ctx context.Context, dir string, digests []string, log *slog.Logger) ([]Described, error) {
	specs, err := Scan(dir)
	out := make([]Described, len(specs))
	var all sync.WaitGroup
	for i, s := range specs {
		out[i] = Described{Spec: s, Manifest: module.Manifest{Key: s.Key}}
		p, err := newPlugin(s, Options{Digests: digests, Log: log})
		if err != nil {
			out[i].Err = err
			continue
		}
		all.Go(func() {
			if m, err := p.describe(ctx); err != nil {
				out[i].Err = err
			} else {
				out[i].Manifest = m
			}
		})
	}
	all.Wait()
	return out, err
}

// join adds the plugins that are up in one step, so that they may need each other; when that is refused, one by one, so that a
// wrong one keeps none of the right ones out.
func (h *Host) join(r *registry.Registry) error {
	var up []module.Running
	for _, p := range h.plugins {
		if p.Up() {
			up = append(up, p.Running())
		}
	}
	if len(up) == 0 || r.Add(up...) == nil {
		h.joined(up)
		return nil
	}
	var errs []error
	for range up { // as often as there are, since each may need one that comes later
		var rest []module.Running
		errs = nil
		for _, m := range up {
			if err := r.Add(m); err != nil {
				rest, errs = append(rest, m), append(errs, fmt.Errorf("plugin %s: %w", m.Key, err))
				continue
			}
			h.joined([]module.Running{m})
		}
		up = rest
	}
	return errors.Join(errs...)
}

func (h *Host) joined(up []module.Running) {
	for _, m := range up {
		for _, p := range h.plugins {
			if p.Spec.Key == m.Key {
				p.joined.Store(true)
			}
		}
	}
}

// Plugins lists the plugins, up or not.
func (h *Host) Plugins() []*Plugin { return h.plugins }

// Close ends all plugins. Calls that are under way get a few seconds.
func (h *Host) Close() error {
	var all sync.WaitGroup
	for _, p := range h.plugins {
		all.Go(p.close)
	}
	all.Wait()
	return nil
}

// Times of supervision.
const (
	startTimeout = 30 * time.Second // a first start migrates
	stopTimeout  = 6 * time.Second  // calls that are under way get a few seconds
	firstDelay   = 100 * time.Millisecond
	lastDelay    = 30 * time.Second
	healthyAfter = time.Minute // up this long, the next failure starts from firstDelay
)
