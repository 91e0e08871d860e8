package history

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// root returns the root folder of the repository: tests run in the folder of their package.
func root(t testing.TB) string {
	t.Helper()
	at, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	return at
}

// buildPlanted builds the program with all planted bugs.
func buildPlanted(t testing.TB) string {
	t.Helper()
	out := planted(t)
	out[switchFile] = switchSource
	return buildChanged(t, out)
}

// buildSilent builds the program with a sandbox that sends no notifications of payments, as if the provider's notifications were lost: the
// history sends them.
func buildSilent(t testing.TB) string {
	t.Helper()
	const file, notifies = "modules/marketplace/internal/sandbox/http.go", `	if err == nil {
		if err := s.paymentChanged(ctx, p.ID); err != nil {
			return nil, err
		}
	}
`
	raw, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(file)))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(raw), notifies), "the sandbox notifies in another way")
	return buildChanged(t, map[string]string{file: strings.Replace(string(raw), notifies, "", 1)})
}

// buildChanged builds the program with changed contents of some files, for this build only (go build -overlay).
func buildChanged(t testing.TB, files map[string]string) string {
	t.Helper()
	at, folder := root(t), t.TempDir()
	replaced := map[string]string{}
	for file, text := range files {
		name := filepath.Join(folder, strings.ReplaceAll(file, "/", "_"))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		replaced[filepath.Join(at, filepath.FromSlash(file))] = name
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o600))
	return build(t, filepath.Join(folder, "wattle"), "-overlay", filepath.Join(folder, "overlay.json"))
}

// build builds the program; more are additional arguments of go build.
func build(t testing.TB, binary string, more ...string) string {
	t.Helper()
	args := append([]string{"build", "-ldflags", "-s -w", "-o", binary}, more...)
	out, err := exec.Command("go", append(args, "github.com/wattle-portal/wattle/core/cmd/wattle")...).CombinedOutput()
	require.NoError(t, err, string(out))
	return binary
}

// cluster is one or more processes on the same data that serve the same portal.
type cluster struct {
	t      testing.TB
	binary string
	flags  []string
	bug    string

	mu      sync.Mutex
	running []*process

	kills, pauses int // in the last history
}

type process struct {
	cmd  *exec.Cmd
	addr string
}

// start starts a process at a place, instead of a killed one or as an additional one.
func (c *cluster) start(place int) {
	c.t.Helper()
	cmd := exec.Command(c.binary, append([]string{"serve", "--addr", "127.0.0.1:0", "--log-level", "error", "--demo"}, c.flags...)...)
	cmd.Env = append(os.Environ(), "WATTLE_PLANTED="+c.bug)
	out, err := cmd.StdoutPipe()
	require.NoError(c.t, err)
	require.NoError(c.t, cmd.Start())
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(c.t, err)
	var said struct{ Addr string }
	require.NoError(c.t, json.Unmarshal(line, &said))
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.running) <= place {
		c.running = append(c.running, nil)
	}
	c.running[place] = &process{cmd, said.Addr}
}

// kill kills a process without a shutdown, as when its machine loses power.
func (c *cluster) kill(place int) {
	c.mu.Lock()
	p := c.running[place]
	c.running[place] = nil
	c.mu.Unlock()
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// pause stops a process for a moment, as when a machine swaps or a container is throttled.
func (c *cluster) pause(place int, d time.Duration) {
	c.mu.Lock()
	p := c.running[place]
	c.mu.Unlock()
	_ = p.cmd.Process.Signal(syscall.SIGSTOP)
	<-time.After(d)
	_ = p.cmd.Process.Signal(syscall.SIGCONT)
}

// stop ends all processes.
func (c *cluster) stop() {
	for i := range c.running {
		if c.running[i] != nil {
			c.kill(i)
		}
	}
}

// addr returns the address of one of the running processes; empty while there is none.
func (c *cluster) addr(n int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.running {
		if p := c.running[(n+i)%len(c.running)]; p != nil {
			return p.addr
		}
	}
	return ""
}

// disturb kills and pauses processes after numbers of calls that the seed determines.
func (c *cluster) disturb(h *History, p plan, finished <-chan struct{}) {
	r := rand.New(rand.NewPCG(p.seed, 1<<32))
	total := p.calls * (Members + 1)
	todo := p.kills + p.pauses
	kinds := r.Perm(todo)
	for i := range todo {
		at := int64(total*(i+1)/(todo+1) + r.IntN(5))
		for h.done.Load() < at {
			select {
			case <-finished:
				return
			case <-time.After(time.Millisecond):
			}
		}
		place := r.IntN(len(c.running))
		if kinds[i] < p.kills {
			c.kill(place)
			c.start(place)
			c.kills++
			continue
		}
		c.pause(place, time.Duration(20+r.IntN(80))*time.Millisecond)
		c.pauses++
	}
}
