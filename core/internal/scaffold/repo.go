package scaffold

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ErrRepository is returned for a folder that is no repository with modules.
var ErrRepository = errors.New("scaffold: there is no go.mod with a folder modules next to it")

// Repo is a repository with modules: a checkout of Wattle or another team's.
type Repo struct {
	Root, Key string
	isWattle  bool
}

// Open returns the repository that has dir in it. key names its module; it may be empty when there is only one.
func Open(dir, key string) (Repo, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return Repo{}, err
	}
	for ; !isFile(filepath.Join(at, "go.mod")) || !isDir(filepath.Join(at, "modules")); at = filepath.Dir(at) {
		if at == filepath.Dir(at) {
			return Repo{}, fmt.Errorf("%w, in %s or above it", ErrRepository, dir)
		}
	}
	found, err := filepath.Glob(filepath.Join(at, "modules", "*", "plugin"))
	if err != nil {
		return Repo{}, err
	}
	var keys []string
	for _, plugin := range found {
		keys = append(keys, filepath.Base(filepath.Dir(plugin)))
	}
	if key == "" && len(keys) == 1 {
		key = keys[0]
	}
	if key == "" || !isDir(filepath.Join(at, "modules", key)) {
		return Repo{}, fmt.Errorf("scaffold: which module? %s has: %s", at, strings.Join(keys, ", "))
	}
	raw, err := os.ReadFile(filepath.Join(at, "go.mod"))
	return Repo{at, key, strings.HasPrefix(string(raw), "module "+Wattle+"\n")}, err
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Step is a command of a developer, with what it is for.
type Step struct {
	What string
	Args []string
}

// hasRemote reports whether the module has a React half.
func (r Repo) hasRemote() bool {
	return isFile(filepath.Join(r.Root, "remotes", r.Key, "package.json"))
}

// BuildRemote returns the command that builds the React half; nothing without one.
func (r Repo) BuildRemote() []Step {
	if !r.hasRemote() {
		return nil
	}
	return []Step{{"the remote", []string{"npm", "--silent", "run", "build", "-w", "remotes/" + r.Key}}}
}

// Built returns the folder with the built React half; empty without one.
func (r Repo) Built() string {
	if !r.hasRemote() {
		return ""
	}
	return filepath.Join(r.Root, "remotes", r.Key, "dist")
}

// Test returns the commands that check and test both halves, without a browser.
func (r Repo) Test() []Step {
	packages, check := "./modules/"+r.Key+"/...", []string{"go", "tool", "check"}
	if r.isWattle {
		check = []string{"go", "run", "./core/moduletest/check"}
	}
	steps := []Step{
		{"go vet", []string{"go", "vet", packages}},
		{"the analyzer", append(check, "-labels", "labels", packages)},
		{"go test", []string{"go", "test", "-vet=off", packages}},
	}
	if !r.hasRemote() {
		return steps
	}
	remote := "remotes/" + r.Key
	steps = append(steps, r.BuildRemote()...)
	steps = append(steps, Step{"types", []string{"npm", "--silent", "run", "typecheck", "-w", remote}})
	if r.isWattle {
		steps = append(steps, Step{"format", []string{"npm", "--silent", "exec", "--", "biome", "ci", remote}})
	}
	return append(steps, Step{"vitest", []string{"npm", "--silent", "exec", "--", "vitest", "run", remote}})
}

// Schema returns the commands that write the documents of operations and events, and the types of the browser.
func (r Repo) Schema() []Step {
	steps := []Step{{"the documents", []string{"go", "test", "-vet=off", "-run", "^(TestOpenAPI|TestAsyncAPI)$", "./modules/" + r.Key, "-update"}}}
	switch {
	case r.isWattle:
		steps = append(steps, Step{"clients and types", []string{"npm", "--silent", "run", "generate"}})
	case r.hasRemote():
		steps = append(steps, Step{"types", []string{"npm", "--silent", "run", "types"}})
	}
	return steps
}

// Run runs steps in the repository, and prints how long each took. It stops at the first that fails, with its output.
func (r Repo) Run(ctx context.Context, out io.Writer, steps []Step) error {
	for _, s := range steps {
		began := time.Now()
		cmd := exec.CommandContext(ctx, s.Args[0], s.Args[1:]...)
		cmd.Dir = r.Root
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %s: %w\n%s", s.What, strings.Join(s.Args, " "), err, text)
		}
		fmt.Fprintf(out, "%-20s %5.1fs\n", s.What, time.Since(began).Seconds())
	}
	return nil
}
