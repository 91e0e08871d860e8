package label

import (
	"context"
	"errors"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Interval is how often Watch checks the label.cue files. It checks less often when a check would take more than a tenth of one CPU core.
// Assets, messages and pages are checked every fourth time.
const Interval = 100 * time.Millisecond

// settleTime is how long files must stay unchanged before they are read: an editor writes a file in steps, or replaces it.
const settleTime = 25 * time.Millisecond

// Watch reloads changed labels until ctx ends. It polls the names, sizes and times of files. It does not use file system notifications,
// which limit the number of folders, do not work on network and container mounts, and lose a file that an editor replaces. Polling 1,000
// labels takes some milliseconds.
func (s *Store) Watch(ctx context.Context) {
	t := time.NewTimer(Interval)
	defer t.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		t.Reset(max(Interval, 10*s.scan(ctx, n%4 == 0)))
	}
}

// scan reloads what has changed, once it has stopped changing. It returns the time that polling took; a thorough scan takes longer and is
// not counted.
func (s *Store) scan(ctx context.Context, thorough bool) (cost time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	start := time.Now()
	var before map[string]*entry
	if !thorough {
		before = s.entries
	}
	prints, err := s.fingerprints(before)
	if cost = time.Since(start); thorough {
		cost /= 4
	}
	if err != nil || s.same(prints) { // the folder is missing, temporarily or permanently: the served labels stay
		s.publishFolderProblems(folderProblem(err))
		return cost
	}
	moving := s.changedFolders(prints)
	for range 20 { // half a second at most
		select {
		case <-ctx.Done():
			return cost
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
		return cost
	}
	if len(prints) == 0 && s.hasServed() { // all of them disappeared during the wait
		s.publishFolderProblems(folderProblem(errEmpty))
		return cost
	}
	s.folder = nil
	s.take(prints)
	s.tell()
	return cost
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
		if _, there := prints[key]; !there && e.fingerprint != (fingerprint{}) {
			keys = append(keys, key)
		}
	}
	return keys
}

// hasServed reports whether a label has ever been served and is not retired.
func (s *Store) hasServed() bool {
	for key, e := range s.entries {
		if e.served != nil && !s.retired[key] {
			return true
		}
	}
	return false
}

var errEmpty = errors.New("is empty. Is its volume mounted? The last good versions stay live; wattle labels retire KEY takes a brand off the air")

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

// publishFolderProblems publishes the problems of the labels folder itself, when they changed.
func (s *Store) publishFolderProblems(ps []Problem) {
	if slices.Equal(ps, s.folder) {
		return
	}
	s.folder = ps
	s.publish()
	s.tell()
}

// fingerprint is a hash of the names, sizes and times of a label's files; zero for a folder without label.cue.
type fingerprint struct{ source, rest uint64 }

var seed = maphash.MakeSeed()

// fingerprints returns the fingerprint of every label's folder. With before, other files are checked only when label.cue has changed.
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
	for _, sub := range []string{"assets", "messages", "pages"} {
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
