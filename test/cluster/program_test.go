//go:build linux

package cluster_test

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// build builds a program from sources. The program of `make build` is only built again when a source has changed.
func build(t testing.TB, sources, binary, what string) {
	t.Helper()
	binary, err := filepath.Abs(binary)
	require.NoError(t, err)
	cmd := exec.Command("go", "build", "-ldflags", "-s -w", "-o", binary, what)
	cmd.Dir = sources
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// previousCommit returns the commit of the previous version: WATTLE_PREVIOUS, else the newest version tag before this commit, else, in a
// long run, the parent commit. It is empty when there is none of these.
func previousCommit(long bool) (commit, name string) {
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	names := []string{os.Getenv("WATTLE_PREVIOUS"), git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD~1")}
	if long {
		names = append(names, "HEAD~1")
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		if commit = git("rev-parse", "--verify", "--quiet", name+"^{commit}"); commit != "" {
			return commit, name
		}
	}
	return "", "this version: there is no tag of one before it"
}

// buildPrevious builds the previous version, or returns this one when there is none.
func buildPrevious(t testing.TB, folder, this string, long bool) (binary, name string) {
	t.Helper()
	commit, name := previousCommit(long)
	if commit == "" {
		return this, name
	}
	sources, binary := filepath.Join(folder, "previous-sources"), filepath.Join(folder, "previous")
	require.NoError(t, os.Mkdir(sources, 0o700))
	archive := exec.Command("git", "-C", root, "archive", commit)
	unpack := exec.Command("tar", "-x", "-C", sources)
	var err error
	unpack.Stdin, err = archive.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, archive.Start())
	require.NoError(t, unpack.Run())
	require.NoError(t, archive.Wait())
	build(t, sources, binary, "./core/cmd/wattle")
	require.NoError(t, os.RemoveAll(sources))
	return binary, name + " (" + commit[:8] + ")"
}

// buildPlugin creates a plugins folder with the module of test/plugin/fixture.
func buildPlugin(t testing.TB, wattle, folder string) string {
	t.Helper()
	home := filepath.Join(folder, "plugins", "fixture")
	require.NoError(t, os.MkdirAll(home, 0o700))
	binary := filepath.Join(home, "module")
	build(t, root, binary, "./test/plugin/fixture/plugin")
	require.NoError(t, os.Chmod(binary, 0o700))
	out, err := exec.Command(wattle, "plugins", "seal", home, "--binary", "module").CombinedOutput()
	require.NoError(t, err, string(out))
	return filepath.Dir(home)
}

// portal is a portal process with its own address.
type portal struct {
	server
	addr string
}

// serve starts the portal with a binary.
func (p *portal) serve(binary string) error {
	p.args[0] = binary
	return p.start()
}

// ready waits until the portal is ready.
func (p *portal) ready(within time.Duration) error {
	var last string
	for end := time.Now().Add(within); time.Now().Before(end); <-time.After(50 * time.Millisecond) {
		res, err := http.Get("http://" + p.addr + "/readyz")
		if err != nil {
			last = err.Error()
			continue
		}
		var body bytes.Buffer
		_, _ = body.ReadFrom(res.Body)
		_ = res.Body.Close()
		if last = body.String(); res.StatusCode == http.StatusOK {
			return nil
		}
	}
	log, _ := os.ReadFile(p.log)
	return errors.New(p.name + " is not ready: " + last + string(log[max(0, len(log)-2000):]))
}

// pause stops the process for a while, as when a machine swaps.
func (p *portal) pause(d time.Duration) {
	p.signal(syscall.SIGSTOP)
	<-time.After(d)
	p.signal(syscall.SIGCONT)
}

// killPlugin kills the plugin process of the portal.
func (p *portal) killPlugin() bool {
	parent := strconv.Itoa(p.pid())
	all, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, file := range all {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(raw), ") ") // state, parent …
		fields := strings.Fields(rest)
		if len(fields) < 2 || fields[1] != parent {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err == nil && syscall.Kill(pid, syscall.SIGKILL) == nil {
			return true
		}
	}
	return false
}
