package pluginfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

// ErrNotInstalled is returned by Remove if no version of the plugin is installed or kept.
var ErrNotInstalled = errors.New("there is no such plugin; see wattle plugins list")

// Remove removes all versions of a plugin from dir, also those that are kept for Rollback and those of a disabled plugin. It returns the
// installed ones, highest first. A running portal follows, as for every change of the folder.
func Remove(dir, key string) (versions []string, err error) {
	if !pluginhost.IsKey(key) {
		return nil, fmt.Errorf("%q is not a plugin key", key)
	}
	installed, err := foldersOf(dir, key)
	if err != nil {
		return nil, err
	}
	kept, err := foldersOf(filepath.Join(dir, previousFolder), key)
	if err != nil {
		return nil, err
	}
	if len(installed)+len(kept) == 0 {
		return nil, fmt.Errorf("plugin %s in %s: %w", key, dir, ErrNotInstalled)
	}
	// Moved first, so that a portal finds each version complete or not at all. It ignores folders whose name begins with a dot.
	gone, err := os.MkdirTemp(dir, ".remove-")
	if err != nil {
		return nil, fmt.Errorf("pluginfile: %w", err)
	}
	for _, v := range installed {
		if err == nil {
			err = os.Rename(filepath.Join(dir, v.folder), filepath.Join(gone, v.folder))
			versions = append(versions, v.version)
		}
	}
	if err == nil && pluginhost.Disabled(dir)[key] { // a plugin that is installed again is not disabled
		err = pluginhost.Enable(dir, key)
	}
	for _, v := range kept {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, previousFolder, v.folder)))
	}
	if err = errors.Join(err, os.RemoveAll(gone)); err != nil {
		return versions, fmt.Errorf("pluginfile: %w", err)
	}
	return versions, nil
}
