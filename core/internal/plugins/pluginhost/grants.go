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

// grantsFile is in the plugins folder, next to the folders of the plugins, so that an installation or upgrade does not change it.
const grantsFile = sandbox.GrantsFile

// everyPlugin is the key in grants.json for all plugins that the file does not name.
const everyPlugin = "*"

// Grant contains what the operator grants one plugin. A missing list grants everything that the plugin requests in its plugin.json. A
// missing limit has its default value.
type Grant struct {
	Modules []string `json:"modules,omitzero"`
	Core    []string `json:"core,omitzero"`
	Hosts   []string `json:"hosts,omitzero"`

	Timeout   string `json:"timeout,omitempty"`          // timeout of a call: "10s"
	Calls     int    `json:"calls,omitempty"`            // maximum number of simultaneous calls
	Rate      int    `json:"calls_per_second,omitempty"` // that it makes
	MemoryMiB int64  `json:"memory_mib,omitempty"`
	Cores     int    `json:"cores,omitempty"` // on which it computes at once

	User    string `json:"user,omitempty"`    // user of the process, as a name or UID:GID; empty: the portal's user
	Network *bool  `json:"network,omitempty"` // false: its process has none of its own
}

// errGrants is the reason for refusing all plugins if grants.json cannot be read at startup.
var errGrants = errors.New(grantsFile + " is not valid")

// grants contains the last valid content of grants.json.
type grants struct {
	mu    sync.Mutex
	stamp string
	of    map[string]Grant
	err   error
}

// read reads grants.json again if it has changed. If it is invalid, the previous content stays in effect.
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

// minMemory is the minimum memory limit of a plugin in MiB. An idle plugin uses 30.
const minMemory = 64

// grant returns what a plugin is granted.
func (g *grants) grant(key string) (Grant, error) {
	if g == nil { // in a command that only describes plugins
		return Grant{}, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if of, ok := g.of[key]; ok {
		return of, g.err
	}
	return g.of[everyPlugin], g.err
}

// invalid returns the reason why grants.json is invalid, or nil if it is valid.
func (g *grants) invalid() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// limits returns the limits of a plugin: those that the operator has set, and otherwise those of l.
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

// granted returns the requests of a plugin that are granted. A plugin that lists no requests requests "*", which stands for everything.
func (g Grant) granted(requested Permissions) Permissions {
	return Permissions{Modules: both(requested.Modules, g.Modules), Core: both(orAnything(requested.Core), g.Core),
		Hosts: both(orAnything(requested.Hosts), g.Hosts)}
}

func orAnything(requested []string) []string {
	if requested == nil {
		return []string{anything}
	}
	return requested
}

// both returns the names that are both requested and granted. If granted is nil, all requests are granted.
func both(requested, granted []string) []string {
	switch {
	case granted == nil || slices.Contains(granted, anything):
		return requested
	case slices.Contains(requested, anything):
		return granted
	}
	out := []string{}
	for _, a := range requested {
		if has(granted, a) {
			out = append(out, a)
		}
	}
	for _, g := range granted { // a single host that matches a requested pattern
		if has(requested, g) && !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// has reports whether a list contains a name, or a pattern such as "*.example.nl" that matches it.
func has(list []string, name string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		below, pattern := strings.CutPrefix(p, anything)
		return p == anything || strings.EqualFold(p, name) ||
			pattern && strings.HasPrefix(below, ".") && len(name) > len(below) && strings.HasSuffix(strings.ToLower(name), strings.ToLower(below))
	})
}

// granted returns the current grants of this plugin, because grants.json may have changed since it started.
func (p *Plugin) granted() Permissions {
	g, _ := p.o.grants.grant(p.Spec.Key) // after an error, the previous grants apply
	return g.granted(p.Spec.Permissions)
}

// mayCall reports whether the plugin may call a sibling or a path of core. If not, it logs one sentence. The sibling itself then decides
// whether to accept the call.
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

// mayVisit reports whether the plugin may call an external host. If not, it logs one sentence.
func (p *Plugin) mayVisit(host string) bool {
	if has(p.granted().Hosts, host) {
		return true
	}
	p.report("it calls a host that it does not ask for or was not granted, and is refused", "host", host)
	return false
}
