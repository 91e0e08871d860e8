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
	"time"
)

// Store contains the labels of a folder and reloads them when they change. It implements Source. Readers never wait, because they use the
// latest snapshot.
type Store struct {
	dir       string
	fragments func() []Fragment
	cache     *cache
	interval  time.Duration // Interval outside tests
	now       atomic.Pointer[snapshot]

	mu       sync.Mutex // held during a scan
	schema   *schema
	part     *cached           // cache for the schema; nil: none
	entries  map[string]*entry // by folder
	folder   []Problem         // problems of the labels folder itself
	retired  map[string]bool   // labels that are retired
	kept     kept              // revisions in the archive
	restored bool
	port     int // port of the demo; zero: URLs are unchanged
	onChange []func()
}

var _ Source = (*Store)(nil)

// entry is the state of one label.
type entry struct {
	fingerprint fingerprint // fingerprint of the files of fresh; zero: there is no label.cue
	schema      *schema     // schema that fresh was compiled with
	fresh       *Label      // the version on disk; nil when it is broken or missing
	served      *Label      // fresh, or the last valid version
	problems    []Problem
}

type snapshot struct {
	all           []*Label
	byKey, byHost map[string]*Label
	problems      []Problem
	stale         int
}

// Open compiles every label of the folder. A broken label, or a folder that cannot be read (see Unreadable), is a Problem and not an
// error. It returns an error for a fragment that does not compile. Reload calls fragments again.
func Open(dir string, fragments func() []Fragment, options ...Option) (*Store, error) {
	s := &Store{dir: dir, fragments: fragments, interval: Interval, entries: map[string]*entry{}, kept: kept{}}
	for _, set := range options {
		set(s)
	}
	s.now.Store(&snapshot{})
	schema, err := compose(fragments())
	if err != nil {
		return nil, err
	}
	s.use(schema)
	prints, err := s.fingerprints(nil)
	s.folder = folderProblem(err)
	s.take(prints)
	if s.part != nil && err == nil {
		s.part.forget(prints)
	}
	return s, nil
}

func (s *Store) use(sc *schema) { s.schema, s.part = sc, s.cache.of(sc) }

// Unreadable returns why the labels folder cannot be read; nil when it can.
func (s *Store) Unreadable() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.folder) == 0 {
		return nil
	}
	return fmt.Errorf("label: %s", s.folder[0].Message)
}

// Reload compiles every label with the current fragments. If it returns an error, the labels are unchanged.
func (s *Store) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	schema, err := compose(s.fragments())
	if err != nil {
		return err
	}
	s.use(schema)
	prints, err := s.fingerprints(nil)
	if s.folder = folderProblem(err); err == nil {
		s.take(prints)
	}
	s.renew()
	s.publish()
	s.tell()
	return nil
}

// renew compiles labels that were compiled with another schema: labels served in their last valid version, and all labels if the folder
// cannot be read.
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
	recompiled := s.recompile(old)
	for i, was := range old {
		e, l := s.entries[was.Key], recompiled[i]
		if l == nil {
			continue // not valid any more: keep serving the old version
		}
		if e.served == was {
			e.served = l
		}
		if e.fresh == was {
			e.fresh, e.schema = l, s.schema
		}
	}
}

// recompile compiles labels again from the same files; an element of the result is nil for a label that is no longer valid.
func (s *Store) recompile(old []*Label) []*Label {
	kept := make([]Version, len(old))
	for i, l := range old {
		kept[i] = Version{Label: l.Key, Files: l.Files()}
	}
	return s.compileKept(kept)
}

// compileKept compiles stored versions of labels, without modules that are unknown now. An element of the result is nil for a version that
// is not valid according to the current schema.
func (s *Store) compileKept(kept []Version) []*Label {
	out := make([]*Label, len(kept))
	for i, c := range compileAll(s.schema.lenient, len(kept), func(c *compiler, i int) *candidate {
		return c.compileFrom(filepath.Join(s.dir, kept[i].Label), kept[i].Label, kept[i].Files)
	}) {
		out[i] = s.withPort(c.label)
	}
	return out
}

// ServeAt adds the port of the demo to the URL of every label whose host is below localhost, so that links in emails work.
func (s *Store) ServeAt(port int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.port = port
	for _, e := range s.entries {
		fresh, served := e.fresh, e.served
		e.fresh = s.withPort(fresh)
		if e.served = e.fresh; served != fresh {
			e.served = s.withPort(served)
		}
	}
	s.publish()
}

// withPort returns the label with the demo's port in its URL.
func (s *Store) withPort(l *Label) *Label {
	if l == nil || s.port == 0 {
		return l
	}
	u, err := url.Parse(l.URL)
	if err != nil || !strings.HasSuffix(u.Hostname(), ".localhost") {
		return l
	}
	moved := *l // copy, because a served label must not change
	u.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(s.port))
	moved.URL = u.String()
	return &moved
}

// OnChange calls f after every change of the labels or of the problems, one call at a time. f must not call Reload.
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

// Problems returns the problems of the labels as they are on disk, ordered by file and line.
func (s *Store) Problems() []Problem { return s.now.Load().problems }

// ByHost returns the label of a host in any form (see NormalHost), or nil.
func (s *Store) ByHost(host string) *Label { return s.now.Load().byHost[NormalHost(host)] }

// ByKey returns the label with the key, or nil.
func (s *Store) ByKey(key string) *Label { return s.now.Load().byKey[key] }

// All returns the labels, ordered by key. The slice is shared and must not be changed.
func (s *Store) All() []*Label { return s.now.Load().all }

// Stale returns the number of labels that are served in an earlier version, because the one on disk is broken, missing or refused.
func (s *Store) Stale() int { return s.now.Load().stale }

// take compiles the folders whose files have changed, and publishes a new snapshot. A label whose folder or label.cue is missing keeps
// its last valid version (9-label-deleted); a label without one is removed.
func (s *Store) take(prints map[string]fingerprint) {
	changed := s.changedFolders(prints)
	for key, e := range s.entries {
		if prints[key] != (fingerprint{}) {
			continue
		}
		if e.served == nil {
			delete(s.entries, key)
			continue
		}
		e.fingerprint, e.fresh, e.problems = fingerprint{}, nil, []Problem{s.missingProblem(key)}
	}
	changed = slices.DeleteFunc(changed, func(key string) bool { return prints[key] == (fingerprint{}) })
	slices.Sort(changed)
	for i, c := range s.compileFolders(changed) {
		e := s.entries[changed[i]]
		if e == nil {
			e = &entry{}
			s.entries[changed[i]] = e
		}
		e.fingerprint, e.schema, e.fresh, e.problems = prints[changed[i]], s.schema, s.withPort(c.label), c.problems
		if c.label == nil && e.served != nil && fingerprintOf(filepath.Join(s.dir, changed[i]), nil) == (fingerprint{}) {
			e.fingerprint, e.problems = fingerprint{}, []Problem{s.missingProblem(changed[i])} // it has disappeared in the meantime
		}
	}
	s.publish()
}

// missingProblem returns the problem of a label whose folder or label.cue is missing.
func (s *Store) missingProblem(key string) Problem {
	why := "is empty"
	if _, err := os.Stat(filepath.Join(s.dir, key, "label.cue")); err != nil {
		why = reason(err)
	}
	return Problem{Label: key, File: key + "/label.cue", Message: fmt.Sprintf(
		"%s; the last good version stays live. To take the label offline: wattle labels retire %s", why, key)}
}

func (s *Store) publish() { s.now.Store(compute(s.entries, s.retired, s.folder)) }

// outcome is the result of a candidate, without its CUE context.
type outcome struct {
	label    *Label
	problems []Problem
}

// perContext is the number of labels that one cue.Context compiles: more would use too much memory, which a context never releases.
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
