package label

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// compute decides which label is served for which key and host. A host that two labels claim goes to the label that already had it,
// otherwise to the first label by key; the other label is refused and keeps its last valid version (1-one-label-per-host). A label whose
// folder is broken or missing keeps the hosts of its last valid version, so that a typo never shows one brand on the host of another.
func compute(entries map[string]*entry, retired map[string]bool, folder []Problem) *snapshot {
	refused := map[string][]Problem{} // labels that keep their served version, because the new one claims something that another label has
	for {
		c := claims{snapshot: &snapshot{byKey: make(map[string]*Label, len(entries)), byHost: make(map[string]*Label, 2*len(entries))},
			pools: map[string]*Label{}}
		c.problems = append(c.problems, folder...)
		repeat := false
		for _, key := range claimOrder(entries, refused) {
			e := entries[key]
			if retired[key] {
				if e.fingerprint != (fingerprint{}) {
					c.problems = append(c.problems, Problem{Label: key, File: key + "/label.cue", Message: fmt.Sprintf(
						"is not served, because the brand was retired. To bring it back: wattle labels retire --undo %s; else remove its folder", key)})
				}
				continue
			}
			c.problems = append(c.problems, e.problems...)
			c.problems = append(c.problems, refused[key]...)
			want := e.fresh
			if want == nil || refused[key] != nil {
				want = e.served
			}
			if want == nil {
				continue
			}
			ps := c.claim(want)
			switch {
			case ps == nil && want == e.fresh:
			case ps == nil:
				c.stale++
			case want == e.fresh && e.served != nil && e.served != e.fresh:
				refused[key], repeat = ps, true // the next round reserves its hosts before others can claim them
			default:
				c.problems = append(c.problems, ps...)
			}
		}
		if repeat {
			continue
		}
		for key, l := range c.byKey {
			entries[key].served = l
			c.all = append(c.all, l)
		}
		slices.SortFunc(c.all, func(a, b *Label) int { return strings.Compare(a.Key, b.Key) })
		c.problems = sortProblems(c.problems)
		return c.snapshot
	}
}

// claimOrder returns the keys in the order in which labels claim their hosts: served and unchanged labels first, then last valid versions,
// then changes within the label's own hosts, then other changes, and new labels last.
func claimOrder(entries map[string]*entry, refused map[string][]Problem) []string {
	rank := func(key string) int {
		switch e := entries[key]; {
		case e.fresh != nil && e.fresh == e.served:
			return 0
		case e.fresh == nil || refused[key] != nil:
			return 1
		case e.served == nil:
			return 4
		case owns(e.served, e.fresh):
			return 2
		}
		return 3
	}
	keys := make([]string, 0, len(entries))
	for key := range entries {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
	return keys
}

// claims is a snapshot under construction.
type claims struct {
	*snapshot
	pools map[string]*Label // by user pool and client, a pair that only one label may have
}

// claim claims all keys, hosts and pools of a label, or nothing when another label has one of them.
func (c *claims) claim(l *Label) []Problem {
	if ps := c.conflicts(l); ps != nil {
		return ps
	}
	c.byKey[l.Key] = l
	for _, h := range l.Hosts {
		c.byHost[h.Name] = l
	}
	if p := l.Identity.pool(); p != "" {
		c.pools[p] = l
	}
	return nil
}

// conflicts returns a problem for everything that the label claims and another label has.
func (c *claims) conflicts(l *Label) (ps []Problem) {
	for i, h := range l.Hosts {
		if o := c.byHost[h.Name]; o != nil && o.Key != l.Key {
			ps = append(ps, l.problem(l.hostAt[i], "hosts: %s belongs to label %s already, so label %s cannot have it", h.Name, o.Key, l.Key))
		}
	}
	if o := c.pools[l.Identity.pool()]; o != nil && o.Key != l.Key {
		ps = append(ps, l.problem(place{}, "identity: labels %s and %s may not share a user pool and its client_id", o.Key, l.Key))
	}
	return ps
}

// owns reports whether every host of after is a host of before.
func owns(before, after *Label) bool {
	for _, h := range after.Hosts {
		if !slices.ContainsFunc(before.Hosts, func(o Host) bool { return o.Name == h.Name }) {
			return false
		}
	}
	return true
}

// pool returns the user pool with its client; "" for local identities, which are separate for each label.
func (i Identity) pool() string {
	if i.Provider == "local" {
		return ""
	}
	return cmp.Or(i.Issuer, i.Region+"/"+i.UserPoolID) + " " + i.ClientID
}
