package pluginhost

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/modules/contract"
)

// disabledFolder is the folder in the plugins folder with one file for each plugin that the operator has taken out, by key. It is a file
// and not a setting of a process, so that it lasts over restarts and counts for every portal that uses the folder.
const disabledFolder = ".disabled"

// Disabled returns the keys of the plugins in dir that are disabled.
func Disabled(dir string) map[string]bool {
	out := map[string]bool{}
	if dir == "" {
		return out
	}
	entries, _ := os.ReadDir(filepath.Join(dir, disabledFolder)) // without the folder none is
	for _, e := range entries {
		out[e.Name()] = true
	}
	return out
}

// Disable takes a plugin out of every portal that uses dir, in all its versions: as if it were not installed, and until Enable. Its files
// and its data stay.
func Disable(dir, key string) error {
	if err := installed(dir, key); err != nil {
		return err
	}
	at := filepath.Join(dir, disabledFolder)
	if err := os.MkdirAll(at, 0o700); err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	line := "disabled at " + time.Now().UTC().Format(time.RFC3339) + "\n"
	if err := os.WriteFile(filepath.Join(at, key), []byte(line), 0o600); err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	return nil
}

// Enable ends Disable. It returns an error for a plugin that is not disabled.
func Enable(dir, key string) error {
	err := errors.New("no key")
	if IsKey(key) {
		err = os.Remove(filepath.Join(dir, disabledFolder, key))
	}
	if errors.Is(err, fs.ErrNotExist) || !IsKey(key) {
		return fmt.Errorf("plugin %s is not disabled in %s", key, dir)
	}
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	return nil
}

// installed returns an error unless there is a folder of the plugin, whatever is in it.
func installed(dir, key string) error {
	names, err := folders(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		s, _ := read(filepath.Join(dir, name), contract.Current) // a plugin that is refused can be disabled too
		if KeyOf(name) == key || s.Key == key {
			return nil
		}
	}
	return fmt.Errorf("there is no plugin %s in %s; see wattle plugins list", strings.TrimSpace(key), dir)
}

func disabledError(key string) error {
	return fmt.Errorf("%w; wattle plugins enable %s brings it back", ErrDisabled, key)
}

// isDisabled reports whether the content of a folder does not serve because the plugin is disabled.
func (f *folder) isDisabled() bool { return errors.Is(f.refused, ErrDisabled) }

// disable takes the version of a folder out of the portal. The folder stays known, so that it serves again when the plugin is enabled.
func (h *Host) disable(f *folder) {
	h.withdraw(f)
	h.mu.Lock()
	f.refused, f.retry, f.delay, f.busy = disabledError(f.spec.Key), time.Time{}, 0, false
	h.mu.Unlock()
	h.o.logger(f.spec.Key).Info("plugin is disabled", "folder", f.name)
	h.again(f)
}
