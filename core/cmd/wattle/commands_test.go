package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules"
)

const shipped = "../../../labels"

// run runs a command and returns its output and its error.
func run(t *testing.T, args ...string) (out string, err error) {
	t.Helper()
	var b bytes.Buffer
	root := newRoot()
	root.SetOut(&b)
	root.SetErr(&b)
	root.SetArgs(args)
	err = root.ExecuteContext(t.Context())
	return b.String(), err
}

func must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := run(t, args...)
	require.NoError(t, err, out)
	return out
}

// The operator removes staff and API keys.
func TestStaffAndKeysCommands(t *testing.T) {
	data := t.TempDir()
	at := func(args ...string) []string {
		return append(args, "--label", "1024", "--labels", shipped, "--data", data)
	}
	t.Run("7.7-staff-commands", func(t *testing.T) {
		t.Run("9-staff-add", func(t *testing.T) {
			for want, args := range map[string][3]string{
				`--email "bob" is not an e-mail address`:           {"bob", "bob", "Bob"},
				`--email "bob@localhost" is not an e-mail address`: {"bob", "bob@localhost", "Bob"},
				`--email "" is empty`:                              {"bob", "", "Bob"},
				`--name " " is empty`:                              {"bob", "bob@example.org", " "},
				`--username "" is empty`:                           {"", "bob@example.org", "Bob"},
				`--username "impersonator_bob" is not accepted`:    {"impersonator_bob", "bob@example.org", "Bob"},
				`--username "bob\a" is not accepted`:               {"bob\a", "bob@example.org", "Bob"},
			} {
				_, err := run(t, at("staff", "add", "--username", args[0], "--email", args[1], "--name", args[2])...)
				require.EqualError(t, err, want)
			}
			require.NotContains(t, must(t, at("staff", "list")...), "bob")
		})
		must(t, at("staff", "add", "--username", "anna", "--email", "anna@example.org", "--name", "Anna de Boer")...)
		require.Regexp(t, `(?m)^USERNAME +NAME +EMAIL +ROLE +STATE +SESSIONS +LAST USED\n`+
			`anna +Anna de Boer +anna@example.org +staff +temporary password +0 +never$`, must(t, at("staff", "list")...))
		require.Contains(t, must(t, at("staff", "disable", "--username", "Anna")...), "cannot sign in")
		require.Regexp(t, `(?m)^anna .* disabled +0`, must(t, at("staff", "list")...))
		must(t, at("staff", "enable", "--username", "anna")...)
		require.NotContains(t, must(t, at("staff", "list")...), "disabled")
		must(t, at("staff", "sign-out", "--username", "anna")...)
		for _, command := range []string{"disable", "enable", "sign-out"} {
			_, err := run(t, at("staff", command, "--username", "nobody")...)
			require.EqualError(t, err, "label 1024 has no staff account \"nobody\"; see `wattle staff list --label 1024`", command)
		}
		_, err := run(t, "staff", "list", "--label", "nobody", "--labels", shipped, "--data", data)
		require.ErrorContains(t, err, "no label nobody")
	})
	t.Run("7.7-key-commands", func(t *testing.T) {
		require.Regexp(t, `(?m)^wk_\S{43}$`, must(t, at("keys", "add", "--name", "erp", "--scopes", "webhooks,changes:read", "--expires",
			"2199-03-31")...))
		must(t, at("keys", "add", "--name", "old")...)
		list := must(t, at("keys", "list")...)
		require.Regexp(t, `(?m)^erp +\S+ +never +2199-03-31 +changes:read,webhooks$`, list)
		require.Regexp(t, `(?m)^old +\S+ +never +none +all$`, list)
		require.NotContains(t, list, "wk_")
		for _, bad := range [][]string{{"--scopes", "everything"}, {"--scopes", "webhooks,everything"}, {"--expires", "31-3-2199"},
			{"--expires", "2001-01-01"}, {"--expires", time.Now().AddDate(0, 0, -2).Format(time.DateOnly)}} {
			out, err := run(t, at(append([]string{"keys", "add", "--name", "bad"}, bad...)...)...)
			require.Error(t, err, out)
		}
		must(t, at("keys", "revoke", "--name", "erp")...)
		require.Regexp(t, `^NAME.*\nold .*\n$`, must(t, at("keys", "list")...), "only the one that is named, and no bad one")
		_, err := run(t, at("keys", "revoke", "--name", "erp")...)
		require.ErrorContains(t, err, "wattle keys list")
	})
}

// The operator sees who uses a running portal.
func TestStaffAndKeysInUse(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Labels: []apptest.Label{{Key: "alpha"}}})
	s.Clock.Set(time.Now()) // the clock that the commands use
	list := func(what string) string {
		return must(t, what, "list", "--label", "alpha", "--labels", s.Config.Labels, "--data", s.Config.Data)
	}
	s.Staff("alpha")
	s.Staff("alpha") // signs in twice
	s.Customer("alpha", "r1")
	s.Portal().AddAccount(portaltest.Account{Label: "alpha", Username: "kim", Email: "kim@example.org", Name: "Kim",
		Role: portaltest.RoleImpersonator}, apptest.Password, false)
	s.Portal().APIKey("alpha", "idle")
	require.Equal(t, 200, s.Do(apptest.Call{Path: "/staff/changes", Bearer: s.Portal().APIKey("alpha", "erp").Bearer}).Status)
	t.Run("7.7-staff-commands", func(t *testing.T) {
		require.Regexp(t, `^USERNAME.*\nkim +Kim +kim@example\.org +impersonator +active +0 +never\n`+
			`medewerker@alpha\.example +Mede Werker +medewerker@alpha\.example +staff +active +2 +2\d{3}-\d\d-\d\d \d\d:\d\d\n$`, list("staff"))
	})
	t.Run("7.7-key-commands", func(t *testing.T) {
		require.Regexp(t, `\nerp +2\d{3}-\S+ +2\d{3}-\S+ +none +all\nidle +2\d{3}-\S+ +never +none +all\n$`, list("keys"))
	})
}

func TestVersion(t *testing.T) {
	t.Parallel()
	t.Run("11-version-json", func(t *testing.T) {
		require.Regexp(t, `(?s)^wattle \d+\.\d+\.\d+.* go1\..*"core.identity": "000.*"key": "billing"`, must(t, "version")+
			must(t, "version", "--json"))
	})
}

func TestLabelsCommands(t *testing.T) {
	t.Parallel()
	t.Run("shipped labels have no problem", func(t *testing.T) {
		out, err := run(t, "labels", "vet", "--demo", "--labels", shipped)
		require.NoError(t, err, out)
		t.Run("9-sandbox-demo-only", func(t *testing.T) {
			out, err := run(t, "labels", "vet", "--labels", shipped, "1024")
			require.Error(t, err)
			require.Regexp(t, `(?m)^1024/label\.cue:\d+:\d+: modules\.marketplace\.payment\.provider: "sandbox" is for demonstrations and is left out without --demo: the label sells nothing`, out)
		})
	})
	t.Run("list", func(t *testing.T) {
		var list []struct{ Label string }
		require.NoError(t, json.Unmarshal([]byte(must(t, "labels", "list", "--json", "--labels", shipped)), &list))
		require.NotEmpty(t, list)
		require.Contains(t, must(t, "labels", "list", "--labels", shipped), list[0].Label)
	})
	dir := t.TempDir()
	t.Run("9-labels-new", func(t *testing.T) {
		hosted := t.TempDir()
		must(t, "labels", "new", "acme", "--host", "Mijn.Acme.example", "--labels", hosted)
		require.Empty(t, must(t, "labels", "vet", "--labels", hosted))
		require.Contains(t, must(t, "labels", "new", "acme", "--name", "Acme Energie", "--labels", dir), filepath.Join(dir, "acme", "label.cue"))
		must(t, "labels", "new", "other", "--name", "Anders", "--color", "#7a0b3b", "--labels", dir)
		must(t, "labels", "vet", "--labels", dir)
		_, err := run(t, "labels", "new", "acme", "--name", "Acme", "--labels", dir)
		require.Error(t, err)
		_, err = run(t, "labels", "new", "third", "--host", "acme.localhost", "--labels", dir)
		require.ErrorContains(t, err, "acme.localhost belongs to label acme already")
	})
	t.Run("diff", func(t *testing.T) {
		require.Contains(t, must(t, "labels", "diff", "acme", "other", "--labels", dir), "style.primary_color")
		require.Contains(t, must(t, "labels", "diff", "acme", filepath.Join(dir, "other"), "--labels", dir), "#7a0b3b")
	})
	t.Run("vet", func(t *testing.T) {
		file := filepath.Join(dir, "acme", "label.cue")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, append(text, "\nnonsense: 1\n"...), 0o600))
		out, err := run(t, "labels", "vet", "--labels", dir)
		require.Equal(t, exitStatus(1), err)
		require.Regexp(t, `acme/label\.cue:\d+:\d+: .*nonsense`, out)
		_, err = run(t, "labels", "vet", "nobody", "--labels", dir)
		require.ErrorContains(t, err, "nobody")
	})
}

func TestLabelsRetire(t *testing.T) {
	t.Parallel()
	t.Run("9-label-retire", func(t *testing.T) {
		labels, data := t.TempDir(), t.TempDir()
		must(t, "labels", "new", "acme", "--name", "Acme Energie", "--labels", labels)
		place := []string{"--labels", labels, "--data", data}
		retire := func(args ...string) (string, error) {
			return run(t, append(append([]string{"labels", "retire"}, args...), place...)...)
		}
		key := append([]string{"keys", "add", "--name", "crm", "--label", "acme"}, place...)
		must(t, key...)
		_, err := retire("amce")
		require.ErrorContains(t, err, "no label amce")
		_, err = retire("--undo", "acme")
		require.ErrorContains(t, err, "label acme is not retired")
		out, err := retire("acme")
		require.NoError(t, err)
		require.Contains(t, out, "wattle labels retire --undo acme")
		_, err = run(t, key...)
		require.ErrorContains(t, err, "no label acme", "retired for commands too, with its folder still there")
		_, err = retire("acme")
		require.NoError(t, err, "again changes nothing")
		_, err = retire("--undo", "acme")
		require.NoError(t, err)
		require.Contains(t, must(t, append([]string{"keys", "list", "--label", "acme"}, place...)...), "crm", "its records stayed")
		must(t, key...)
	})
}

func TestModulesCommands(t *testing.T) {
	t.Parallel()
	require.Contains(t, must(t, "modules", "list"), "account")
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(must(t, "modules", "list", "--json")), &list))
	require.NotEmpty(t, list)
	require.Contains(t, must(t, "modules", "vet"), "fit together")
}

// The committed documents are equal to those that this program generates: `go generate ./core/cmd/wattle`.
func TestDocumentsAreUpToDate(t *testing.T) {
	t.Parallel()
	fresh := func(t *testing.T, kind string) (documents int) {
		dir, committed := t.TempDir(), "../../../schemas/"+kind
		must(t, "modules", kind, "--out", dir)
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, f := range files {
			want, err := os.ReadFile(filepath.Join(dir, f.Name()))
			require.NoError(t, err)
			got, err := os.ReadFile(filepath.Join(committed, f.Name()))
			require.NoError(t, err)
			require.Equal(t, string(want), string(got), "run: make generate")
		}
		kept, err := os.ReadDir(committed)
		require.NoError(t, err)
		require.Len(t, kept, len(files), "a document of no module any more")
		return len(files)
	}
	fresh(t, "openapi")
	t.Run("9-events-asyncapi", func(t *testing.T) { require.Equal(t, len(modules.All)+1, fresh(t, "asyncapi"), "each module and core") })
}

func TestDemoAccounts(t *testing.T) {
	t.Parallel()
	var logins []struct{ Label, Host, Username, Password, Role string }
	require.NoError(t, json.Unmarshal([]byte(must(t, "demo", "accounts", "--json", "--labels", shipped)), &logins))
	require.NotEmpty(t, logins)
	for _, l := range logins {
		require.NotEmpty(t, l.Host)
		require.NotEmpty(t, l.Password)
		require.Contains(t, []string{"customer", "member", "staff", "impersonator", "operator"}, l.Role)
	}
	require.Contains(t, must(t, "demo", "accounts", "--labels", shipped), logins[0].Username)
}

func TestAccountsKeysAndImports(t *testing.T) {
	t.Parallel()
	labels, data := t.TempDir(), t.TempDir()
	must(t, "labels", "new", "acme", "--name", "Acme Energie", "--labels", labels)
	place := []string{"--labels", labels, "--data", data, "--label", "acme"}
	require.Contains(t, must(t, "migrate", "--labels", labels, "--data", data), "sqlite database is up to date")
	require.Regexp(t, `(?m)^wk_\S+$`, must(t, append([]string{"keys", "add", "--name", "crm"}, place...)...))
	require.NotEmpty(t, must(t, append([]string{"staff", "add", "--username", "piet", "--email", "piet@acme.example", "--name", "Piet"},
		place...)...))
	_, err := run(t, "keys", "add", "--name", "crm", "--labels", labels, "--data", data, "--label", "nobody")
	require.ErrorContains(t, err, "no label nobody")
	_, err = run(t, "keys", "add", "--name", "crm", "--labels", labels, "--data", data)
	require.ErrorContains(t, err, "label")

	record := `{"debtor_number":"1001","relation_since":"2020-01-15","salutation":"MRS","initials":"A.","last_name":"Bakker",` +
		`"email":"a@b.example","phone_number":"0612345678","bank_account_number":"NL38WATT0000001117","bank_account_name":"A. Bakker","addresses":[]}`
	file := filepath.Join(t.TempDir(), "01-relation.ndjson")
	require.NoError(t, os.WriteFile(file, []byte(record+"\n"), 0o600))
	require.Contains(t, must(t, append([]string{"import", file}, place...)...), "1 record, 0 refused")
	t.Run("11-import-warnings", func(t *testing.T) {
		doubtful := filepath.Join(t.TempDir(), "relation.ndjson")
		require.NoError(t, os.WriteFile(doubtful, []byte(`{"debtor_number":"1002","email":"bob"}`), 0o600))
		out := must(t, append([]string{"import", doubtful}, place...)...)
		require.Regexp(t, `(?s)1 of 1 record stored in .*; 1 with a value that looks wrong\nstored as they are.*\n  1 × email: account.email_invalid, first in line 1: it is not an email address\n`, out)
	})
	require.NoError(t, os.WriteFile(file, []byte(record+"\n{\"debtor_number\":\"\"}\n"), 0o600))
	out, err := run(t, append([]string{"import", "--dry-run", file}, place...)...)
	require.Equal(t, exitStatus(2), err, out)
	t.Run("11-import-summary", func(t *testing.T) {
		require.Regexp(t, `\n1 of 2 records could be stored in \S+, \d+ a second\n`, out)
	})
	require.FileExists(t, file+".rejected.ndjson")
	_, err = run(t, append([]string{"import"}, place...)...)
	require.Error(t, err, "a file is needed")
}

// line passes on the output of a running command, one line at a time.
type line chan string

func (l line) Write(p []byte) (int, error) {
	for s := range strings.Lines(string(p)) {
		l <- strings.TrimSpace(s)
	}
	return len(p), nil
}

func serveInBackground(t *testing.T, args ...string) (first string, stop func() error) {
	t.Helper()
	out, ctx := make(line, 100), context.Background()
	ctx, cancel := context.WithCancel(ctx)
	root := newRoot()
	root.SetOut(out)
	root.SetErr(&bytes.Buffer{})
	root.SetArgs(append([]string{"serve", "--addr", "127.0.0.1:0"}, args...))
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	stop = func() error { cancel(); return <-done }
	select {
	case first = <-out:
		return first, stop
	case err := <-done:
		t.Fatal("it did not start: ", err)
	case <-time.After(time.Minute):
		t.Fatal("it does not start")
	}
	return "", stop
}

func TestServe(t *testing.T) {
	labels := t.TempDir()
	must(t, "labels", "new", "acme", "--name", "Acme Energie", "--labels", labels)
	t.Setenv("WATTLE_CLOCK", "2026-11-20T10:00:00+01:00")
	first, stop := serveInBackground(t, "--labels", labels, "--data", t.TempDir(), "--demo", "--unsafe")
	var announced struct{ Addr string }
	require.NoError(t, json.Unmarshal([]byte(first), &announced), first)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+announced.Addr+"/api/v0/portal", nil)
	require.NoError(t, err)
	r.Host = "acme.localhost"
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	var portal struct{ Now time.Time }
	require.NoError(t, json.NewDecoder(res.Body).Decode(&portal))
	require.NoError(t, res.Body.Close())
	require.WithinDuration(t, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), portal.Now, 30*time.Second)
	require.NoError(t, stop())

	_, err = run(t, "serve", "--clock", "2026-11-20T10:00:00Z")
	require.ErrorContains(t, err, "--demo")
	_, err = run(t, "serve", "--labels", "/nowhere", "--data", t.TempDir())
	require.Error(t, err)
	require.False(t, errors.Is(err, context.Canceled))
}
