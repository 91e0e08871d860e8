// Package pluginhost runs modules as separate processes and adds them to the registry. Control messages use go-plugin's gRPC; calls use
// HTTP over Unix sockets in both directions. While a plugin is down its own paths answer 503, and nothing else is affected.
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

// Options configure the plugins.
type Options struct {
	Dir      string         // --plugins; each folder in it with a plugin.json is a plugin
	Digests  []string       // --plugin-digest: SHA-256 (hex) of the binaries that may run; empty: every binary that matches its plugin.json
	Data     string         // --data; the folder of a plugin is plugins/<key> in it
	Database string         // --database; on PostgreSQL each plugin gets its own schema and role. Empty: SQLite
	Unsafe   bool           // for tests: plugins write without fsync
	Allow    []netip.Prefix // private addresses that modules may call: stubs of a demo

	Registry *registry.Registry
	Hub      *sibling.Hub
	Clock    *clock.Clock
	Log      *slog.Logger
	// Relay stores rows of a plugin's outbox in core; it is idempotent by row id.
	Relay func(ctx context.Context, moduleKey string, rows []store.Row) error
}

// Host has the installed plugins.
type Host struct {
	plugins []*Plugin
}

// Open starts every plugin in o.Dir and adds those that are up to the registry, in the order of their needs; a plugin replaces an
// in-process module with the same key. The error lists the plugins that could not be started; the other plugins and the portal run
// anyway. A plugin whose process fails is restarted with back-off, without limit.
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
	Manifest module.Manifest // only the key is set when Err is not nil
	Err      error
}

// Describe reads the manifests of the plugins in dir, ordered by folder, for commands that check labels. Each binary runs only for that,
// with the same checks as in Open, and no module is built. The error lists folders that are not valid plugins.
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

// join adds the plugins that are up in one step, because they may need each other. When the registry refuses that, it adds them one by
// one, so that an invalid plugin does not exclude valid ones.
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
	for range up { // repeated, because a plugin may need one that is added later
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

// Plugins returns the plugins, up or down.
func (h *Host) Plugins() []*Plugin { return h.plugins }

// Close stops all plugins. Running calls get a few seconds to finish.
func (h *Host) Close() error {
	var all sync.WaitGroup
	for _, p := range h.plugins {
		all.Go(p.close)
	}
	all.Wait()
	return nil
}

// Timeouts and delays of the supervisor.
const (
	startTimeout  = 30 * time.Second // the first start runs migrations
	stopTimeout   = 6 * time.Second  // running calls get a few seconds
	firstDelay    = 100 * time.Millisecond
	lastDelay     = 30 * time.Second
	healthyUptime = time.Minute // after this uptime the next failure starts from firstDelay
)
