package scaffold

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/logline"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

// ErrInTree is returned for a module in a checkout of Wattle, because it is not a plugin.
var ErrInTree = errors.New("scaffold: this is a checkout of Wattle, where `make dev` serves all modules and reloads both halves")

// lookInterval is the interval at which the sources of the Go part are polled. A build starts when two polls have found the same files.
const lookInterval = 50 * time.Millisecond

// Dev builds both parts of a module, and rebuilds them after every change, into folders that a portal with --dev watches.
type Dev struct {
	Repo
	Plugins, Remotes string    // absolute folders of the portal
	Out              io.Writer // receives the parts that were built, with durations and errors

	mu     sync.Mutex // guards Out
	builds int
}

// Check returns ErrInTree for a module in a checkout, and ErrNode if its React part cannot be built.
func (d *Dev) Check(ctx context.Context) error {
	if d.isWattle {
		return ErrInTree
	}
	return d.checkNode(ctx)
}

func (d *Dev) say(format string, a ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintf(d.Out, format, a...)
}

// Write implements io.Writer, for the output of the command that watches the remote.
func (d *Dev) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.Out.Write(b)
}

// Follow builds until ctx ends. While a newer build of a part has errors, its last valid build stays in use. Follow calls built after the
// first build of the Go part, whether or not that was valid.
func (d *Dev) Follow(ctx context.Context, built func()) error {
	if err := os.MkdirAll(d.Plugins, 0o700); err != nil {
		return fmt.Errorf("scaffold: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	if d.hasRemote() {
		go func() { ended <- d.followRemote(ctx) }()
		go d.followTypes(ctx)
	}
	seen := ""
	for {
		now, err := d.sources()
		if err != nil {
			return err
		}
		if now != seen {
			if now, err = d.awaitSettled(ctx, now); err != nil {
				return err
			}
			first := seen == ""
			seen = now
			began := time.Now()
			if err := d.buildPlugin(ctx); err != nil {
				d.say("plugin %s: %v\n", d.Key, err)
			} else {
				d.say("plugin %s: %d ms\n", d.Key, time.Since(began).Milliseconds())
			}
			if first {
				built()
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("scaffold: the watch of remotes/%s ended: %w", d.Key, err)
		case <-time.After(lookInterval):
		}
	}
}

// awaitSettled waits until the sources have stopped changing, because an editor may write several files.
func (d *Dev) awaitSettled(ctx context.Context, now string) (string, error) {
	for {
		select {
		case <-ctx.Done():
			return now, nil
		case <-time.After(lookInterval):
		}
		next, err := d.sources()
		if err != nil || next == now {
			return now, err
		}
		now = next
	}
}

// sources returns the names, sizes and times of the files from which the Go part is built.
func (d *Dev) sources() (string, error) {
	var b strings.Builder
	note := func(file string, e fs.DirEntry) {
		if info, err := e.Info(); err == nil { // a file that has just been removed is also a change
			fmt.Fprintf(&b, "%s %d %d\n", file, info.Size(), info.ModTime().UnixNano())
		}
	}
	top, err := os.ReadDir(d.Root)
	if err != nil {
		return "", fmt.Errorf("scaffold: %w", err)
	}
	for _, e := range top {
		if e.Name() == "go.mod" || e.Name() == "go.sum" {
			note(e.Name(), e)
		}
	}
	err = filepath.WalkDir(filepath.Join(d.Root, "modules"), func(file string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "testdata":
			return fs.SkipDir
		case !e.IsDir() && !strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(e.Name(), "."):
			note(file, e)
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("scaffold: %w", err)
	}
	return b.String(), nil
}

// buildPlugin builds the Go part and moves it to the plugins folder in one step.
func (d *Dev) buildPlugin(ctx context.Context) error {
	work, err := os.MkdirTemp(filepath.Dir(d.Plugins), "build-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // from the previous build; it has been renamed
	fresh, old, at := filepath.Join(work, d.Key), filepath.Join(work, "previous"), filepath.Join(d.Plugins, d.Key)
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return err
	}
	d.builds++
	binary := fmt.Sprintf("%s-%d", d.Key, d.builds)
	if err := d.buildBinary(ctx, filepath.Join(fresh, binary)); err != nil {
		return err
	}
	log := slog.New(logline.NewHumanHandler(d, slog.LevelError))
	if _, err := pluginhost.Pack(ctx, fresh, binary, "", log); err != nil {
		return err
	}
	if err := os.Rename(at, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(fresh, at)
}

// followRemote runs the SDK's watch command, which rebuilds the React part after every change.
func (d *Dev) followRemote(ctx context.Context) error {
	const watch = `import { watch } from '@wattle/sdk/build'; const [dir, out] = process.argv.slice(1); await watch({ dir, out });`
	home := filepath.Join(d.Root, "remotes", d.Key)
	cmd := exec.CommandContext(ctx, "node", "--input-type=module", "--eval", watch, home, filepath.Join(d.Remotes, d.Key))
	cmd.Dir, cmd.Stdout, cmd.Stderr = home, d, d
	return errors.Join(errors.New("it should go on until `wattle modules dev` ends"), cmd.Run())
}

// followTypes checks the types of the React part after every change. The remote is built without them, so it also serves with errors.
func (d *Dev) followTypes(ctx context.Context) {
	compiler := filepath.Join(d.Root, "node_modules", ".bin", "tsc")
	if !isFile(compiler) {
		d.say("types %s: they are not checked, because there is no node_modules/.bin/tsc\n", d.Key)
		return
	}
	texts := filepath.Join(d.Root, "remotes", d.Key, "src", "messages", "compiled", "en.json")
	for !isFile(texts) { // the remote imports the texts, which are compiled first
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookInterval):
		}
	}
	cmd := exec.CommandContext(ctx, compiler, "-p", filepath.Join("remotes", d.Key), "--watch", "--preserveWatchOutput", "--pretty", "false")
	cmd.Dir, cmd.Stderr = d.Root, d
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		d.say("types %s: they are not checked: %v\n", d.Key, err)
		return
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxTypesLine)
	for lines.Scan() {
		if line := typesLine(lines.Text()); line != "" {
			d.say("types %s: %s\n", d.Key, line)
		}
	}
	if err := cmd.Wait(); ctx.Err() == nil {
		d.say("types %s: they are not checked any more: %v\n", d.Key, err)
	}
}

// maxTypesLine is the maximum length of a line of the TypeScript compiler, which may contain a whole type.
const maxTypesLine = 1 << 20

// typesError matches an error of the TypeScript compiler: "remotes/outages/src/tile.tsx(12,9): error TS2322: …".
var typesError = regexp.MustCompile(`^(.+)\((\d+),(\d+)\): error (TS\d+: .+)$`)

// typesLine returns what a line of the TypeScript compiler tells the developer, or "".
func typesLine(line string) string {
	if found := typesError.FindStringSubmatch(line); found != nil {
		return found[1] + ":" + found[2] + ":" + found[3] + ": " + found[4]
	}
	switch {
	case strings.HasPrefix(line, "  "): // more about the error before it
		return line
	case strings.Contains(line, "Found 0 errors"):
		return "no errors"
	case strings.HasPrefix(line, "error TS"):
		return line
	}
	return "" // when a check begins, and how many errors it found
}
