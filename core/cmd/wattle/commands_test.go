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
)

const shipped = "../../../labels"

// run gives the output of a command and the error that it ends with.
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

func TestVersion(t *testing.T) {
	require.Regexp(t, `^wattle \d+\.\d+\.\d+.* go1\.`, must(t, "version"))
}

func TestLabelsCommands(t *testing.T) {
	t.Run("shipped labels have no problem", func(t *testing.T) {
		out, err := run(t, "labels", "vet", "--labels", shipped)
		require.NoError(t, err, out)
	})
	t.Run("list", func(t *testing.T) {
		var list []struct{ Label string }
		require.NoError(t, json.Unmarshal([]byte(must(t, "labels", "list", "--json", "--labels", shipped)), &list))
		require.NotEmpty(t, list)
		require.Contains(t, must(t, "labels", "list", "--labels", shipped), list[0].Label)
	})
	dir := t.TempDir()
	t.Run("new", func(t *testing.T) {
		require.Contains(t, must(t, "labels", "new", "acme", "--name", "Acme Energie", "--labels", dir), filepath.Join(dir, "acme", "label.cue"))
		must(t, "labels", "new", "other", "--name", "Anders", "--color", "#7a0b3b", "--labels", dir)
		must(t, "labels", "vet", "--labels", dir)
		_, err := run(t, "labels", "new", "acme", "--name", "Acme", "--labels", dir)
		require.Error(t, err)
		_, err = run(t, "labels", "new", "third", "--labels", dir)
		require.ErrorContains(t, err, "name")
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

func TestModulesCommands(t *testing.T) {
	require.Contains(t, must(t, "modules", "list"), "account")
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(must(t, "modules", "list", "--json")), &list))
	require.NotEmpty(t, list)
	require.Contains(t, must(t, "modules", "vet"), "fit together")
}

// The documents from which the browser's types are made are those of this program: `go generate ./core/cmd/wattle` writes them.
func TestOpenAPIDocumentsAreFresh(t *testing.T) {
	dir := t.TempDir()
	must(t, "modules", "openapi", "--out", dir)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		want, err := os.ReadFile(filepath.Join(dir, f.Name()))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join("../../../schemas/openapi", f.Name()))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "run: make generate")
	}
}

func TestDemoAccounts(t *testing.T) {
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
	labels, data := t.TempDir(), t.TempDir()
	must(t, "labels", "new", "acme", "--name", "Acme Energie", "--labels", labels)
	place := []string{"--labels", labels, "--data", data, "--label", "acme"}
	require.Contains(t, must(t, "migrate", "--labels", labels, "--data", data), "sqlite database is up to date")
	require.Regexp(t, `(?m)^wk_\S+$`, must(t, append([]string{"keys", "add", "--name", "crm"}, place...)...))
	require.NotEmpty(t, must(t, append([]string{"staff", "add", "--username", "piet", "--email", "piet@acme.example", "--name", "Piet"}, place...)...))
	_, err := run(t, "keys", "add", "--name", "crm", "--labels", labels, "--data", data, "--label", "nobody")
	require.ErrorContains(t, err, "no label nobody")
	_, err = run(t, "keys", "add", "--name", "crm", "--labels", labels, "--data", data)
	require.ErrorContains(t, err, "label")

	record := `{"debtor_number":"1001","relation_since":"2020-01-15","salutation":"MRS","initials":"A.","last_name":"Bakker",` +
		`"email":"a@b.example","phone_number":"0612345678","bank_account_number":"NL38WATT0000001117","bank_account_name":"A. Bakker","addresses":[]}`
	file := filepath.Join(t.TempDir(), "01-relation.ndjson")
	require.NoError(t, os.WriteFile(file, []byte(record+"\n"), 0o600))
	require.Contains(t, must(t, append([]string{"import", file}, place...)...), "1 records, 0 refused")
	require.NoError(t, os.WriteFile(file, []byte(record+"\n{\"debtor_number\":\"\"}\n"), 0o600))
	out, err := run(t, append([]string{"import", "--dry-run", file}, place...)...)
	require.Equal(t, exitStatus(2), err, out)
	require.FileExists(t, file+".rejected.ndjson")
	_, err = run(t, append([]string{"import"}, place...)...)
	require.Error(t, err, "a file is needed")
}

// line hands over what a running command has printed, a line at a time.
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
	var said struct{ Addr string }
	require.NoError(t, json.Unmarshal([]byte(first), &said), first)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+said.Addr+"/api/v0/portal", nil)
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
