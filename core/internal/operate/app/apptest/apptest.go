// Package apptest is portaltest for core's own tests: it has access to the parts of the app, and options that only core has.
package apptest

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/base/logline"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
)

// Now is the time of a test's clock at the start.
var Now = portaltest.Begin

// Password is the password of the accounts that SignIn creates.
const Password = portaltest.Password

// Label is a label that a test writes. Its host is <key>.localhost.
type Label = portaltest.Label

// Options configure the portal of a test. The zero value has two labels, "alpha" and "beta", and no modules.
type Options struct {
	Modules   []module.Module
	Labels    []Label
	LabelsDir string        // a labels folder, instead of Labels
	Config    config.Config // Addr, Data, Labels and Unsafe are set
	Store     *store.Config // the database; nil: SQLite in the data folder
	Live      bool          // ignores settings for demos, such as sandbox payments
	Durable   bool          // as in production: with fsync, and with the real cost of password hashes
	Log       io.Writer     // nil: no log
	Parts     []fx.Option   // replacements for parts of the app
}

// Server is a portal that runs until the end of the test.
type Server struct {
	*app.App
	URL string
	t   testing.TB
}

// Start builds and starts a portal.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	return Serve(t, New(t, o))
}

// Serve starts a portal that has been built.
func Serve(t testing.TB, a *app.App) *Server {
	t.Helper()
	require.NoError(t, a.Serve(t.Context()))
	t.Cleanup(func() { require.NoError(t, a.Stop(t.Context())) })
	return &Server{a, "http://" + a.Addr().String(), t}
}

// For returns the server for a subtest: a fuzz target must not use the enclosing t.
func (s *Server) For(t testing.TB) *Server { return &Server{s.App, s.URL, t} }

// New builds a portal without starting it.
func New(t testing.TB, o Options) *app.App {
	t.Helper()
	c := o.Config
	c.Addr, c.Data, c.Labels, c.Unsafe = "127.0.0.1:0", t.TempDir(), o.LabelsDir, !o.Durable
	c.Sandbox = !o.Live
	if o.Store != nil {
		c.Database, c.Direct = o.Store.URL, o.Store.Direct
		// Several portals on one database have the same identity key, like the processes of one installation.
		require.NoError(t, os.WriteFile(filepath.Join(c.Data, masterkey.File), []byte(strings.Repeat("apptest ", 6)), 0o600))
	}
	if c.Labels == "" {
		c.Labels = t.TempDir()
		if o.Labels == nil {
			o.Labels = []Label{{Key: "alpha"}, {Key: "beta", Kind: portaltest.Participants}}
		}
		for _, l := range o.Labels {
			WriteLabel(t, c.Labels, l, o.Modules)
		}
	}
	return build(t, c, o)
}

// NewReplica builds a second portal on the data and labels of a running portal.
func NewReplica(t testing.TB, c config.Config, modules []module.Module) *app.App {
	t.Helper()
	return build(t, c, Options{Modules: modules})
}

// NewReplicaWith builds a second portal with additional options that are not in the configuration.
func NewReplicaWith(t testing.TB, c config.Config, o Options) *app.App {
	t.Helper()
	return build(t, c, o)
}

// On returns the server of another running portal of the same test.
func (s *Server) On(a *app.App) *Server { return &Server{a, "http://" + a.Addr().String(), s.t} }

func build(t testing.TB, c config.Config, o Options) *app.App {
	t.Helper()
	if o.Log == nil {
		o.Log = io.Discard
	}
	log := slog.New(logline.NewHandler(o.Log, slog.LevelDebug))
	a, err := app.New(c, o.Modules, append(o.Parts, fx.Replace(log))...)
	require.NoError(t, err)
	a.Clock.Set(Now)
	return a
}

// Each runs f on both databases, as subtests "sqlite" and "postgres".
func Each(t *testing.T, o Options, f func(*testing.T, *Server)) {
	t.Helper()
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		o := o
		o.Store = &c
		f(t, Start(t, o))
	})
}

// WriteLabel writes a label to a labels folder. Writing it again replaces it.
func WriteLabel(t testing.TB, dir string, l Label, modules []module.Module) {
	t.Helper()
	for _, m := range modules {
		if m.Key == "marketplace" { // the payment provider setting has no default; the CUE of a test may set another provider
			l.CUE += "\nmodules: marketplace: payment: provider: *\"sandbox\" | \"mollie\"\n"
		}
	}
	portaltest.WriteLabel(t, dir, l, modules)
}

// Call is a request of a test.
type Call = portaltest.Call

// Answer is the response of a call.
type Answer = portaltest.Answer

// Do makes a call.
func (s *Server) Do(c Call) Answer { s.t.Helper(); return s.Portal().Do(c) }

// Portal returns the server as a Portal, which module tests use.
func (s *Server) Portal() *portaltest.Portal { return portaltest.Of(s.t, s.App) }

// SignIn creates an account and returns its id token.
func (s *Server) SignIn(a identity.Account) (token string) {
	s.t.Helper()
	return s.Portal().SignIn(portaltest.Account{Label: a.Label, Relation: a.Relation, Username: a.Username, Email: a.Email, Name: a.Name,
		Locale: a.Locale, Role: a.Role}).Bearer
}

// Customer signs in a customer of a relation.
func (s *Server) Customer(labelKey, relation string) (token string) {
	s.t.Helper()
	return s.Portal().Customer(labelKey, relation).Bearer
}

// Staff signs in a member of staff.
func (s *Server) Staff(labelKey string) (token string) {
	s.t.Helper()
	return s.Portal().Staff(labelKey).Bearer
}

// Impersonator signs in a member of staff and impersonates a customer, who must have an account.
func (s *Server) Impersonator(labelKey, relation string) (token string) {
	s.t.Helper()
	return s.Portal().Impersonator(labelKey, relation).Bearer
}
