package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"

	"github.com/wattle-portal/wattle/core/module"
)

// Migrations is a set of goose files (NNNNN_name.sql) that only expand or contract the schema. They are in the root of FS or,
// as with go:embed, in its folder migrations. Files in the folder postgres/ next to them replace files of the same name, or are added,
// on PostgreSQL.
type Migrations struct {
	Name string // name of the set; each set has its own version numbers
	FS   fs.FS
}

// Migrate applies the migrations of sets in the given order. Only one process at a time does so.
func (s *Store) Migrate(ctx context.Context, sets ...Migrations) error {
	return s.Locked(ctx, func(ctx context.Context) error {
		for _, m := range sets {
			if err := s.up(ctx, m.MigrationTable(), m.FS); err != nil {
				return fmt.Errorf("store: migrate %s: %w", m.Name, err)
			}
		}
		return nil
	})
}

// MigrateModule applies a module's own migrations and creates its standard tables (<key>_outbox, _changes, _inbox, _seqs).
func (s *Store) MigrateModule(ctx context.Context, m module.Manifest) error {
	if !keyForm.MatchString(m.Key) {
		return fmt.Errorf("store: %q cannot be the key of a module: letters, digits and _, at most 30", m.Key)
	}
	err := s.Locked(ctx, func(ctx context.Context) error {
		standard := goose.NewGoMigration(1, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, strings.ReplaceAll(standardTables, "{key}", m.Key))
			return err
		}}, nil)
		if err := s.up(ctx, "goose_standard_"+m.Key, nil, standard); err != nil {
			return err
		}
		if m.Migrations == nil {
			return nil
		}
		return s.up(ctx, moduleTable+m.Key, m.Migrations)
	})
	if err != nil {
		return fmt.Errorf("store: migrate module %s: %w", m.Key, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.modules, m.Key) {
		s.modules = append(s.modules, m.Key)
	}
	return nil
}

// Modules returns the keys that MigrateModule was called for, which are those with an outbox in this database.
func (s *Store) Modules() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.modules)
}

// Locked runs fn with the migration lock: an advisory lock on PostgreSQL, a lock file next to the database on SQLite. The lock is released
// when the process dies. It is not re-entrant.
func (s *Store) Locked(ctx context.Context, fn func(context.Context) error) error {
	var unlock func()
	var err error
	if s.engine == Postgres {
		unlock, err = lockPostgres(ctx, s.direct)
	} else {
		unlock, err = lockFile(ctx, filepath.Join(s.config.Dir, "migrate.lock"))
	}
	if err != nil {
		return fmt.Errorf("store: lock for migrations: %w", err)
	}
	defer unlock()
	return fn(ctx)
}

//go:embed standard.sql
var standardTables string

var keyForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,29}$`)

func (s *Store) up(ctx context.Context, table string, files fs.FS, more ...*goose.Migration) error {
	files, err := Folder(files, "migrations")
	if err != nil {
		return err
	}
	dialect := goose.DialectSQLite3
	if s.engine == Postgres {
		dialect = goose.DialectPostgres
		if files != nil {
			files = overlay{files, "postgres"}
		}
	}
	p, err := goose.NewProvider(dialect, s.direct, files, goose.WithTableName(table), goose.WithDisableGlobalRegistry(true),
		goose.WithGoMigrations(more...), goose.WithLogger(goose.NopLogger()))
	if errors.Is(err, goose.ErrNoMigrations) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}

// Folder returns a folder of an embedded file system, or the file system itself if it has no folder with that name.
func Folder(files fs.FS, name string) (fs.FS, error) {
	if files == nil {
		return nil, nil
	}
	if _, err := fs.Stat(files, name); errors.Is(err, fs.ErrNotExist) {
		return files, nil
	}
	return fs.Sub(files, name)
}

// overlay is a file system that also shows the files of a folder in its root, where they take precedence.
type overlay struct {
	fs.FS
	folder string
}

func (o overlay) Open(name string) (fs.File, error) {
	if name != "." {
		if f, err := o.FS.Open(path.Join(o.folder, name)); err == nil {
			return f, nil
		}
	}
	return o.FS.Open(name)
}

// ReadDir implements fs.ReadDirFS, which fs.Glob uses.
func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.FS, name)
	if err != nil || name != "." {
		return entries, err
	}
	over, err := fs.ReadDir(o.FS, o.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return entries, nil
	}
	for _, e := range over {
		if !slices.ContainsFunc(entries, func(x fs.DirEntry) bool { return x.Name() == e.Name() }) {
			entries = append(entries, e)
		}
	}
	return entries, err
}

// lockFile takes an exclusive lock with SQLite's own file locking, which works on every system on which the database works.
func lockFile(ctx context.Context, file string) (func(), error) {
	if err := createPrivate(filepath.Dir(file), filepath.Base(file)); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", fileURL(file)+"?_pragma=busy_timeout(120000)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		db.Close()
		return nil, err
	}
	return func() { db.Close() }, nil
}

// MigrationTable returns the table in which goose records the migrations of a core set.
func (m Migrations) MigrationTable() string { return coreTable + m.Name }

// Names of the tables in which goose records migrations.
const (
	coreTable   = "goose_core_"
	moduleTable = "goose_module_"
)

// ModuleMigrations returns the set of migrations of a module, and the table in which they are recorded.
func ModuleMigrations(m module.Manifest) (set Migrations, table string) {
	return Migrations{Name: m.Key, FS: m.Migrations}, moduleTable + m.Key
}

// Newest returns the version and name of the newest migration of a set for an engine, such as 4 and "00004_keyring". version is 0 if there
// is none.
func (m Migrations) Newest(e Engine) (version int64, name string, err error) {
	files, err := Folder(m.FS, "migrations")
	if err != nil || files == nil {
		return 0, "", err
	}
	if e == Postgres {
		files = overlay{files, "postgres"}
	}
	all, err := fs.Glob(files, "*.sql")
	if err != nil {
		return 0, "", err
	}
	for _, file := range all {
		n, err := goose.NumericComponent(file)
		if err != nil {
			return 0, "", err
		}
		if n > version {
			version, name = n, strings.TrimSuffix(file, ".sql")
		}
	}
	return version, name, nil
}
