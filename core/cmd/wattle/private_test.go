package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/stored"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules"
)

// The program runs with umask 0, in a folder that everybody can read.
func TestFilesAreTheOwnersOnly(t *testing.T) {
	t.Parallel()
	t.Run("9-file-modes", func(t *testing.T) {
		c, _ := unpackToday(t, stored.SQLite)
		require.NoError(t, os.Chmod(c.Data, 0o777))
		require.NoError(t, os.Chmod(filepath.Join(c.Data, "wattle.db"), 0o666))
		require.NoError(t, os.Chmod(filepath.Join(c.Data, "identity.key"), 0o644))
		cmd := exec.Command("/bin/sh", append([]string{"-c", `umask 0; exec "$0" "$@"`, os.Args[0]},
			flagsOf(c, "serve", "--addr", "127.0.0.1:0")...)...)
		cmd.Env = append(os.Environ(), "WATTLE_TEST_AS_PROGRAM=1")
		var log bytes.Buffer
		cmd.Stderr = &log
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = bufio.NewReader(out).ReadString('\n')
		modes := map[string]fs.FileMode{}
		for _, name := range []string{".", "wattle.db", "wattle.db-wal", "wattle.db-shm", "identity.key", "migrate.lock"} {
			if info, err := os.Stat(filepath.Join(c.Data, name)); assert.NoError(t, err) {
				modes[name] = info.Mode().Perm()
			}
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		require.NoError(t, err, log.String())
		for name, mode := range modes {
			want := fs.FileMode(0o600)
			if name == "." {
				want = 0o700
			}
			assert.Equal(t, want, mode, name)
		}
		documented := map[string]bool{}
		for line := range strings.Lines(log.String()) {
			var l struct{ Level, Msg, Path string }
			if json.Unmarshal([]byte(line), &l) == nil && strings.HasPrefix(l.Msg, "others could read or change") {
				documented[filepath.Base(l.Path)] = true
			}
		}
		assert.True(t, documented[filepath.Base(c.Data)] && documented["wattle.db"] && documented["identity.key"], documented)
	})
}

// As described in docs/operations.md.
func TestStaffAdd(t *testing.T) {
	t.Parallel()
	t.Run("9-staff-add", func(t *testing.T) {
		s := apptest.Start(t, apptest.Options{Modules: modules.All, Labels: []apptest.Label{{Key: "alpha", Kind: portaltest.Customers}}})
		out := must(t, flagsOf(s.Config, "staff", "add", "--label", "alpha", "--username", "anna", "--email", "anna@example.org", "--name",
			"Anna de Boer")...)
		password, rest, _ := strings.Cut(out, "\n")
		assert.Contains(t, rest, "works once")
		assert.NotContains(t, rest+must(t, flagsOf(s.Config, "staff", "list", "--label", "alpha")...), password, "it is printed once")
		a := s.Do(apptest.Call{Method: http.MethodPost, Path: "/auth/sign-in", Body: map[string]string{"username": "anna", "password": password}})
		require.Contains(t, string(a.Body), "NEW_PASSWORD_REQUIRED")
		require.NoError(t, s.Outbox.DeliverDue(t.Context()))
		mails, err := s.Mail.List(t.Context())
		require.NoError(t, err)
		assert.Empty(t, mails)
		docs, err := os.ReadFile("../../../docs/operations.md")
		require.NoError(t, err)
		assert.Contains(t, string(docs), "prints a temporary password once and sends no mail")
	})
}
