package assets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/modules/contract"
)

// ownRemotes returns the folders of separately deployed remotes, by key. A folder without remote.json is incomplete and is skipped. If some
// remotes are invalid, it returns the valid ones together with the errors of the others.
func (s *Store) ownRemotes() (map[string]fs.FS, error) {
	if s.c.Own == "" {
		return nil, nil
	}
	folders, err := os.ReadDir(s.c.Own)
	if err != nil {
		return nil, fmt.Errorf("assets: %w", err)
	}
	out, errs := map[string]fs.FS{}, []error(nil)
	root := os.DirFS(s.c.Own)
	for _, f := range folders {
		if !f.IsDir() || strings.HasPrefix(f.Name(), ".") {
			continue
		}
		remote, err := fs.Sub(root, f.Name())
		if err == nil {
			if _, gone := fs.Stat(remote, "remote.json"); errors.Is(gone, fs.ErrNotExist) {
				continue
			}
			err = checkRemote(contract.Current, f.Name(), remote)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out[f.Name()] = remote
	}
	return out, errors.Join(errs...)
}

// ErrMessages means that a remote lacks texts.
var ErrMessages = errors.New("messages are missing")

// Check returns the manifest of a remote folder. It returns an error if the folder cannot be served or lacks texts in Dutch or English.
func Check(key, dir string) (manifest json.RawMessage, err error) {
	f := os.DirFS(dir)
	if err := checkRemote(contract.Current, key, f); err != nil {
		return nil, err
	}
	if manifest, err = fs.ReadFile(f, "remote.json"); err != nil {
		return nil, err
	}
	var about struct {
		Titles map[string]map[string]string
	}
	if err := json.Unmarshal(manifest, &about); err != nil {
		return nil, err
	}
	raw, err := fs.ReadFile(f, textsFile)
	if err != nil {
		return nil, fmt.Errorf("the remote has no %s: %w", textsFile, ErrMessages)
	}
	var texts map[string]map[string]string
	if err := json.Unmarshal(raw, &texts); err != nil {
		return nil, fmt.Errorf("file %s cannot be read: %w", textsFile, ErrMessages)
	}
	for file, of := range map[string]map[string]map[string]string{textsFile: texts, "remote.json": about.Titles} {
		for _, pair := range [][2]string{{"nl", "en"}, {"en", "nl"}} {
			for _, id := range slices.Sorted(maps.Keys(of[pair[0]])) {
				if of[pair[1]][id] == "" {
					return nil, fmt.Errorf("file %s has no %s text for %s: %w", file, pair[1], id, ErrMessages)
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(about.Titles["nl"])) {
		if texts["nl"][id] == "" {
			return nil, fmt.Errorf("file %s has no nl text for %s: %w", textsFile, id, ErrMessages)
		}
	}
	return manifest, nil
}

// checkRemote returns an error for a folder that a portal of contract version v cannot serve as a remote: it is not a build, has a
// contract version that the portal does not run, or is incomplete.
func checkRemote(v contract.Version, key string, f fs.FS) error {
	s := &state{front: &Front{Remotes: map[string]Remote{}}, files: map[string]*file{}}
	if err := s.remote(key, f, false); err != nil {
		return err
	}
	r := s.front.Remotes[key]
	var about struct{ Contract int }
	if err := json.Unmarshal(r.Manifest, &about); err != nil || !v.Runs(about.Contract) {
		return fmt.Errorf("assets: remote.json of %s has contract %d, this portal supports %s", key, about.Contract, v.Range())
	}
	if s.files[strings.TrimPrefix(r.Entry, Prefix)] == nil {
		return fmt.Errorf("assets: remote.json of %s refers to %s, which does not exist", key, r.Entry)
	}
	return nil
}

// buildOf returns the build hash of a front end whose plugin remotes or separately deployed remotes differ from the original build. Open
// pages use the hash to detect a newer build.
func buildOf(f *Front, deployed []string) string {
	if len(deployed) == 0 || f.Build == "" {
		return f.Build
	}
	h := sha256.New()
	for _, key := range slices.Sorted(slices.Values(deployed)) {
		fmt.Fprintln(h, key, f.Remotes[key].Entry, string(f.Remotes[key].Manifest))
	}
	return f.Build + "-" + hex.EncodeToString(h.Sum(nil)[:6])
}

// ownFingerprint returns a fingerprint of the folder of remotes. It uses remote.json, the last file that a build writes.
func ownFingerprint(dir string) string {
	if dir == "" {
		return ""
	}
	root := os.DirFS(dir)
	found, _ := fs.Glob(root, "*/remote.json") // the pattern is valid
	var b strings.Builder
	for _, name := range found {
		if about, err := fs.Stat(root, name); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", name, about.Size(), about.ModTime().UnixNano())
		}
	}
	return b.String()
}

// WatchDeployed reloads separately deployed remotes when they change, until ctx ends. Files of earlier builds stay for open pages.
func (s *Store) WatchDeployed(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	last, loaded, reported := s.own, s.own, s.own
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := ownFingerprint(s.c.Own)
		if now != last { // files are still being written
			last = now
			continue
		}
		if now == loaded {
			continue
		}
		_, err := s.ownRemotes() // an invalid remote changes nothing until it becomes valid
		if err == nil {
			err = s.Reload()
		}
		if err == nil && s.earlier != nil {
			err = s.keepFiles()
		}
		if err != nil {
			if now != reported {
				s.c.Log.Error("remotes could not be reloaded; the old ones are served", "error", err)
				reported = now
			}
			continue
		}
		loaded, reported = now, now
		s.c.Log.Info("remotes reloaded", "build", s.Front().Build)
	}
}
