// Package pluginhost runs modules as separate processes and adds them to the registry. Control messages use go-plugin's gRPC; calls use
// HTTP over Unix sockets in both directions. While a plugin is down its own paths answer 503, and nothing else is affected. Plugins come,
// change and go while the portal runs (docs/decisions/0044).
package pluginhost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/modules/contract"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/sibling"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

// Options configure the plugins.
type Options struct {
	Dir      string         // --plugins; each folder in it with a plugin.json is a plugin
	Digests  []string       // --plugin-digest: SHA-256 (hex) of the binaries that may run; empty: every binary that matches its plugin.json
	Data     string         // --data; the folder of a plugin is plugins/<key> in it, and installed/<key> has the copies that run
	Database string         // --database; on PostgreSQL each plugin gets its own schema and role. Empty: SQLite
	Unsafe   bool           // for tests: plugins write without fsync
	Allow    []netip.Prefix // private addresses that modules may call: stubs of a demo
	Watch    bool           // follow changes of Dir: of all processes on one data folder only the one that serves
	Limits   Limits         // of each plugin
	Drain    time.Duration  // how long running calls of a replaced version may take; 0: a minute

	Contract contract.Version // of the portal; 0: the current one

	Registry *registry.Registry
	Hub      *sibling.Hub
	Clock    *clock.Clock
	Log      *slog.Logger          // nil: no log
	Metrics  prometheus.Registerer // nil: nothing is counted
	// Relay stores rows of a plugin's outbox in core; it is idempotent by row id.
	Relay func(ctx context.Context, moduleKey string, rows []store.Row) error
	// Remotes serves the remotes of plugins; nil: they are not served.
	Remotes Remotes
	// KeysChanged is called after the folders of other plugins than before are there, whether they run or not; nil: not.
	KeysChanged func()

	logs      *logs                  // lines of the plugins, for the operator; nil: they are not kept
	grants    *grants                // set by Open
	backCalls *prometheus.CounterVec // set by Open
}

// Remotes serves the built remotes of plugins to browsers.
type Remotes interface {
	// CheckRemote returns an error, which is one sentence, for a folder that cannot be served as the remote of a module.
	CheckRemote(key, dir string) error
	// AddRemote serves the remote in dir instead of the one with its key; dir is empty when the highest version has none. versions has the
	// folders of all versions that stand side by side, by version; nil: there is one. Files that were served stay for open pages.
	AddRemote(key, dir string, versions map[string]string) error
	// RemoveRemote undoes AddRemote, if it was called.
	RemoveRemote(key string)
}

// Host has the installed plugins.
type Host struct {
	o    Options
	base map[string]module.Running // modules of the program, which serve again when the plugin with their key is removed

	mu        sync.Mutex
	folders   map[string]*folder // by name
	disabled  map[string]bool    // keys of plugins that the operator has taken out
	dirError  error              // why the plugins folder cannot be read
	signature string             // keys that KeysChanged was called for

	joining sync.Mutex // held while a version takes its place: of two that claim the same, one is refused

	stop     context.CancelFunc
	stopping context.Context
	work     sync.WaitGroup
}

// Open starts every plugin in o.Dir and adds those that are up to the registry, in the order of their needs; a plugin replaces an
// in-process module with the same key. The error lists the plugins that could not be started; the other plugins and the portal run
// anyway. A plugin whose process fails is restarted with back-off, without limit.
func Open(ctx context.Context, o Options) (*Host, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Drain, o.Contract = cmp.Or(o.Drain, drainTimeout), cmp.Or(o.Contract, contract.Current)
	if o.Watch && o.Dir != "" {
		o.logs = newLogs(o.Data)
	}
	o.grants, o.backCalls = &grants{}, newBackCalls(o.Metrics)
	if o.Dir != "" {
		o.grants.read(o.Dir)
	}
	h := &Host{o: o, disabled: Disabled(o.Dir), base: map[string]module.Running{}, folders: map[string]*folder{}}
	h.stopping, h.stop = context.WithCancel(context.Background())
	for key, m := range o.Registry.Snapshot().Modules {
		h.base[key] = m
	}
	prints, err := fingerprints(o.Dir)
	h.dirError = err
	if err != nil {
		o.Log.Error("the plugins folder cannot be read", "reason", sentence(err))
	}
	errs := []error{err}
	var ready []*prepared
	var mu sync.Mutex
	var all sync.WaitGroup
	for name, print := range prints {
		f := h.folder(name)
		f.seen, f.examined = print, print
		f.spec, _ = read(filepath.Join(o.Dir, name), o.Contract) // prepare reads it again, and must know all keys
	}
	for _, f := range h.sorted() {
		all.Go(func() {
			n, err := h.prepare(ctx, f)
			if err != nil {
				h.refuse(f, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			ready = append(ready, n)
		})
	}
	all.Wait()
	slices.SortFunc(ready, func(a, b *prepared) int { return cmp.Compare(a.folder.name, b.folder.name) })
	h.join(ready)
	h.signature = h.keys()
	for _, p := range h.Plugins() {
		h.prune(p.Spec.Key)
	}
	for _, f := range h.sorted() {
		if f.refused != nil && !f.isDisabled() {
			errs = append(errs, fmt.Errorf("plugin %s: %w", f.name, f.refused))
		}
	}
	h.work.Go(h.follow)
	return h, errors.Join(errs...)
}

// join adds the plugins of the start in one step, because they may need each other. When the registry refuses that, it adds them one by
// one, so that an invalid plugin does not exclude valid ones. Of two that claim the same, the one whose folder comes first has it.
func (h *Host) join(ready []*prepared) {
	var fit []*prepared
	var up []module.Running
	versions := map[string][]*Plugin{}
	for _, n := range ready {
		if err := h.checkRemote(n.plugin); err != nil {
			n.plugin.discard()
			h.refuse(n.folder, err)
			continue
		}
		key := n.plugin.Spec.Key
		versions[key] = byVersion(append(versions[key], n.plugin))
		h.serveRemotes(key, versions[key])
		fit, up = append(fit, n), append(up, n.plugin.Running())
	}
	if len(up) == 0 || h.o.Registry.Add(up...) == nil {
		for _, n := range fit {
			h.serve(n)
		}
		return
	}
	errs := map[*prepared]error{}
	for range fit { // repeated, because a plugin may need one that is added later
		var rest []*prepared
		for _, n := range fit {
			if errs[n] = h.o.Registry.Add(append(runnings(h.versions(n.plugin.Spec.Key)), n.plugin.Running())...); errs[n] != nil {
				rest = append(rest, n)
				continue
			}
			h.serve(n)
		}
		fit = rest
	}
	for _, n := range fit {
		h.serveRemotes(n.plugin.Spec.Key, h.versions(n.plugin.Spec.Key))
		n.plugin.discard()
		h.refuse(n.folder, joinError(errs[n]))
	}
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
		all.Go(func() {
			if m, err := newPlugin(context.Background(), s, Options{Digests: digests, Log: log}, installation{}).describe(ctx); err != nil {
				out[i].Err = err
			} else {
				out[i].Manifest = m
			}
		})
	}
	all.Wait()
	return out, err
}

// Plugins returns the plugins that serve, up or down, ordered by folder.
func (h *Host) Plugins() (out []*Plugin) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.sorted() {
		if f.plugin != nil {
			out = append(out, f.plugin)
		}
	}
	return out
}

// Close stops all plugins. Running calls get a few seconds to finish.
func (h *Host) Close() error {
	h.stop() // and with it every plugin
	h.work.Wait()
	h.o.logs.close()
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
