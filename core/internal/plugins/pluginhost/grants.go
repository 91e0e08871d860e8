package pluginhost

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/plugins/sandbox"
)

// grantsFile is in the folder of the plugins, next to their folders: an installation or upgrade does not touch it.
const grantsFile = sandbox.GrantsFile

// everyPlugin is the key in grants.json for the plugins that it does not name.
const everyPlugin = "*"

// Grant has the grants of the operator for one plugin. A missing list grants everything that the plugin asks for in its plugin.json; limits
// that are absent have their default.
type Grant struct {
	Modules []string `json:"modules,omitzero"`
	Core    []string `json:"core,omitzero"`
	Hosts   []string `json:"hosts,omitzero"`

	Timeout   string `json:"timeout,omitempty"`          // of a call: "10s"
	Calls     int    `json:"calls,omitempty"`            // that run at once
	Rate      int    `json:"calls_per_second,omitempty"` // that it makes
	MemoryMiB int64  `json:"memory_mib,omitempty"`
	Cores     int    `json:"cores,omitempty"` // on which it computes at once

	User    string `json:"user,omitempty"`    // that its process runs as, a name or UID:GID; empty: that of the portal
	Network *bool  `json:"network,omitempty"` // false: its process has none of its own
}

// errGrants is the reason to refuse all plugins while grants.json cannot be read at the start.
var errGrants = errors.New(grantsFile + " is not valid")

// grants has the last valid content of grants.json.
type grants struct {
	mu    sync.Mutex
	stamp string
	of    map[string]Grant
	err   error
}

// read reads grants.json again when it has changed. With an error the previous content stays in effect.
func (g *grants) read(dir string) (changed bool) {
	stamp := "none"
	file := filepath.Join(dir, grantsFile)
	if info, err := os.Stat(file); err == nil {
		stamp = fmt.Sprint(info.ModTime().UnixNano(), info.Size(), info.Mode())
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if stamp == g.stamp {
		return false
	}
	g.stamp = stamp
	of, err := readGrants(file)
	if g.err = err; err == nil {
		g.of = of
	}
	return true
}

func readGrants(file string) (map[string]Grant, error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = private(file)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errGrants, err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var of map[string]Grant
	if err := d.Decode(&of); err != nil {
		return nil, fmt.Errorf("%w: %s", errGrants, strings.TrimPrefix(err.Error(), "json: "))
	}
	for key, g := range of {
		timeout, err := time.ParseDuration(g.Timeout)
		switch {
		case key != everyPlugin && !IsKey(key):
			return nil, fmt.Errorf("%w: %q is not the key of a plugin", errGrants, key)
		case g.Timeout != "" && (err != nil || timeout <= 0):
			return nil, fmt.Errorf("%w: timeout of %s is a duration such as 10s", errGrants, key)
		case g.Calls < 0 || g.Rate < 0 || g.Cores < 0 || g.MemoryMiB < 0 || g.MemoryMiB > 0 && g.MemoryMiB < minMemory:
			return nil, fmt.Errorf("%w: calls, calls_per_second and cores of %s are positive numbers, and memory_mib at least %d", errGrants, key,
				minMemory)
		}
	}
	return of, nil
}

// minMemory is the least memory of a plugin in MiB: an idle one has 30.
const minMemory = 64

// grant returns the grant of a plugin.
func (g *grants) grant(key string) (Grant, error) {
	if g == nil { // a command that only describes plugins
		return Grant{}, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if of, ok := g.of[key]; ok {
		return of, g.err
	}
	return g.of[everyPlugin], g.err
}

// invalid returns why grants.json is not valid; nil when it is.
func (g *grants) invalid() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// limits returns the limits of a plugin: those that the operator sets, else l.
func (g Grant) limits(l Limits) Limits {
	if d, err := time.ParseDuration(g.Timeout); err == nil && d > 0 {
		l.Timeout = d
	}
	if g.Calls > 0 {
		l.Calls = g.Calls
	}
	if g.Rate > 0 {
		l.Rate = g.Rate
	}
	if g.MemoryMiB > 0 {
		l.Memory = g.MemoryMiB << 20
	}
	if g.Cores > 0 {
		l.Cores = g.Cores
	}
	return l
}

// anything stands for all modules, services or hosts.
const anything = "*"

// granted returns the granted requests of a plugin. "*" is anything, for a plugin that lists no requests.
func (g Grant) granted(asks Asks) Asks {
	return Asks{Modules: both(asks.Modules, g.Modules), Core: both(orAnything(asks.Core), g.Core),
		Hosts: both(orAnything(asks.Hosts), g.Hosts)}
}

func orAnything(asks []string) []string {
	if asks == nil {
		return []string{anything}
	}
	return asks
}

// both returns the names that are requested and granted; granted is nil for all requests.
func both(asked, granted []string) []string {
	switch {
	case granted == nil || slices.Contains(granted, anything):
		return asked
	case slices.Contains(asked, anything):
		return granted
	}
	out := []string{}
	for _, a := range asked {
		if has(granted, a) {
			out = append(out, a)
		}
	}
	for _, g := range granted { // one host of a pattern that it asks for
		if has(asked, g) && !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// has reports whether a list has a name, or a pattern such as "*.example.nl" for it.
func has(list []string, name string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		below, pattern := strings.CutPrefix(p, anything)
		return p == anything || strings.EqualFold(p, name) ||
			pattern && strings.HasPrefix(below, ".") && len(name) > len(below) && strings.HasSuffix(strings.ToLower(name), strings.ToLower(below))
	})
}

// granted returns the current grants of this plugin: grants.json may have changed since it started.
func (p *Plugin) granted() Asks {
	g, _ := p.o.grants.grant(p.Spec.Key) // an error leaves the previous grants
	return g.granted(p.Spec.Asks)
}

// mayCall reports whether the plugin may call a sibling, or a path of core, and logs one sentence when not. Whether the sibling lets it
// is decided there.
func (p *Plugin) mayCall(target, path string) bool {
	switch target {
	case p.Spec.Key:
		return true
	case registry.Core:
		service, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		if has(p.granted().Core, service) {
			return true
		}
		p.report("it calls a service of core that it does not ask for or was not granted, and is refused", "service", service)
		return false
	}
	if has(p.granted().Modules, target) {
		return true
	}
	p.report("it calls a module that it does not ask for or was not granted, and is refused", "module", target)
	return false
}

// mayVisit reports whether the plugin may call a host of the outside world, and logs one sentence when not.
func (p *Plugin) mayVisit(host string) bool {
	if has(p.granted().Hosts, host) {
		return true
	}
	p.report("it calls a host that it does not ask for or was not granted, and is refused", "host", host)
	return false
}
