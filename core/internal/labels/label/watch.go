package label

import (
	"context"
	"errors"
	"hash/maphash"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/labels/listen"
)

// Interval is the shortest time between two scans of all label.cue files; assets, messages and pages are checked every fourth time. The
// interval is longer when scans would take more than a fixed share of one CPU core: see pause.
const Interval = 100 * time.Millisecond

// settleTime is how long files must stay unchanged before they are read: an editor writes a file in steps, or replaces it.
const settleTime = 25 * time.Millisecond

// listenAgain is the delay after which Watch tries to listen again after a failure.
const listenAgain = 5 * time.Minute

// Watch reloads changed labels until ctx ends. It listens to file system events if the file system reports each change. It also scans the
// names, sizes and times of all files: rarely while it listens, in case a change was not reported, and often otherwise
// (docs/decisions/0058).
func (s *Store) Watch(ctx context.Context, log *slog.Logger) {
	w := watch{Store: s, ctx: ctx, log: log}
	defer func() { w.stop() }()
	w.listen()
	t := time.NewTimer(0) // scans at once, because files may have changed before w listened
	defer t.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case keys := <-w.changed:
			s.scanFolders(ctx, keys)
			continue
		case err := <-w.ended:
			w.poll(err)
		case <-t.C:
			if w.follow() {
				n = 0
			}
		}
		thorough := n%4 == 0
		t.Reset(max(s.interval, pause(s.scan(ctx, thorough), thorough, w.changed != nil)))
	}
}

// pause returns the time between two scans of all folders, after a scan that took cost. While Watch listens, scans take 1% of the time.
// Otherwise scans of label.cue files take 10%; every fourth scan is thorough and takes about four times as long.
func pause(cost time.Duration, thorough, listens bool) time.Duration {
	switch {
	case listens:
		return 100 * cost
	case thorough:
		return 10 * cost / 4
	}
	return 10 * cost
}

// watch is the state of Watch.
type watch struct {
	*Store
	ctx     context.Context
	log     *slog.Logger
	changed chan map[string]bool // nil when not listening
	ended   chan error           // why listening ended
	stop    context.CancelFunc
	folder  os.FileInfo // the labels folder at the last attempt to listen; nil: there was none
	tried   time.Time
	said    string // the last logged reason
}

// listen starts to listen for changes, or to poll if that is not possible.
func (w *watch) listen() {
	if w.stop != nil {
		w.stop()
	}
	w.folder, _ = os.Stat(w.dir) // nil on an error
	w.tried = time.Now()
	w.stop = func() {}
	l, err := listen.Watch(w.dir)
	if err != nil {
		w.poll(err)
		return
	}
	life, cancel := context.WithCancel(w.ctx)
	ended, done := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(done)
		ended <- l.Run(life)
	}()
	w.changed, w.ended, w.stop = l.Changed, ended, func() { cancel(); <-done }
}

// poll switches to frequent scans and logs the reason.
func (w *watch) poll(err error) {
	w.changed, w.ended = nil, nil
	// a missing or moved folder is already reported as a problem
	if err != nil && err.Error() != w.said && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, listen.ErrMoved) {
		w.said = err.Error()
		w.log.Warn("changes of labels are not reported to the portal: it looks at their folders all the time, which takes a part of a core",
			"reason", err)
	}
}

// follow listens again when the labels folder was replaced, for example by a mount, or when listening has been impossible for some time. It
// reports whether it started listening again.
func (w *watch) follow() bool {
	now, _ := os.Stat(w.dir) // nil on an error
	if os.SameFile(now, w.folder) && (w.changed != nil || time.Since(w.tried) < listenAgain) {
		return false
	}
	w.listen()
	return true
}

// scanFolders reloads the labels of the folders with events, once they have stopped changing.
func (s *Store) scanFolders(ctx context.Context, keys map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	prints := make(map[string]fingerprint, len(s.entries)+len(keys))
	for key, e := range s.entries {
		if e.fingerprint != (fingerprint{}) {
			prints[key] = e.fingerprint
		}
	}
	for key := range keys {
		p := fingerprintOf(filepath.Join(s.dir, key), nil)
		_, known := prints[key]
		switch {
		case p != (fingerprint{}):
			prints[key] = p
		case known || key == "": // a label, or the whole folder, was removed
			s.look(ctx, nil)
			return
		}
	}
	s.reload(ctx, prints)
}

// scan reads all folders and reloads changed labels. It returns how long reading the folders took.
func (s *Store) scan(ctx context.Context, thorough bool) (cost time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var before map[string]*entry
	if !thorough {
		before = s.entries
	}
	return s.look(ctx, before)
}

func (s *Store) look(ctx context.Context, before map[string]*entry) (cost time.Duration) {
	start := time.Now()
	prints, err := s.fingerprints(before)
	cost = time.Since(start)
	if err != nil { // the folder is missing, temporarily or permanently: the served labels stay
		s.publishFolderProblems(folderProblem(err))
		return cost
	}
	s.reload(ctx, prints)
	return cost
}

// reload compiles the labels whose folders have changed fingerprints, once they have stopped changing.
func (s *Store) reload(ctx context.Context, prints map[string]fingerprint) {
	moving := s.changedFolders(prints)
	if len(moving) == 0 {
		s.publishFolderProblems(nil)
		return
	}
	for range 20 { // at most half a second
		select {
		case <-ctx.Done():
			return
		case <-time.After(settleTime):
		}
		still := false
		for _, key := range moving {
			p := fingerprintOf(filepath.Join(s.dir, key), nil)
			still = still || p != prints[key]
			if prints[key] = p; p == (fingerprint{}) {
				delete(prints, key)
			}
		}
		if !still {
			break
		}
	}
	if s.same(prints) {
		return
	}
	if len(prints) == 0 && s.hasServed() { // all labels disappeared during the wait
		s.publishFolderProblems(folderProblem(errEmpty))
		return
	}
	s.folder = nil
	s.take(prints)
	s.tell()
}

func (s *Store) same(prints map[string]fingerprint) bool { return len(s.changedFolders(prints)) == 0 }

// changedFolders returns the folders that were added, removed or changed since they were compiled, or were compiled with another schema.
func (s *Store) changedFolders(prints map[string]fingerprint) (keys []string) {
	for key, p := range prints {
		if e := s.entries[key]; e == nil || e.fingerprint != p || e.schema != s.schema {
			keys = append(keys, key)
		}
	}
	for key, e := range s.entries {
		if _, exists := prints[key]; !exists && e.fingerprint != (fingerprint{}) {
			keys = append(keys, key)
		}
	}
	return keys
}

// hasServed reports whether any label that is not retired has been served.
func (s *Store) hasServed() bool {
	for key, e := range s.entries {
		if e.served != nil && !s.retired[key] {
			return true
		}
	}
	return false
}

var errEmpty = errors.New("is empty. Is its volume mounted? The last good versions stay live; wattle labels retire KEY takes a label offline")

// fingerprints returns the fingerprint of every label's folder. A labels folder that has become empty is treated as unreadable.
func (s *Store) fingerprints(before map[string]*entry) (map[string]fingerprint, error) {
	prints, err := fingerprints(s.dir, before)
	if err == nil && len(prints) == 0 && s.hasServed() {
		err = errEmpty
	}
	return prints, err
}

// folderProblem returns the problem of a labels folder that cannot be read.
func folderProblem(err error) []Problem {
	if err == nil {
		return nil
	}
	return []Problem{{Message: "the labels folder: " + reason(err)}}
}

// publishFolderProblems publishes the problems of the labels folder itself, when they have changed. While the folder has a problem, labels
// that disappeared with it have no problem of their own, even if they disappeared one by one.
func (s *Store) publishFolderProblems(ps []Problem) {
	if slices.Equal(ps, s.folder) {
		return
	}
	s.folder = ps
	for key, e := range s.entries {
		if e.fingerprint != (fingerprint{}) {
			continue
		}
		if e.problems = nil; len(ps) == 0 {
			e.problems = []Problem{s.missingProblem(key)}
		}
	}
	s.publish()
	s.tell()
}

// fingerprint is a hash of the names, sizes and times of a label's files; zero for a folder without label.cue.
type fingerprint struct{ source, rest uint64 }

var seed = maphash.MakeSeed()

// fingerprints returns the fingerprint of every label's folder. If before is given, the other files are checked only when label.cue has
// changed.
func fingerprints(dir string, before map[string]*entry) (map[string]fingerprint, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out := make(map[string]fingerprint, len(entries))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Type().IsRegular() {
			continue
		}
		if p := fingerprintOf(filepath.Join(dir, e.Name()), before[e.Name()]); p != (fingerprint{}) {
			out[e.Name()] = p
		}
	}
	return out, nil
}

func fingerprintOf(dir string, before *entry) fingerprint {
	var h maphash.Hash
	h.SetSeed(seed)
	add := func(info fs.FileInfo) {
		_, _ = h.WriteString(info.Name())
		maphash.WriteComparable(&h, info.Size())
		maphash.WriteComparable(&h, info.ModTime().UnixNano())
		maphash.WriteComparable(&h, info.Mode())
	}
	info, err := os.Stat(filepath.Join(dir, "label.cue"))
	if err != nil {
		return fingerprint{}
	}
	add(info)
	p := fingerprint{source: h.Sum64() | 1}
	if before != nil && before.fingerprint.source == p.source {
		return before.fingerprint
	}
	for _, sub := range listen.Parts {
		path := filepath.Join(dir, sub)
		files, _ := os.ReadDir(path) // most labels do not have all folders
		for _, f := range files {
			_, _ = h.WriteString(sub)
			if info, err := os.Stat(filepath.Join(path, f.Name())); err == nil {
				add(info)
			}
		}
	}
	p.rest = h.Sum64()
	return p
}
