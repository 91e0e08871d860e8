package label

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"
)

// Archive stores valid versions of labels, and which labels are retired, for all replicas of an installation.
type Archive interface {
	// Versions returns the stored versions, newest first, without files.
	Versions(ctx context.Context) ([]Version, error)
	// Fill reads the files of versions. A version that has been removed gets no files.
	Fill(ctx context.Context, of []Version) error
	// Keep stores versions. Each version replaces the stored one of the same label and schema.
	Keep(ctx context.Context, versions []Version) error
	// Retired returns the keys of the retired labels.
	Retired(ctx context.Context) (map[string]bool, error)
}

const (
	// RetiredInterval is the interval at which Keep reads which labels are retired, and therefore the delay until other replicas apply the
	// command.
	RetiredInterval = 2 * time.Second
	// keepBatch is the maximum number of labels in one transaction and in one query of the archive.
	keepBatch = 50
	// archiveTimeout limits a query of the archive, so that a database that does not respond does not block the next query.
	archiveTimeout = 10 * time.Second
)

// kept maps label and schema to the revision of the stored version.
type kept map[[2]string]string

// Restore reads from the archive the last valid version of each label that is broken or missing on disk (9-label-last-good,
// 9-label-deleted), which label already had a host that two labels claim, and which labels are retired (9-label-retire). A valid version on
// disk takes precedence over a stored one of the same label.
func (s *Store) Restore(ctx context.Context, a Archive) error {
	versions, retired, err := listed(ctx, a)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.retired = retired
	s.kept = kept{}
	byLabel := map[string][]Version{}
	for _, v := range versions {
		s.kept[[2]string{v.Label, v.Schema}] = v.Revision
		byLabel[v.Label] = append(byLabel[v.Label], v)
	}
	if !s.restored { // a version on disk counts as served only if it is the stored one
		for key, e := range s.entries {
			if e.served = nil; e.fresh != nil && s.kept[[2]string{key, e.fresh.Schema}] == e.fresh.Revision {
				e.served = e.fresh
			}
		}
		s.restored = true
	}
	need := s.needed(byLabel)
	for batch := range slices.Chunk(need, keepBatch) {
		var of []Version
		for _, key := range batch {
			of = append(of, byLabel[key]...)
		}
		if err := a.Fill(ctx, of); err != nil {
			return fmt.Errorf("label: last good versions: %w", err)
		}
		s.adopt(of)
	}
	_, err = s.fingerprints(nil)
	if s.folder = folderProblem(err); err != nil { // a single problem instead of one for each label
		for _, e := range s.entries {
			if e.fingerprint == (fingerprint{}) {
				e.problems = nil
			}
		}
	}
	s.publish()
	s.tell()
	return nil
}

func listed(ctx context.Context, a Archive) ([]Version, map[string]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, archiveTimeout)
	defer cancel()
	versions, err := a.Versions(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("label: last good versions: %w", err)
	}
	retired, err := a.Retired(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("label: retired brands: %w", err)
	}
	return versions, retired, nil
}

// needed returns the labels whose stored version is required: those that are broken or missing and, when two labels claim the same host,
// all that have changed on disk.
func (s *Store) needed(byLabel map[string][]Version) (keys []string) {
	trial := make(map[string]*entry, len(s.entries))
	for key, e := range s.entries {
		copied := *e
		trial[key] = &copied
	}
	live := compute(trial, s.retired, nil).byKey
	refused := false
	for key, e := range s.entries {
		refused = refused || e.fresh != nil && live[key] == nil && !s.retired[key]
	}
	for key := range byLabel {
		e := s.entries[key]
		if !s.retired[key] && (e == nil || e.served == nil && (e.fresh == nil || refused)) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// adopt serves the newest valid version of each label whose folder is not valid. A version with the current schema takes precedence over
// one with another schema (9-label-schema-version).
func (s *Store) adopt(of []Version) {
	for len(of) > 0 {
		var round, later []Version
		for _, v := range of {
			if slices.ContainsFunc(round, func(o Version) bool { return o.Label == v.Label }) {
				later = append(later, v)
			} else {
				round = append(round, v)
			}
		}
		done := map[string]bool{}
		for i, l := range s.compileKept(round) {
			key := round[i].Label
			e := s.entries[key]
			if e == nil {
				e = &entry{problems: []Problem{s.missingProblem(key)}}
				s.entries[key] = e
			}
			if l == nil {
				continue
			}
			if done[key] = l.Schema == round[i].Schema; done[key] || e.served == nil {
				e.served = l
			}
		}
		of = slices.DeleteFunc(later, func(v Version) bool { return done[v.Label] })
	}
}

// Keep stores every valid version that is served, and retires or restores labels when the archive says so, until ctx ends. It retries after
// an error.
func (s *Store) Keep(ctx context.Context, a Archive, log *slog.Logger) {
	changed := make(chan struct{}, 1)
	s.OnChange(func() {
		select {
		case changed <- struct{}{}:
		default: // another run is pending already
		}
	})
	tick := time.NewTicker(RetiredInterval)
	defer tick.Stop()
	lastError := ""
	for {
		err := s.keep(ctx, a)
		if err == nil {
			err = s.applyRetired(ctx, a)
		}
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			lastError = ""
		case lastError != err.Error():
			lastError = err.Error()
			log.Warn("last valid versions of labels could not be stored", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-tick.C:
		}
	}
}

// keep stores labels that are served, valid on disk and not stored yet. It skips a label that is served without one of its modules, because
// that is not what the operator configured.
func (s *Store) keep(ctx context.Context, a Archive) error {
	s.mu.Lock()
	now := s.now.Load()
	var fresh []*Label
	for key, e := range s.entries {
		if l := e.fresh; l != nil && now.byKey[key] == l && len(l.Missing) == 0 && s.kept[[2]string{key, l.Schema}] != l.Revision {
			fresh = append(fresh, l)
		}
	}
	s.mu.Unlock()
	for batch := range slices.Chunk(fresh, keepBatch) {
		var versions []Version
		for _, l := range batch {
			versions = append(versions, Version{Label: l.Key, Schema: l.Schema, Revision: l.Revision, Files: l.Files()})
		}
		bounded, cancel := context.WithTimeout(ctx, archiveTimeout)
		err := a.Keep(bounded, versions)
		cancel()
		if err != nil {
			return err
		}
		s.mu.Lock()
		for _, v := range versions {
			s.kept[[2]string{v.Label, v.Schema}] = v.Revision
		}
		s.mu.Unlock()
	}
	return nil
}

// applyRetired applies which labels have been retired or restored since the last run.
func (s *Store) applyRetired(ctx context.Context, a Archive) error {
	bounded, cancel := context.WithTimeout(ctx, archiveTimeout)
	defer cancel()
	retired, err := a.Retired(bounded)
	if err != nil {
		return fmt.Errorf("label: retired brands: %w", err)
	}
	s.mu.Lock()
	same, back := maps.Equal(retired, s.retired), false
	for key := range s.retired {
		back = back || !retired[key]
	}
	if !same && !back {
		s.retired = retired
		s.publish()
		s.tell()
	}
	s.mu.Unlock()
	if back { // the folder may be broken or missing
		return s.Restore(ctx, a)
	}
	return nil
}
