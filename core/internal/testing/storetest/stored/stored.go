// Package stored writes and reads the data of a release: the data folder or the database of a portal that people have used. `make stored`
// keeps the data of each release for upgrade tests.
package stored

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// Engines of the files.
const (
	SQLite   = "sqlite"
	Postgres = "postgres"
)

// Credentials contains the secrets that browsers, people and back offices have received from a portal. It is stored in <engine>.json.
type Credentials struct {
	Clock    time.Time          // time on the portal's clock
	Cookies  map[string]string  // label -> value of wattle_session
	Accounts map[string]Account // by purpose
	APIKeys  map[string]string  // label -> key
	Webhooks map[string]Webhook // by label
	Offers   []string
	Orders   map[string]string // state -> deal_identifier
	Secret   string            `json:",omitempty"` // WATTLE_IDENTITY_KEY; empty: identity.key in the data folder
}

// Account is an account that can sign in.
type Account struct{ Label, Username, Password, Relation, Email string }

// Webhook is a webhook that a back office has registered.
type Webhook struct{ ID, URL, Secret string }

// Engines contains both engines.
var Engines = []string{SQLite, Postgres}

// Releases contains the folders of releases, and one with data of the current program, which is written when a test needs it.
type Releases struct {
	Folder  string                  // contains labels, and a folder for each release
	Program func(testing.TB) string // builds the current program
	Env     []string                // environment of that program
	Temp    string                  // folder to write to, which the caller removes
	mu      sync.Mutex
	written map[string]bool // by engine
}

// Each runs a test with the data of each release and of the current program, on both engines.
func (r *Releases) Each(t *testing.T, test func(t *testing.T, folder, engine string)) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(r.Folder, "*/sqlite.json"))
	require.NoError(t, err)
	for _, engine := range Engines {
		for _, file := range all {
			folder := filepath.Dir(file)
			t.Run(filepath.Base(folder)+" "+engine, func(t *testing.T) { test(t, folder, engine) })
		}
		t.Run("today "+engine, func(t *testing.T) { test(t, r.Today(t, engine), engine) })
	}
}

// Today returns the folder with data of the current program.
func (r *Releases) Today(t testing.TB, engine string) string {
	t.Helper()
	of := Release{Program: r.Program(t), Env: r.Env, Labels: filepath.Join(r.Temp, "labels")}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.written[engine] {
		return r.Temp
	}
	if len(r.written) == 0 {
		require.NoError(t, os.CopyFS(of.Labels, os.DirFS(filepath.Join(r.Folder, "labels"))))
		r.written = map[string]bool{}
	}
	if engine == Postgres {
		of.Database = storetest.PostgresConfig(t).URL
	}
	require.NoError(t, Write(of, r.Temp))
	r.written[engine] = true
	return r.Temp
}

// Read returns the secrets that people have received from the portal whose data is in a folder.
func Read(t testing.TB, folder, engine string) (left Credentials) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, engine+".json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &left))
	return left
}

// Unpack unpacks the data folder of a portal.
func Unpack(t testing.TB, folder, engine, into string) {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, engine+".tar.zst"))
	require.NoError(t, err)
	defer func() { _ = f.Close() }() // opened for reading only
	z, err := zstd.NewReader(f)
	require.NoError(t, err)
	defer z.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		require.True(t, filepath.IsLocal(h.Name), h.Name)
		name, mode := filepath.Join(into, h.Name), os.FileMode(h.Mode).Perm()
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(name, mode))
			continue
		}
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, content, mode))
	}
}

// Restore executes dump.sql of an unpacked folder in an empty database.
func Restore(t testing.TB, database, folder string) {
	t.Helper()
	dump, err := os.ReadFile(filepath.Join(folder, "dump.sql"))
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	_, err = conn.PgConn().Exec(t.Context(), string(dump)).ReadAll()
	require.NoError(t, err)
}
