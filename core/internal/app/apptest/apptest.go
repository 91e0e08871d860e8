// Package apptest runs the whole portal inside a test: on an address of this machine, with a data folder of its own, labels that
// the test writes and a clock that it moves, on SQLite or PostgreSQL.
package apptest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/app"
	"github.com/wattle-portal/wattle/core/internal/config"
	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/masterkey"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/internal/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Now is where a test's clock starts.
var Now = time.Date(2026, time.November, 20, 10, 0, 0, 0, time.UTC)

// Password of the accounts that SignIn makes.
const Password = "Proefpersoon1"

// Label is a label that a test writes. Its host is <key>.localhost.
type Label struct {
	Key  string
	Kind label.Kind
	CUE  string // added to a small label that has every module: "modules: account: x: 1"
}

// Options say what the portal of a test is like. The zero value has two labels, "alpha" and "beta", and no module.
type Options struct {
	Modules   []module.Module
	Labels    []Label
	LabelsDir string        // a folder of labels instead
	Config    config.Config // Addr, Data, Labels and Unsafe are filled in
	Store     *store.Config // where the database is; nil: SQLite in the data folder
	Live      bool          // settings for demonstrations, such as sandbox payments, are left out as outside of a demo
	Durable   bool          // as an installation writes: with fsync, and with the price of a real password
	Log       io.Writer     // nil: nowhere
	Parts     []fx.Option   // that replace the app's own
}

// Server is a portal that runs until the end of the test.
type Server struct {
	*app.App
	URL string
	t   testing.TB
}

// Start runs a portal.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	return Serve(t, New(t, o))
}

// Serve runs a portal that was built.
func Serve(t testing.TB, a *app.App) *Server {
	t.Helper()
	require.NoError(t, a.Serve(t.Context()))
	t.Cleanup(func() { require.NoError(t, a.Stop(t.Context())) })
	return &Server{a, "http://" + a.Addr().String(), t}
}

// For is the server for a subtest: a fuzz target may not use the t around it.
func (s *Server) For(t testing.TB) *Server { return &Server{s.App, s.URL, t} }

// New builds a portal without starting it.
func New(t testing.TB, o Options) *app.App {
	t.Helper()
	c := o.Config
	c.Addr, c.Data, c.Labels, c.Unsafe = "127.0.0.1:0", t.TempDir(), o.LabelsDir, !o.Durable
	c.Sandbox = !o.Live
	if o.Store != nil {
		c.Database = o.Store.URL
		// Several portals on one database have one identity key, as an installation's processes do.
		require.NoError(t, os.WriteFile(filepath.Join(c.Data, masterkey.File), []byte(strings.Repeat("apptest ", 6)), 0o600))
	}
	if c.Labels == "" {
		c.Labels = t.TempDir()
		if o.Labels == nil {
			o.Labels = []Label{{Key: "alpha"}, {Key: "beta", Kind: label.KindParticipant}}
		}
		for _, l := range o.Labels {
			WriteLabel(t, c.Labels, l, o.Modules)
		}
	}
	return build(t, c, o)
}

// Beside builds a second portal on the data and labels of a running one.
func Beside(t testing.TB, c config.Config, modules []module.Module) *app.App {
	t.Helper()
	return build(t, c, Options{Modules: modules})
}

// BesideWith builds one with further options: what a configuration does not say.
func BesideWith(t testing.TB, c config.Config, o Options) *app.App {
	t.Helper()
	return build(t, c, o)
}

// On is the server of another portal of the same test, which has been started.
func (s *Server) On(a *app.App) *Server { return &Server{a, "http://" + a.Addr().String(), s.t} }

func build(t testing.TB, c config.Config, o Options) *app.App {
	t.Helper()
	if o.Log == nil {
		o.Log = io.Discard
	}
	log := slog.New(slog.NewJSONHandler(o.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	a, err := app.New(c, o.Modules, append(o.Parts, fx.Replace(log))...)
	require.NoError(t, err)
	a.Clock.Set(Now)
	return a
}

// Each runs a test on both engines, as subtests "sqlite" and "postgres".
func Each(t *testing.T, o Options, f func(*testing.T, *Server)) {
	t.Helper()
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		o := o
		o.Store = &c
		f(t, Start(t, o))
	})
}

// required are the settings of a module that has no default for all of them; a test's own CUE may choose another value.
var required = map[string]string{"marketplace": `{payment: provider: *"sandbox" | "mollie"}`}

// WriteLabel writes a label into a folder of labels. Writing it again replaces it.
func WriteLabel(t testing.TB, dir string, l Label, modules []module.Module) {
	t.Helper()
	home := filepath.Join(dir, l.Key)
	require.NoError(t, os.RemoveAll(home))
	require.NoError(t, os.MkdirAll(filepath.Join(home, "assets"), 0o700))
	var text strings.Builder
	fmt.Fprintf(&text, smallLabel, l.Key, cmp.Or(l.Kind, label.KindCustomer), strings.ToUpper(l.Key[:1])+l.Key[1:])
	for _, m := range modules {
		fmt.Fprintf(&text, "modules: %s: %s\n", m.Key, cmp.Or(required[m.Key], "{}"))
	}
	text.WriteString(l.CUE + "\n")
	for name, content := range map[string]string{"assets/logo.svg": svg, "assets/favicon.svg": svg, "label.cue": text.String()} {
		require.NoError(t, os.WriteFile(filepath.Join(home, name), []byte(content), 0o600))
	}
}

const (
	svg        = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#0b7a3b"/></svg>`
	smallLabel = `
label_key: %[1]q
url: "http://%[1]s.localhost:8080"
hosts: [{name: "%[1]s.localhost"}, {name: "test.%[1]s.localhost", test: true}]
kind: %[2]q
style: {page_title: "Mijn %[3]s", primary_color: "#0b7a3b"}
info: {
	name: "%[3]s Energie"
	email: "service@%[1]s.example"
	phone_number: "088 123 45 67"
	opening_hours: [{text: "Maandag tot en met vrijdag", from: "08:30", to: "17:00", days: [1, 2, 3, 4, 5]}]
}
modules: {}
`
)

// Answer is what came back of a call.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// JSON decodes the answer.
func (a Answer) JSON(t testing.TB, v any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(a.Body, v), string(a.Body))
}

// Code is the code of a problem; empty for an answer that is none.
func (a Answer) Code() string {
	var p problem.Problem
	if !strings.HasPrefix(a.Header.Get("Content-Type"), "application/problem+json") || json.Unmarshal(a.Body, &p) != nil {
		return ""
	}
	return p.Code
}

// Call is a request of a test.
type Call struct {
	Method string // empty: GET
	Host   string // as the browser sends it; empty: alpha.localhost
	Path   string // below /api/v0 unless it begins with //
	Bearer string
	Body   any // a string or []byte as it is, anything else as JSON
	Header map[string]string
}

// Do makes a call. Names below localhost do not resolve everywhere: it goes to the address, with the name in the Host header.
func (s *Server) Do(c Call) Answer {
	s.t.Helper()
	var body io.Reader
	switch b := c.Body.(type) {
	case nil:
	case string:
		body = strings.NewReader(b)
	case []byte:
		body = bytes.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		require.NoError(s.t, err)
		body = bytes.NewReader(raw)
	}
	url := s.URL + "/api/v0" + c.Path
	if rest, ok := strings.CutPrefix(c.Path, "//"); ok {
		url = s.URL + "/" + rest
	}
	if c.Method == "" {
		c.Method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(s.t.Context(), c.Method, url, body)
	require.NoError(s.t, err)
	r.Host = c.Host
	if c.Host == "" {
		r.Host = "alpha.localhost"
	}
	if c.Bearer != "" {
		r.Header.Set("Authorization", "Bearer "+c.Bearer)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for k, v := range c.Header {
		r.Header.Set(k, v)
	}
	res, err := (&http.Transport{DisableKeepAlives: true, DisableCompression: true}).RoundTrip(r)
	require.NoError(s.t, err)
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	return Answer{res.StatusCode, res.Header, raw}
}

// SignIn makes an account and gives its id token.
func (s *Server) SignIn(a identity.Account) (token string) {
	s.t.Helper()
	_, err := s.Identity.Upsert(s.t.Context(), a, Password, false)
	require.NoError(s.t, err)
	answer := s.Do(Call{Method: http.MethodPost, Host: a.Label + ".localhost", Path: "/auth/sign-in",
		Body: map[string]string{"username": a.Username, "password": Password}})
	require.Equal(s.t, http.StatusOK, answer.Status, string(answer.Body))
	var out struct {
		IDToken string `json:"id_token"`
	}
	answer.JSON(s.t, &out)
	require.NotEmpty(s.t, out.IDToken)
	return out.IDToken
}

// Customer signs in a customer of a relation.
func (s *Server) Customer(labelKey, relation string) (token string) {
	return s.SignIn(identity.Account{Label: labelKey, Relation: relation, Username: relation + "@klant.example",
		Email: relation + "@klant.example", Name: "Klant " + relation, Role: identity.Customer, Locale: "nl"})
}

// Staff signs in a member of staff.
func (s *Server) Staff(labelKey string) (token string) {
	return s.SignIn(identity.Account{Label: labelKey, Username: "medewerker@" + labelKey + ".example",
		Email: "medewerker@" + labelKey + ".example", Name: "Mede Werker", Role: identity.Staff, Locale: "nl"})
}

// Impersonator signs in somebody who looks along with a customer, who must have an account.
func (s *Server) Impersonator(labelKey, relation string) (token string) {
	s.t.Helper()
	who, err := s.Identity.Upsert(s.t.Context(), identity.Account{Label: labelKey, Username: "impersonator_" + relation,
		Email: "help@" + labelKey + ".example", Name: "Help Desk", Role: identity.ImpersonatorRole, Locale: "nl"}, Password, false)
	require.NoError(s.t, err)
	code, err := s.Identity.NewImpersonation(s.t.Context(), who, relation)
	require.NoError(s.t, err)
	answer := s.Do(Call{Method: http.MethodPost, Host: labelKey + ".localhost", Path: "/auth/impersonate", Body: map[string]string{"code": code}})
	require.Equal(s.t, http.StatusOK, answer.Status, string(answer.Body))
	var out struct {
		IDToken string `json:"id_token"`
	}
	answer.JSON(s.t, &out)
	return out.IDToken
}
