package pluginhost_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
)

const unruly = "github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/testdata/unruly"

// testPortal is a portal with the plugin unruly and the module other.
type testPortal struct {
	*moduletest.World
	t      testing.TB
	dir    string // plugins folder
	plugin *pluginhost.Plugin
	host   *pluginhost.Host
	lines  *lines
}

// lines is a log that counts lines.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), text)
}

func openPortal(t testing.TB, o pluginhost.Options) *testPortal {
	t.Helper()
	h := &testPortal{t: t, dir: o.Dir, lines: &lines{}}
	if h.dir == "" {
		h.dir = moduletest.PluginsDir(t, "unruly", unruly)
	}
	get := func(api huma.API, id string, f func(context.Context, *struct{}) (*struct{}, error)) {
		module.Route(api, huma.Operation{OperationID: id, Method: http.MethodGet, Path: "/other/" + id}, module.Public, module.Read, f)
	}
	h.World = moduletest.Open(t, moduletest.Fake("unruly", func(huma.API) {}), moduletest.Options{Siblings: []module.Module{
		moduletest.Fake("other", func(api huma.API) {
			get(api, "fine", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
			get(api, "work", func(context.Context, *struct{}) (*struct{}, error) { // about the cost of a page with some rows
				sum := []byte("work")
				for range 2000 {
					next := sha256.Sum256(sum)
					sum = next[:]
				}
				return nil, nil
			})
			get(api, "slow", func(context.Context, *struct{}) (*struct{}, error) {
				time.Sleep(600 * time.Millisecond)
				return nil, nil
			})
		}), moduletest.Fake("stranger", func(huma.API) {}), moduletest.Fake(registry.Core, func(huma.API) {})}}, false)
	if o.Data == "" {
		o.Data = t.TempDir()
	}
	o.Dir, o.Unsafe, o.Registry, o.Hub, o.Clock = h.dir, true, h.Registry, h.Hub, h.Clock
	o.Log = slog.New(slog.NewTextHandler(h.lines, &slog.HandlerOptions{Level: slog.LevelInfo}))
	o.Relay = func(context.Context, string, []store.Row) error { return nil }
	host, err := pluginhost.Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, host.Close()) })
	h.host, h.plugin = host, host.Plugins()[0]
	return h
}

// on returns the portal for a subtest.
func (h *testPortal) on(t testing.TB) *testPortal {
	out := *h
	out.t = t
	return &out
}

// get makes a call like core. The error is that of reading the body.
func (h *testPortal) get(path string) (status int, header http.Header, body string, err error) {
	h.t.Helper()
	key, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	ctx := h.Hub.Enter(context.Background(), scope.Scope{Label: moduletest.LabelOne, Role: scope.RoleCustomer, Relation: "relation-1"}, key)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+key+path, nil)
	require.NoError(h.t, err)
	resp, err := h.Hub.Client(module.Manifest{Key: registry.Core}).Do(r)
	require.NoError(h.t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(raw), err
}

// unavailable requires that a call to the plugin returns 503 with a code and Retry-After.
func (h *testPortal) unavailable(path string) {
	h.t.Helper()
	status, header, body, err := h.get(path)
	require.NoError(h.t, err)
	require.Equal(h.t, http.StatusServiceUnavailable, status, body)
	require.Contains(h.t, body, `"code":"`+problem.CodeUnavailable+`"`)
	require.NotEmpty(h.t, header.Get("Retry-After"))
}

// fine requires that both modules serve.
func (h *testPortal) fine(what string) {
	h.t.Helper()
	h.others(what)
	status, _, body, _ := h.get("/unruly/fine")
	require.Equal(h.t, http.StatusNoContent, status, what+body)
}

// others requires that the other module serves.
func (h *testPortal) others(what string) {
	h.t.Helper()
	began := time.Now()
	status, _, body, _ := h.get("/other/fine")
	require.Equal(h.t, http.StatusNoContent, status, what+body)
	require.Less(h.t, time.Since(began), 5*time.Second, what)
}

// restarted waits until a process other than pid is serving.
func (h *testPortal) restarted(pid int) {
	h.t.Helper()
	require.Eventually(h.t, func() bool {
		h.others("while it is started again")
		now := h.plugin.PID()
		return now != pid && now != 0 && h.plugin.Up()
	}, hang, 5*time.Millisecond)
	h.fine("after it was started again")
}

func TestContainedCalls(t *testing.T) {
	t.Parallel() // most of the test is waiting
	h := openPortal(t, pluginhost.Options{Limits: pluginhost.Limits{Timeout: time.Second, Calls: 4, Answer: 512 << 10}})
	t.Run("10-contain-deadline", func(t *testing.T) {
		h := h.on(t)
		began := time.Now()
		h.unavailable("/unruly/short")
		require.Less(t, time.Since(began), 900*time.Millisecond, "the operation has its own deadline")
		hanging := make(chan bool)
		go func() {
			h.unavailable("/unruly/hang")
			close(hanging)
		}()
		require.Eventually(t, func() bool { return h.plugin.Calls() > 0 }, hang, time.Millisecond)
		h.fine("while an operation hangs")
		<-hanging
		require.Greater(t, time.Since(began), time.Second)
		require.Equal(t, 1, h.lines.count("plugin is contained: an operation takes too long; its calls are ended with 503"),
			"one sentence in some seconds")
		h.fine("after calls that hang")
	})
	t.Run("10-contain-concurrency", func(t *testing.T) {
		h := h.on(t)
		var all sync.WaitGroup
		answered := make(chan time.Duration, 40)
		for range 40 {
			all.Go(func() {
				began := time.Now()
				h.unavailable("/unruly/hang")
				answered <- time.Since(began)
			})
		}
		h.others("while calls hang")
		time.Sleep(100 * time.Millisecond) // four calls run, and the others wait briefly
		status, _, _, err := h.get("/unruly/download")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status, "downloads are counted apart")
		all.Wait()
		early := 0
		for range 40 {
			took := <-answered
			require.GreaterOrEqual(t, took, pluginhost.MaxWait, "the others wait")
			if took < 900*time.Millisecond {
				early++
			}
		}
		require.Equal(t, 250*time.Millisecond, pluginhost.MaxWait)
		require.Equal(t, 36, early, "only four calls ran")
		require.Equal(t, 1, h.lines.count("it has too many calls at once; the rest are answered 503"))
		h.fine("after too many calls")
	})
	t.Run("10-contain-size", func(t *testing.T) {
		h := h.on(t)
		for _, path := range []string{"/unruly/big", "/unruly/headers"} {
			status, _, body, err := h.get(path)
			require.NoError(t, err)
			require.Equal(t, http.StatusBadGateway, status, path)
			require.Contains(t, body, `"code":"`+problem.CodeInternal+`"`)
		}
		const limit = 512 << 10
		for n, want := range map[int]int{limit: http.StatusOK, limit + 1: http.StatusBadGateway} {
			status, _, body, err := h.get(fmt.Sprintf("/unruly/sized?bytes=%d", n))
			require.NoError(t, err)
			require.Equal(t, want, status, n)
			require.Equal(t, want == http.StatusOK, len(body) == n, "%d bytes of %d", len(body), n)
			_, _, body, err = h.get(fmt.Sprintf("/unruly/sized?bytes=%d&chunked=yes", n))
			require.Equal(t, want == http.StatusOK, err == nil && len(body) == n, "%d bytes of %d without a length: %v", len(body), n, err)
		}
		status, _, body, err := h.get("/unruly/endless")
		require.Error(t, err, "a response without a length is cut off, and does not look complete")
		require.Equal(t, http.StatusOK, status)
		require.LessOrEqual(t, len(body), 512<<10)
		require.Equal(t, 1, h.lines.count("a response is too large and is not passed on"))
		status, _, body, err = h.get("/unruly/download")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status)
		require.Len(t, body, 4<<20, "a download may have any size")
		h.fine("after answers that are too large")
	})
	t.Run("10-contain-calls", func(t *testing.T) {
		h := h.on(t)
		var status int
		var body string
		for range 10 { // on a busy machine, its forty calls may take longer than the timeout of a call
			var err error
			status, _, body, err = h.get("/unruly/call?times=40&url=http://other/other/slow")
			require.NoError(t, err)
			if status == http.StatusOK {
				break
			}
		}
		require.Equal(t, http.StatusOK, status, body)
		var out struct{ Status map[string]int }
		require.NoError(t, json.Unmarshal([]byte(body), &out))
		require.Equal(t, 4, out.Status["204"], "only four calls ran")
		delete(out.Status, "204")
		require.Equal(t, []string{"503"}, slices.Collect(maps.Keys(out.Status)), "the others, or the deadline cut them off")
		require.Positive(t, h.lines.count("it calls the portal too often at once; the rest are answered 503"))
		h.fine("after it called too often")
	})
	t.Run("10-contain-log", func(t *testing.T) {
		h := h.on(t)
		status, _, _, _ := h.get("/unruly/log")
		require.Contains(t, []int{http.StatusNoContent, http.StatusServiceUnavailable}, status,
			"a busy machine may not write all lines by the deadline")
		h.fine("while it logs")
		require.Eventually(t, func() bool { // the next line that may be logged reports the lost lines
			_, _, _, _ = h.get("/unruly/log")
			return h.lines.count("it logs too much; lines are left out") > 0
		}, hang, time.Second)
		require.Less(t, h.lines.count("a line of the unruly"), 5000, "of thousands of lines in a second") // see TestMostLinesOfAPlugin
	})
	t.Run("10-contain-browser", func(t *testing.T) {
		h := h.on(t)
		for _, bad := range []string{`{}`, `{"size": 65537}`} { // not JSON, and one byte too many
			_, err := h.plugin.Running().Browser(json.RawMessage(bad))
			require.ErrorContains(t, err, "its settings for the browser are not JSON of at most 65536 bytes", bad)
		}
		largest, err := h.plugin.Running().Browser(json.RawMessage(`{"size": 65536}`))
		require.NoError(t, err)
		require.Len(t, largest, 64<<10)
	})
}

// A plugin that calls the portal more often than allowed has to wait, and is then refused, whatever it calls.
func TestRateOfCalls(t *testing.T) {
	t.Parallel() // most of the test is waiting
	metrics := prometheus.NewRegistry()
	h := openPortal(t, pluginhost.Options{Limits: pluginhost.Limits{Rate: 10, Calls: 50}, Metrics: metrics})
	counted := func(outcome string) int {
		all, err := metrics.Gather()
		require.NoError(t, err)
		for _, family := range all {
			for _, m := range family.Metric {
				if family.GetName() == "wattle_plugin_calls_total" && m.Label[0].GetValue() == outcome && m.Label[1].GetValue() == "unruly" {
					return int(m.GetCounter().GetValue())
				}
			}
		}
		return 0
	}
	flood := func(url string) (out struct {
		Status, Codes map[string]int
		Later         int
	}) {
		t.Helper()
		status, _, body, err := h.get("/unruly/call?times=40&url=" + url)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status, body)
		require.NoError(t, json.Unmarshal([]byte(body), &out))
		return out
	}
	t.Run("10-contain-rate", func(t *testing.T) {
		h := h.on(t)
		began := time.Now()
		out := flood("http://other/other/fine")
		require.Greater(t, time.Since(began), 250*time.Millisecond, "a refusal comes late")
		require.Equal(t, 40, out.Status["204"]+out.Status["429"], "%v", out)
		require.Greater(t, out.Status["429"], 20)
		require.Equal(t, out.Status["429"], out.Later, "each has Retry-After")
		require.Positive(t, out.Status["204"])
		require.InDelta(t, out.Status["204"], counted("passed")+counted("delayed"), 2, "settings of a call take a turn too")
		require.Equal(t, out.Status["429"], counted("limited"))
		require.Equal(t, 1, h.lines.count("it calls the portal more often than it may; the rest are answered 429"),
			"one sentence in some seconds")
		h.fine("after it called too often")

		refused := flood("http://stranger/stranger")
		require.Greater(t, refused.Status["429"], 20, "calls that it may not make cost a turn too: %v", refused)
		require.Equal(t, refused.Status["403"], counted("refused"))
		ofCore := flood("http://core/files/x")
		require.Greater(t, ofCore.Status["429"], 20, "%v", ofCore)
		require.Equal(t, ofCore.Status["429"], ofCore.Later)
		outside, late := flood("http://127.0.0.1:1/&web=true"), 0 // the module receives an error, which is not a response of the host
		for text, n := range outside.Codes {
			if strings.Contains(text, "too many calls in a second") {
				late += n
			}
		}
		require.Greater(t, late, 20, "%v", outside)
	})
	t.Run("10-contain-connections", func(t *testing.T) {
		h := openPortal(t, pluginhost.Options{Limits: pluginhost.Limits{Calls: 2}})
		ask := func(within time.Duration) (net.Conn, error) {
			c, err := net.Dial("unix", h.plugin.BackSocket())
			require.NoError(t, err)
			t.Cleanup(func() { _ = c.Close() })
			_, err = io.WriteString(c, "GET / HTTP/1.1\r\nHost: other\r\n\r\n")
			require.NoError(t, err)
			require.NoError(t, c.SetReadDeadline(time.Now().Add(within)))
			_, err = c.Read(make([]byte, 12))
			return c, err
		}
		var first net.Conn
		for i := range pluginhost.IdleConnections + 2 {
			c, err := ask(hang)
			require.NoError(t, err, "%d", i)
			if first == nil {
				first = c
			}
		}
		waiting, err := ask(300 * time.Millisecond)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded, "one more waits")
		h.others("while it has all connections")
		require.NoError(t, first.Close())
		require.NoError(t, waiting.SetReadDeadline(time.Now().Add(hang)))
		_, err = waiting.Read(make([]byte, 12))
		require.NoError(t, err, "until another one ends")
	})
}

func TestGarbage(t *testing.T) {
	t.Parallel() // most of the test is waiting
	t.Run("10-contain-garbage", func(t *testing.T) {
		h := openPortal(t, pluginhost.Options{})
		pid := h.plugin.PID()
		h.unavailable("/unruly/garbage")
		h.restarted(pid)
		require.Equal(t, 1, h.lines.count("plugin answers garbage and is started again"))
		pid = h.plugin.PID()
		status, _, _, err := h.get("/unruly/chunks")
		require.Error(t, err, "%d", status)
		h.restarted(pid)
		require.Equal(t, 2, h.lines.count("plugin answers garbage and is started again"))
	})
}

// A plugin that exits after each start is not restarted without a delay.
func TestBackOff(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: plugins that hang, crash and take too much")
	}
	t.Parallel() // most of the test is waiting
	t.Run("10-contain-back-off", func(t *testing.T) {
		h := openPortal(t, pluginhost.Options{})
		file := filepath.Join(h.dir, "unruly", "crash")
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		pid := h.plugin.PID()
		_, _, _, _ = h.get("/unruly/exit")
		began, down := time.Now(), 0
		for time.Since(began) < 6*time.Second {
			h.others("while the plugin crashes")
			if status, header, _, _ := h.get("/unruly/fine"); status == http.StatusServiceUnavailable {
				require.NotEmpty(t, header.Get("Retry-After"))
				down++
			}
			time.Sleep(5 * time.Millisecond)
		}
		require.Positive(t, down)
		// 0.1 + 0.2 + 0.4 + 0.8 + 1.6 + 3.2 s
		require.LessOrEqual(t, h.plugin.Restarts(), int64(6))
		require.GreaterOrEqual(t, h.plugin.Restarts(), int64(3))
		require.NoError(t, os.Remove(file))
		h.restarted(pid)
	})
}

func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: plugins that hang, crash and take too much")
	}
	t.Parallel() // most of the test is waiting
	h := openPortal(t, pluginhost.Options{Limits: pluginhost.Limits{Memory: 256 << 20}})
	t.Run("10-contain-memory", func(t *testing.T) {
		h := h.on(t)
		status, _, body, _ := h.get("/unruly/garbage_of_go?mb=600")
		require.Equal(t, http.StatusNoContent, status, body)
		h.fine("after it made garbage")
		require.Zero(t, h.plugin.Restarts(), "the runtime collects garbage before the limit")

		pid := h.plugin.PID()
		status, _, _, _ = h.get("/unruly/leak?mb=100")
		require.Equal(t, http.StatusNoContent, status)
		time.Sleep(time.Second)
		require.Equal(t, pid, h.plugin.PID(), "less than the limit")
		for h.plugin.PID() == pid { // slow growth
			_, _, _, _ = h.get("/unruly/leak?mb=10")
			h.others("while it leaks")
		}
		h.restarted(pid)
		require.Equal(t, 1, h.lines.count("plugin is ended because it uses more memory than it may, and is started again"))
	})
	t.Run("10-contain-allocation", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			t.Skip("only Linux bounds the memory of another process")
		}
		h := h.on(t)
		pid := h.plugin.PID()
		data := statusOf(t, pid, "VmData")
		t.Logf("an idle plugin has %d MiB of RLIMIT_DATA, %d MiB of address space, %d MiB resident", data, statusOf(t, pid, "VmSize"),
			statusOf(t, pid, "VmRSS"))
		require.Less(t, data, 200, "the limit leaves room for an idle plugin")
		h.unavailable("/unruly/leak?mb=4000") // immediately: the process ends before the next measurement
		h.restarted(pid)
	})
}

// statusOf returns a line of /proc/PID/status, in MiB.
func statusOf(t *testing.T, pid int, name string) (n int) {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(raw), name+":")
	require.True(t, found)
	_, err = fmt.Sscan(rest, &n)
	require.NoError(t, err)
	return n >> 10
}

func TestFloodOfTheOutbox(t *testing.T) {
	t.Parallel() // most of the test is waiting
	t.Run("10-contain-outbox", func(t *testing.T) {
		const took = 20 * time.Millisecond
		var now, most atomic.Int32
		send := pluginhost.NewRelay(t.Context(), func(context.Context, string, []store.Row) error {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(took)
			now.Add(-1)
			return nil
		})
		began := time.Now()
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { assert.NoError(t, send(1000)) })
		}
		all.Wait()
		require.EqualValues(t, 1, most.Load(), "one batch at a time")
		require.GreaterOrEqual(t, time.Since(began), 19*took, "a rest follows each batch")
		require.ErrorContains(t, send(1001), "too many rows")
	})
}
