package registry

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/semver"

	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/module"
)

// CompareVersions compares two module versions, such as 1.2.0, according to semantic versioning. An invalid version is lower than all
// others.
func CompareVersions(a, b string) int { return semver.Compare("v"+a, "v"+b) }

// views are the snapshots for labels that choose other versions than the highest, by choice.
type views struct {
	mu sync.RWMutex
	of map[string]*Snapshot
}

// For returns the modules in the versions that a label has for a customer. An empty customer stands for everybody who is not in a canary.
// Without a choice, or if the chosen version is not running, it uses the highest version. A nil label has no choice.
func (s *Snapshot) For(l *label.Label, customer string) *Snapshot {
	if l == nil || len(l.Plugins) == 0 || s.views == nil {
		return s
	}
	var chosen []string
	for key := range l.Plugins {
		if m, ok := s.choose(key, l.Versions(key, customer)); ok && m.Version != s.Modules[key].Version {
			chosen = append(chosen, key+"@"+m.Version)
		}
	}
	if len(chosen) == 0 {
		return s
	}
	slices.Sort(chosen)
	return s.view(strings.Join(chosen, " "))
}

// With returns the modules with one of them in the given version, or in the highest version if the given one is not running.
func (s *Snapshot) With(key, version string) *Snapshot {
	if m, ok := s.choose(key, []string{version}); !ok || m.Version == s.Modules[key].Version {
		return s
	}
	return s.view(key + "@" + version)
}

// choose returns the first version that is running.
func (s *Snapshot) choose(key string, versions []string) (module.Running, bool) {
	for _, want := range versions {
		for _, m := range s.versions[key] {
			if m.Version == want {
				return m, true
			}
		}
	}
	return module.Running{}, false
}

// view returns the snapshot with the chosen versions, "<key>@<version>", separated by spaces.
func (s *Snapshot) view(chosen string) *Snapshot {
	s.views.mu.RLock()
	v := s.views.of[chosen]
	s.views.mu.RUnlock()
	if v != nil {
		return v
	}
	s.views.mu.Lock()
	defer s.views.mu.Unlock()
	if v := s.views.of[chosen]; v != nil {
		return v
	}
	all := maps.Clone(s.Modules)
	for _, c := range strings.Fields(chosen) {
		key, version, _ := strings.Cut(c, "@")
		if m, ok := s.choose(key, []string{version}); ok {
			all[key] = m
		}
	}
	v, err := derive(all)
	if err != nil { // checkVersions has found no conflict in any combination
		return s
	}
	v.versions, v.openAPI = s.versions, s.openAPI
	s.views.of[chosen] = v
	return v
}

// IsServed reports whether this version of a module handles the events, schedules and imports of a label.
func (s *Snapshot) IsServed(l *label.Label, m module.Manifest) bool {
	if _, on := l.Modules[m.Key]; !on && m.Key != Core {
		return false
	}
	return s.For(l, "").Modules[m.Key].Version == m.Version
}

// Manifests returns the manifests of all modules in all versions, ordered by key.
func (s *Snapshot) Manifests() (out []module.Manifest) {
	for _, key := range slices.Sorted(maps.Keys(s.versions)) {
		for _, m := range s.versions[key] {
			out = append(out, m.Manifest)
		}
	}
	return out
}

// Versions returns the running versions of a module, highest first.
func (s *Snapshot) Versions(key string) (out []string) {
	for _, m := range s.versions[key] {
		out = append(out, m.Version)
	}
	return out
}

// Handlers returns the modules that handle an event type in a label, ordered by key, each in one version: that of the label. An event that
// only the canary version handles goes to the canary, so that events that a new version sends to itself are not lost.
func (s *Snapshot) Handlers(l *label.Label, eventType string) (out []outbox.Subscriber) {
	main := s.For(l, "")
	for _, key := range slices.Sorted(maps.Keys(main.Modules)) {
		m := main.Modules[key]
		if !slices.Contains(m.Manifest.Handles, eventType) && l != nil {
			if p := l.Plugins[key]; p.Canary != nil {
				m, _ = s.choose(key, []string{p.Canary.Version})
			}
		}
		if slices.Contains(m.Manifest.Handles, eventType) {
			out = append(out, outbox.Subscriber{Module: key, Handle: m.Handle})
		}
	}
	return out
}

// checkVersions returns an error if two modules claim the same operation in any combination of their versions.
func checkVersions(all map[string][]module.Running) error {
	several := false
	for _, versions := range all {
		several = several || len(versions) > 1
	}
	if !several { // derive has already checked this case
		return nil
	}
	claims := &node{}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		for _, m := range all[key] {
			ops, err := operationsOf(key, m.OpenAPI())
			if err != nil {
				return err
			}
			for _, op := range ops {
				other := claims.add(op)
				if other != nil && other.Module != op.Module && op.Formerly != other.Module && other.Formerly != op.Module {
					return claimed(other, op)
				}
			}
		}
	}
	return nil
}
