// Package backup writes an installation on SQLite to one file while it serves, and restores it. The file is a tar archive compressed with
// Zstandard. It contains a consistent copy of each database, the labels, optionally the identity key, and a list of the files in the file
// store, which are backed up with other tools.
package backup

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/wattle-portal/wattle/core/internal/storage/files"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
)

// Names in the archive.
const (
	manifestName = "manifest.json"
	filesName    = "files.ndjson"
	dataFolder   = "data"
	labelsFolder = "labels"
	pluginFolder = "plugins" // in the data folder: <key>/wattle.db
	database     = "wattle.db"
)

const format = 1

// Manifest describes a backup. It is the last entry of the archive, so a truncated archive has no manifest.
type Manifest struct {
	Format  int              `json:"format"`
	Version string           `json:"version"` // of the program
	At      time.Time        `json:"at"`      // time on the portal's clock, before the first database was read
	Plugins []string         `json:"plugins"`
	Key     bool             `json:"identity_key"`
	Files   int              `json:"files"`
	Entries map[string]Entry `json:"entries"`
}

// Entry is one file of the archive.
type Entry struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Source describes the data to back up.
type Source struct {
	Data    string // folder
	Labels  string // folder
	Files   *files.Store
	Key     bool // whether to include the identity key
	Version string
	Now     time.Time
}

// Write writes a backup to a new file with mode 0600, even while the portal serves. It returns an error and writes nothing if the file
// exists, or if the key is requested but missing.
func Write(ctx context.Context, file string, s Source) (m Manifest, err error) {
	if s.Key {
		if _, err := os.Stat(filepath.Join(s.Data, masterkey.File)); err != nil {
			return m, fmt.Errorf("backup: the identity key is not in the data folder; %s is backed up where it stands", masterkey.SecretName)
		}
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("backup: %s exists already: use another name", file)
	}
	work, err := os.MkdirTemp(filepath.Dir(file), ".wattle-backup-") // mode 0700, on the file system that must have room for the backup
	if err != nil {
		return m, fmt.Errorf("backup: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	part := filepath.Join(work, "backup")
	out, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return m, fmt.Errorf("backup: %w", err)
	}
	m, err = write(ctx, out, work, s)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return m, fmt.Errorf("backup: %w", err)
	}
	if err := os.Link(part, file); err != nil { // never replaces a file that was created in the meantime
		return m, fmt.Errorf("backup: %w", err)
	}
	return m, nil
}

type writer struct {
	*tar.Writer
	work string
	m    Manifest
}

func write(ctx context.Context, out io.Writer, work string, s Source) (Manifest, error) {
	z, err := zstd.NewWriter(out)
	if err != nil {
		return Manifest{}, err
	}
	w := &writer{tar.NewWriter(z), work, Manifest{Format: format, Version: s.Version, At: s.Now.UTC(), Plugins: []string{}, Key: s.Key,
		Entries: map[string]Entry{}}}
	err = w.all(ctx, s)
	return w.m, errors.Join(err, w.Close(), z.Close())
}

// all writes the databases of plugins before core's database. A row that core stores in between is then in both databases, and core ignores
// the duplicate. Read makes core repeat the deliveries to plugins that it made in between.
func (w *writer) all(ctx context.Context, s Source) error {
	databases, err := Databases(s.Data)
	if err != nil {
		return err
	}
	for _, name := range databases[:len(databases)-1] {
		key := path.Base(path.Dir(name))
		w.m.Plugins = append(w.m.Plugins, key)
		if err := w.database(ctx, filepath.Join(s.Data, filepath.FromSlash(name)), path.Join(dataFolder, name)); err != nil {
			return fmt.Errorf("plugin %s: %w", key, err)
		}
	}
	if err := w.database(ctx, filepath.Join(s.Data, database), path.Join(dataFolder, database)); err != nil {
		return fmt.Errorf("%s: %w", database, err)
	}
	if s.Key {
		if err := w.file(filepath.Join(s.Data, masterkey.File), path.Join(dataFolder, masterkey.File)); err != nil {
			return err
		}
	}
	if err := w.labels(s.Labels); err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	if err := w.list(ctx, s.Files); err != nil {
		return err
	}
	text, err := json.MarshalIndent(w.m, "", "  ")
	if err != nil {
		return err
	}
	return w.bytes(manifestName, text)
}

// database writes a copy of a database as of one point in time, while others write to it.
func (w *writer) database(ctx context.Context, file, name string) (err error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(file)}).EscapedPath()+"?mode=ro&_pragma=busy_timeout(60000)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	moment := filepath.Join(w.work, "moment.db")
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", moment)
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	return errors.Join(w.file(moment, name), os.Remove(moment))
}

// labels writes the label files. It follows links as the portal does, because the target of a link may not exist where the backup is
// restored.
func (w *writer) labels(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	return w.folder(dir, labelsFolder, []fs.FileInfo{info})
}

// folder writes the files in a folder and in the folders below it. around contains the parent folders, ending with the folder itself. A
// link that is broken or that leads to a parent folder is an error, unless its name begins with a dot: the portal ignores such names, and
// editors and Kubernetes create such links next to the files.
func (w *writer) folder(dir, name string, around []fs.FileInfo) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		file, inside := filepath.Join(dir, e.Name()), path.Join(name, e.Name())
		isLink := e.Type()&fs.ModeSymlink != 0
		if isLink && strings.HasPrefix(e.Name(), ".") {
			continue
		}
		info, err := os.Stat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist) && !isLink: // it was removed meanwhile
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%s is a link to nothing: correct it or remove it", file)
		case err != nil:
			return err
		case info.IsDir():
			if slices.ContainsFunc(around, func(outer fs.FileInfo) bool { return os.SameFile(outer, info) }) {
				return fmt.Errorf("%s is a link to a folder that it is in: remove it", file)
			}
			err = w.folder(file, inside, append(around[:len(around):len(around)], info))
		case info.Mode().IsRegular():
			err = w.file(file, inside)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list writes the names of the files in the file store, one JSON object per line.
func (w *writer) list(ctx context.Context, s *files.Store) error {
	file := filepath.Join(w.work, "files")
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	err = s.List(ctx, func(e files.Entry) error { w.m.Files++; return lines.Encode(e) })
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return w.file(file, filesName)
}

func (w *writer) file(file, name string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // the file is only read
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: info.Size(), ModTime: info.ModTime()}); err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.CopyN(io.MultiWriter(w, sum), in, info.Size()); err != nil {
		return err
	}
	w.m.Entries[name] = Entry{info.Size(), hex.EncodeToString(sum.Sum(nil))}
	return nil
}

func (w *writer) bytes(name string, text []byte) error {
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text)), ModTime: w.m.At}); err != nil {
		return err
	}
	_, err := w.Write(text)
	return err
}
