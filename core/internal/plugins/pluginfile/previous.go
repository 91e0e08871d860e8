package pluginfile

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

// previousFolder is the folder in the plugins folder that contains the replaced versions, <key>@<version>. The portal does not read it.
const previousFolder = ".previous"

// maxPrevious is the number of replaced versions of a plugin that are kept.
const maxPrevious = 3

// ErrNoFormer is returned by Rollback if no version was kept for it.
var ErrNoFormer = errors.New("no other version of the plugin is kept; install one")

// version is a folder that contains one version of a plugin.
type version struct {
	folder  string // name
	version string
	since   time.Time // time of the folder: when it was kept
}

// foldersOf returns the folders of a plugin in dir, highest version first. It includes folders whose content the portal refuses, because a
// rollback from such a version must also work.
func foldersOf(dir, key string) (out []version, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("pluginfile: %w", err)
	}
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if err != nil || !info.IsDir() || strings.HasPrefix(e.Name(), ".") || pluginhost.KeyOf(e.Name()) != key {
			continue
		}
		out = append(out, version{e.Name(), versionOf(filepath.Join(dir, e.Name())), info.ModTime()})
	}
	slices.SortFunc(out, func(a, b version) int { return registry.CompareVersions(b.version, a.version) })
	return out, nil
}

// versionOf returns the version of the plugin in a folder, or "0" if neither its plugin.json nor its name contains one.
func versionOf(folder string) string {
	var about struct{ Version string }
	raw, err := os.ReadFile(filepath.Join(folder, "plugin.json"))
	if err == nil {
		err = json.Unmarshal(raw, &about)
	}
	_, named, _ := strings.Cut(filepath.Base(folder), "@")
	if err != nil {
		return cmp.Or(named, "0")
	}
	return cmp.Or(about.Version, named, "0")
}

// keep moves a replaced folder to the versions for Rollback, and removes the oldest of these.
func keep(from, dir, key, version string) error {
	at := filepath.Join(dir, previousFolder)
	to := filepath.Join(at, pluginhost.FolderOf(key, version))
	if err := os.MkdirAll(at, 0o700); err != nil {
		return fmt.Errorf("pluginfile: %w", err)
	}
	now := time.Now()
	if err := errors.Join(os.RemoveAll(to), os.Rename(from, to), os.Chtimes(to, now, now)); err != nil {
		return fmt.Errorf("pluginfile: %w", err)
	}
	kept, err := Previous(dir, key)
	if err != nil {
		return err
	}
	for _, old := range kept[min(maxPrevious, len(kept)):] {
		if err := os.RemoveAll(filepath.Join(at, pluginhost.FolderOf(key, old))); err != nil {
			return fmt.Errorf("pluginfile: %w", err)
		}
	}
	return nil
}

// Previous returns the versions of a plugin that Rollback can restore, most recently replaced first.
func Previous(dir, key string) (out []string, err error) {
	kept, err := foldersOf(filepath.Join(dir, previousFolder), key)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(kept, func(a, b version) int { return b.since.Compare(a.since) })
	for _, k := range kept {
		_, named, _ := strings.Cut(k.folder, "@")
		out = append(out, named)
	}
	return out, nil
}

// Rollback removes the highest version of a plugin from dir and restores the version to. If to is empty, it restores the next lower version
// in dir, or else the most recently replaced version. The removed version is kept, so that another Rollback restores it.
func Rollback(dir, key, to string) (from, now string, err error) {
	if !pluginhost.IsKey(key) {
		return "", "", fmt.Errorf("%q is not a plugin key", key)
	}
	installed, err := foldersOf(dir, key)
	if err != nil {
		return "", "", err
	}
	kept, err := Previous(dir, key)
	if err != nil {
		return "", "", err
	}
	if len(installed) == 0 {
		return "", "", fmt.Errorf("there is no plugin %s in %s; see wattle plugins list", key, dir)
	}
	out := installed[0]
	at := slices.IndexFunc(installed[1:], func(v version) bool { return to == "" || v.version == to }) + 1
	switch {
	case to == out.version:
		return "", "", fmt.Errorf("version %s of plugin %s serves", to, key)
	case at > 0: // it is next to higher ones
		for _, v := range installed[:at] {
			err = errors.Join(err, keep(filepath.Join(dir, v.folder), dir, key, v.version))
		}
		return out.version, installed[at].version, err
	case to == "" && len(kept) == 0:
		return "", "", ErrNoFormer
	case to == "":
		to = kept[0]
	case !slices.Contains(kept, to):
		return "", "", fmt.Errorf("version %s of plugin %s is not kept; these are: %s", to, key, cmp.Or(strings.Join(kept, ", "), "none"))
	}
	back := filepath.Join(dir, previousFolder, pluginhost.FolderOf(key, to))
	if out.folder != key { // done first, so that there is a version at every moment
		if err := os.Rename(back, filepath.Join(dir, key)); err != nil {
			return "", "", fmt.Errorf("pluginfile: %w", err)
		}
		return out.version, to, keep(filepath.Join(dir, out.folder), dir, key, out.version)
	}
	if err := swap(back, filepath.Join(dir, key)); err != nil {
		return "", "", fmt.Errorf("pluginfile: %w", err)
	}
	return out.version, to, keep(back, dir, key, out.version)
}
