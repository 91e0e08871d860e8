// Package portaltest runs a whole portal inside the tests of a module: on a local address, on SQLite and PostgreSQL, with the modules and
// labels of the test, a clock that the test sets, and access to the emails that were sent.
//
//	func TestThings(t *testing.T) {
//		portaltest.Each(t, portaltest.Options{Modules: []module.Module{acme.Module}}, func(t *testing.T, p *portaltest.Portal) {
//			customer := p.Customer("alpha", "r1")
//			require.Equal(t, http.StatusNoContent, customer.Do("PUT", "/acme/things/1", thing).Status)
//		})
//	}
//
// moduletest checks what the contract requires of every module, without HTTP; portaltest tests what a module guarantees to its callers.
package portaltest

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/base/logline"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

// Begin is the time of a portal's clock at the start.
var Begin = time.Date(2026, time.November, 20, 10, 0, 0, 0, time.UTC)

// Options configure the portal of a test. The zero value has two labels, "alpha" for customers and "beta" for participants, and no
// modules.
type Options struct {
	Modules   []module.Module
	Labels    []Label
	LabelsDir string // a labels folder, instead of Labels
	// CUE is added to every label that the test writes, for required settings of a module.
	CUE string
	// Demo runs the portal like `wattle serve --demo`, but without demo data. Modules may then call this machine, which ExternalService needs.
	Demo bool
	// Live refuses everything that is only for demos and tests, such as sandbox payments.
	Live       bool
	SecretFile string // file with the secrets that labels use, as in --secret-file
	// AtOnce marks a test with concurrent calls. All other tests are skipped if WATTLE_RACE is set, so that the slow race detector only
	// runs on tests in which it can find something.
	AtOnce bool
	Log    io.Writer // receives JSON lines of every level; nil: no log
}

// Portal is a running portal. It stops at the end of its test.
type Portal struct {
	URL string // http://127.0.0.1:port

	app      *app.App
	t        testing.TB
	modules  []module.Module
	database string
}

// Start starts a portal on SQLite.
func Start(t testing.TB, o Options) *Portal {
	t.Helper()
	return start(t, o, "")
}

// Each runs f on both databases, as subtests "sqlite" and "postgres", each with its own portal. PostgreSQL is a private cluster; when
// its programs are not installed, that subtest is skipped, unless WATTLE_REQUIRE_POSTGRES is 1.
func Each(t *testing.T, o Options, f func(*testing.T, *Portal)) {
	t.Helper()
	o.skip(t)
	storetest.EachConfig(t, func(t *testing.T, c store.Config) { f(t, start(t, o, c.URL)) })
}

func (o Options) skip(t testing.TB) {
	t.Helper()
	if os.Getenv("WATTLE_RACE") != "" && !o.AtOnce {
		t.Skip("sequential calls only: nothing for the race detector")
	}
}

func start(t testing.TB, o Options, database string) *Portal {
	t.Helper()
	o.skip(t)
	c := config.Config{Addr: "127.0.0.1:0", Data: t.TempDir(), Labels: o.LabelsDir, Unsafe: true, Sandbox: !o.Live, Demo: o.Demo,
		SecretFile: o.SecretFile, Database: database}
	if c.SecretFile != "" {
		read := config.Default()
		read.SecretFile = c.SecretFile
		require.NoError(t, read.Check())
		read.Addr, read.Data, read.Labels, read.Unsafe, read.Sandbox, read.Demo, read.Database = c.Addr, c.Data, c.Labels, c.Unsafe, c.Sandbox,
			c.Demo, c.Database
		c = read
	}
	if database != "" {
		// All processes on one database must have the same identity key.
		require.NoError(t, os.WriteFile(filepath.Join(c.Data, masterkey.File), []byte(strings.Repeat("wattle  ", 6)), 0o600))
	}
	if c.Labels == "" {
		c.Labels = t.TempDir()
		if o.Labels == nil {
			o.Labels = twoLabels
		}
		for _, l := range o.Labels {
			l.CUE += "\n" + o.CUE
			WriteLabel(t, c.Labels, l, o.Modules)
		}
	}
	return run(t, c, o.Modules, o.Log)
}

func run(t testing.TB, c config.Config, modules []module.Module, log io.Writer) *Portal {
	t.Helper()
	if log == nil {
		log = io.Discard
	}
	a, err := app.New(c, modules, fx.Replace(slog.New(logline.NewHandler(log, slog.LevelDebug))))
	require.NoError(t, err)
	a.Clock.Set(Begin)
	require.NoError(t, a.Serve(t.Context()))
	p := Of(t, a)
	p.modules, p.database = modules, c.Database
	t.Cleanup(p.Stop)
	return p
}

// Of returns a Portal for a running app, which keeps running after the test. It is for core's own tests: modules cannot use an app.
func Of(t testing.TB, a *app.App) *Portal {
	return &Portal{URL: "http://" + a.Addr().String(), app: a, t: t, database: a.Config.Database}
}

// For returns the same portal for a subtest, so that failures are reported for the subtest.
func (p *Portal) For(t testing.TB) *Portal {
	q := *p
	q.t = t
	return &q
}

// Replica starts a replica: a second process on the database and labels of this portal. It requires PostgreSQL.
func (p *Portal) Replica() *Portal {
	p.t.Helper()
	require.NotEmpty(p.t, p.database, "replicas share a PostgreSQL database")
	c := p.app.Config
	c.Data = p.t.TempDir()
	key, err := os.ReadFile(filepath.Join(p.app.Config.Data, masterkey.File))
	require.NoError(p.t, err)
	require.NoError(p.t, os.WriteFile(filepath.Join(c.Data, masterkey.File), key, 0o600))
	q := run(p.t, c, p.modules, nil)
	q.app.Clock.Set(p.Now())
	return q
}

// Stop stops the portal before the end of its test. Its data is kept for Restart.
func (p *Portal) Stop() {
	p.t.Helper()
	require.NoError(p.t, p.app.Stop(context.WithoutCancel(p.t.Context())))
}

// Restart starts a stopped portal again with its data.
func (p *Portal) Restart() *Portal {
	p.t.Helper()
	c := p.app.Config
	c.Addr = "127.0.0.1:0"
	q := run(p.t, c, p.modules, nil)
	q.app.Clock.Set(p.Now())
	return q
}

// DataDir returns the data folder of the portal, which contains the SQLite database, emails and files.
func (p *Portal) DataDir() string { return p.app.Config.Data }

// LabelsDir returns the labels folder of the portal. A label that WriteLabel writes there is read immediately.
func (p *Portal) LabelsDir() string { return p.app.Config.Labels }

// Flags returns the flags that make `wattle` use the same labels and data.
func (p *Portal) Flags() []string {
	out := []string{"--labels", p.LabelsDir(), "--data", p.DataDir()}
	if p.database != "" {
		out = append(out, "--database", p.database)
	}
	return out
}

// DB returns the portal's database, with the data of all modules and labels. It is for tests that inspect rows, or write rows that no
// operation writes.
func (p *Portal) DB() *bun.DB { return p.app.Store.DB() }

// StoreFile writes a file to the file store of a label: "invoices/1.pdf".
func (p *Portal) StoreFile(labelKey, name, content string) {
	p.t.Helper()
	file := filepath.Join(p.DataDir(), "files", labelKey, filepath.FromSlash(name))
	require.NoError(p.t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(p.t, os.WriteFile(file, []byte(content), 0o600))
}

// CanReplicate reports whether the portal can have a replica; see Beside.
func (p *Portal) CanReplicate() bool { return p.database != "" }

// TablesWithoutLabelKey returns the keys, unique constraints and foreign keys in the database that do not contain label_key. Those of a
// module's tables must all contain it.
func (p *Portal) TablesWithoutLabelKey() []string {
	return storetest.ConstraintsWithoutLabelKey(p.t, p.app.Store)
}
