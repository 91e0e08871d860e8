package label

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
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
	retired  map[string]bool   // taken off the air on purpose
	kept     kept              // what the archive has
	restored bool
	port     int // of the demo; zero: links are as the labels have them
	onChange []func()
}

var _ Source = (*Store)(nil)

// entry is what the store knows of one label.
type entry struct {
	print    print   // of the files that fresh was compiled from; zero: its label.cue is not there
	schema   *schema // with which
	fresh    *Label  // what is on disk; nil when that is broken or gone
	served   *Label  // fresh, or the last good one
	problems []Problem
}

type snapshot struct {
	all           []*Label
	byKey, byHost map[string]*Label
	problems      []Problem
	stale         int
}

// Open compiles every label of the folder. What is broken is a Problem, not an error, also when it is the folder itself: Unreadable
// tells. An error is a fragment that cannot be compiled. fragments is asked again by Reload.
func Open(dir string, fragments func() []Fragment) (*Store, error) {
	s := &Store{dir: dir, fragments: fragments, entries: map[string]*entry{}, kept: kept{}}
	s.now.Store(&snapshot{})
	schema, err := compose(fragments())
	if err != nil {
		return nil, err
	}
	s.schema = schema
	prints, err := s.look(nil)
	s.folder = troubleOf(err)
	s.take(prints)
	return s, nil
}

// Unreadable returns why the labels folder cannot be read; nil when it can.
func (s *Store) Unreadable() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.folder) == 0 {
		return nil
	}
	return fmt.Errorf("label: %s", s.folder[0].Message)
}

// Reload compiles every label again, because the modules changed. On an error the labels stay as they were.
func (s *Store) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	schema, err := compose(s.fragments())
	if err != nil {
		return err
	}
	s.schema = schema
	prints, err := s.look(nil)
	if s.folder = troubleOf(err); err == nil {
		s.take(prints)
	}
	s.renew()
	s.publish()
	s.tell()
	return nil
}

// renew compiles what was not compiled with the schema of now: last good versions, and all of a folder that cannot be read.
func (s *Store) renew() {
	var old []*Label
	for _, e := range s.entries {
		if e.fresh != nil && e.schema != s.schema {
			old = append(old, e.fresh)
		}
		if e.served != nil && e.served != e.fresh {
			old = append(old, e.served)
		}
	}
	again := s.recompile(old)
	for i, was := range old {
		e, l := s.entries[was.Key], again[i]
		if l == nil {
			continue // it is not right any more: as it was is better than not at all
		}
		if e.served == was {
			e.served = l
		}
		if e.fresh == was {
			e.fresh, e.schema = l, s.schema
		}
	}
}

// recompile compiles labels from the files that they were compiled from before; nil for one that is not right any more.
func (s *Store) recompile(old []*Label) []*Label {
	kept := make([]Version, len(old))
	for i, l := range old {
		kept[i] = Version{Label: l.Key, Files: l.Files()}
	}
	return s.compileKept(kept)
}

// compileKept compiles versions of labels. Modules that are not known any more are left out; nil stands for a version that is not
// right by the schema of now.
func (s *Store) compileKept(kept []Version) []*Label {
	out := make([]*Label, len(kept))
	for i, c := range compileAll(s.schema.lenient, len(kept), func(c *compiler, i int) *candidate {
		return c.compileFrom(filepath.Join(s.dir, kept[i].Label), kept[i].Label, kept[i].Files)
	}) {
		out[i] = s.placed(c.label)
	}
	return out
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
	s.publish()
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

// Stale counts the labels that are served in an earlier version, because what is on disk is broken, gone or refused.
func (s *Store) Stale() int { return s.now.Load().stale }

// take compiles the folders whose files are not those that were compiled before, and makes a new snapshot of all. A label whose
// folder or label.cue is gone keeps its last good version (9-label-deleted); one that never had any is forgotten.
func (s *Store) take(prints map[string]print) {
	changed := s.differing(prints)
	for key, e := range s.entries {
		if prints[key] != (print{}) {
			continue
		}
		if e.served == nil {
			delete(s.entries, key)
			continue
		}
		e.print, e.fresh, e.problems = print{}, nil, []Problem{s.gone(key)}
	}
	changed = slices.DeleteFunc(changed, func(key string) bool { return prints[key] == (print{}) })
	slices.Sort(changed)
	for i, c := range compileAll(s.schema, len(changed), func(c *compiler, i int) *candidate { return c.compile(s.dir, changed[i]) }) {
		e := s.entries[changed[i]]
		if e == nil {
			e = &entry{}
			s.entries[changed[i]] = e
		}
		e.print, e.schema, e.fresh, e.problems = prints[changed[i]], s.schema, s.placed(c.label), c.problems
	}
	s.publish()
}

// gone is the problem of a label whose folder or label.cue is not there any more.
func (s *Store) gone(key string) Problem {
	why := "is empty"
	if _, err := os.Stat(filepath.Join(s.dir, key, "label.cue")); err != nil {
		why = reason(err)
	}
	return Problem{Label: key, File: key + "/label.cue", Message: fmt.Sprintf(
		"%s; the last good version stays live. To take the brand off the air on purpose: wattle labels retire %s", why, key)}
}

func (s *Store) publish() { s.now.Store(compute(s.entries, s.retired, s.folder)) }

// outcome is what is left of a candidate without its context.
type outcome struct {
	label    *Label
	problems []Problem
}

// perContext bounds how many labels one cue.Context compiles: it only grows.
const perContext = 100

func compileAll(sc *schema, n int, compile func(c *compiler, i int) *candidate) []outcome {
	out := make([]outcome, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	batches := (n + perContext - 1) / perContext
	for range min(batches, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for b := int(next.Add(1) - 1); b < batches; b = int(next.Add(1) - 1) {
				c := sc.compiler()
				for i := b * perContext; i < min((b+1)*perContext, n); i++ {
					k := compile(c, i)
					out[i] = outcome{k.label, k.problems}
				}
			}
		})
	}
	wg.Wait()
	return out
}

// place is a position in the label's own file.
type place struct{ line, column int }

func (l *Label) problem(at place, format string, args ...any) Problem {
	return Problem{Label: l.Key, File: l.Key + "/label.cue", Line: at.line, Column: at.column, Message: fmt.Sprintf(format, args...)}
}
