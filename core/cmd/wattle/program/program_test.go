// Package program_test tests commands with the built program, in separate processes that are started, replaced and killed.
package program_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest/stored"
)

const root = "../../../.."

var (
	builds    sync.Mutex
	built     = map[string]string{}
	buildRoot string
	releases  = stored.Releases{Folder: storedFolder, Program: func(t testing.TB) string { return wattle(t, "0.1.0") }}
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "wattle-program-")
	if err != nil {
		panic(err)
	}
	buildRoot, releases.Temp = dir, filepath.Join(dir, "stored")
	status := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(status)
}

// build builds the program as a release of the given version, or builds another program of this repository. It returns the path.
func build(t testing.TB, folder, version string) string {
	t.Helper()
	builds.Lock()
	defer builds.Unlock()
	name := filepath.Join(buildRoot, filepath.Base(folder)+version)
	if built[name] == "" {
		cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags",
			"-s -w -X github.com/wattle-portal/wattle/core/internal/operate/app.Version="+version, "-o", name, "./"+folder)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		built[name] = name
	}
	return built[name]
}

// wattle builds the program. It returns the path.
func wattle(t testing.TB, version string) string {
	t.Helper()
	return build(t, "core/cmd/wattle", version)
}

// run runs a program and returns all its output.
func run(t *testing.T, program string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &out, t.TempDir()
	err := cmd.Run()
	return out.String(), err
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}

// configured writes a configuration file.
func configured(t *testing.T, settings map[string]any) string {
	t.Helper()
	text, err := json.Marshal(settings)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "wattle.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return file
}

// service is a portal that shell commands start and stop, as a supervisor does.
type service struct{ start, stop string }

func serviceOf(t *testing.T, program, config string) service {
	t.Helper()
	dir := t.TempDir()
	pid, log := filepath.Join(dir, "pid"), filepath.Join(dir, "log")
	s := service{fmt.Sprintf("%s serve --config %s >>%s 2>&1 & echo $! > %s", program, config, log, pid),
		fmt.Sprintf("test ! -e %[1]s || { kill $(cat %[1]s); while kill -0 $(cat %[1]s) 2>/dev/null; do sleep 0.05; done; rm %[1]s; }", pid)}
	t.Cleanup(func() {
		if out, err := exec.Command("/bin/sh", "-c", s.stop).CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
		if text, err := os.ReadFile(log); err == nil && t.Failed() {
			t.Log(strings.TrimSpace(string(text)))
		}
	})
	return s
}

// A script recognizes a mistyped command by its exit status.
func TestStatusOfUnknownCommand(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	t.Run("11-command-unknown", func(t *testing.T) {
		out, err := run(t, program, "plugins", "instal", "x")
		failed, ok := errors.AsType[*exec.ExitError](err)
		require.True(t, ok, out)
		require.Equal(t, 2, failed.ExitCode(), out)
		require.Contains(t, out, "did you mean wattle plugins install?")
	})
}

// wattle ready calls the address of the flag, or else of the environment, or else of the configuration file.
func TestReady(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	dir := t.TempDir()
	addr := freeAddress(t)
	_, err := run(t, program, "labels", "new", "2001", "--name", "Example", "--labels", filepath.Join(dir, "labels"))
	require.NoError(t, err)
	config := configured(t, map[string]any{"addr": addr, "data": filepath.Join(dir, "data"), "labels": filepath.Join(dir, "labels"),
		"drain": "0s"})
	t.Run("11-release-ready", func(t *testing.T) {
		out, err := run(t, program, "ready", "--config", config)
		failed, ok := errors.AsType[*exec.ExitError](err)
		require.True(t, ok, out)
		require.Equal(t, 1, failed.ExitCode())
		require.Contains(t, out, "no portal answers at "+addr)
		s := serviceOf(t, program, config)
		require.NoError(t, exec.Command("/bin/sh", "-c", s.start).Run())
		require.Eventually(t, func() bool {
			out, err = run(t, program, "ready", "--config", config)
			return err == nil
		}, patience, patience/200, "%s", out)
		require.Equal(t, "ready\n", out)
		out, err = run(t, program, "ready", "--config", config, "--addr", freeAddress(t))
		require.Error(t, err, "a flag takes precedence over the file")
		require.Contains(t, out, "no portal answers")
	})
}

// A portal that gets SIGTERM is first said to be not ready, and serves on until its wait is over or a second signal comes. An import that
// gets SIGTERM ends with status 1.
func TestSignals(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	place, addr := acme(t, program), freeAddress(t)
	started := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		cmd, out := exec.CommandContext(t.Context(), program, append(args, place...)...), &bytes.Buffer{}
		cmd.Stdout, cmd.Stderr, cmd.Dir = out, out, t.TempDir()
		require.NoError(t, cmd.Start())
		return cmd, out
	}
	t.Run("9-stop-under-load", func(t *testing.T) {
		portal, out := started("serve", "--addr", addr, "--drain", "1m")
		answer := func(path string) (status int, leaves bool) {
			res, err := http.Get("http://" + addr + path)
			if err != nil {
				return 0, false
			}
			require.NoError(t, res.Body.Close())
			return res.StatusCode, res.Close
		}
		ready := func(want int) func() bool {
			return func() bool { status, _ := answer("/readyz"); return status == want }
		}
		require.Eventually(t, ready(http.StatusOK), patience, patience/1000)
		status, leaves := answer("/api/v0/labels/acme/style")
		require.Equal(t, []any{http.StatusOK, false}, []any{status, leaves})
		require.NoError(t, portal.Process.Signal(syscall.SIGTERM))
		require.Eventually(t, ready(http.StatusServiceUnavailable), patience/2, patience/1000)
		status, leaves = answer("/api/v0/labels/acme/style")
		require.Equal(t, []any{http.StatusOK, true}, []any{status, leaves}, "all is served for --drain, and clients are told to leave")
		began := time.Now()
		require.NoError(t, portal.Process.Signal(syscall.SIGTERM))
		require.NoError(t, portal.Wait(), "%s", out)
		require.Less(t, time.Since(began), patience/2, "a second signal skips the wait")

		pipe := filepath.Join(t.TempDir(), "relation.ndjson")
		require.NoError(t, syscall.Mkfifo(pipe, 0o600))
		w, err := os.OpenFile(pipe, os.O_RDWR, 0) // its readers never see an end
		require.NoError(t, err)
		require.NoError(t, w.SetDeadline(time.Now().Add(2*patience)))
		imports, out := started("import", pipe, "--label", "acme")
		for n := range 2000 { // more than a batch and what a pipe holds
			_, err := w.WriteString(customer(n % 800))
			require.NoError(t, err)
		}
		require.NoError(t, imports.Process.Signal(syscall.SIGTERM))
		written := make(chan error, 1)
		go func() {
			for n := 0; ; n++ {
				if _, err := w.WriteString(customer(n % 800)); err != nil {
					written <- err
					return
				}
			}
		}()
		failed, ok := errors.AsType[*exec.ExitError](imports.Wait())
		require.True(t, ok, out)
		require.Equal(t, 1, failed.ExitCode(), out)
		require.Contains(t, out.String(), "stopped; all up to line ")
		require.NoError(t, w.Close())
		require.ErrorIs(t, <-written, fs.ErrClosed)
	})
}

// The configuration file in the packages is valid, and so is each line that an operator may uncomment.
func TestPackagedConfiguration(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	t.Run("11-config-check", func(t *testing.T) {
		text, err := os.ReadFile(filepath.Join(root, "deploy/linux/wattle.cue"))
		require.NoError(t, err)
		dir := t.TempDir()
		file := filepath.Join(dir, "wattle.cue")
		check := func(content string) string {
			require.NoError(t, os.WriteFile(file, []byte(content), 0o640))
			out, err := run(t, program, "config", "check", file)
			require.NoError(t, err, out)
			return out
		}
		require.Regexp(t, `(?m)^labels +/etc/wattle/labels +`, check(string(text)))
		all := regexp.MustCompile(`(?m)^// ([a-z_]+: )`).ReplaceAllString(string(text), "$1")
		for name, content := range map[string]string{"database": "postgres://wattle:secret@db.example/wattle", "secrets": "A=b"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
			all = strings.ReplaceAll(all, "/etc/wattle/"+name+`"`, filepath.Join(dir, name)+`"`)
		}
		both := check(strings.ReplaceAll(all, "\ndatabase: ", "\n// database: "))
		require.Regexp(t, `(?m)^trusted_proxies +127.0.0.1/32, ::1/128 +`, both)
		require.Regexp(t, `(?m)^smtp +\(set\) +`, both)
	})
}
