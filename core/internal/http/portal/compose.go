package portal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/http/assets"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/contract"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
)

// composition is the list of remotes for one set of modules, with the reasons why other remotes are left out.
type composition struct {
	remotes  []Remote
	problems []string
	build    string // hash of the front end with these versions
}

// compositionCache caches the compositions of one front end. Labels with the same modules share a composition.
type compositionCache struct {
	front *assets.Front
	sets  map[string]composition
}

// compose returns the remotes of a label in the versions of the running modules.
func (p *Portal) compose(l *label.Label, front *assets.Front, running *registry.Snapshot) composition {
	keys := slices.Sorted(maps.Keys(l.Modules))
	versions := map[string]string{}
	names := slices.Clone(keys)
	for i, key := range keys {
		if front.Versions[key] != nil {
			versions[key] = running.Modules[key].Version
			names[i] += "@" + versions[key]
		}
	}
	set := strings.Join(names, " ")
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.compositions.front != front {
		p.compositions = compositionCache{front, map[string]composition{}}
	}
	c, ok := p.compositions.sets[set]
	if !ok {
		c = compose(keys, versions, front)
		p.compositions.sets[set] = c
		for _, problem := range c.problems {
			p.Log.Error("a remote is left out", "label", l.Key, "problem", problem)
		}
	}
	return c
}

// Problems returns the remotes that are left out of each label, with the reasons.
func (p *Portal) Problems() []string {
	var out []string
	front := p.Assets.Front()
	for _, l := range p.Labels.All() {
		for _, problem := range p.compose(l, front, p.Registry.Snapshot().For(l, "")).problems {
			out = append(out, fmt.Sprintf("label %s: %s", l.Key, problem))
		}
	}
	return out
}

// manifest is the part of remote.json that the server uses.
type manifest struct {
	Contract int
	Routes   []struct{ Path, Access string }
	Menu     []struct{ ID, Access string }
	Overlays []overlay
	Groups   []struct{ ID string }
	Offers   map[string]struct{ Access string }
	Titles   map[string]map[string]string
}

// shellPages are the pages of the shell that require a session. A remote may not replace any of them with a public page.
var shellPages = []string{"/", "/dashboard", "/home", "/notfound"}

// overlay is a view above a page: its name, and the route of the page below it when the overlay is opened by a link.
type overlay struct{ Name, Parent string }

// compose returns the remotes of the modules, in the order of their keys. A remote is left out when it claims a path, a group, an overlay
// name or a message id that belongs to another remote or is already taken; the other remotes are kept. versions contains the remotes of
// plugins with several versions.
func compose(modules []string, versions map[string]string, front *assets.Front) composition {
	c := composition{remotes: []Remote{}, build: front.Build}
	if len(versions) > 0 && front.Build != "" { // open pages notice that their label or customer now has a different version
		h := sha256.New()
		for _, key := range slices.Sorted(maps.Keys(versions)) {
			fmt.Fprintln(h, key, versions[key])
		}
		c.build += "-" + hex.EncodeToString(h.Sum(nil)[:6])
	}
	taken := map[string]string{} // claim -> key of the remote
	for _, key := range modules {
		r, ok := front.Remote(key, versions[key])
		if !ok {
			continue // a module without a front end
		}
		if why := checkClaims(contract.Current, key, r.Manifest, taken); why != "" {
			c.problems = append(c.problems, fmt.Sprintf("remote %s is left out: %s", key, why))
			continue
		}
		c.remotes = append(c.remotes, Remote{key, r.Entry, r.Manifest})
	}
	return c
}

// Conflict returns why a remote cannot be served together with the others, or "" if it can be. Remotes that are refused themselves claim
// nothing.
func Conflict(key string, manifest json.RawMessage, others map[string]json.RawMessage) string {
	taken := map[string]string{}
	for _, other := range slices.Sorted(maps.Keys(others)) {
		if other != key {
			checkClaims(contract.Current, other, others[other], taken)
		}
	}
	return checkClaims(contract.Current, key, manifest, taken)
}

func checkClaims(v contract.Version, key string, raw json.RawMessage, taken map[string]string) (refused string) {
	var m manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return "its remote.json cannot be read: " + err.Error()
	}
	if !v.Runs(m.Contract) {
		return fmt.Sprintf("it was built for contract %d, this portal supports %s", m.Contract, v.Range())
	}
	for _, item := range m.Menu {
		if !slices.Contains([]string{"", "customer", "staff"}, item.Access) {
			return fmt.Sprintf("menu item %s is for %q, which is neither customer nor staff", item.ID, item.Access)
		}
	}
	var claims []string
	for _, r := range m.Routes {
		if !slices.Contains([]string{"", "public", "customer", "staff"}, r.Access) {
			return fmt.Sprintf("path %s is for %q, which is neither public nor customer nor staff", r.Path, r.Access)
		}
		if r.Access == "public" && slices.Contains(shellPages, strings.ToLower(pathShape(r.Path))) {
			return fmt.Sprintf("path %s is the portal's own and cannot be public", r.Path)
		}
		claims = append(claims, "path "+pathShape(r.Path))
	}
	for _, slot := range slices.Sorted(maps.Keys(m.Offers)) {
		if !strings.HasPrefix(slot, key+".") {
			return fmt.Sprintf("slot %s does not begin with %s.", slot, key)
		}
		if access := m.Offers[slot].Access; !slices.Contains([]string{"", "customer", "staff"}, access) {
			return fmt.Sprintf("slot %s is for %q, which is neither customer nor staff", slot, access)
		}
	}
	for _, g := range m.Groups {
		if !strings.HasPrefix(g.ID, key+".") {
			return fmt.Sprintf("group %s does not begin with %s.", g.ID, key)
		}
		claims = append(claims, "group "+g.ID)
	}
	for _, o := range m.Overlays {
		claims = append(claims, "overlay "+o.Name)
	}
	ids := map[string]bool{}
	for _, texts := range m.Titles {
		for id := range texts {
			ids[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if !strings.HasPrefix(id, key+".") {
			return fmt.Sprintf("message %s does not begin with %s.", id, key)
		}
		claims = append(claims, "message "+id)
	}
	own := map[string]bool{}
	for _, claim := range claims {
		if other, found := taken[claim]; found {
			return fmt.Sprintf("%s already belongs to remote %s", claim, other)
		}
		if own[claim] {
			return claim + " is declared twice"
		}
		own[claim] = true
	}
	for claim := range own {
		taken[claim] = key
	}
	return ""
}

// pathShape returns a path without its parameter names: /agreements/:id and /agreements/:agreement are the same claim.
func pathShape(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for i, part := range parts {
		if strings.HasPrefix(part, ":") {
			parts[i] = ":"
		}
	}
	return "/" + strings.Join(parts, "/")
}
