// Package pluginfile writes a plugin as one file, <key>-<version>.wattle, and installs such a file in a plugins folder. The file is a ZIP
// archive of the plugin's folder: plugin.json, the binary and the built remote.
package pluginfile

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

// ErrFile is returned for a file that is not a complete plugin. Nothing is installed then.
var ErrFile = errors.New("not a complete plugin file")

// Limits for a file, so that a small archive cannot fill the disk.
const (
	maxFiles = 5_000
	maxBytes = 512 << 20 // total size of all files, unpacked
)

// Write writes a plugin's folder as one file. The same content always produces the same bytes.
func Write(w io.Writer, folder string) error {
	z := zip.NewWriter(w)
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if !e.Type().IsRegular() {
			return fmt.Errorf("%s is not a file", name)
		}
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(0o600)
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		from, err := os.Open(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		_, err = io.Copy(to, from)
		return errors.Join(err, from.Close())
	})
	if err = errors.Join(err, z.Close()); err != nil {
		return fmt.Errorf("pluginfile: %w", err)
	}
	return nil
}

// Install unpacks a file, checks it against its plugin.json, and moves it to dir as the folder with the plugin's key. If there is such a
// folder, it is kept for Rollback, and replaced in one step where the system supports that. Install runs no code of the plugin. After an
// error, dir is unchanged.
func Install(file, dir string) (pluginhost.Spec, error) { return install(file, dir, false) }

// InstallAlongside is like Install, but installs to the folder <key>@<version>, next to the versions that are already there.
func InstallAlongside(file, dir string) (pluginhost.Spec, error) { return install(file, dir, true) }

func install(file, dir string, beside bool) (spec pluginhost.Spec, err error) {
	z, err := zip.OpenReader(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return spec, fmt.Errorf("no such file: %s", file)
	case errors.Is(err, zip.ErrFormat):
		return spec, fmt.Errorf("%w: %s", ErrFile, file)
	case err != nil:
		return spec, fmt.Errorf("%w: %w", ErrFile, err)
	}
	defer func() { _ = z.Close() }() // opened for reading only
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return spec, fmt.Errorf("pluginfile: %w", err)
	}
	// The portal ignores folders whose name begins with a dot, and within one file system a rename is enough.
	part, err := os.MkdirTemp(dir, ".install-")
	if err != nil {
		return spec, fmt.Errorf("pluginfile: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(part)) }()
	unpacked := filepath.Join(part, "plugin")
	if err := unpack(&z.Reader, unpacked, maxFiles, maxBytes); err != nil {
		return spec, err
	}
	key, err := keyOf(unpacked)
	if err != nil {
		return spec, fmt.Errorf("%w: %w", ErrFile, err)
	}
	// the folder of a plugin must be named like its key
	scan := filepath.Join(part, "scan")
	if err := errors.Join(os.Mkdir(scan, 0o700), os.Rename(unpacked, filepath.Join(scan, key))); err != nil {
		return spec, fmt.Errorf("pluginfile: %w", err)
	}
	found, err := pluginhost.Scan(scan)
	if err != nil {
		return spec, fmt.Errorf("%w: %w", ErrFile, err)
	}
	spec = found[0]
	from := filepath.Join(scan, key)
	if err := complete(spec, from); err != nil {
		return spec, err
	}
	name := key
	if beside {
		name = pluginhost.FolderOf(key, spec.Version)
	}
	installed, err := foldersOf(dir, key)
	if err != nil {
		return spec, err
	}
	replaces := ""
	for _, v := range installed {
		if v.folder != name && v.version == spec.Version {
			return spec, fmt.Errorf("version %s of plugin %s is installed already, in the folder %s", spec.Version, key, v.folder)
		}
		if v.folder == name {
			replaces = v.version
		}
	}
	if err := swap(from, filepath.Join(dir, name)); err != nil {
		return spec, err
	}
	if replaces == "" || replaces == spec.Version {
		return spec, nil
	}
	return spec, keep(from, dir, key, replaces)
}

// keyOf returns the key in the plugin.json of a folder. The other fields are read when the folder is named like its key.
func keyOf(folder string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(folder, "plugin.json"))
	if err != nil {
		return "", errors.New("there is no plugin.json")
	}
	var about struct{ Key string }
	if err := json.Unmarshal(raw, &about); err != nil {
		return "", fmt.Errorf("plugin.json: %w", err)
	}
	if !pluginhost.IsKey(about.Key) {
		return "", fmt.Errorf("key %q", about.Key)
	}
	return about.Key, nil
}

// unpack writes the files of an archive into a new folder.
func unpack(z *zip.Reader, dir string, maxFiles int, maxBytes int64) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("pluginfile: %w", err)
	}
	if len(z.File) > maxFiles {
		return fmt.Errorf("%w: it has %d files, and may have %d", ErrFile, len(z.File), maxFiles)
	}
	left := maxBytes
	for _, f := range z.File {
		name := filepath.FromSlash(f.Name)
		if f.FileInfo().IsDir() {
			name = strings.TrimSuffix(name, string(filepath.Separator))
		}
		// a clean local path: no "..", no drive, and only one name per file
		if strings.ContainsAny(f.Name, "\\:") || !filepath.IsLocal(name) || name != filepath.Clean(name) || name == "." {
			return fmt.Errorf("%w: path %q", ErrFile, f.Name)
		}
		if f.FileInfo().IsDir() {
			continue
		}
		if !f.Mode().IsRegular() {
			return fmt.Errorf("%w: %q is not a file", ErrFile, f.Name)
		}
		n, err := unpackFile(f, filepath.Join(dir, name), left)
		if errors.Is(err, errSize) {
			return fmt.Errorf("%w: all files together are larger than %d bytes", ErrFile, maxBytes)
		}
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrFile, f.Name, err)
		}
		left -= n
	}
	return nil
}

var errSize = errors.New("larger than allowed")

// unpackFile writes one file of at most max bytes to disk.
func unpackFile(f *zip.File, to string, max int64) (int64, error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return 0, err
	}
	from, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer func() { _ = from.Close() }() // Copy returns an error for a wrong checksum
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, io.LimitReader(from, max+1))
	if err == nil && n > max {
		err = errSize
	}
	if err == nil {
		err = out.Sync() // after a crash there must be no folder that only looks complete
	}
	return n, errors.Join(err, out.Close())
}

// complete compares the files of a folder with its plugin.json: none may be missing, changed or extra. It makes the binary executable.
func complete(s pluginhost.Spec, folder string) error {
	want := map[string]string{s.Binary: s.SHA256}
	for name, sum := range s.Files {
		want[path.Clean(name)] = sum
	}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name == "plugin.json" {
			return err
		}
		sum, listed := want[name]
		if !listed {
			return fmt.Errorf("%w: plugin.json does not list %s", ErrFile, name)
		}
		got, err := pluginhost.Sum(filepath.Join(folder, filepath.FromSlash(name)))
		if err == nil && !strings.EqualFold(got, sum) {
			err = fmt.Errorf("%w: the checksum of %s is another one", ErrFile, name)
		}
		delete(want, name)
		return err
	})
	if err != nil {
		return err
	}
	for name := range want {
		return fmt.Errorf("%w: there is no %s", ErrFile, name)
	}
	return os.Chmod(filepath.Join(folder, s.Binary), 0o700)
}

// swap exchanges a folder with the one at the destination.
func swap(from, to string) error {
	if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(from, to)
	}
	err := exchange(from, to)
	if err == nil || !slices.ContainsFunc(cannotExchange, func(e error) bool { return errors.Is(err, e) }) {
		return err
	}
	old := from + ".old"
	if err := os.Rename(to, old); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Rename(old, to))
	}
	return os.Rename(old, from)
}
