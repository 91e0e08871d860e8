package label

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Store holds the labels of a folder and keeps them live. It is a Source. Readers never wait: they see the last snapshot.
type Store struct {
	dir       string
	fragments func() []Fragment
	now       atomic.Pointer[snapshot]

	mu       sync.Mutex // one scan at a time
	schema   *schema
	entries  map[string]*entry // by folder
	folder   []Problem         // of the labels folder itself
	port     int               // of the demo; zero: links are as the labels have them
	onChange []func()
}

var _ Source = (*Store)(nil)

// entry is what the store knows of one folder.
type entry struct {
	print    print // of the files that fresh was compiled from
	fresh    *Label
	served   *Label // fresh, or the last good one
	problems []Problem
}

type snapshot struct {
	all           []*Label
	byKey, byHost map[string]*Label
	problems      []Problem
}

// Open compiles every label of the folder. A broken label is a Problem, not an error; an error is a folder that cannot be read or
// a fragment that cannot be compiled. fragments is asked again by Reload.
func Open(dir string, fragments func() []Fragment) (*Store, error) {
	s := &Store{dir: dir, fragments: fragments, entries: map[string]*entry{}}
	s.now.Store(&snapshot{})
	schema, err := compose(fragments())
	if err != nil {
		return nil, err
	}
	s.schema = schema
	prints, err := look(dir, nil)
	if err != nil {
		return nil, fmt.Errorf("label: the labels folder: %s", reason(err))
	}
	s.take(prints)
	return s, nil
}

// Reload compiles every label again, because the modules changed. On an error the labels stay as they were.
func (s *Store) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	schema, err := compose(s.fragments())
	if err != nil {
		return err
	}
	prints, err := look(s.dir, nil)
	if err != nil {
		return fmt.Errorf("label: the labels folder: %s", reason(err))
	}
	s.schema = schema
	for _, e := range s.entries {
		e.print = print{}
	}
	s.take(prints)
	s.tell()
	return nil
}

// ServeAt makes the url of every label whose host is below localhost name the port at which the demo listens, so that links in
// mail work wherever it was started.
func (s *Store) ServeAt(port int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.port = port
	for _, e := range s.entries {
		fresh, served := e.fresh, e.served
		e.fresh = s.placed(fresh)
		if e.served = e.fresh; served != fresh {
			e.served = s.placed(served)
		}
	}
	s.now.Store(compute(s.entries, s.folder))
}

// placed is the label, with the demo's port in its url.
func (s *Store) placed(l *Label) *Label {
	if l == nil || s.port == 0 {
		return l
	}
	u, err := url.Parse(l.URL)
	if err != nil || !strings.HasSuffix(u.Hostname(), ".localhost") {
		return l
	}
	moved := *l // what was handed out does not change
	u.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(s.port))
	moved.URL = u.String()
	return &moved
}

// OnChange calls f after every change of the labels or of the problems, never two at a time. f must not call Reload.
func (s *Store) OnChange(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onChange = append(s.onChange, f)
}

func (s *Store) tell() {
	for _, f := range s.onChange {
		f()
	}
}

// Problems lists what is wrong with labels as they are on disk now, ordered by file and line.
func (s *Store) Problems() []Problem { return s.now.Load().problems }

// ByHost returns the label that owns the host, or nil. The host may have a port, capitals, a trailing dot or its Unicode form.
func (s *Store) ByHost(host string) *Label { return s.now.Load().byHost[NormalHost(host)] }

// ByKey returns the label with the key, or nil.
func (s *Store) ByKey(key string) *Label { return s.now.Load().byKey[key] }

// All lists the labels, ordered by key. The slice is shared: read it only.
func (s *Store) All() []*Label { return s.now.Load().all }

// take compiles the folders whose files are not those that were compiled before, and makes a new snapshot of all.
func (s *Store) take(prints map[string]print) {
	changed := s.differing(prints)
	for key := range s.entries {
		if _, there := prints[key]; !there {
			delete(s.entries, key)
		}
	}
	changed = slices.DeleteFunc(changed, func(key string) bool { return prints[key] == (print{}) })
	slices.Sort(changed)
	for i, c := range compileAll(s.schema, s.dir, changed) {
		e := s.entries[changed[i]]
		if e == nil {
			e = &entry{}
			s.entries[changed[i]] = e
		}
		e.print, e.fresh, e.problems = prints[changed[i]], s.placed(c.label), c.problems
	}
	s.now.Store(compute(s.entries, s.folder))
}

// outcome is what is left of a candidate without its context.
type outcome struct {
	label    *Label
	problems []Problem
}

// perContext bounds how many labels one cue.Context compiles: it only grows.
const perContext = 100

func compileAll(sc *schema, dir string, keys []string) []outcome {
	out := make([]outcome, len(keys))
	var next atomic.Int64
	var wg sync.WaitGroup
	batches := (len(keys) + perContext - 1) / perContext
	for range min(batches, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for b := int(next.Add(1) - 1); b < batches; b = int(next.Add(1) - 1) {
				c := sc.compiler()
				for i := b * perContext; i < min((b+1)*perContext, len(keys)); i++ {
					k := c.compile(dir, keys[i])
					out[i] = outcome{k.label, k.problems}
				}
			}
		})
	}
	wg.Wait()
	return out
}

// compute decides which label is served for which key and host. What two labels both want goes to the one that had it, else to
// the first by key; the other one is refused and keeps its last good (1-one-label-per-host).
func compute(entries map[string]*entry, folder []Problem) *snapshot {
	n := &snapshot{byKey: make(map[string]*Label, len(entries)), byHost: make(map[string]*Label, 2*len(entries))}
	n.problems = append(n.problems, folder...)
	order := make([]string, 0, len(entries))
	for key := range entries {
		order = append(order, key)
	}
	rank := func(e *entry) int { // who may claim first
		switch {
		case e.fresh == e.served:
			return 0
		case e.fresh != nil && e.served != nil && owns(e.served, e.fresh):
			return 1
		}
		return 2
	}
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(entries[a]), rank(entries[b])), cmp.Compare(a, b))
	})
	users := map[string]*Label{} // by user pool and client, which no two labels may share
	claim := func(l *Label) []Problem {
		var ps []Problem
		for i, h := range l.Hosts {
			if o := n.byHost[h.Name]; o != nil && o != l {
				ps = append(ps, l.problem(l.hostAt[i], "hosts: %s belongs to label %s already, so label %s cannot have it", h.Name, o.Key, l.Key))
			}
		}
		if o := users[l.Identity.pool()]; o != nil && o != l {
			ps = append(ps, l.problem(place{}, "identity: labels %s and %s may not share a user pool and its client_id", o.Key, l.Key))
		}
		if ps != nil {
			return ps
		}
		n.byKey[l.Key] = l
		for _, h := range l.Hosts {
			n.byHost[h.Name] = l
		}
		if p := l.Identity.pool(); p != "" {
			users[p] = l
		}
		return nil
	}
	for _, key := range order {
		e := entries[key]
		n.problems = append(n.problems, e.problems...)
		if e.fresh == nil {
			continue
		}
		if ps := claim(e.fresh); ps != nil {
			n.problems = append(n.problems, ps...)
			continue
		}
		e.served = e.fresh
	}
	for _, key := range order { // the last good ones of those that failed
		if e := entries[key]; e.served != nil && n.byKey[key] == nil && claim(e.served) != nil {
			e.served = nil
		}
	}
	for _, l := range n.byKey {
		n.all = append(n.all, l)
	}
	slices.SortFunc(n.all, func(a, b *Label) int { return strings.Compare(a.Key, b.Key) })
	n.problems = sortProblems(n.problems)
	return n
}

// owns reports whether before had every host of after.
func owns(before, after *Label) bool {
	for _, h := range after.Hosts {
		if !slices.ContainsFunc(before.Hosts, func(o Host) bool { return o.Name == h.Name }) {
			return false
		}
	}
	return true
}

// pool names the directory of users; "" for the local one, which every label has for itself.
func (i Identity) pool() string {
	if i.Provider == "local" {
		return ""
	}
	return cmp.Or(i.Issuer, i.Region+"/"+i.UserPoolID) + " " + i.ClientID
}

// place is a position in the label's own file.
type place struct{ line, column int }

func (l *Label) problem(at place, format string, args ...any) Problem {
	return Problem{l.Key, l.Key + "/label.cue", at.line, at.column, fmt.Sprintf(format, args...)}
}
