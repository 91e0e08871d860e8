package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/command"
	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/config"
	"github.com/wattle-portal/wattle/core/internal/mail"
	"github.com/wattle-portal/wattle/core/internal/registry"
	"github.com/wattle-portal/wattle/core/internal/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules"
)

// Paths of the data of the former release, written by testdata/make.go.
const (
	formerFolder = "testdata/former"
)

// former has what browsers and back offices received from the former release.
type former struct {
	Clock    time.Time
	Cookies  map[string]string // label -> session cookie
	Accounts map[string]struct{ Label, Username, Password, Relation, Email string }
	APIKeys  map[string]string // label -> key
	Webhooks map[string]struct{ ID, Secret string }
	Offers   []string
	Orders   map[string]string // state -> id
	Secret   string            // WATTLE_IDENTITY_KEY; empty: identity.key in the data folder
}

const patience = 10 * time.Second // for background work on a busy machine

// unpackFormer unpacks the installation of the former release on a database, and returns the configuration to start this release on it.
func unpackFormer(t *testing.T, engine string) (c config.Config, left former) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(formerFolder, engine+".json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &left))
	c = config.Default()
	c.Addr, c.Labels, c.Data, c.Demo, c.Unsafe = "127.0.0.1:0", filepath.Join(formerFolder, "labels"), t.TempDir(), true, true
	storetest.Unpack(t, filepath.Join(formerFolder, engine+".tar.zst"), c.Data)
	c.Plugins, _ = formerPlugin(t)
	if engine == "postgres" {
		c.Database = storetest.PostgresConfig(t).URL
		c.SecretFile = filepath.Join(c.Data, "secrets")
		storetest.RestoreDump(t, c.Database, filepath.Join(c.Data, "dump.sql"))
	}
	require.NoError(t, c.Check())
	return c, left
}

// formerPlugin unpacks the plugins folder of the former release; ok is false when it was built for another platform.
func formerPlugin(t *testing.T) (dir string, ok bool) {
	t.Helper()
	if runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
		return "", false
	}
	dir = t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	home := filepath.Join(dir, "fixture")
	require.NoError(t, os.Mkdir(home, 0o700))
	f, err := os.Open(filepath.Join(formerFolder, "plugin.br"))
	require.NoError(t, err)
	defer func() { _ = f.Close() }() // opened for reading only
	binary, err := os.OpenFile(filepath.Join(home, "module"), os.O_CREATE|os.O_WRONLY, 0o700)
	require.NoError(t, err)
	_, err = io.Copy(binary, brotli.NewReader(f))
	require.NoError(t, errors.Join(err, binary.Close()))
	spec, err := os.ReadFile(filepath.Join(formerFolder, "plugin.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(home, "plugin.json"), spec, 0o600))
	return dir, true
}

// 9-former-release: data of the former release works with this release, on both databases. There is one start per database; all checks
// run on that portal.
func TestFormerRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole data folders")
	}
	t.Parallel()
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			c, left := unpackFormer(t, engine)
			a := apptest.NewReplica(t, c, modules.All)
			a.Clock.Set(left.Clock.Add(10 * time.Minute))
			s := &formerPortal{apptest.Serve(t, a), left, map[string]string{}}
			t.Run("9-former-release", func(t *testing.T) {
				t.Run("it is ready", s.ready)
				t.Run("a session continues", s.session)
				t.Run("a password signs in", s.password)
				t.Run("pending mails and webhooks are delivered", s.deliveries) // a code among them, which the next change of address ends
				t.Run("an API key decides a pending change", s.apiKey)
				t.Run("records are kept", s.records)
				t.Run("both audits pass", s.audits)
				t.Run("a plugin serves", s.plugin)
			})
		})
	}
}

type formerPortal struct {
	*apptest.Server
	left   former
	tokens map[string]string // of the accounts that have signed in: checking a password hash of the former release is slow
}

func (s *formerPortal) in(t *testing.T, label, method, path, bearer string, body any) apptest.Answer {
	t.Helper()
	return s.For(t).Do(apptest.Call{Method: method, Host: label + ".localhost", Path: path, Bearer: bearer, Body: body})
}

// as makes a call that must succeed, as an account of the former release.
func (s *formerPortal) as(t *testing.T, who, method, path string, body any, out any) {
	t.Helper()
	if s.tokens[who] == "" {
		s.tokens[who] = s.signIn(t, who, s.left.Accounts[who].Password)
	}
	a := s.in(t, s.left.Accounts[who].Label, method, path, s.tokens[who], body)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, out)
}

func (s *formerPortal) signIn(t *testing.T, who, password string) (token string) {
	t.Helper()
	x := s.left.Accounts[who]
	a := s.in(t, x.Label, http.MethodPost, "/auth/sign-in", "", map[string]string{"username": x.Username, "password": password})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	var out struct {
		Token string `json:"id_token"`
	}
	a.JSON(t, &out)
	return out.Token
}

func (s *formerPortal) ready(t *testing.T) {
	a := s.For(t).Do(apptest.Call{Path: "//readyz"})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	for _, key := range []string{"1024", "1042"} {
		require.NotNil(t, s.Labels.ByKey(key), "%v", s.Labels.Problems())
		require.Equal(t, http.StatusOK, s.in(t, key, "", "/portal", "", nil).Status)
	}
}

func (s *formerPortal) session(t *testing.T) {
	for label, cookie := range s.left.Cookies {
		a := s.For(t).Do(apptest.Call{Method: http.MethodPost, Host: label + ".localhost", Path: "/auth/refresh",
			Header: map[string]string{"Cookie": "wattle_session=" + cookie}})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		require.NotEmpty(t, a.Header.Get("Set-Cookie"), "it is rotated")
		var out struct {
			Token string `json:"id_token"`
		}
		a.JSON(t, &out)
		path := map[string]string{"1042": "/relations", "1024": "/staff/changes"}[label]
		require.Equal(t, http.StatusOK, s.in(t, label, "", path, out.Token, nil).Status)
	}
}

func (s *formerPortal) password(t *testing.T) {
	require.NotEmpty(t, s.signIn(t, "seller", s.left.Accounts["seller"].Password))
	staff := s.left.Accounts["invited staff"]
	a := s.in(t, staff.Label, http.MethodPost, "/auth/sign-in", "", map[string]string{"username": staff.Username, "password": staff.Password})
	require.Contains(t, string(a.Body), "NEW_PASSWORD_REQUIRED", "a temporary password must still be changed")
}

func (s *formerPortal) apiKey(t *testing.T) {
	key := s.left.APIKeys["1042"]
	var list struct {
		Items []struct {
			ID, Relation string
			Data         map[string]any
		}
	}
	a := s.in(t, "1042", "", "/staff/changes?state=PENDING&kind=account.email", key, nil)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, &list)
	require.Len(t, list.Items, 1)
	require.Equal(t, s.left.Accounts["household"].Relation, list.Items[0].Relation)
	a = s.in(t, "1042", http.MethodPost, "/staff/changes/"+list.Items[0].ID+"/decision", key, map[string]string{"state": "PROCESSED"})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	require.Equal(t, http.StatusUnauthorized, s.in(t, "1024", "", "/staff/changes", key, nil).Status, "another label's")
}

// deliveries were waiting for a mail server and for a receiver that did not answer.
func (s *formerPortal) deliveries(t *testing.T) {
	received := make(chan error, 1000)
	signed, err := webhooks.NewWebhook(s.left.Webhooks["1042"].Secret)
	require.NoError(t, err)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		received <- errors.Join(err, signed.Verify(body, r.Header))
	}))
	t.Cleanup(receiver.Close)
	_, err = s.Store.DB().NewUpdate().Table("outbox_webhooks").Set("url = ?", receiver.URL).Where("label_key = '1042'").Exec(t.Context())
	require.NoError(t, err)
	if s.Config.Database == "" { // for PostgreSQL, which seals an hour later, see TestIdentityKey
		require.NoError(t, s.Jobs.Pass(t.Context()))
		var stored []string
		require.NoError(t, s.Store.Read().NewSelect().Table("outbox_webhooks").Column("secret").Scan(t.Context(), &stored))
		for _, secret := range stored {
			require.NotContains(t, secret, "whsec_", "sealed when this release starts")
		}
	}
	mailed := func(who, subject string) (code string) {
		all, err := s.Mail.List(t.Context())
		require.NoError(t, err)
		i := slices.IndexFunc(all, func(m mail.Message) bool {
			return m.Mail.To == s.left.Accounts[who].Email && strings.Contains(m.Subject, subject)
		})
		if i < 0 {
			return ""
		}
		return all[i].Mail.Code
	}
	temporary, code := "", ""
	require.Eventually(t, func() bool {
		require.NoError(t, s.Outbox.Work(t.Context()))
		temporary, code = mailed("sleeper", "weer actief"), mailed("household", "code voor een nieuw wachtwoord")
		return temporary != "" && code != "" && len(received) > 2
	}, 4*patience, patience/100)
	for range len(received) {
		require.NoError(t, <-received, "signed with the secret that the receiver has")
	}
	sleeper, household := s.left.Accounts["sleeper"], s.left.Accounts["household"]
	a := s.in(t, "1042", http.MethodPost, "/auth/sign-in", "", map[string]string{"username": sleeper.Username, "password": temporary})
	require.Contains(t, string(a.Body), "NEW_PASSWORD_REQUIRED", "the temporary password was decrypted")
	a = s.in(t, "1042", http.MethodPost, "/auth/confirm-forgot-password", "", map[string]string{"username": household.Username, "code": code,
		"new_password": household.Password})
	require.Less(t, a.Status, 300, string(a.Body))
}

func (s *formerPortal) records(t *testing.T) {
	var agreements []map[string]any
	s.as(t, "household", "", "/agreements", nil, &agreements)
	require.Equal(t, 2, len(agreements))
	var invoices []map[string]any
	s.as(t, "household", "", "/latestInvoices", nil, &invoices)
	require.NotZero(t, len(invoices))
	var log struct {
		Items []struct{ Who, What string }
	}
	s.as(t, "household", "", "/account/access-log", nil, &log)
	require.True(t, slices.ContainsFunc(log.Items, func(e struct{ Who, What string }) bool { return strings.HasPrefix(e.What, "impersonation.") }), log.Items)
	var meters []struct {
		EAN string `json:"ean_code"`
	}
	s.as(t, "household", "", "/connections", nil, &meters)
	require.Equal(t, 2, len(meters))
	var series map[string]any
	s.as(t, "household", "", fmt.Sprintf("/usage/%s/series?unit=month&from=2026-01-01&to=2026-11-01", meters[0].EAN), nil, &series)
	require.NotZero(t, len(series))

	var orders []struct {
		ID     string `json:"deal_identifier"`
		Status string
	}
	s.as(t, "buyer", "", "/sustainable/orders", nil, &orders)
	require.Len(t, orders, len(s.left.Orders))
	for _, o := range orders {
		assert.Equal(t, s.left.Orders[o.Status], o.ID)
	}
	var market struct {
		Content []struct {
			Identifier string
			Shares     int
		}
	}
	s.as(t, "buyer", http.MethodPost, "/sustainable/market", map[string]any{"filters": map[string]any{}}, &market)
	require.Len(t, market.Content, 1, "the other waits for staff")
	require.Equal(t, s.left.Offers[0], market.Content[0].Identifier)
	require.Equal(t, 12-4-3, market.Content[0].Shares, "bought and reserved shares are gone, those of the canceled order are back")
}

func (s *formerPortal) audits(t *testing.T) {
	entries, flaws, err := s.Audit.Verify(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, flaws)
	require.Positive(t, entries)
	found, out := 0, &bytes.Buffer{}
	for _, m := range modules.All {
		for _, one := range m.Commands.All {
			scope, on := s.Hub.ScopeFor("1024", m.Key)
			require.True(t, on)
			n, err := one.Run(scope, command.Call{Label: "1024", Client: s.Hub.Client(module.Manifest{Key: registry.Core}), Out: out})
			require.NoError(t, err)
			found += n
		}
	}
	require.Zero(t, found, out)
	require.Contains(t, out.String(), " 80 shares, ")
}

// plugin checks that the plugin was described at the start of the portal, and returns its stored data.
func (s *formerPortal) plugin(t *testing.T) {
	if s.Config.Plugins == "" {
		t.Skip("the plugin that is kept was built for linux/amd64")
	}
	m, ok := s.Registry.Snapshot().Modules["fixture"]
	require.True(t, ok)
	require.Equal(t, "1.0.0", m.Manifest.Version)
	require.NotNil(t, s.Labels.ByKey("9001"), "%v", s.Labels.Problems())
	require.Contains(t, string(s.in(t, "9001", "", "/fixture/hello", "", nil).Body), "Hallo van vroeger")
	var notes struct {
		Notes   []struct{ ID, Text string }
		Pending []module.Change
	}
	s.as(t, "plugged", "", "/fixture/notes", nil, &notes)
	require.Equal(t, []struct{ ID, Text string }{{"one", "een notitie van vroeger"}}, notes.Notes)
	require.Len(t, notes.Pending, 1)
	var saved struct{ Text string }
	s.as(t, "plugged", http.MethodPut, "/fixture/notes/two", map[string]string{"text": "een nieuwe"}, &saved)
	require.Equal(t, "een nieuwe", saved.Text)
}
