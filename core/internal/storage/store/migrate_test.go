package store_test

import (
	"context"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

func TestMigrationsRunOnceUnderOneLock(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		set := store.Migrations{Name: "core", FS: fstest.MapFS{
			"00001_a.sql": {Data: []byte("-- +goose Up\nCREATE TABLE counted (label_key text NOT NULL, n integer, PRIMARY KEY (label_key, n)); INSERT INTO counted VALUES ('a', 1);")}}}
		var wg sync.WaitGroup
		for range 4 { // like four replicas
			wg.Go(func() {
				s, err := store.Open(context.Background(), c)
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				for range 2 {
					if err := s.Migrate(context.Background(), set); err != nil {
						t.Error(err)
					}
					if err := s.MigrateModule(context.Background(), acme); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		s := storetest.Open(t, c)
		var n int
		if err := s.Read().QueryRow("SELECT count(*) FROM counted").Scan(&n); err != nil || n != 1 {
			t.Errorf("ran %d times, %v", n, err)
		}
		var engine string
		if err := s.Read().QueryRow("SELECT name FROM acme_engine").Scan(&engine); err != nil || engine != string(s.Engine()) {
			t.Errorf("the migration of %q ran on %s, %v", engine, s.Engine(), err)
		}
	})
}

// Several processes can open a new SQLite file at the same time: one of them sets its journal mode.
func TestNewFileIsOpenedAtOnce(t *testing.T) {
	for range 60 { // opening used to fail one time in twenty
		dir := t.TempDir()
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				s, err := store.Open(context.Background(), store.Config{Dir: dir})
				if err != nil {
					t.Error(err)
					return
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}

// Migrations are found where go:embed puts them, and in the root; migrations for one engine are found next to them.
func TestMigrationsInAFolderOrTheRoot(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for name, folder := range map[string]string{"root": "", "folder": "migrations/"} {
			create := func(column string) *fstest.MapFile {
				return &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE in_" + name + " (label_key text PRIMARY KEY, " + column + " text);")}
			}
			files := fstest.MapFS{folder + "00001_a.sql": create("sqlite"), folder + "postgres/00001_a.sql": create("postgres")}
			if err := s.Migrate(t.Context(), store.Migrations{Name: name, FS: files}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Read().Exec("SELECT " + string(s.Engine()) + " FROM in_" + name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestStandardTablesContainTheLabel(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, db module.DB, c *clock.Clock) {
		storetest.RequireLabelKeys(t, s)
		if _, err := s.DB().Exec("CREATE TABLE bad (label_key text NOT NULL, id text PRIMARY KEY, code text NOT NULL, stock bigint, UNIQUE (label_key, code), " +
			"FOREIGN KEY (label_key, stock) REFERENCES acme_stock (label_key, id))"); err != nil {
			t.Fatal(err)
		}
		if got := storetest.ConstraintsWithoutLabelKey(t, s); len(got) != 1 || !strings.HasPrefix(got[0], "bad") {
			t.Errorf("a primary key without label_key: found %q", got)
		}
	})
}

func TestKeysThatCannotBeTables(t *testing.T) {
	s := storetest.SQLite(t)
	for _, key := range []string{"", "Acme", "a-b", "a;drop", strings.Repeat("a", 31)} {
		if err := s.MigrateModule(context.Background(), module.Manifest{Key: key}); err == nil {
			t.Errorf("%q was taken", key)
		}
	}
}

// A plugin's process opens its own schema with a role that owns the schema and has no other rights.
func TestOwnSchemaAndRole(t *testing.T) {
	ctx := context.Background()
	c := storetest.PostgresConfig(t)
	core := storetest.Open(t, c)
	role := "plug_" + value.NewID()
	if _, err := core.DB().ExecContext(ctx, "CREATE TABLE secret (label_key text PRIMARY KEY); CREATE ROLE "+role+" LOGIN; CREATE SCHEMA "+
		role+" AUTHORIZATION "+role); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := core.DB().ExecContext(ctx, "DROP OWNED BY "+role+" CASCADE; DROP ROLE "+role); err != nil {
			t.Error(err)
		}
	})
	u, err := url.Parse(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("user", role)
	u.RawQuery = q.Encode()
	own := storetest.Open(t, store.Config{URL: u.String(), Schema: role})
	db := storetest.Module(t, own, acme, &clock.Clock{})
	if _, err := file(as("a", "r1"), db, "acme.phone", ""); err != nil {
		t.Error(err)
	}
	storetest.RequireLabelKeys(t, own)
	var n int
	if err := core.Read().QueryRow("SELECT count(*) FROM " + role + ".acme_changes").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d changes in the plugin's schema, %v", n, err)
	}
}

func TestSQLiteFilesArePrivate(t *testing.T) {
	dir := t.TempDir() + "/data ?&#%"
	s, err := store.Open(context.Background(), store.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info, err)
	}
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} {
		var got string
		if err := s.DB().QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, %v", pragma, got, err)
		}
	}
}
