package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/modules"
)

// TestMain runs this binary as the program, for tests that need a separate process.
func TestMain(m *testing.M) {
	if os.Getenv("WATTLE_TEST_AS_PROGRAM") != "" {
		main()
		return
	}
	temp, err := os.MkdirTemp("", "wattle-stored-")
	if err != nil {
		panic(err)
	}
	releases.Temp = temp
	status := m.Run()
	if err := os.RemoveAll(temp); err != nil {
		panic(err)
	}
	os.Exit(status)
}

// BenchmarkColdStart measures the time from the start of the process to the first page, with three labels and an existing database.
func BenchmarkColdStart(b *testing.B) {
	labels, data := b.TempDir(), b.TempDir()
	for _, key := range []string{"alpha", "beta", "gamma"} {
		apptest.WriteLabel(b, labels, apptest.Label{Key: key}, modules.All)
	}
	first := func() time.Duration {
		began := time.Now()
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		cmd := exec.CommandContext(ctx, os.Args[0], "serve", "--addr", "127.0.0.1:0", "--labels", labels, "--data", data)
		cmd.Env = append(os.Environ(), "WATTLE_TEST_AS_PROGRAM=1")
		out, err := cmd.StdoutPipe()
		require.NoError(b, err)
		require.NoError(b, cmd.Start())
		var announced struct{ Addr string }
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(b, err)
		require.NoError(b, json.Unmarshal([]byte(strings.TrimSpace(line)), &announced))
		r, _ := http.NewRequest(http.MethodGet, "http://"+announced.Addr+"/", nil)
		r.Host = "alpha.localhost"
		r.Header.Set("Accept", "text/html")
		res, err := http.DefaultClient.Do(r)
		require.NoError(b, err)
		page, err := io.ReadAll(res.Body)
		require.NoError(b, err)
		_ = res.Body.Close()
		took := time.Since(began)
		require.Equal(b, http.StatusOK, res.StatusCode, "no page: is the front end built? (make front)")
		for _, part := range []string{"<title>Mijn Alpha</title>", `id="portal"`, `<script type="module"`} {
			require.Contains(b, string(page), part)
		}
		require.NoError(b, cmd.Process.Signal(os.Interrupt))
		_ = cmd.Wait()
		return took
	}
	first() // creates the database
	var total time.Duration
	for b.Loop() {
		total += first()
	}
	b.ReportMetric(float64(total.Milliseconds())/float64(b.N), "ms(budget<400)")
	b.ReportMetric(0, "ns/op")
}
