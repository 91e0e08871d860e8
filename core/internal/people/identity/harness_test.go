package identity_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/people/identity/cognito"
	"github.com/wattle-portal/wattle/core/internal/people/identity/cognito/cognitotest"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// labels is a label.Source with three labels: one for each provider, and a second local one.
type labels map[string]*label.Label

func (m labels) ByKey(key string) *label.Label { return m[key] }
func (m labels) All() (all []*label.Label) {
	for _, l := range m {
		all = append(all, l)
	}
	return all
}
func (m labels) ByHost(host string) *label.Label { return m[strings.TrimSuffix(host, ".localhost")] }

// fixture is a service behind a server that works like package web: it finds the label by host and converts claims to a scope.
type fixture struct {
	*testing.T
	*identity.Service
	deps   identity.Deps
	clock  *clock.Clock
	db     store.DB
	labels labels
	pool   *cognitotest.Pool
	log    *bytes.Buffer
	url    string
	other  *browser // another browser of the same account
}

const strongPassword, otherPassword = "Correct-Horse-7", "Battery-Staple-8"

func newFixture(t *testing.T, s *store.Store) *fixture {
	t.Helper()
	w := &fixture{T: t, clock: &clock.Clock{}, log: &bytes.Buffer{}}
	w.clock.Set(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	if err := s.Migrate(t.Context(), identity.Migrations, limit.Migrations, audit.Migrations); err != nil {
		t.Fatal(err)
	}
	w.db = store.Core(storetest.Module(t, s, module.Manifest{Key: "core"}, w.clock))
	w.pool = cognitotest.New(t, w.clock.Now)
	w.labels = labels{}
	for key, id := range map[string]label.Identity{
		"1024": {Provider: "local", ClientID: "client-1024"},
		"1025": {Provider: "local", ClientID: "client-1024"}, // has the client id of 1024: only the issuer differs
		"1071": {Provider: "cognito", Region: cognitotest.Region, UserPoolID: cognitotest.PoolID, ClientID: cognitotest.ClientID,
			Endpoint: w.pool.URL},
	} {
		w.labels[key] = &label.Label{Key: key, Revision: "1", URL: "https://mijn.wind.example", Hosts: []label.Host{{Name: key + ".localhost"}},
			Identity: id, Info: label.Info{Name: "Noorderwind"}, Location: time.UTC, Zone: "Europe/Amsterdam",
			Impersonation: label.Impersonation{Referrer: []string{"https://support.example"}}}
	}
	w.deps = identity.Deps{DB: w.db, Labels: w.labels, Clock: w.clock, Limits: limit.New(w.db, w.clock.Now), Dir: t.TempDir(),
		Audit: audit.New(audit.Deps{Store: s, Clock: w.clock, Names: identity.NamesOf}),
		Cognito: cognito.New(cognito.Config{Now: w.clock.Now, Log: slog.New(slog.NewTextHandler(w.log, nil)),
			Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
			})}),
		Cost: identity.TestCost, Log: slog.New(slog.NewTextHandler(w.log, nil))}
	w.serve()
	return w
}

// serve starts a new service on the same database and data folder, like a restart or another replica.
func (w *fixture) serve() {
	w.Helper()
	var err error
	if w.Service, err = identity.New(w.deps); err != nil {
		w.Fatal(err)
	}
	router := module.NewRouter(module.Manifest{Key: "core", Version: "1.0.0"})
	w.Service.Routes(router.API)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		l := w.labels.ByHost(r.Host)
		ctx := label.With(r.Context(), l)
		ctx = scope.WithClient(ctx, scope.Client{IP: r.Header.Get("X-Test-IP"), UserAgent: r.UserAgent(),
			Secure: r.Header.Get("X-Test-Https") != ""})
		ctx = problem.WithObserver(ctx, func(err error) { w.Errorf("internal error of %s: %v", r.URL.Path, err) })
		sc := scope.Scope{Label: l.Key, Role: scope.RolePublic, Locale: r.Header.Get("Accept-Language"), Zone: l.Zone}
		open := strings.HasPrefix(r.URL.Path, "/auth/") && !slices.Contains([]string{"/auth/change-password", "/auth/sign-out-elsewhere"},
			r.URL.Path) && !strings.HasPrefix(r.URL.Path, "/auth/sessions")
		bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if c, err := w.Authenticate(ctx, l, bearer); ok && open && err == nil {
			ctx = identity.WithClaims(ctx, c)
		}
		if ok && !open {
			if strings.HasPrefix(bearer, identity.KeyPrefix) {
				key, err := w.AuthenticateKey(ctx, l, bearer)
				if err != nil {
					problem.Write(rw, problem.Of(err))
					return
				}
				sc.Role, sc.Actor = scope.RoleKey, key.Name
			} else {
				c, err := w.Authenticate(ctx, l, bearer)
				if err != nil {
					problem.Write(rw, problem.Of(err))
					return
				}
				sc.Role, sc.Subject, sc.Relation, sc.Actor, sc.ReadOnly = c.Role, c.Subject, c.Relation, c.Actor, c.ReadOnly
				ctx = identity.WithClaims(ctx, c)
			}
		}
		router.ServeHTTP(rw, r.WithContext(scope.With(ctx, sc, nil)))
	}))
	w.Cleanup(server.Close)
	w.url = server.URL
}

// account creates an account with a password at its label's provider.
func (w *fixture) account(a identity.Account, password string, temporary bool) identity.Account {
	w.Helper()
	if a.Role == "" {
		a.Role = identity.Customer
	}
	if a.Role == identity.Customer && a.Relation == "" {
		a.Relation = value.StableID(a.Label, "relation", a.Username)
	}
	a, err := w.Upsert(w.Context(), a, password, temporary)
	if err != nil {
		w.Fatal(err)
	}
	return a
}

// browser is a browser on a host of one label.
type browser struct {
	*fixture
	label  string
	ip     string
	cookie string
	bearer string
	locale string
	https  bool
	agent  string
}

func (w *fixture) browser(label string) *browser {
	return &browser{fixture: w, label: label, ip: value.NewID()}
}

type answer struct {
	Status    int
	Header    http.Header
	Code      string               `json:"code"`
	Errors    []problem.FieldError `json:"errors"`
	IDToken   string               `json:"id_token"`
	ExpiresIn int                  `json:"expires_in"`
	Challenge string               `json:"challenge"`
	Session   json.RawMessage      `json:"session"`
	Fields    map[string]any       `json:"-"`
	Cookie    *http.Cookie         `json:"-"`
	Raw       []byte               `json:"-"`
}

// session returns the session in a response.
func (a answer) session(t *testing.T) identity.Session {
	t.Helper()
	var s identity.Session
	if err := json.Unmarshal(a.Session, &s); err != nil {
		t.Fatalf("session %s: %v", a.Session, err)
	}
	return s
}

func (b *browser) call(method, path string, body any) answer {
	b.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		b.Fatal(err)
	}
	req, err := http.NewRequestWithContext(b.Context(), method, b.url+path, bytes.NewReader(data))
	if err != nil {
		b.Fatal(err)
	}
	req.Host = b.label + ".localhost"
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Test-IP", b.ip)
	req.Header.Set("Accept-Language", b.locale)
	if b.agent != "" {
		req.Header.Set("User-Agent", b.agent)
	}
	if b.https {
		req.Header.Set("X-Test-Https", "1")
	}
	if b.cookie != "" {
		req.AddCookie(&http.Cookie{Name: identity.SecureCookieName, Value: b.cookie})
	}
	if b.bearer != "" {
		req.Header.Set("Authorization", "Bearer "+b.bearer)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		b.Fatal(err)
	}
	a := answer{Status: res.StatusCode, Header: res.Header}
	if a.Raw = raw; len(raw) > 0 && raw[0] != '[' {
		if err := json.Unmarshal(raw, &a); err != nil {
			b.Fatalf("%s: %s: %v", path, raw, err)
		}
		_ = json.Unmarshal(raw, &a.Fields)
	}
	for _, c := range res.Cookies() {
		if a.Cookie == nil {
			a.Cookie, b.cookie = c, c.Value
		}
	}
	if a.IDToken != "" {
		b.bearer = a.IDToken
	}
	return a
}

func (b *browser) post(path string, body any) answer {
	b.Helper()
	return b.call(http.MethodPost, path, body)
}

func (b *browser) signIn(username, password string) answer {
	b.Helper()
	return b.post("/auth/sign-in", map[string]string{"username": username, "password": password})
}

// refresh requests a new token. Only a browser without a cookie gets the response that there is nothing to refresh.
func (b *browser) refresh() answer {
	b.Helper()
	had := b.cookie != ""
	a := b.post("/auth/refresh", nil)
	if had != (a.Status != http.StatusNoContent) {
		b.Fatalf("with a cookie %v: answer %d", had, a.Status)
	}
	return a
}

// want checks the status and the code.
func (a answer) want(t *testing.T, status int, code string) answer {
	t.Helper()
	if a.Status != status || a.Code != code {
		t.Fatalf("answer %d %q, want %d %q", a.Status, a.Code, status, code)
	}
	return a
}

// list decodes a response that is an array.
func (a answer) list(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal(a.Raw, into); err != nil {
		t.Fatalf("%s: %v", a.Raw, err)
	}
}

// ok checks that the request succeeded.
func (a answer) ok(t *testing.T) answer {
	t.Helper()
	if a.Status >= 300 {
		t.Fatalf("answer %d %q %v", a.Status, a.Code, a.Errors)
	}
	return a
}

// mails returns the emails queued so far, oldest first.
func (w *fixture) mails() (out []module.Mail) {
	w.Helper()
	var rows []struct{ Payload string }
	err := w.db.Read().NewRaw("SELECT payload FROM core_outbox WHERE kind = 'mail' ORDER BY at, id").Scan(w.Context(), &rows)
	if err != nil {
		w.Fatal(err)
	}
	for _, r := range rows {
		var m module.Mail
		if err := json.Unmarshal([]byte(r.Payload), &m); err != nil {
			w.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

// lastMail returns the newest email as it is sent: with the password, which is encrypted in the queue.
func (w *fixture) lastMail(label string) module.Mail {
	w.Helper()
	mails := w.mails()
	key, err := masterkey.Load("", w.deps.Dir)
	if err != nil || len(mails) == 0 {
		w.Fatal(len(mails), err)
	}
	queued := mails[len(mails)-1]
	if !strings.HasPrefix(queued.Code, "sealed:") {
		w.Errorf("a password waits in clear: %+v", queued)
	}
	m, err := identity.OpenMail(key, label, queued)
	if err != nil {
		w.Fatal(err)
	}
	if _, err := identity.OpenMail(key, "404", queued); err == nil {
		w.Error("opened for another label")
	}
	return m
}

// code returns the newest code that the portal or the pool sent to a user.
func (w *fixture) code(label, username, email string) string {
	w.Helper()
	if w.labels[label].Identity.Provider == "cognito" {
		if c := w.pool.Code(username); c != "" {
			return c
		}
	}
	mails := w.mails()
	for _, m := range slices.Backward(mails) {
		if m.To == email && m.Code != "" {
			return m.Code
		}
	}
	w.Fatal("no code was mailed")
	return ""
}
