package upgrade

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // registers the driver

	"github.com/wattle-portal/wattle/core/internal/operate/about"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// The programs in these tests are copies of this test binary with some bytes appended: <binary>#{"Version":…}. behavior describes what such
// a program does.
type behavior struct {
	Version, UpgradesFrom, OS string
	Migrate                   string // "": adds a table and a row; "fails": does the same, and exits with status 1
	Serve                     string // "": ready; "never": returns 503; "ends": exits; "service": ready in a trial only
}

var mark = []byte("\n#wattle-test-program#")

func TestMain(m *testing.M) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if b, ok := ofProgram(self); ok {
		if err := b.run(self); err != nil {
			fmt.Fprintln(os.Stderr, "wattle:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// ofProgram returns the behavior that is appended to a program.
func ofProgram(file string) (b behavior, ok bool) {
	f, err := os.Open(file)
	if err != nil {
		return b, false
	}
	defer f.Close()
	end := make([]byte, 1<<10)
	if _, err := f.Seek(-int64(len(end)), io.SeekEnd); err != nil {
		return b, false
	}
	if _, err := io.ReadFull(f, end); err != nil {
		return b, false
	}
	i := bytes.LastIndex(end, mark)
	return b, i >= 0 && json.Unmarshal(end[i+len(mark):], &b) == nil
}

// configured returns the configuration of a process, read in the same way as wattle reads it.
func configured(args []string) (config.Config, *pflag.FlagSet, error) {
	c, f := config.Default(), pflag.NewFlagSet("wattle", pflag.ContinueOnError)
	c.Flags(f)
	f.String("work", "", "")
	f.Bool("json", false, "")
	f.String("driver", "", "")
	f.String("from", "", "")
	if err := f.Parse(args); err != nil {
		return c, f, err
	}
	if err := config.Resolve(f, os.LookupEnv); err != nil {
		return c, f, err
	}
	return c, f, c.Check()
}

func (b behavior) run(self string) error {
	c, f, err := configured(os.Args[2:])
	if err != nil {
		return err
	}
	ctx := context.Background()
	switch os.Args[1] {
	case "version":
		p := about.Program{Version: b.Version, UpgradesFrom: b.UpgradesFrom, OS: runtime.GOOS, Arch: runtime.GOARCH}
		if b.OS != "" {
			p.OS = b.OS
		}
		return json.NewEncoder(os.Stdout).Encode(p)
	case "upgrade":
		if f.Arg(0) != "step" {
			return b.drive(c, f)
		}
		s := Step{Name: f.Arg(1), Token: os.Getenv(hold.Env)}
		s.Work, _ = f.GetString("work")
		s.Program, _ = f.GetString("driver")
		s.Version, _ = f.GetString("from")
		return s.Run(ctx, c)
	case "migrate":
		if err := hold.Check(c.Data); err != nil {
			return err
		}
		if err := execute(c, "CREATE TABLE IF NOT EXISTS of_"+strings.ReplaceAll(b.Version, ".", "_")+
			" (n integer REFERENCES items); DELETE FROM items WHERE n = 1; "+
			"INSERT INTO items VALUES (1000)"); err != nil {
			return err
		}
		if b.Migrate == "fails" {
			return errors.New("a column is missing")
		}
		return nil
	case "serve":
		return b.serve(c)
	}
	return fmt.Errorf("unknown command %s of %s", os.Args[1], self)
}

// drive starts or continues an upgrade, and kills itself in the phase that the environment names.
func (b behavior) drive(c config.Config, f *pflag.FlagSet) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	env, err := c.Environ(os.Environ())
	if err != nil {
		return err
	}
	o := Options{Program: Installed(self), Running: self, To: f.Arg(1), Config: c, Env: env, Healthy: 20 * time.Second,
		Settle: 50 * time.Millisecond, Out: os.Stdout,
		At: func(phase string) {
			if phase == os.Getenv("TEST_KILL_AT") {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
		}}
	if f.Arg(0) == "continue" {
		return Continue(context.Background(), o)
	}
	return Run(context.Background(), o)
}

func (b behavior) serve(c config.Config) error {
	if err := hold.Check(c.Data); err != nil {
		return err
	}
	if b.Serve == "ends" {
		return errors.New("it has no settings")
	}
	isReady := b.Serve == "" || b.Serve == "service" && hold.IsTrial(c.Data)
	l, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return err
	}
	fmt.Printf("{\"addr\":%q}\n", l.Addr())
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Program", b.Version)
			if !isReady {
				w.WriteHeader(http.StatusServiceUnavailable)
				fmt.Fprint(w, `{"database":"down"}`)
			}
		}))
	}()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if hold.IsTrial(c.Data) {
		go func() { _, _ = io.Copy(io.Discard, os.Stdin); stop() }()
	}
	<-ctx.Done()
	return nil
}

// program writes a program with the given behavior to a file.
func program(t *testing.T, file string, b behavior) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	text, err := os.ReadFile(self)
	require.NoError(t, err)
	more, err := json.Marshal(b)
	require.NoError(t, err)
	storetest.WriteProgram(t, file, append(append(text, mark...), more...))
	return file
}

func execute(c config.Config, statements string) error {
	if c.Database != "" {
		conn, err := pgx.Connect(context.Background(), c.Database)
		if err != nil {
			return err
		}
		defer conn.Close(context.Background())
		_, err = conn.PgConn().Exec(context.Background(), statements).ReadAll()
		return err
	}
	db, err := sql.Open("sqlite", filepath.Join(c.Data, "wattle.db"))
	if err != nil {
		return err
	}
	_, err = db.Exec(statements)
	return errors.Join(err, db.Close())
}

// rows returns the numbers in the table items, and whether the migration of version 0.2.0 has been applied.
func rows(t *testing.T, c config.Config) (all []int, isMigrated bool) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(c.Data, "wattle.db"))
	if c.Database != "" {
		db, err = sql.Open("pgx", c.Database)
	}
	require.NoError(t, err)
	defer db.Close()
	found, err := db.Query("SELECT n FROM items ORDER BY n")
	require.NoError(t, err)
	for found.Next() {
		n := 0
		require.NoError(t, found.Scan(&n))
		all = append(all, n)
	}
	require.NoError(t, found.Err())
	_, err = db.Exec("SELECT n FROM of_0_2_0")
	return all, err == nil
}

var previous, before = behavior{Version: "0.1.0", UpgradesFrom: "0.1.0"}, []int{1, 2, 3}

// world is an installation of version 0.1.0 with its data.
type world struct {
	Options
	out *bytes.Buffer
}

func installed(t *testing.T, engine string) *world {
	t.Helper()
	dir := t.TempDir()
	c := config.Default()
	c.Data, c.Labels, c.Addr = filepath.Join(dir, "data"), filepath.Join(dir, "labels"), "127.0.0.1:0"
	require.NoError(t, os.MkdirAll(filepath.Join(c.Labels, "2001"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(c.Labels, "2001", "label.cue"), []byte("label_key: \"2001\"\n"), 0o644))
	if engine == "postgres" {
		c.Database = storetest.PostgresConfig(t).URL
		require.NoError(t, os.MkdirAll(c.Data, 0o700))
		require.NoError(t, execute(c, `CREATE SCHEMA wattle_plugin_x; CREATE TABLE wattle_plugin_x.notes (n integer); CREATE TYPE mood AS ENUM ('good');
			CREATE FUNCTION one() RETURNS integer LANGUAGE sql AS 'SELECT 1'; CREATE SEQUENCE numbers; CREATE TABLE days (day date, n serial, i integer GENERATED ALWAYS AS IDENTITY) PARTITION BY RANGE (day);
			CREATE TABLE days_2026 PARTITION OF days FOR VALUES FROM ('2026-01-01') TO ('2027-01-01'); INSERT INTO days VALUES ('2026-11-24'); CREATE VIEW v AS SELECT 1 AS n`))
	} else {
		s, err := store.Open(t.Context(), store.Config{Dir: c.Data})
		require.NoError(t, err)
		require.NoError(t, s.Close())
	}
	require.NoError(t, execute(c, "CREATE TABLE items (n integer PRIMARY KEY); INSERT INTO items VALUES (1), (2), (3)"))
	f := pflag.NewFlagSet("wattle", pflag.ContinueOnError)
	addr, data, labels, url := c.Addr, c.Data, c.Labels, c.Database
	c.Flags(f)
	for name, v := range map[string]string{"addr": addr, "data": data, "labels": labels, "database": url} {
		if v != "" {
			require.NoError(t, f.Set(name, v))
		}
	}
	require.NoError(t, c.Check())
	env, err := c.Environ(os.Environ())
	require.NoError(t, err)
	at := program(t, filepath.Join(dir, "wattle"), previous)
	out := &bytes.Buffer{}
	return &world{Options{Program: at, Running: at, Config: c, Env: env, Healthy: 20 * time.Second, Settle: 50 * time.Millisecond, Out: out},
		out}
}

// with returns the options for an upgrade to a program.
func (w *world) with(t *testing.T, b behavior) Options {
	t.Helper()
	o := w.Options
	if b.Version == "" {
		b.Version = "0.2.0"
	}
	o.To = program(t, filepath.Join(t.TempDir(), "wattle"), b)
	return o
}

func (w *world) version(t *testing.T) string {
	t.Helper()
	u := &upgrade{Options: w.Options, j: journal{Data: w.Config.Data}}
	p, err := u.describe(t.Context(), w.Program)
	require.NoError(t, err)
	return p.Version
}

// requireUnchanged asserts that the installation is as it was before.
func (w *world) requireUnchanged(t *testing.T) {
	t.Helper()
	assert.Equal(t, "0.1.0", w.version(t))
	all, isMigrated := rows(t, w.Config)
	assert.Equal(t, before, all)
	assert.False(t, isMigrated, "the table of the new program is gone")
	assert.NoError(t, hold.Check(w.Config.Data))
	assert.NoFileExists(t, journalFile(w.Program))
	assert.NoFileExists(t, w.Program+newSuffix)
	if w.Config.Database != "" {
		assert.NoError(t, execute(w.Config, "SELECT 'good'::mood, one(), nextval('numbers'), v.n FROM v, wattle_plugin_x.notes"))
	}
}

func (w *world) isNew(t *testing.T) {
	t.Helper()
	assert.Equal(t, "0.2.0", w.version(t))
	all, isMigrated := rows(t, w.Config)
	assert.Contains(t, all, 1000)
	assert.True(t, isMigrated)
	assert.NoError(t, hold.Check(w.Config.Data))
	assert.FileExists(t, w.Program+previousSuffix)
}

func onBoth(t *testing.T, test func(t *testing.T, engine string)) {
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) { test(t, engine) })
	}
}

// debian returns a Debian package with a program, built like the package of a release: with folders, documents and a folder named like the
// program.
func debian(t *testing.T, program string) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"DEBIAN", "etc/wattle", "usr/share/wattle", "usr/bin"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "DEBIAN", "control"),
		[]byte("Package: wattle\nVersion: 0.2.0\nArchitecture: all\nMaintainer: Wattle\nDescription: portal\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "etc", "wattle", "wattle.cue"), []byte("{}\n"), 0o600))
	require.NoError(t, placeFile(program, filepath.Join(root, "usr", "bin", "wattle")))
	file := filepath.Join(t.TempDir(), "wattle_0.2.0_linux.deb")
	out, err := exec.CommandContext(t.Context(), "dpkg-deb", "--root-owner-group", "-Znone", "--build", root, file).CombinedOutput()
	require.NoError(t, err, string(out))
	return file
}

func TestUpgrade(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Parallel()
	onBoth(t, func(t *testing.T, engine string) {
		w := installed(t, engine)
		t.Run("11-upgrade", func(t *testing.T) {
			require.NoError(t, Run(t.Context(), w.with(t, behavior{})))
			w.isNew(t)
			assert.Contains(t, w.out.String(), "wattle 0.2.0 is installed and was healthy: start it now")
			assert.FileExists(t, filepath.Join(w.Config.Data, "backup.json"), "wattle doctor knows the backup")
		})
		t.Run("11-upgrade-undo", func(t *testing.T) {
			require.NoError(t, execute(w.Config, "INSERT INTO items VALUES (7)"))
			require.NoError(t, Revert(t.Context(), w.Options))
			w.requireUnchanged(t)
			kept := w.kept(t)
			require.Len(t, kept, 1)
			assert.Contains(t, w.out.String(), "what 0.2.0 left is in "+kept[0]+"\n")
			assert.Equal(t, []int{2, 3, 7, 1000}, w.keptRows(t, kept[0]), "what was stored since is in it")
			require.ErrorIs(t, Revert(t.Context(), w.Options), errNoUpgrade)
		})
		if _, err := exec.LookPath("dpkg-deb"); err != nil {
			return // not a Debian system
		}
		t.Run("11-upgrade,11-upgrade-undo", func(t *testing.T) {
			o := w.with(t, behavior{})
			o.To = debian(t, o.To)
			require.NoError(t, Run(t.Context(), o))
			w.isNew(t)
			require.NoError(t, Revert(t.Context(), w.Options))
			w.requireUnchanged(t)
		})
	})
}

// If the name of a label file is not valid UTF-8, the file list of the backup has a different name for it, so such a backup cannot be
// restored.
func TestBackupThatDoesNotVerify(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Parallel()
	t.Run("11-upgrade", func(t *testing.T) {
		w := installed(t, "sqlite")
		name := filepath.Join(w.Config.Labels, "2001", "caf\xe9.txt")
		require.NoError(t, os.WriteFile(name, []byte("text"), 0o600))
		err := Run(t.Context(), w.with(t, behavior{}))
		require.ErrorContains(t, err, "the upgrade to 0.2.0 ended before it changed anything, and wattle 0.1.0 can be started: ")
		require.ErrorContains(t, err, backup.ErrDamaged.Error())
		w.requireUnchanged(t)
		assert.NoFileExists(t, filepath.Join(w.Config.Data, "backup.json"), "a backup that cannot be restored is none")
		assert.NotContains(t, w.out.String(), "Migrating")
		require.NoError(t, os.Remove(name))
		require.NoError(t, Run(t.Context(), w.with(t, behavior{})))
		w.isNew(t)
		_, err = backup.Verify(w.backup(t))
		assert.NoError(t, err)
	})
}

// backup returns the file name of the last backup, as recorded for wattle doctor.
func (w *world) backup(t *testing.T) string {
	t.Helper()
	last, found, err := backup.Last(w.Config.Data)
	require.NoError(t, err)
	require.True(t, found)
	return last.File
}

// kept returns what rollbacks have kept of the data of the new program: a folder with SQLite, a dump with PostgreSQL.
func (w *world) kept(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(w.Config.Data, hold.Folder, "*", failedName))
	require.NoError(t, err)
	return names
}

// keptRows returns the numbers in the table items of what a rollback has kept.
func (w *world) keptRows(t *testing.T, name string) (all []int) {
	t.Helper()
	if w.Config.Database == "" {
		c := w.Config
		c.Data = name
		all, _ = rows(t, c)
		return all
	}
	out, err := exec.CommandContext(t.Context(), "pg_restore", "--data-only", "--table=items", "--file=-", name).Output()
	require.NoError(t, err)
	for _, line := range strings.Split(string(out), "\n") {
		if n, err := strconv.Atoi(line); err == nil {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all
}

func TestGoesBack(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Parallel()
	t.Run("11-upgrade-back", func(t *testing.T) {
		onBoth(t, func(t *testing.T, engine string) {
			w := installed(t, engine)
			for _, c := range []struct {
				name, says string
				b          behavior
			}{
				{"migrations", "wattle 0.2.0 is not healthy: its migrations failed: wattle.new: exit status 1: wattle: a column is missing. wattle 0.1.0 and its data are back: start it now", behavior{Migrate: "fails"}},
				{"ends", "it ended at its start (exit status 1): wattle: it has no settings", behavior{Serve: "ends"}},
				{"never ready", "it was not healthy within 1s: the portal at 127.0.0.1", behavior{Serve: "never"}},
			} {
				t.Run(c.name, func(t *testing.T) {
					o := w.with(t, c.b)
					if c.b.Serve == "never" {
						o.Healthy = time.Second
					}
					require.ErrorContains(t, Run(t.Context(), o), c.says)
					w.requireUnchanged(t)
					kept := w.kept(t)
					require.NotEmpty(t, kept, "what the new program left is kept")
					for _, name := range kept {
						assert.Equal(t, []int{2, 3, 1000}, w.keptRows(t, name), "what the new program left is in %s", name)
					}
				})
			}
		})
	})
}

// The service is a process that one command starts and another command stops.
func TestServiceThatDoesNotBecomeReady(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Parallel()
	w := installed(t, "sqlite")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w.Config.Addr = l.Addr().String()
	require.NoError(t, l.Close())
	pid := filepath.Join(t.TempDir(), "pid")
	w.Start = fmt.Sprintf("WATTLE_ADDR=%s WATTLE_DATA=%s %s serve >/dev/null 2>&1 & echo $! > %s", w.Config.Addr, w.Config.Data, w.Program,
		pid)
	w.Stop = fmt.Sprintf("test ! -e %[1]s || { kill $(cat %[1]s); while kill -0 $(cat %[1]s) 2>/dev/null; do sleep 0.02; done; rm %[1]s; }",
		pid)
	u := &upgrade{Options: w.Options}
	require.NoError(t, u.shell(t.Context(), w.Start))
	t.Cleanup(func() { assert.NoError(t, u.shell(context.Background(), w.Stop)) })
	serves := func() string {
		res, err := http.Get("http://" + w.Config.Addr + "/readyz")
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.Header.Get("Program")
	}
	t.Run("11-upgrade-service", func(t *testing.T) {
		o := w.with(t, behavior{Serve: "service"})
		o.Healthy = 3 * time.Second
		err := Run(t.Context(), o)
		require.ErrorContains(t, err, "wattle 0.2.0 is not healthy: it was not healthy within 3s: the portal at")
		require.ErrorContains(t, err, "wattle 0.1.0 and its data serve again")
		w.requireUnchanged(t)
		assert.Equal(t, "0.1.0", serves())
		require.NoError(t, Run(t.Context(), w.with(t, behavior{})))
		assert.Equal(t, "0.2.0", serves())
		w.isNew(t)
	})
}
