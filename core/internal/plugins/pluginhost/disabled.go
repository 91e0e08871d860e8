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

// disabledFolder is the folder in the plugins folder that contains one file, named by key, for each plugin that the operator has disabled.
// It is not a setting of a process, so that it survives restarts and applies to every portal that uses the folder.
const disabledFolder = ".disabled"

// Disabled returns the keys of the plugins in dir that are disabled.
func Disabled(dir string) map[string]bool {
	out := map[string]bool{}
	if dir == "" {
		return out
	}
	entries, _ := os.ReadDir(filepath.Join(dir, disabledFolder)) // without the folder, no plugin is disabled
	for _, e := range entries {
		out[e.Name()] = true
	}
	return out
}

// Disable removes all versions of a plugin from every portal that uses dir, as if it were not installed, until Enable is called. Its files
// and its data are kept.
func Disable(dir, key string) error {
	if err := requireInstalled(dir, key); err != nil {
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

// requireInstalled returns an error unless there is a folder of the plugin, regardless of its content.
func requireInstalled(dir, key string) error {
	names, err := folders(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		s, _ := read(filepath.Join(dir, name), contract.Current) // a refused plugin can also be disabled
		if KeyOf(name) == key || s.Key == key {
			return nil
		}
	}
	return fmt.Errorf("there is no plugin %s in %s; see wattle plugins list", strings.TrimSpace(key), dir)
}

func disabledError(key string) error {
	return fmt.Errorf("%w; wattle plugins enable %s brings it back", ErrDisabled, key)
}

// isDisabled reports whether the content of a folder is not served because the plugin is disabled.
func (f *folder) isDisabled() bool { return errors.Is(f.refused, ErrDisabled) }

// disable removes the version in a folder from the portal. The folder stays known, so that it serves again when the plugin is enabled.
func (h *Host) disable(f *folder) {
	h.withdraw(f)
	h.mu.Lock()
	f.refused, f.retry, f.delay, f.busy = disabledError(f.spec.Key), time.Time{}, 0, false
	h.mu.Unlock()
	h.o.logger(f.spec.Key).Info("plugin is disabled", "folder", f.name)
	h.retryRefused(f)
}
