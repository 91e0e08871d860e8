package main

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/stored"
	"github.com/wattle-portal/wattle/modules"
)

// flagsOf returns the command-line arguments for a command with the given configuration.
func flagsOf(c config.Config, command ...string) []string {
	out := append(command, "--data", c.Data, "--labels", c.Labels)
	if c.Database != "" {
		out = append(out, "--database", c.Database)
	}
	if c.SecretFile != "" {
		out = append(out, "--secret-file", c.SecretFile)
	}
	return out
}

// withKey returns the configuration with an identity key from a secret.
func withKey(t *testing.T, c config.Config, key string) config.Config {
	t.Helper()
	c.SecretFile = filepath.Join(t.TempDir(), "secrets")
	require.NoError(t, os.WriteFile(c.SecretFile, []byte(masterkey.SecretName+"="+key+"\n"), 0o600))
	require.NoError(t, c.Check())
	return c
}

func serveStored(t *testing.T, c config.Config, left stored.Credentials) *storedPortal {
	t.Helper()
	a := apptest.NewReplica(t, c, modules.All)
	a.Clock.Set(left.Clock.Add(10 * time.Minute))
	return &storedPortal{apptest.Serve(t, a), left, map[string]string{}}
}

// refreshed returns the id token and the next cookie of a session; the status is not 200 when the session has ended.
func (s *storedPortal) refreshed(t *testing.T, label, cookie string) (status int, token, next string) {
	t.Helper()
	a := s.For(t).Do(apptest.Call{Method: http.MethodPost, Host: label + ".localhost", Path: "/auth/refresh",
		Header: map[string]string{"Cookie": "wattle_session=" + cookie}})
	if a.Status == http.StatusOK {
		var out struct {
			Token string `json:"id_token"`
		}
		a.JSON(t, &out)
		token = out.Token
	}
	for _, c := range (&http.Response{Header: a.Header}).Cookies() {
		next = c.Value
	}
	return a.Status, token, next
}

func (s *storedPortal) keyCheck(t *testing.T) (found health.Check) {
	t.Helper()
	a := s.For(t).Do(apptest.Call{Path: "//readyz"})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	var ready app.Readiness
	a.JSON(t, &ready)
	for _, c := range ready.Checks {
		if c.Name == "identity key" {
			found = c
		}
	}
	return found
}

func TestIdentityKey(t *testing.T) {
	t.Parallel()
	t.Run("lost", lostKey)
	t.Run("rotated across replicas", rotatedKey)
}

// A data folder without its identity.key, and one with another identity.key.
func lostKey(t *testing.T) {
	c, left := unpackToday(t, stored.SQLite)
	file := filepath.Join(c.Data, masterkey.File)
	right, err := os.ReadFile(file)
	require.NoError(t, err)
	t.Run("9-identity-key-start", func(t *testing.T) {
		require.NoError(t, os.Remove(file))
		for name, key := range map[string]string{"lost": "", "another": strings.Repeat("another ", 5)} {
			at := c
			if key != "" {
				at = withKey(t, c, key)
			}
			out, err := run(t, flagsOf(at, "serve", "--addr", "127.0.0.1:0")...)
			require.Error(t, err, name+out)
			assert.Contains(t, err.Error(), "Put the key back", name)
			assert.Contains(t, err.Error(), "wattle identity reset", name)
			assert.NoFileExists(t, file, "none is made in its place")
		}
		require.NoError(t, os.WriteFile(file, right, 0o600))
		must(t, flagsOf(c, "migrate")...) // the database stores a check value of its key
		require.NoError(t, os.Remove(file))
		_, err := run(t, flagsOf(c, "migrate")...)
		require.ErrorIs(t, err, masterkey.ErrLost)
	})
	t.Run("9-identity-reset", func(t *testing.T) {
		for _, typed := range []string{"", "yes\n", "no"} {
			root := newRoot()
			root.SetIn(strings.NewReader(typed))
			root.SetArgs(flagsOf(c, "identity", "reset"))
			root.SetOut(t.Output())
			root.SetErr(t.Output())
			require.ErrorContains(t, root.ExecuteContext(t.Context()), "nothing was changed")
		}
		_, err := run(t, flagsOf(c, "migrate")...)
		require.ErrorIs(t, err, masterkey.ErrLost, "nothing was")
		var r resetReport
		require.NoError(t, jsonOf(t, &r, flagsOf(c, "identity", "reset", "--yes")...))
		assert.Len(t, r.Webhooks, len(left.Webhooks), "11-command-json")
		var b strings.Builder
		printReset(&b, r)
		out := b.String()
		assert.Contains(t, out, "1 mail with a temporary password")
		s := serveStored(t, c, left)
		status, _, _ := s.refreshed(t, "1042", left.Cookies["1042"])
		assert.Equal(t, http.StatusUnauthorized, status, "the session is over")
		second := s.signIn(t, "household", left.Accounts["household"].Password)
		assert.NotEmpty(t, second, "and everybody signs in again")
		assert.Equal(t, http.StatusOK, s.in(t, "1042", "", "/relations", second, nil).Status, "records stay")
		assert.Equal(t, http.StatusOK, s.in(t, "1042", "", "/staff/changes", left.APIKeys["1042"], nil).Status, "API keys stay")
		for label, hook := range left.Webhooks {
			now, err := s.Outbox.Webhooks(t.Context(), label)
			require.NoError(t, err)
			assert.NotEqual(t, hook.Secret, now[0].Secret)
			assert.Equal(t, 1, strings.Count(out, now[0].Secret), "it is printed once")
		}
		assert.Equal(t, health.OK, s.keyCheck(t).State)
		_, err = run(t, flagsOf(c, "identity", "reset", "--yes")...)
		require.ErrorContains(t, err, "a portal is running")
	})
}

// Two processes on one PostgreSQL database, one of which still has the previous key.
func rotatedKey(t *testing.T) {
	c, left := unpackToday(t, stored.Postgres)
	one := serveStored(t, c, left)
	var stored []string
	require.NoError(t, one.Store.Read().NewSelect().Table("outbox_webhooks").Column("secret").Scan(t.Context(), &stored))
	t.Run("9-webhook-secrets", func(t *testing.T) {
		require.Len(t, stored, 2)
		for _, s := range stored {
			raw, err := base64.RawURLEncoding.DecodeString(s)
			require.NoError(t, err)
			assert.NotContains(t, s+string(raw), "whsec_", "it is encrypted, and not only encoded")
		}
	})
	t.Run("9-identity-reset", func(t *testing.T) {
		_, err := run(t, flagsOf(c, "identity", "reset", "--yes")...)
		require.ErrorContains(t, err, "a portal is running")
	})
	_, before, cookie := one.refreshed(t, "1042", left.Cookies["1042"])
	require.NotEmpty(t, before)
	t.Run("9-identity-rotate", func(t *testing.T) {
		out := must(t, flagsOf(c, "identity", "rotate")...)
		next, _, _ := strings.Cut(out, "\n")
		_, err := run(t, flagsOf(c, "identity", "rotate", "--finish")...)
		require.ErrorIs(t, err, masterkey.ErrNotNewest)

		renewed := withKey(t, c, next)
		two := serveStored(t, renewed, left)
		two.Clock.Set(one.Clock.Now())
		for i, s := range []*storedPortal{one, two, one, two} {
			status, token, second := s.refreshed(t, "1042", cookie)
			require.Equal(t, http.StatusOK, status, i)
			cookie = second
			for _, at := range []*storedPortal{one, two} {
				require.Equal(t, http.StatusOK, at.in(t, "1042", "", "/relations", token, nil).Status, "a token of the other process")
			}
			hooks, err := s.Outbox.Webhooks(t.Context(), "1042")
			require.NoError(t, err)
			require.Equal(t, left.Webhooks["1042"].Secret, hooks[0].Secret)
			require.Equal(t, "rotating", s.keyCheck(t).State)
		}
		t.Run("9-identity-key-ready", func(t *testing.T) {
			assert.Contains(t, string(two.For(t).Do(apptest.Call{Path: "//metrics"}).Body), `wattle_check{check="identity key",state="rotating"} 1`)
		})
		must(t, flagsOf(renewed, "identity", "rotate", "--finish")...)
		require.Eventually(t, func() bool { return two.keyCheck(t).State == health.OK }, patience, patience/100)
		_, err = run(t, flagsOf(c, "migrate")...)
		require.ErrorIs(t, err, masterkey.ErrOther)
		status, token, _ := one.refreshed(t, "1042", cookie)
		require.Equal(t, http.StatusOK, status, "a process with the key before serves until it ends")
		require.Equal(t, http.StatusOK, two.in(t, "1042", "", "/relations", token, nil).Status)
	})
	t.Run("9-identity-key-ready", func(t *testing.T) {
		require.Eventually(t, func() bool { return one.keyCheck(t).State == "other" }, patience, patience/100)
		text, err := json.Marshal(one.keyCheck(t))
		require.NoError(t, err)
		assert.NotContains(t, string(text), left.Secret)
		assert.Contains(t, string(one.For(t).Do(apptest.Call{Path: "//metrics"}).Body), `wattle_check{check="identity key",state="other"} 1`)
	})
}
