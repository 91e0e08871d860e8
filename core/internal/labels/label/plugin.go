package label

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Plugin selects among versions of a plugin that run side by side.
type Plugin struct {
	Version string  `json:"version"` // version for the label, except for canary customers
	Canary  *Canary `json:"canary,omitempty"`
}

// Canary gives a share of the customers another version of a plugin.
type Canary struct {
	Version string `json:"version"`
	Percent int    `json:"percent"` // of the customers, 0 to 100
}

// has reports whether a customer is in the canary. The result depends only on label, module and customer, so it is the same in every
// process and session, and a customer in the canary stays in it when the share grows. Which customers come first differs between modules.
func (c *Canary) has(label, module, customer string) bool {
	const parts = 10_000
	if customer == "" {
		return false
	}
	sum := sha256.Sum256([]byte(label + "\x00" + module + "\x00" + customer))
	return int(binary.BigEndian.Uint64(sum[:8])%parts) < c.Percent*parts/100
}

// Versions returns the versions of a plugin for a customer of this label, in order of preference: the first one that runs is used. The
// customer is empty for anonymous callers, staff, events, schedules and imports. The result is nil when the label chooses no version.
func (l *Label) Versions(module, customer string) []string {
	p, chosen := l.Plugins[module]
	switch {
	case !chosen:
		return nil
	case p.Canary != nil && p.Canary.has(l.Key, module, customer):
		return []string{p.Canary.Version, p.Version}
	}
	return []string{p.Version}
}

// HasCanary reports whether some customers of the label get other plugin versions than the rest.
func (l *Label) HasCanary() bool {
	for _, p := range l.Plugins {
		if p.Canary != nil && p.Canary.Percent > 0 {
			return true
		}
	}
	return false
}

// checkPlugins removes entries without a version or canary, and returns a problem for entries that choose a version for only some
// customers. It warns about chosen versions that are missing: the label is served with other versions.
func (c *candidate) checkPlugins(l *Label) (ps []Problem) {
	maps.DeleteFunc(l.Plugins, func(_ string, p Plugin) bool { return p == Plugin{} })
	for _, m := range slices.Sorted(maps.Keys(l.Plugins)) {
		if l.Plugins[m].Version == "" {
			ps = append(ps, c.at([]string{"plugins", m, "canary"}, "plugins.%s.version: is missing; it serves everybody outside the canary", m))
			continue
		}
		warn := func(field, format string, args ...any) {
			path := append([]string{"plugins", m}, strings.Split(field, ".")...)
			p := c.at(path, "%s: %s", strings.TrimSuffix(strings.Join(path, "."), "."), fmt.Sprintf(format, args...))
			p.State = StateOtherVersion
			c.warnings = append(c.warnings, p)
		}
		if slices.Contains(l.Missing, m) {
			continue // the missing module already has a problem
		}
		if _, on := l.Modules[m]; !on {
			warn("version", "this label does not switch on the module %s", m)
			continue
		}
		versions := c.schema.versions[m]
		if len(versions) == 0 {
			warn("version", "the module %s is a part of the portal and has one version", m)
			continue
		}
		p := l.Plugins[m]
		serves := p.Version
		if !slices.Contains(versions, p.Version) {
			serves = versions[0]
			warn("version", "version %s of this plugin is not installed or does not run; version %s serves", p.Version, serves)
		}
		if p.Canary != nil && !slices.Contains(versions, p.Canary.Version) {
			warn("canary.version", "version %s of this plugin is not installed or does not run; its customers get version %s", p.Canary.Version,
				serves)
		}
	}
	return ps
}
