package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"

	"github.com/wattle-portal/wattle/core/internal/base/private"
)

const sqliteFile = "wattle.db"

func openSQLite(ctx context.Context, c Config) (write, read *bun.DB, err error) {
	if err := createPrivate(c.Dir, sqliteFile); err != nil {
		return nil, nil, err
	}
	w, err := sql.Open("sqlite", dsn(filepath.Join(c.Dir, sqliteFile), c.Unsafe, false))
	if err != nil {
		return nil, nil, err
	}
	w.SetMaxOpenConns(1) // SQLite has one writer; waiting for a connection is cheaper than SQLITE_BUSY
	if err := openFile(ctx, w); err != nil {
		w.Close()
		return nil, nil, err
	}
	r, err := sql.Open("sqlite", dsn(filepath.Join(c.Dir, sqliteFile), c.Unsafe, true))
	if err != nil {
		w.Close()
		return nil, nil, err
	}
	n := max(4, 2*runtime.NumCPU())
	r.SetMaxOpenConns(n)
	r.SetMaxIdleConns(n)
	return bun.NewDB(w, sqlitedialect.New()), bun.NewDB(r, sqlitedialect.New()), nil
}

// InUse reports whether a process has the SQLite database in a folder open, before the folder is deleted. It changes the journal mode,
// which only the last connection can do, and which the next Open changes back.
func InUse(ctx context.Context, dir string) (bool, error) {
	file := filepath.Join(dir, sqliteFile)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	db, err := sql.Open("sqlite", fileURL(file))
	if err != nil {
		return false, fmt.Errorf("store: %w", err)
	}
	defer func() { _ = db.Close() }() // nothing was written
	var mode string
	err = db.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode)
	if err != nil && !isConflict(err) {
		return false, fmt.Errorf("store: %w", err)
	}
	return err != nil || mode != "delete", nil
}

// openFile opens the first connection, which creates the file: readers cannot. If several processes do so at the same time, one of them
// sets the journal mode of the file. SQLite refuses the others instead of letting them wait, so they try again.
func openFile(ctx context.Context, w *sql.DB) error {
	for began := time.Now(); ; {
		err := w.PingContext(ctx)
		if !isConflict(err) || time.Since(began) >= busyTimeout { // in a database that is locked for long, the first attempt has waited
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(busyTimeout / 100):
		}
	}
}

// busyTimeout is how long SQLite waits for the lock of another process.
const busyTimeout = 5 * time.Second

// createPrivate creates the file of a database with access only for its owner. SQLite gives the files next to it (-wal, -shm) the same
// mode.
func createPrivate(dir, name string) error {
	if _, err := private.MakeFolder(dir); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	_, err := private.MakeFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrPermission) { // the file belongs to another user; SQLite will report whether it is usable
		return nil
	}
	return err
}

func dsn(file string, unsafe, readOnly bool) string {
	pragmas := []string{fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "foreign_keys(1)", "cache_size(-20000)"}
	if !readOnly {
		pragmas = append(pragmas, "journal_mode(WAL)")
	}
	if unsafe {
		pragmas = append(pragmas, "synchronous(OFF)")
	} else {
		pragmas = append(pragmas, "synchronous(FULL)")
	}
	q := url.Values{"_pragma": pragmas}
	if readOnly {
		q.Set("mode", "ro")
	} else {
		q.Set("_txlock", "immediate")
	}
	return fileURL(file) + "?" + q.Encode()
}

func fileURL(file string) string {
	return "file:" + (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath()
}
