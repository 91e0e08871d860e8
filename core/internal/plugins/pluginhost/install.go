package pluginhost

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// installedFolder is the folder in the data folder that contains copies of accepted plugins, <key>/<digest>. A process runs from such a
// copy, so that the plugin's folder can be replaced or removed while the process runs, and the process can still be restarted.
const installedFolder = "installed"

// dataFolder is the folder in the data folder that contains the data of each plugin, <key>.
const dataFolder = "plugins"

// installation is a copy of a plugin's folder.
type installation struct {
	dir    string
	binary string
	sum    []byte
	digest string // digest of the binary, its name, and the files of the remote
}

// install checks the folder and copies it, unless a copy with the same content exists.
func (s Spec) install(data string, allowed []string) (in installation, err error) {
	binary, sum, err := s.check(allowed)
	if err != nil {
		return in, err
	}
	files, err := s.remoteFiles()
	if err != nil {
		return in, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %q %x\n", s.Key, s.Version, s.Binary, sum)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %s\n", name, files[name])
	}
	in.digest = hex.EncodeToString(h.Sum(nil)[:8])
	at, err := filepath.Abs(filepath.Join(data, installedFolder, s.Key))
	if err != nil {
		return in, fmt.Errorf("pluginhost: %w", err)
	}
	in.dir, in.sum = filepath.Join(at, in.digest), sum
	in.binary = filepath.Join(in.dir, s.Binary)
	if _, err := os.Stat(in.binary); err == nil {
		return in, nil // the checksum of the binary is compared again before it runs
	}
	if err := os.MkdirAll(at, 0o700); err != nil {
		return in, fmt.Errorf("pluginhost: %w", err)
	}
	part, err := os.MkdirTemp(at, ".part-")
	if err != nil {
		return in, fmt.Errorf("pluginhost: %w", err)
	}
	defer func() { _ = os.RemoveAll(part) }() // the folder has been renamed, unless something failed
	if err := copyFile(binary, filepath.Join(part, s.Binary), 0o700, hex.EncodeToString(sum)); err != nil {
		return in, err
	}
	for name, want := range files {
		to := filepath.Join(part, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return in, fmt.Errorf("pluginhost: %w", err)
		}
		if err := copyFile(filepath.Join(s.dir, filepath.FromSlash(name)), to, 0o600, want); err != nil {
			return in, err
		}
	}
	err = os.Rename(part, in.dir)
	if err == nil {
		return in, nil
	}
	if _, statErr := os.Stat(in.binary); statErr == nil { // another process has just created the same copy
		return in, nil
	}
	// The binary was removed from the copy, but not the other files.
	if err := errors.Join(os.RemoveAll(in.dir), os.Rename(part, in.dir)); err != nil {
		return in, fmt.Errorf("pluginhost: %w", err)
	}
	return in, nil
}

// remoteFiles returns the checksums of the remote's files, by path in the folder. It returns an error if a file is missing or differs from
// the one in plugin.json.
func (s Spec) remoteFiles() (map[string]string, error) {
	out := map[string]string{}
	for name, want := range s.Files {
		path := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := private(path); err != nil {
			if errors.Is(err, ErrIncomplete) {
				return nil, fmt.Errorf("there is no %s yet: %w", name, ErrIncomplete)
			}
			return nil, err
		}
		got, err := Sum(path)
		if err != nil {
			return nil, err
		}
		if !strings.EqualFold(got, want) {
			return nil, fmt.Errorf("the checksum of %s is another one: %w", name, ErrChecksum)
		}
		out[name] = got
	}
	return out, nil
}

// copyFile copies a file whose checksum is known. No process is started while the copy is open for writing: it would inherit the file,
// and a binary that is open for writing cannot be run.
func copyFile(from, to string, mode fs.FileMode, want string) error {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	defer func() { _ = in.Close() }() // opened for reading only
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, h), in)
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	if !strings.EqualFold(hex.EncodeToString(h.Sum(nil)), want) {
		return fmt.Errorf("file %s changed while it was read: %w", filepath.Base(from), ErrIncomplete)
	}
	return nil
}

// prune removes the copies of a plugin that are not in use; keep contains the digests of those in use.
func prune(data, key string, keep ...string) {
	at := filepath.Join(data, installedFolder, key)
	entries, _ := os.ReadDir(at) // a plugin that was never installed has no copies
	for _, e := range entries {
		if !slices.Contains(keep, e.Name()) {
			_ = os.RemoveAll(filepath.Join(at, e.Name())) // retried at the next change
		}
	}
	if len(keep) == 0 {
		_ = os.Remove(at)
	}
}
