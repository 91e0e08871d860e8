// Package pluginhost runs modules as separate processes and adds them to the registry. Control messages use go-plugin's gRPC; calls use
// HTTP over Unix sockets in both directions. While a plugin is down, its own paths return 503, and nothing else is affected. Plugins can be
// added, replaced and removed while the portal runs (docs/decisions/0044).
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
	Dir      string         // --plugins; each subfolder with a plugin.json is a plugin
	Digests  []string       // --plugin-digest: SHA-256 (hex) of the binaries that may run; empty: every binary that matches its plugin.json
	Data     string         // --data; a plugin's data is in plugins/<key>, and the copies that run are in installed/<key>
	Database string         // --database; on PostgreSQL each plugin gets its own schema and role. Empty: SQLite
	Unsafe   bool           // for tests: plugins write without fsync
	Allow    []netip.Prefix // private addresses that modules may call: a demo's stubs
	Watch    bool           // apply changes to Dir; only for the serving process on a data folder
	Limits   Limits         // limits of each plugin
	Drain    time.Duration  // how long running calls of a replaced version may take; 0: one minute

	Contract contract.Version // contract version of the portal; 0: the current one

	Registry *registry.Registry
	Hub      *sibling.Hub
	Clock    *clock.Clock
	Log      *slog.Logger          // nil: no log
	Metrics  prometheus.Registerer // nil: no metrics
	// Relay stores rows of a plugin's outbox in core. Storing a row again has no effect; rows are identified by their id.
	Relay func(ctx context.Context, moduleKey string, rows []store.Row) error
	// Remotes serves the remotes of plugins; nil: they are not served.
	Remotes Remotes
	// KeysChanged is called when the set of plugin keys in the folder has changed, whether or not the plugins are running; nil: not called.
	KeysChanged func()

	logs      *logs                  // log lines of the plugins, for the operator; nil: not kept
	grants    *grants                // set by Open
	backCalls *prometheus.CounterVec // set by Open
}

// Remotes serves the built remotes of plugins to browsers.
type Remotes interface {
	// CheckRemote returns an error of one sentence if a folder cannot be served as the remote of a module.
	CheckRemote(key, dir string) error
	// AddRemote serves the remote in dir instead of the remote with the same key; dir is empty if the highest version has no remote.
	// versions contains the folders of all versions that run side by side, by version; nil: there is one version. Files that have been
	// served stay available for open pages.
	AddRemote(key, dir string, versions map[string]string) error
	// RemoveRemote undoes AddRemote, if it was called.
	RemoveRemote(key string)
}

// Host contains the installed plugins.
type Host struct {
	o    Options
	base map[string]module.Running // modules of the program, which serve again when the plugin with the same key is removed

	mu        sync.Mutex
	folders   map[string]*folder // by name
	disabled  map[string]bool    // keys of plugins that the operator has disabled
	dirError  error              // why the plugins folder cannot be read
	signature string             // keys for which KeysChanged was last called

	joining sync.Mutex // held while a version becomes the serving one: if two versions claim the same path, one is refused

	stop     context.CancelFunc
	stopping context.Context
	work     sync.WaitGroup
}

// Open starts every plugin in o.Dir. It adds the plugins that are up to the registry, in the order of their needs; a plugin replaces an
// in-process module with the same key. The error lists the plugins that could not be started; the other plugins and the portal run anyway.
// A plugin whose process fails is restarted with back-off, any number of times.
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
		f.spec, _ = read(filepath.Join(o.Dir, name), o.Contract) // prepare reads it again, but must know all keys
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

// join adds the plugins of the start in one step, because they may need each other. If the registry refuses that, join adds them one by
// one, so that an invalid plugin does not exclude valid ones. If two plugins claim the same path, the one whose folder comes first gets it.
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
	for range fit { // repeated, because a plugin may need another one that is added later
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

// Describe reads the manifests of the plugins in dir, ordered by folder, for commands that check labels. Each binary runs only to describe
// itself, after the same checks as in Open, and no module is built. The error lists folders that are not valid plugins.
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

// Plugins returns the serving plugins, whether they are up or down, ordered by folder.
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
	h.stop() // also stops every plugin
	h.work.Wait()
	h.o.logs.close()
	return nil
}

// Timeouts and delays of the supervisor.
const (
	startTimeout  = 30 * time.Second // the first start runs migrations
	stopTimeout   = 6 * time.Second  // running calls get a few seconds to finish
	firstDelay    = 100 * time.Millisecond
	lastDelay     = 30 * time.Second
	healthyUptime = time.Minute // after this uptime, back-off starts again from firstDelay
)
