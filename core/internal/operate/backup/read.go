package backup

import (
	"archive/tar"
	"bufio"
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
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/klauspost/compress/zstd"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/wattle-portal/wattle/core/internal/base/private"
	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
)

// Errors of Read, Running, Unused and Filled.
var (
	ErrRunning  = errors.New("a portal is running on this data folder: stop it first; a backup is restored into another, empty folder")
	ErrUsed     = errors.New("a portal is running on this database")
	ErrEmpty    = errors.New("--database: it contains no portal accounts, so nothing was restored: put the dump back with pg_restore first, into this database (`wattle backup --help`)")
	ErrNotEmpty = errors.New("is not empty: a backup is restored into a folder that is empty or missing")
	ErrDamaged  = errors.New("this is not a backup, or it is damaged")
)

// Target contains the folders to which a backup is restored.
type Target struct {
	Data   string // folder, empty or missing
	Labels string // folder, empty or missing; empty string: the labels of the backup are not restored
}

// Read restores a backup. It writes into the target only after it has read the whole backup and found it undamaged. listed contains the
// files that were in the file store at the time of the backup.
func Read(file string, t Target) (m Manifest, listed []files.Entry, err error) {
	if err := CheckTarget(t.Data); err != nil {
		return m, nil, err
	}
	if t.Labels != "" {
		if err := empty(t.Labels); err != nil {
			return m, nil, err
		}
	}
	parent := filepath.Dir(filepath.Clean(t.Data))
	if err := os.MkdirAll(parent, private.FolderMode); err != nil {
		return m, nil, fmt.Errorf("backup: %w", err)
	}
	work, err := os.MkdirTemp(parent, ".wattle-restore-") // mode 0700
	if err != nil {
		return m, nil, fmt.Errorf("backup: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if m, err = extract(file, work); err != nil {
		return m, nil, fmt.Errorf("backup: %s: %w", file, err)
	}
	if listed, err = readList(filepath.Join(work, filesName)); err != nil {
		return m, nil, fmt.Errorf("backup: %s: %w", file, err)
	}
	if err := repeat(filepath.Join(work, dataFolder, database), m); err != nil {
		return m, nil, fmt.Errorf("backup: deliveries to plugins: %w", err)
	}
	if t.Labels != "" {
		if err := moveFolder(filepath.Join(work, labelsFolder), t.Labels, 0o755); err != nil {
			return m, nil, fmt.Errorf("backup: %w", err)
		}
	}
	if err := moveFolder(filepath.Join(work, dataFolder), t.Data, private.FolderMode); err != nil {
		return m, nil, fmt.Errorf("backup: %w", err)
	}
	return m, listed, nil
}

// Running returns ErrRunning for a data folder whose database is open in another process.
func Running(dir string) error {
	running, err := isInUse(filepath.Join(dir, database))
	if err == nil && running {
		err = ErrRunning
	}
	if err != nil {
		return fmt.Errorf("backup: %s: %w", dir, err)
	}
	return nil
}

// connectionTimeout is how long the server may still list connections of a process that has exited.
const connectionTimeout = 2 * time.Second

// CheckUnused returns ErrUsed while another process of the portal is connected to a PostgreSQL database.
func CheckUnused(ctx context.Context, database string) error {
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return fmt.Errorf("--database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // not needed any more
	for end := time.Now().Add(connectionTimeout); ; time.Sleep(connectionTimeout / 20) {
		n := 0
		err = conn.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
			AND application_name LIKE 'wattle%'`).Scan(&n)
		switch {
		case err != nil:
			return fmt.Errorf("--database: %w", err)
		case n == 0:
			return nil
		case time.Now().After(end):
			return fmt.Errorf("%w (%s): stop every process of it first", ErrUsed, words.Count(n, "connection", "connections"))
		}
	}
}

// Filled returns ErrEmpty for a PostgreSQL database without portal accounts, in which an audit would find nothing wrong: nothing was
// restored into it, or a portal has only created its tables there.
func Filled(ctx context.Context, database string) error {
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return fmt.Errorf("--database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // not needed any more
	filled := false
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM identity_accounts)").Scan(&filled)
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == undefinedTable {
		err = nil
	}
	switch {
	case err != nil:
		return fmt.Errorf("--database: %w", err)
	case !filled:
		return ErrEmpty
	}
	return nil
}

// undefinedTable is the SQLSTATE for a table that does not exist.
const undefinedTable = "42P01"

// PluginRoles returns the roles of the plugins whose schemas are in a PostgreSQL database. A role has the same name as its schema.
func PluginRoles(ctx context.Context, database string) (roles []string, err error) {
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return nil, fmt.Errorf("--database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // not needed any more
	rows, err := conn.Query(ctx, `SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'wattle\_plugin\_%' ORDER BY 1`)
	if err == nil {
		roles, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		return nil, fmt.Errorf("--database: %w", err)
	}
	return roles, nil
}

// Databases returns the names of the databases in a data folder: first those of plugins, then that of core.
func Databases(dir string) ([]string, error) {
	all, err := fs.Glob(os.DirFS(dir), path.Join(pluginFolder, "*", database))
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	return append(all, database), nil
}

// CheckTarget returns nil for a data folder into which a backup can be restored.
func CheckTarget(dir string) error {
	if err := Running(dir); err != nil {
		return err
	}
	return empty(dir)
}

func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return fmt.Errorf("backup: %s %w", dir, ErrNotEmpty)
}

// isInUse reports whether another connection has opened the database: in WAL mode, each connection holds a lock while it is open.
func isInUse(file string) (bool, error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(file)}).EscapedPath()+"?_pragma=locking_mode(EXCLUSIVE)")
	if err != nil {
		return false, err
	}
	db.SetMaxOpenConns(1)
	n := 0
	err = db.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&n)
	if close := db.Close(); err == nil {
		err = close
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok && (e.Code()&0xff == sqlite3.SQLITE_BUSY || e.Code()&0xff == sqlite3.SQLITE_LOCKED) {
		return true, nil
	}
	return false, nil // not a database, but the folder is not empty
}

// extract unpacks the archive into a folder and compares its content with the manifest.
func extract(file, into string) (m Manifest, err error) {
	return compare(file, func(r io.Reader, name string) (Entry, error) {
		return unpack(r, filepath.Join(into, filepath.FromSlash(name)), name)
	})
}

// compare reads the archive. It passes each file to read, which returns the entry of the file, and compares that with the manifest.
func compare(file string, read func(r io.Reader, name string) (Entry, error)) (m Manifest, err error) {
	in, err := os.Open(file)
	if err != nil {
		return m, err
	}
	defer func() { _ = in.Close() }() // the file is only read
	z, err := zstd.NewReader(in)
	if err != nil {
		return m, errors.Join(ErrDamaged, err)
	}
	defer z.Close()
	found := map[string]Entry{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return m, errors.Join(ErrDamaged, err)
		}
		name := filepath.FromSlash(h.Name)
		if !filepath.IsLocal(name) || h.Typeflag != tar.TypeReg {
			return m, fmt.Errorf("%w: an entry that no backup has", ErrDamaged)
		}
		if h.Name == manifestName {
			if err := json.NewDecoder(r).Decode(&m); err != nil {
				return m, errors.Join(ErrDamaged, err)
			}
			continue
		}
		e, err := read(r, h.Name)
		if err != nil {
			return m, err
		}
		found[h.Name] = e
	}
	if m.Format == 0 || len(found) != len(m.Entries) {
		return m, fmt.Errorf("%w: it has no end", ErrDamaged)
	}
	if m.Format != format {
		return m, fmt.Errorf("it was written by version %s, which this one cannot read", m.Version)
	}
	for name, e := range m.Entries {
		if found[name] != e {
			return m, fmt.Errorf("%w: %s", ErrDamaged, name)
		}
	}
	return m, nil
}

func unpack(r io.Reader, file, name string) (e Entry, err error) {
	mode, folderMode := private.FileMode, private.FolderMode
	if strings.HasPrefix(name, labelsFolder+"/") { // root restores the labels, but the service user must be able to read them
		mode, folderMode = 0o644, 0o755
	}
	if err := os.MkdirAll(filepath.Dir(file), folderMode); err != nil {
		return e, err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return e, err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), r)
	if err != nil {
		err = errors.Join(ErrDamaged, err)
	}
	return Entry{n, hex.EncodeToString(sum.Sum(nil))}, errors.Join(err, out.Sync(), out.Close())
}

func readList(file string) (all []files.Entry, err error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // the file is only read
	for lines := json.NewDecoder(bufio.NewReader(in)); lines.More(); {
		var e files.Entry
		if err := lines.Decode(&e); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// margin is how long before the backup a delivery may have ended and still be repeated, because the clocks of a demo and of rows are not
// exact.
const margin = time.Minute

// repeat makes core repeat the deliveries to plugins that were made during the backup, because the plugin's database may be older. A plugin
// ignores events that it has already handled.
func repeat(file string, m Manifest) error {
	if len(m.Plugins) == 0 {
		return nil
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(file)}).EscapedPath())
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	for _, key := range m.Plugins {
		_, err := db.ExecContext(context.Background(), `UPDATE outbox_deliveries SET state = 'WAITING', attempts = 0, ended_at = NULL, leased_until = NULL
			WHERE subscriber = ? AND state = 'DONE' AND ended_at >= ?`, key, m.At.Add(-margin).Format("2006-01-02 15:04:05"))
		if err != nil {
			return errors.Join(err, db.Close())
		}
	}
	return db.Close()
}

// moveFolder moves a folder to its destination, which may be an existing empty folder.
func moveFolder(from, to string, mode fs.FileMode) error {
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) { // the backup contains no labels
		return os.MkdirAll(to, mode)
	}
	if err := os.Chmod(from, mode); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(to)), 0o755); err != nil {
		return err
	}
	if err := os.Rename(from, to); err == nil {
		return nil
	}
	// The destination is on another file system, or cannot be replaced because it is a mounted folder, for example.
	if err := os.MkdirAll(to, mode); err != nil {
		return err
	}
	if err := os.Chmod(to, mode); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return os.CopyFS(to, os.DirFS(from))
}
