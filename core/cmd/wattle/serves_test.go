package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/command"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/stored"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules"
)

// releases contains the data that earlier releases stored, and the data that this program stores.
var releases = stored.Releases{Folder: "testdata/stored", Program: func(testing.TB) string { return os.Args[0] },
	Env: []string{"WATTLE_TEST_AS_PROGRAM=1"}}

const patience = 10 * time.Second // for background work on a busy machine

// unpackToday unpacks the data that this program stores.
func unpackToday(t *testing.T, engine string) (config.Config, stored.Credentials) {
	t.Helper()
	return unpack(t, releases.Today(t, engine), engine)
}

// unpack unpacks the installation of a release, and returns the configuration to start this program on it.
func unpack(t *testing.T, folder, engine string) (c config.Config, left stored.Credentials) {
	t.Helper()
	c = config.Default()
	c.Addr, c.Labels, c.Data, c.Demo, c.Unsafe = "127.0.0.1:0", filepath.Join(folder, "labels"), t.TempDir(), true, true
	stored.Unpack(t, folder, engine, c.Data)
	if engine == stored.Postgres {
		c.Database = storetest.PostgresConfig(t).URL
		c.SecretFile = filepath.Join(c.Data, "secrets")
		stored.Restore(t, c.Database, c.Data)
	}
	require.NoError(t, c.Check())
	return c, stored.Read(t, folder, engine)
}

// Everything that people received from a portal of each release still works with this program. There is one start per database; all checks
// run on that portal.
func TestStoredDataServes(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole data folders")
	}
	t.Parallel()
	releases.Each(t, func(t *testing.T, folder, engine string) {
		c, left := unpack(t, folder, engine)
		s := serveStored(t, c, left)
		t.Run("11-upgrade-kept", func(t *testing.T) {
			t.Run("it is ready", s.ready)
			t.Run("a session continues", s.session)
			t.Run("a password signs in", s.password)
			t.Run("pending mails and webhooks are delivered", s.deliveries) // including a code that the next change of address invalidates
			t.Run("an API key decides a pending change", s.apiKey)
			t.Run("records are kept", s.records)
			t.Run("both audits pass", s.audits)
		})
	})
}

type storedPortal struct {
	*apptest.Server
	left   stored.Credentials
	tokens map[string]string // of accounts that have signed in, because checking a password hash is slow
}

func (s *storedPortal) in(t *testing.T, label, method, path, bearer string, body any) apptest.Answer {
	t.Helper()
	return s.For(t).Do(apptest.Call{Method: method, Host: label + ".localhost", Path: path, Bearer: bearer, Body: body})
}

// as makes a call as an account of the stored data. The call must succeed.
func (s *storedPortal) as(t *testing.T, who, method, path string, body any, out any) {
	t.Helper()
	if s.tokens[who] == "" {
		s.tokens[who] = s.signIn(t, who, s.left.Accounts[who].Password)
	}
	a := s.in(t, s.left.Accounts[who].Label, method, path, s.tokens[who], body)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, out)
}

func (s *storedPortal) signIn(t *testing.T, who, password string) (token string) {
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

func (s *storedPortal) ready(t *testing.T) {
	a := s.For(t).Do(apptest.Call{Path: "//readyz"})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	for _, key := range []string{"1024", "1042"} {
		require.NotNil(t, s.Labels.ByKey(key), "%v", s.Labels.Problems())
		require.Equal(t, http.StatusOK, s.in(t, key, "", "/portal", "", nil).Status)
	}
}

func (s *storedPortal) session(t *testing.T) {
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

func (s *storedPortal) password(t *testing.T) {
	require.NotEmpty(t, s.signIn(t, "seller", s.left.Accounts["seller"].Password))
	staff := s.left.Accounts["invited staff"]
	a := s.in(t, staff.Label, http.MethodPost, "/auth/sign-in", "", map[string]string{"username": staff.Username, "password": staff.Password})
	require.Contains(t, string(a.Body), "NEW_PASSWORD_REQUIRED", "a temporary password must still be changed")
}

func (s *storedPortal) apiKey(t *testing.T) {
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

// deliveries checks emails and webhooks that were waiting for a mail server and a receiver that did not respond.
func (s *storedPortal) deliveries(t *testing.T) {
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
		require.NoError(t, s.Outbox.DeliverDue(t.Context()))
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

func (s *storedPortal) records(t *testing.T) {
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
	require.True(t, slices.ContainsFunc(log.Items,
		func(e struct{ Who, What string }) bool { return strings.HasPrefix(e.What, "impersonation.") }), log.Items)
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

func (s *storedPortal) audits(t *testing.T) {
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
