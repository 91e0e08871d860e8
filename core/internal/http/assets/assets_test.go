package assets

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/contract"
)

var script = strings.Repeat("export const value = 1;\n", 100)

func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
}

func build(t testing.TB, hash string) string {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"shell.json":                          `{"build":"` + hash + `","entry":["shell/main.` + hash + `.js"]}`,
		"shell/main." + hash + ".js":          script + hash,
		"shell/font." + hash + ".woff2":       script,
		"remotes/a/remote.json":               `{"key":"a","contract":1,"entry":"` + hash + `/entry.js"}`,
		"remotes/a/" + hash + "/entry.js":     script,
		"remotes/a/" + hash + "/entry.js.br":  "from the build",
		"remotes/a/" + hash + "/img/x.svg":    "<svg/>",
		"remotes/a/" + hash + "/.hidden":      "x",
		"remotes/a/" + hash + "/data.unknown": "x",
	})
	return dir
}

func open(t testing.TB, c Config) *Store {
	t.Helper()
	c.Log = slog.New(slog.DiscardHandler)
	s, err := Open(c)
	require.NoError(t, err)
	return s
}

func get(s *Store, path, accept string, header ...string) *http.Response {
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept-Encoding", accept)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	s.ServeHTTP(w, r)
	return w.Result()
}

func text(t testing.TB, r *http.Response) string {
	t.Helper()
	var in io.Reader = r.Body
	switch r.Header.Get("Content-Encoding") {
	case "br":
		in = brotli.NewReader(in)
	case "gzip":
		z, err := gzip.NewReader(in)
		require.NoError(t, err)
		in = z
	}
	b, err := io.ReadAll(in)
	require.NoError(t, err)
	return string(b)
}

func TestFilesAreImmutableAndCompressed(t *testing.T) {
	s := open(t, Config{Dir: build(t, "h1")})
	require.Equal(t, "h1", s.Front().Build)
	require.Equal(t, []string{"/assets/shell/main.h1.js"}, s.Front().Entry)
	require.Equal(t, "/assets/a/h1/entry.js", s.Front().Remotes["a"].Entry)

	f := s.now.Load().files["shell/main.h1.js"]
	require.Eventually(t, func() bool { return len(*f.variants.Load()) == 3 }, 10*time.Second, time.Millisecond,
		"compressed in the background")
	for accept, want := range map[string]string{"gzip, deflate, br, zstd": "br", "gzip": "gzip", "": "", "br;q=0, gzip;q=0.5": "gzip",
		"br;q=0.0": "", "identity": ""} {
		r := get(s, "/assets/shell/main.h1.js", accept)
		require.Equal(t, want, r.Header.Get("Content-Encoding"), accept)
		require.Equal(t, "public, max-age=31536000, immutable", r.Header.Get("Cache-Control"))
		require.Equal(t, "text/javascript; charset=utf-8", r.Header.Get("Content-Type"))
		require.Equal(t, "Accept-Encoding", r.Header.Get("Vary"))
		require.Equal(t, script+"h1", text(t, r))
		require.Equal(t, http.StatusNotModified, get(s, "/assets/shell/main.h1.js", accept, "If-None-Match", r.Header.Get("ETag")).StatusCode)
	}
	built, err := io.ReadAll(get(s, "/assets/a/h1/entry.js", "br").Body)
	require.NoError(t, err)
	require.Equal(t, "from the build", string(built), "what the build has compressed is not compressed again")
	require.Equal(t, "application/octet-stream", get(s, "/assets/a/h1/data.unknown", "").Header.Get("Content-Type"))
	for _, path := range []string{"/assets/a/h1/.hidden", "/assets/a/remote.json", "/assets/a/h1/entry.js.br", "/assets/shell.json",
		"/assets/", "/assets/shell", "/assets/../shell.json", "/assets/a/h1/../../../shell.json"} {
		require.Equal(t, http.StatusNotFound, get(s, path, "br").StatusCode, path)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/assets/shell/main.h1.js", nil))
	require.Equal(t, http.StatusMethodNotAllowed, w.Code)
}

func TestFilesOfThePreviousBuildAreKept(t *testing.T) {
	keep := t.TempDir()
	open(t, Config{Dir: build(t, "h1"), Keep: keep})
	s := open(t, Config{Dir: build(t, "h2"), Keep: keep})
	for _, path := range []string{"/assets/shell/main.h1.js", "/assets/a/h1/entry.js", "/assets/shell/main.h2.js"} {
		r := get(s, path, "")
		require.Equal(t, http.StatusOK, r.StatusCode, path)
		require.Contains(t, r.Header.Get("Cache-Control"), "immutable")
	}
	write(t, filepath.Dir(keep), map[string]string{"secret.txt": "x"})
	require.Equal(t, http.StatusNotFound, get(s, "/assets/../secret.txt", "").StatusCode)

	long := time.Now().Add(-keepDuration - time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(keep, "shell/main.h1.js"), long, long))
	s = open(t, Config{Dir: build(t, "h2"), Keep: keep})
	require.Equal(t, http.StatusNotFound, get(s, "/assets/shell/main.h1.js", "").StatusCode, "gone after a month")
	require.Equal(t, http.StatusOK, get(s, "/assets/a/h1/entry.js", "").StatusCode)
}

func TestRemoteOfAPlugin(t *testing.T) {
	s := open(t, Config{Dir: build(t, "h1")})
	dir := t.TempDir()
	write(t, dir, map[string]string{"remote.json": `{"key":"a","contract":1,"entry":"p1/entry.js"}`, "p1/entry.js": "plugin"})
	require.NoError(t, s.AddRemote("a", dir, nil))
	require.Equal(t, "/assets/a/p1/entry.js", s.Front().Remotes["a"].Entry, "it replaces the embedded one")
	require.Equal(t, "plugin", text(t, get(s, "/assets/a/p1/entry.js", "")))
	require.Error(t, s.AddRemote("b", dir, nil), "its remote.json is of another key")
	require.NotContains(t, s.Front().Remotes, "b")
	require.Error(t, s.AddRemote("c", t.TempDir(), nil))
	s.RemoveRemote("a")
	require.Equal(t, "/assets/a/h1/entry.js", s.Front().Remotes["a"].Entry)
}

func TestNoBuildIsNoError(t *testing.T) {
	s := open(t, Config{Dir: t.TempDir()})
	require.Empty(t, s.Front().Build)
}

func TestOpenPagesReceiveChanges(t *testing.T) {
	dir := build(t, "h1")
	s := open(t, Config{Dir: dir, Dev: true})
	require.Equal(t, "no-cache", get(s, "/assets/shell/main.h1.js", "").Header.Get("Cache-Control"), "in development names have no hash")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go s.Watch(ctx, time.Millisecond)
	srv := httptest.NewServer(http.HandlerFunc(s.ServeReloads))
	defer srv.Close()
	r, err := http.Get(srv.URL)
	require.NoError(t, err)
	defer r.Body.Close()
	first := make([]byte, 64)
	n, err := r.Body.Read(first)
	require.NoError(t, err)
	require.Contains(t, string(first[:n]), "data: h1")
	write(t, dir, map[string]string{"shell.json": `{"build":"h9","entry":["shell/main.h1.js"]}`})
	rest, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.Contains(t, string(rest), "event: reload")
	require.Equal(t, "h9", s.Front().Build)

	write(t, dir, map[string]string{"shell.json": `{`})
	require.Error(t, s.Reload())
	require.Equal(t, "h9", s.Front().Build, "an incomplete build leaves the previous one")
}

func BenchmarkServe(b *testing.B) {
	s := open(b, Config{Dir: build(b, "h1")})
	r := httptest.NewRequest(http.MethodGet, "/assets/a/h1/entry.js", nil)
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		w.Body = &bytes.Buffer{}
		s.ServeHTTP(w, r)
	}
}

// A separately deployed remote replaces the embedded remote, or the remote of a plugin, without a restart. Replicas that share a folder
// start together, and a plugin's remote is added while another one is deployed.
func TestFilesAreKeptByManyAtOnce(t *testing.T) {
	dir, keep := build(t, "1"), t.TempDir()
	failed := make(chan error)
	for range 16 {
		go func() {
			_, err := Open(Config{Dir: dir, Keep: keep})
			failed <- err
		}()
	}
	for range 16 {
		require.NoError(t, <-failed)
	}
	left, err := filepath.Glob(filepath.Join(keep, "*", "*.part"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestOwnRemotes(t *testing.T) {
	t.Run("9-remote-deploy", func(t *testing.T) {
		dir, own, keep := build(t, "1"), t.TempDir(), t.TempDir()
		write(t, own, map[string]string{"a/remote.json": `{"key":"a","contract":1,"entry":"2/entry.js"}`, "a/2/entry.js": script + "2",
			"empty/2/entry.js": "x", ".hidden/remote.json": `{`, "file": "x"})
		s := open(t, Config{Dir: dir, Own: own, Keep: keep})
		require.Equal(t, "/assets/a/2/entry.js", s.Front().Remotes["a"].Entry)
		require.Len(t, s.Front().Remotes, 1, "what is not a remote is left out")
		first := s.Front().Build
		require.Regexp(t, "^1-", first, "pages find out by it that there is something newer")
		require.Equal(t, script+"2", text(t, get(s, "/assets/a/2/entry.js", "")))

		ctx, stop := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() { defer close(over); s.WatchDeployed(ctx, time.Millisecond) }()
		defer func() { stop(); <-over }()
		write(t, own, map[string]string{"a/3/entry.js": script + "3", "a/remote.json": `{"key":"a","contract":1,"entry":"3/entry.js"}`})
		require.Eventually(t, func() bool { return s.Front().Remotes["a"].Entry == "/assets/a/3/entry.js" }, 10*time.Second, time.Millisecond)
		require.NotEqual(t, first, s.Front().Build)
		require.NoError(t, os.RemoveAll(filepath.Join(own, "a/2")))
		require.Equal(t, script+"2", text(t, get(s, "/assets/a/2/entry.js", "")), "open pages still request it")

		second := s.Front()
		for _, invalid := range []string{`{`, `{"key":"b","contract":1,"entry":"3/entry.js"}`, `{"key":"a","contract":2,"entry":"3/entry.js"}`,
			`{"key":"a","contract":1,"entry":"4/entry.js"}`} {
			write(t, own, map[string]string{"a/remote.json": invalid}) // a failed or incomplete deployment
			require.Never(t, func() bool { return s.Front() != second }, 50*time.Millisecond, 5*time.Millisecond, invalid)
		}
		write(t, own, map[string]string{"a/4/entry.js": script, "a/remote.json": `{"key":"a","contract":1,"entry":"4/entry.js"}`})
		require.Eventually(t, func() bool { return s.Front().Remotes["a"].Entry == "/assets/a/4/entry.js" }, 10*time.Second, time.Millisecond)
		require.NoError(t, s.AddRemote("a", filepath.Join(dir, "remotes/a"), nil))
		require.Equal(t, "/assets/a/4/entry.js", s.Front().Remotes["a"].Entry, "it takes precedence over a plugin's")
	})
}

func TestContractsOfRemotes(t *testing.T) {
	t.Run("10-contract-former", func(t *testing.T) {
		dir := t.TempDir()
		for portal := contract.Version(1); portal < 4; portal++ {
			for built := range 6 {
				write(t, dir, map[string]string{"remote.json": fmt.Sprintf(`{"key":"a","contract":%d,"entry":"2/entry.js"}`, built), "2/entry.js": script})
				err := checkRemote(portal, "a", os.DirFS(dir))
				if built > 0 && (built == int(portal) || built == int(portal)-1) {
					require.NoError(t, err)
					continue
				}
				require.EqualError(t, err, fmt.Sprintf("assets: remote.json of a has contract %d, this portal supports %s", built,
					[]string{"1", "1 and 2", "2 and 3"}[portal-1]))
			}
		}
	})
}
