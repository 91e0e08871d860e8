package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// devRun is a running `wattle modules dev`.
type devRun struct {
	t    *testing.T
	dir  string // folder of the repository
	addr string

	mu   sync.Mutex
	said strings.Builder
}

// Write implements io.Writer, for the standard error output of the program.
func (d *devRun) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.said.Write(b)
}

func (d *devRun) output() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.said.String()
}

// dev tests `wattle modules dev` in a repository that the scaffold wrote, with its npm packages installed.
func (w workshop) dev(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), w.wattle, "modules", "dev", "--dir", dir, "--addr", "127.0.0.1:0", "--data", t.TempDir())
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	d := &devRun{t: t, dir: dir}
	cmd.Dir, cmd.Env, cmd.Stderr = dir, w.env, d
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}()
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(t, err, "%s", d.output())
	var at struct{ Addr string }
	require.NoError(t, json.Unmarshal(line, &at))
	d.addr = at.Addr
	go func() { _, _ = io.Copy(io.Discard, out) }()
	d.until(func() bool {
		return strings.Contains(d.get("/api/v0/openapi.json"), "List the notes of the customer") && d.entry() != ""
	})

	t.Run("10-modules-dev", func(t *testing.T) {
		reloaded := d.reload(t)
		began := time.Now()
		edit(t, dir, "modules/outages/http.go", "List the notes of the customer", "Get the notes of the customer")
		d.until(func() bool {
			return strings.Contains(d.get("/api/v0/openapi.json"), "Get the notes of the customer")
		})
		t.Logf("Go half: %s", time.Since(began).Round(time.Millisecond))
		assert.True(t, reloaded(), "open pages are told to load again")

		reloaded, began = d.reload(t), time.Now()
		before := d.entry()
		edit(t, dir, "remotes/outages/src/messages/nl.json", "Er zijn nog geen notities", "Hier is nog niets")
		d.until(func() bool { return d.entry() != before && strings.Contains(d.texts(t), "Hier is nog niets") })
		t.Logf("React half: %s", time.Since(began).Round(time.Millisecond))
		assert.True(t, reloaded(), "open pages are told to load again")
	})
	t.Run("10-modules-dev-wrong", func(t *testing.T) {
		edit(t, dir, "modules/outages/http.go", "Get the notes of", `Get the" notes of`)
		d.until(func() bool { return strings.Contains(d.output(), "modules/outages/http.go:") })
		assert.Contains(t, d.get("/api/v0/openapi.json"), "Get the notes of the customer")
		edit(t, dir, "modules/outages/http.go", `Get the" notes of`, "The notes of")
		d.until(func() bool { return strings.Contains(d.get("/api/v0/openapi.json"), "The notes of the customer") })

		before := d.entry()
		edit(t, dir, "remotes/outages/src/tile.tsx", "export default function Tile() {", "export default function Tile( {")
		d.until(func() bool { return strings.Contains(d.output(), "tile.tsx") })
		assert.Equal(t, before, d.entry())
		edit(t, dir, "remotes/outages/src/tile.tsx", "export default function Tile( {", "export default function Tile() {\n  console.debug('tile');")
		d.until(func() bool { return d.entry() != before })
	})
	t.Run("10-modules-dev-wrong", func(t *testing.T) {
		before := d.entry()
		edit(t, dir, "remotes/outages/src/tile.tsx", "console.debug('tile');", "const tile: number = 'tile';\n  console.debug(tile);")
		d.until(func() bool {
			return strings.Contains(d.output(), "types outages: remotes/outages/src/tile.tsx:") && strings.Contains(d.output(), "TS2322")
		})
		d.until(func() bool { return d.entry() != before })
		edit(t, dir, "remotes/outages/src/tile.tsx", "const tile: number", "const tile: string")
		d.until(func() bool { return strings.HasSuffix(strings.TrimSpace(d.output()), "types outages: no errors") })
	})
	t.Run("10-modules-dev-log", func(t *testing.T) {
		for line := range strings.Lines(d.output()) {
			assert.False(t, strings.HasPrefix(line, "{") || strings.HasPrefix(line, "time="), line)
		}
	})
}

// until waits for the effect of a save.
func (d *devRun) until(done func() bool) {
	d.t.Helper()
	require.Eventually(d.t, done, 2*time.Minute, 20*time.Millisecond, "%s", d.output())
}

func (d *devRun) do(ctx context.Context, path string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+d.addr+path, nil)
	if err != nil {
		return nil, err
	}
	r.Host = "demo.localhost"
	return http.DefaultTransport.RoundTrip(r)
}

// get returns the body of a response; empty when there is none.
func (d *devRun) get(path string) string {
	res, err := d.do(d.t.Context(), path)
	if err != nil {
		return ""
	}
	defer func() { _ = res.Body.Close() }()
	text, _ := io.ReadAll(res.Body)
	return string(text)
}

// entry returns the path of the remote's code; empty when the portal does not serve it.
func (d *devRun) entry() string {
	var portal struct{ Remotes []struct{ Key, Entry string } }
	_ = json.Unmarshal([]byte(d.get("/api/v0/portal")), &portal)
	for _, r := range portal.Remotes {
		if r.Key == "outages" {
			return r.Entry
		}
	}
	return ""
}

// texts returns the Dutch texts in the served build of the remote.
func (d *devRun) texts(t *testing.T) string {
	t.Helper()
	return d.get(strings.TrimSuffix(d.entry(), "entry.js") + "texts.nl.js")
}

// reload opens the stream that an open page reads. The function that it returns reports whether the page was told to reload.
func (d *devRun) reload(t *testing.T) func() bool {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	res, err := d.do(ctx, "/dev/reload")
	require.NoError(t, err)
	return func() bool {
		defer stop()
		text, _ := io.ReadAll(res.Body) // the portal closes the stream
		return strings.Contains(string(text), "event: reload")
	}
}
