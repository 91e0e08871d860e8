package scaffold

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

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
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", filepath.Join(fresh, binary), "./modules/"+d.Key+
		"/plugin")
	cmd.Dir = d.Root
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, text)
	}
	log := slog.New(slog.NewTextHandler(d, &slog.HandlerOptions{Level: slog.LevelError}))
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
