package program_test

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // registers the driver

	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/stored"
)

const patience = time.Minute

// installation is an installed program with stored data of a release.
type installation struct {
	program, config, data, database, addr string
	stored.Credentials
}

// install unpacks the stored data of a release, and installs a program next to it.
func install(t *testing.T, folder, engine, program string) *installation {
	t.Helper()
	dir := t.TempDir()
	i := &installation{program: filepath.Join(dir, "wattle"), data: filepath.Join(dir, "data"), addr: freeAddress(t),
		Credentials: stored.Read(t, folder, engine)}
	text, err := os.ReadFile(program)
	require.NoError(t, err)
	storetest.WriteProgram(t, i.program, text)
	require.NoError(t, os.Mkdir(i.data, 0o700))
	stored.Unpack(t, folder, engine, i.data)
	labels, err := filepath.Abs(filepath.Join(folder, "labels"))
	require.NoError(t, err)
	settings := map[string]any{"addr": i.addr, "data": i.data, "labels": labels, "demo": true, "unsafe": true,
		"clock": i.Clock.Format(time.RFC3339), "drain": "0s"}
	if engine == stored.Postgres {
		i.database = storetest.PostgresConfig(t).URL
		settings["database"], settings["secret_file"] = i.database, filepath.Join(i.data, "secrets")
		stored.Restore(t, i.database, i.data)
	}
	i.config = configured(t, settings)
	return i
}

// signIn signs in an account of the stored data.
func (i *installation) signIn(t *testing.T, who string) {
	t.Helper()
	a, ok := i.Accounts[who]
	require.True(t, ok)
	body, err := json.Marshal(map[string]string{"username": a.Username, "password": a.Password})
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+i.addr+"/api/v0/auth/sign-in", bytes.NewReader(body))
	require.NoError(t, err)
	req.Host = a.Label + ".localhost"
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(t, errors.Join(err, res.Body.Close()))
	require.Equal(t, http.StatusOK, res.StatusCode, string(text))
	require.Contains(t, string(text), "id_token")
}

// refresh continues a session of the stored data, whose cookie it rotates.
func (i *installation) refresh(t *testing.T, label string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+i.addr+"/api/v0/auth/refresh", nil)
	require.NoError(t, err)
	req.Host = label + ".localhost"
	req.AddCookie(&http.Cookie{Name: "wattle_session", Value: i.Cookies[label]})
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode)
	for _, c := range res.Cookies() {
		i.Cookies[label] = c.Value
	}
}

func (i *installation) staff(t *testing.T) string {
	t.Helper()
	out, err := run(t, i.program, "staff", "list", "--label", "1042", "--config", i.config)
	require.NoError(t, err, out)
	return out
}

// The stored data of each release is upgraded with a program that does not become healthy, rolled back, and then upgraded with a newer
// program.
func TestUpgrade(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs the program")
	}
	current, next, broken := wattle(t, "0.1.0"), wattle(t, "0.2.0"), build(t, "core/cmd/wattle/program/testdata/broken", "0.3.0")
	t.Setenv("TEST_REAL", next)
	releases.Each(t, func(t *testing.T, folder, engine string) {
		i := install(t, folder, engine, current)
		s := serviceOf(t, i.program, i.config)
		require.NoError(t, exec.Command("/bin/sh", "-c", s.start).Run())
		require.Eventually(t, func() bool { return health.QueryReady(t.Context(), i.addr) == nil }, patience, patience/1000)
		i.signIn(t, "seller")
		before := i.staff(t)
		upgrade := func(args ...string) (string, error) {
			return run(t, i.program, append([]string{"upgrade", "--config", i.config, "--start", s.start, "--stop", s.stop}, args...)...)
		}
		t.Run("11-upgrade-back", func(t *testing.T) {
			began := time.Now()
			out, err := upgrade("--to", broken, "--healthy-within", "8s")
			require.Error(t, err, out)
			t.Logf("%s: there and back in %s", engine, time.Since(began))
			require.Contains(t, out, "wattle 0.3.0 is not healthy: it was not healthy within 8s: the portal at 127.0.0.1:")
			require.Contains(t, out, "wattle 0.1.0 and its data serve again")
			require.NoError(t, health.QueryReady(t.Context(), i.addr))
			i.signIn(t, "seller")
			i.refresh(t, "1042")
			assert.Equal(t, before, i.staff(t))
			assert.NotContains(t, i.staff(t), "of.broken")
		})
		t.Run("11-upgrade,11-upgrade-stored", func(t *testing.T) {
			began := time.Now()
			out, err := upgrade("--to", next, "--healthy-within", "50s")
			require.NoError(t, err, out)
			t.Logf("%s: upgraded in %s", engine, time.Since(began))
			require.Contains(t, out, "wattle 0.2.0 serves.")
			require.NoError(t, health.QueryReady(t.Context(), i.addr))
			i.signIn(t, "seller")
			i.refresh(t, "1042")
			assert.Equal(t, before, i.staff(t))
			out, err = run(t, i.program, "version")
			require.NoError(t, err)
			assert.Contains(t, out, "wattle 0.2.0 ")
			out, err = run(t, i.program, "audit", "verify", "--config", i.config)
			require.NoError(t, err, out)
			out, err = run(t, i.program, "marketplace", "audit", "--config", i.config)
			require.NoError(t, err, out)
		})
	})
}

// An installed program is upgraded by the new program.
func TestUpgradeByTheNewProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs the program")
	}
	t.Parallel()
	t.Run("11-upgrade", func(t *testing.T) {
		next := wattle(t, "0.2.0")
		i := install(t, releases.Today(t, stored.SQLite), stored.SQLite, wattle(t, "0.1.0"))
		out, err := run(t, next, "upgrade", "--config", i.config, "--program", i.program, "--to", next, "--healthy-within", "50s")
		require.NoError(t, err, out)
		require.Contains(t, out, "wattle 0.2.0 is installed and was healthy: start it now.")
		out, err = run(t, next, "upgrade", "--config", i.config, "--program", i.program, "--back")
		require.NoError(t, err, out)
		out, err = run(t, i.program, "version")
		require.NoError(t, err)
		assert.Contains(t, out, "wattle 0.1.0 ")
	})
}

// The stored data contains queued emails and webhooks. A trial does not send them; a portal delivers or retries them.
func TestTrial(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs the program")
	}
	t.Parallel()
	program := wattle(t, "0.1.0")
	for _, engine := range stored.Engines {
		t.Run(engine, func(t *testing.T) {
			i := install(t, releases.Today(t, engine), engine, program)
			opened := func() *sql.DB {
				db, err := sql.Open("sqlite", filepath.Join(i.data, "wattle.db"))
				if i.database != "" {
					db, err = sql.Open("pgx", i.database)
				}
				require.NoError(t, err)
				return db
			}
			lastJob := func() (at string) {
				db := opened()
				defer db.Close()
				require.NoError(t, db.QueryRow("SELECT coalesce(CAST(max(claimed_at) AS text), '') FROM jobs_claims").Scan(&at))
				return at
			}
			queue := func() (text string) {
				db := opened()
				defer db.Close()
				found, err := db.Query("SELECT state, attempts, count(*) FROM outbox_deliveries GROUP BY state, attempts ORDER BY state, attempts")
				require.NoError(t, err)
				for found.Next() {
					state, attempts, n := "", 0, 0
					require.NoError(t, found.Scan(&state, &attempts, &n))
					text += fmt.Sprintln(state, attempts, n)
				}
				require.NoError(t, found.Err())
				return text
			}
			start := func(token string) (addr string, end io.Closer, ended chan error) {
				cmd := exec.CommandContext(t.Context(), i.program, "serve", "--config", i.config, "--addr", "127.0.0.1:0")
				cmd.Env = append(os.Environ(), hold.Env+"="+token)
				in, err := cmd.StdinPipe()
				require.NoError(t, err)
				out, err := cmd.StdoutPipe()
				require.NoError(t, err)
				require.NoError(t, cmd.Start())
				line, err := bufio.NewReader(out).ReadBytes('\n')
				require.NoError(t, err)
				var announced struct{ Addr string }
				require.NoError(t, json.Unmarshal(line, &announced))
				ended = make(chan error, 1)
				go func() { ended <- cmd.Wait() }()
				return announced.Addr, in, ended
			}
			out, err := run(t, i.program, "migrate", "--config", i.config)
			require.NoError(t, err, out)
			waiting := queue()
			require.Contains(t, waiting, "WAITING")
			t.Run("11-upgrade-hold", func(t *testing.T) {
				require.NoError(t, hold.Set(i.data, hold.Hold{Token: "secret", Program: "/usr/bin/wattle.previous"}))
				for _, args := range [][]string{{"serve"}, {"migrate"}, {"staff", "list", "--label", "1042"},
					{"import", "--label", "1042", "--kind", "relation", os.DevNull}} {
					out, err := run(t, i.program, append(args, "--config", i.config)...)
					require.Error(t, err, strings.Join(args, " "))
					require.Contains(t, out, "run `/usr/bin/wattle.previous upgrade --continue` with the same configuration", strings.Join(args, " "))
				}
			})
			t.Run("11-upgrade-trial", func(t *testing.T) {
				ran := lastJob()
				addr, end, ended := start("secret")
				for began := time.Now(); time.Since(began) < 3*time.Second; { // longer than a portal needs for a delivery, see below
					require.NoError(t, health.QueryReady(t.Context(), addr))
				}
				require.Equal(t, waiting, queue())
				require.NoError(t, end.Close(), "the upgrade was killed")
				select {
				case err := <-ended:
					require.NoError(t, err)
				case <-time.After(patience):
					t.Fatal("the trial goes on")
				}
				require.Equal(t, waiting, queue(), "nor at its end")
				require.Equal(t, ran, lastJob(), "no job ran")
				require.NoError(t, hold.Release(i.data))
				_, end, ended = start("")
				began := time.Now()
				require.Eventually(t, func() bool { return queue() != waiting }, patience, patience/1000, "a portal delivers")
				require.Eventually(t, func() bool { return lastJob() != ran }, patience, patience/1000, "and runs jobs")
				t.Logf("a portal delivers after %s", time.Since(began))
				require.NoError(t, end.Close())
				select {
				case <-ended:
					t.Fatal("a portal goes on without its standard input")
				default:
				}
			})
		})
	}
}
