package documented_test

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/moduletest"
)

var (
	// part matches a fenced block, a test check, or the reason why the next block is not run or fails. Only the block is visible on the
	// page.
	part    = regexp.MustCompile("(?ms)^[ \t]*<!-- (test|not run|fails):\\s+(.*?)\\s*-->$|^([ \t]*)```([a-z]*)\n(.*?)^[ \t]*```$")
	serves  = regexp.MustCompile(`(?ms)^(?:wattle|bin/wattle) serve\b(?:\\\n|[^\n])*\z`)
	folders = regexp.MustCompile(`(^|[\s="'])/(var/lib|var/cache|etc|srv|backups|root)/`)
	looks   = regexp.MustCompile(`(?m)^\s*(\$ |(bin/)?wattle |make |curl |npm |docker |kubectl |sudo )`)
)

// step is a block of commands on a page, or commands that the page gives the test to run between two blocks.
type step struct {
	line     int
	commands string
	why      string // reason why it is not run
	fails    bool   // its exit code is not 0, as the page says
	isShown  bool
}

// steps returns the blocks of a page with the reasons why some are not run.
func steps(t *testing.T, page, text string) []step {
	t.Helper()
	var out []step
	why, fails := "", false
	for _, at := range part.FindAllStringSubmatchIndex(text, -1) {
		group := func(n int) string {
			if at[2*n] < 0 {
				return ""
			}
			return text[at[2*n]:at[2*n+1]]
		}
		line := 1 + strings.Count(text[:at[0]], "\n")
		switch kind, language := group(1), group(4); {
		case kind == "test":
			out = append(out, step{line: line, commands: group(2)})
		case kind == "not run":
			why = strings.Join(strings.Fields(group(2)), " ")
			assert.GreaterOrEqual(t, len(strings.Fields(why)), 4, "%s:%d: not run: say why, and what tests it instead", page, line)
		case kind == "fails":
			fails = true
		case language == "sh" || language == "bash" || language == "shell" || language == "console":
			assert.Equal(t, "sh", language, "%s:%d: a block of commands is ```sh", page, line)
			commands := regexp.MustCompile("(?m)^"+group(3)).ReplaceAllString(group(5), "")
			out = append(out, step{line: line, commands: strings.TrimSpace(commands), why: why, fails: fails, isShown: true})
			why, fails = "", false
		default:
			assert.False(t, fails, "%s:%d: fails: belongs to the next block of commands", page, line)
			assert.Empty(t, why, "%s:%d: not run: belongs to the next block of commands", page, line)
			if language == "" {
				assert.NotRegexp(t, looks, group(5), "%s:%d: a block of commands is ```sh", page, line)
			}
		}
	}
	assert.Empty(t, why, "%s: not run: without a block after it", page)
	assert.False(t, fails, "%s: fails: without a block after it", page)
	return out
}

// script returns the shell script that runs the blocks of a page. A server keeps running while the blocks after it run.
func script(page string, all []step, home, port, admin string) string {
	var b strings.Builder
	b.WriteString("set -euo pipefail\nserver=\nstop() { [ -z \"$server\" ] || { kill $server; wait $server || true; server=; }; }\ntrap stop EXIT\n")
	for _, s := range all {
		if s.why != "" {
			continue
		}
		fmt.Fprintf(&b, "echo '%s:%d' >&2\n", page, s.line)
		c := strings.ReplaceAll(s.commands, "make run", "bin/wattle serve --demo")
		c = strings.NewReplacer("0.0.0.0:8080", "127.0.0.1:"+port, ":8080", ":"+port, ":9090", ":"+
			admin).Replace(folders.ReplaceAllString(c, "${1}"+home+"/$2/"))
		if serves.MatchString(c) {
			c = "stop\n" + c + " > server.log 2>&1 &\nserver=$!\nfor i in $(seq 300); do wattle ready >/dev/null 2>&1 && break; kill -0 $server || { cat server.log; exit 1; }; sleep 0.2; done\nwattle ready"
		}
		if s.fails {
			c = "if " + c + "; then echo 'it does not fail' >&2; exit 1; fi"
		}
		b.WriteString(c + "\n")
	}
	return b.String()
}

// TestDocumentedBlocks runs the command blocks of each page in order, in a folder with the program and some labels. An HTML comment before
// a block says why it is not run or why its command fails. A comment that starts with "test" contains commands that prepare something or
// check a statement of the page, whose file is $PAGE.
func TestDocumentedBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs the commands of the docs")
	}
	program, _ := moduletest.Build(t, "github.com/wattle-portal/wattle/core/cmd/wattle")
	ran := 0
	for page, text := range pages(t) {
		all := steps(t, page, text)
		runs := 0
		for _, s := range all {
			if s.isShown && s.why == "" {
				runs++
			}
		}
		ran += runs
		if runs == 0 {
			continue
		}
		t.Run("11-docs-run/"+strings.ReplaceAll(page, "/", "-"), func(t *testing.T) {
			t.Parallel()
			run(t, page, all, program)
		})
	}
	t.Run("11-docs-run", func(t *testing.T) {
		require.Greater(t, ran, 30)
	})
}

func run(t *testing.T, page string, all []step, program string) {
	t.Helper()
	home := t.TempDir()
	work := filepath.Join(home, "work")
	for _, dir := range []string{"work/bin", "var/lib", "var/cache", "etc/wattle", "srv", "backups", "root"} {
		require.NoError(t, os.MkdirAll(filepath.Join(home, dir), 0o700))
	}
	require.NoError(t, os.Symlink(program, filepath.Join(work, "bin/wattle")))
	for _, key := range []string{"1024", "1042"} {
		for _, to := range []string{filepath.Join(work, "labels", key), filepath.Join(home, "etc/wattle/labels", key)} {
			require.NoError(t, os.CopyFS(to, os.DirFS(filepath.Join(root, "labels", key))))
			require.NoError(t, filepath.WalkDir(to, func(p string, d fs.DirEntry, err error) error { return os.Chmod(p, 0o700) }))
		}
	}
	port, admin := freePort(t), freePort(t)
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script(page, all, home, port, admin))
	cmd.Dir = work
	at, err := filepath.Abs(filepath.Join(root, page))
	require.NoError(t, err)
	cmd.Env = append(os.Environ(), "PAGE="+at, "PATH="+filepath.Join(work, "bin")+":"+os.Getenv("PATH"), "HOME="+home, "PORT="+port,
		"WATTLE_ADDR=127.0.0.1:"+port)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // its trap stops the server
	cmd.WaitDelay = 30 * time.Second
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", page, out)
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return port
}
