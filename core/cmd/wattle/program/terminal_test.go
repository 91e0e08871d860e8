//go:build linux

package program_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ctrlC = "\x03"

// terminal is a command that runs in a pseudo-terminal.
type terminal struct {
	t     *testing.T
	cmd   *exec.Cmd
	tty   *os.File
	lock  sync.Mutex
	shown bytes.Buffer
	ended chan error
}

// onTerminal starts the program in a pseudo-terminal of the given size. It is killed when the test ends.
func onTerminal(t *testing.T, size pty.Winsize, program string, args ...string) *terminal {
	t.Helper()
	x := &terminal{t: t, cmd: exec.Command(program, args...), ended: make(chan error, 1)}
	x.cmd.Dir = t.TempDir()
	var err error
	x.tty, err = pty.StartWithSize(x.cmd, &size)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill() // the program has already ended, unless the test failed
		require.NoError(t, x.tty.Close())
	})
	go func() {
		for b := make([]byte, 4096); ; {
			n, err := x.tty.Read(b)
			x.lock.Lock()
			x.shown.Write(b[:n])
			x.lock.Unlock()
			if err != nil { // EIO: no process uses the terminal any more
				x.ended <- x.cmd.Wait()
				return
			}
		}
	}()
	return x
}

func (x *terminal) text() string {
	x.lock.Lock()
	defer x.lock.Unlock()
	return x.shown.String()
}

// waitFor waits until the output on the terminal matches the pattern.
func (x *terminal) waitFor(pattern string) {
	x.t.Helper()
	wanted := regexp.MustCompile(pattern)
	require.Eventually(x.t, func() bool { return wanted.MatchString(x.text()) }, patience, patience/2000, "%s", x)
}

func (x *terminal) String() string { return x.text() }

func (x *terminal) press(keys string) {
	x.t.Helper()
	_, err := x.tty.WriteString(keys)
	require.NoError(x.t, err)
}

// status waits until the command has ended and returns its exit status, or -1 if a signal ended it.
func (x *terminal) status() int {
	x.t.Helper()
	select {
	case err := <-x.ended:
		if err != nil {
			failed, ok := errors.AsType[*exec.ExitError](err)
			require.True(x.t, ok, err)
			return failed.ExitCode()
		}
		return 0
	case <-time.After(patience):
		x.t.Fatal("it does not end: " + x.text())
	}
	return 0
}

// customer returns a line of a relations file, 512 bytes long.
func customer(n int) string {
	s := fmt.Sprintf(`{"debtor_number":"%d","relation_since":"2020-01-15","salutation":"MRS","initials":"A.","last_name":"Bakker","email":"a@b.example","phone_number":"0612345678"}`, 100000+n)
	return s + strings.Repeat(" ", 511-len(s)) + "\n"
}

func customers(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(customer(i))
	}
	return b.String()
}

// acme creates a label with a mapping, and returns the flags for its folders.
func acme(t *testing.T, program string) (place []string) {
	t.Helper()
	labels := filepath.Join(t.TempDir(), "labels")
	out, err := run(t, program, "labels", "new", "acme", "--name", "Acme Energie", "--labels", labels)
	require.NoError(t, err, out)
	cue, err := os.OpenFile(filepath.Join(labels, "acme", "label.cue"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = cue.WriteString(`
imports: customers: {kind: "relation", records: [{fields: {debtor_number: column: "Klantnr", last_name: column: "Naam", relation_since: set: "since"}}]}
imports: newest: {kind: "relation", order: "newest_first", records: [{fields: {debtor_number: column: "Klantnr", last_name: column: "Naam", relation_since: set: "since"}}]}
`)
	require.NoError(t, errors.Join(err, cue.Close()))
	return []string{"--labels", labels, "--data", filepath.Join(t.TempDir(), "data")}
}

// An import on a terminal always ends: for any number of rows, with or without a mapping, with refused rows, and when it stores nothing.
func TestImportsOnATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs the program")
	}
	t.Parallel()
	program := wattle(t, "0.1.0")
	place := append(acme(t, program), "--label", "acme")
	dir := t.TempDir()
	file := func(name, text string) string {
		at := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(at, []byte(text), 0o600))
		return at
	}
	csv := "Klantnr;Naam\n" + strings.Repeat("1001;Bakker\n", 4000)
	mapped := func(name string, more ...string) []string {
		return append([]string{"--mapping", name, "--set", "since=2020-01-31", file(name+".csv", csv)}, more...)
	}
	window := pty.Winsize{Rows: 24, Cols: 80}
	t.Run("11-import-terminal", func(t *testing.T) {
		for _, c := range []struct {
			name   string
			size   pty.Winsize
			args   []string
			status int
			want   string
		}{
			{"empty", window, []string{file("empty.relation.ndjson", ""), "--kind", "relation"}, 0, "0 records, 0 refused"},
			{"one row", window, []string{"--kind", "relation", file("one.ndjson", customers(1))}, 0, "1 of 1 record stored"},
			{"several files", window, []string{file("01-relation.ndjson", customers(70)), file("02-relation.ndjson", customers(1))}, 0,
				"71 of 71 records stored"},
			{"several batches", window, []string{"--kind", "relation", file("many.ndjson", customers(1300))}, 0, "1300 of 1300 records stored"},
			{"dry run", window, []string{"--kind", "relation", "--dry-run", file("dry.ndjson", customers(100))}, 0,
				"100 of 100 records could be stored"},
			{"bulk", window, []string{"--kind", "relation", "--bulk", file("bulk.ndjson", customers(100))}, 0, "100 of 100 records stored"},
			{"refused", window, []string{"--kind", "relation", file("bad.ndjson", customers(100)+"{}\n")}, 2, "100 of 101 records stored"},
			{"hopeless", window, []string{"--kind", "relation", file("hopeless.ndjson", strings.Repeat("{}\n", 1100))}, 1,
				"all refused for the same reason"},
			{"mapped", window, mapped("customers"), 0, "4000 of 4000 records stored"},
			{"mapped backwards", window, mapped("newest"), 0, "4000 of 4000 records stored"},
			{"mapped dry run", window, mapped("customers", "--dry-run"), 0, "4000 of 4000 records could be stored"},
			{"terminal without a size", pty.Winsize{}, []string{"--kind", "relation", file("none.ndjson", customers(100))}, 0,
				"100 of 100 records stored"},
			{"narrow terminal", pty.Winsize{Rows: 1, Cols: 5}, []string{"--kind", "relation", file("narrow.ndjson", customers(100))}, 0,
				"100 of 100 records stored"},
		} {
			x := onTerminal(t, c.size, program, append(append([]string{"import"}, c.args...), place...)...)
			assert.Equal(t, c.status, x.status(), "%s: %s", c.name, x)
			assert.Contains(t, x.text(), c.want, c.name)
			if c.size == window && c.status != 1 {
				assert.Contains(t, x.text(), "100 %", "%s: the bar is complete", c.name)
			}
		}
	})
}

// Ctrl-C ends a program that a person waits for at a terminal: an import between two batches, a prompt, the portal. A second Ctrl-C ends a
// command that is waiting for something else.
func TestCtrlC(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	place := acme(t, program)
	window := pty.Winsize{Rows: 24, Cols: 80}
	pipe := filepath.Join(t.TempDir(), "relation.ndjson")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	t.Run("11-terminal-stop", func(t *testing.T) {
		start := func(args ...string) *terminal {
			return onTerminal(t, window, program, append(args, place...)...)
		}
		for try, ended := 0, 0; ended != -1; try++ { // an import that is not yet waiting ends at the first Ctrl-C
			waits := start("import", pipe, "--label", "acme") // waits for a process to write into the pipe
			require.Eventually(t, func() bool { return strings.Contains(openOf(t, waits), "wattle.db") }, patience, patience/2000)
			waits.press(ctrlC)
			waits.waitFor(`\^C`)
			require.Eventually(t, func() bool {
				waits.press(ctrlC)
				return len(waits.ended) > 0
			}, patience, patience/200, "the second one ends it at once")
			ended = waits.status()
			require.Contains(t, []int{-1, 1}, ended)
			require.Less(t, try, 20)
		}

		x := start("import", pipe, "--label", "acme")
		w, err := os.OpenFile(pipe, os.O_RDWR, 0) // its readers never reach the end of the file
		require.NoError(t, err)
		require.NoError(t, errors.Join(w.SetDeadline(time.Now().Add(2*patience))))
		written := make(chan error, 1)
		go func() {
			for n := 0; ; n++ {
				if _, err := w.WriteString(customer(n % 800)); err != nil {
					written <- err
					return
				}
			}
		}()
		x.waitFor(`[1-9][0-9]* records`)
		x.press(ctrlC)
		require.Equal(t, 1, x.status(), "%s", x)
		require.Contains(t, x.text(), "stopped; all up to line ")
		require.NoError(t, w.Close())
		require.ErrorIs(t, <-written, fs.ErrClosed)

		asks := start("identity", "reset")
		asks.waitFor("Type")
		asks.press(ctrlC)
		require.Equal(t, 1, asks.status(), "%s", asks)
		require.Contains(t, asks.text(), "nothing was changed")
		answered := start("identity", "reset")
		answered.waitFor("Type")
		answered.press("reset\n")
		require.Equal(t, 0, answered.status(), "%s", answered)

		serves := start("serve", "--addr", "127.0.0.1:0", "--drain", "0s")
		serves.waitFor(`"addr"`)
		serves.press(ctrlC)
		require.Equal(t, 0, serves.status(), "%s", serves)
	})
}

// Colors are for a person at a terminal who wants them.
func TestColors(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	place, _ := newInstallation(t, program)
	t.Run("11-command-color", func(t *testing.T) {
		on := func(env ...string) string {
			x := onTerminal(t, pty.Winsize{Rows: 24, Cols: 80}, "/usr/bin/env", append(append(env, program, "doctor"), place...)...)
			x.status()
			require.Contains(t, x.text(), "problems")
			return x.text()
		}
		colored := on("--unset=NO_COLOR", "TERM=xterm")
		assert.Contains(t, colored, "\x1b[32mok      \x1b[0m database")
		assert.Contains(t, colored, "\x1b[33mwarning \x1b[0m mail")
		assert.NotContains(t, on("NO_COLOR=1", "TERM=xterm"), "\x1b")
		assert.NotContains(t, on("--unset=NO_COLOR", "TERM=dumb"), "\x1b")
		out, err := run(t, program, append([]string{"doctor"}, place...)...)
		require.NoError(t, err)
		assert.NotContains(t, out, "\x1b", "a pipe")
	})
}

// openOf returns the files that a process has opened.
func openOf(t *testing.T, x *terminal) (names string) {
	t.Helper()
	all, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", x.cmd.Process.Pid))
	require.NoError(t, err)
	for _, fd := range all {
		if name, err := os.Readlink(fd); err == nil { // the file may have been closed in the meantime
			names += name + "\n"
		}
	}
	return names
}
