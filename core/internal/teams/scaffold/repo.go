package scaffold

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

// ErrRepository is returned for a folder that is not in a repository with modules.
var ErrRepository = errors.New("scaffold: there is no go.mod with a folder modules next to it")

// Repo is a repository with modules: a checkout of Wattle, or the repository of another team.
type Repo struct {
	Root, Key string
	isWattle  bool
}

// Open returns the repository that contains dir. key is the key of the module in it; key may be empty if there is only one module.
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
	var keys []string
	for _, plugin := range pluginsIn(at) {
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

// Plugins returns the modules of the repository of another team that contains dir. There are none in a checkout of Wattle, whose modules
// are part of the program.
func Plugins(dir string) (all []Repo) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	for ; !isFile(filepath.Join(at, "go.mod")) || !isDir(filepath.Join(at, "modules")); at = filepath.Dir(at) {
		if at == filepath.Dir(at) {
			return nil
		}
	}
	for _, plugin := range pluginsIn(at) {
		if r, err := Open(at, filepath.Base(filepath.Dir(plugin))); err == nil && !r.isWattle {
			all = append(all, r)
		}
	}
	return all
}

// pluginsIn returns the folders of the main packages of plugins in a repository.
func pluginsIn(root string) []string {
	found, _ := filepath.Glob(filepath.Join(root, "modules", "*", "plugin")) // the pattern is valid
	return found
}

// buildBinary builds the Go part.
func (r Repo) buildBinary(ctx context.Context, out string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", out, "./modules/"+r.Key+"/plugin")
	cmd.Dir = r.Root
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, text)
	}
	return nil
}

// Describable builds the plugin in a folder of plugins, so that commands can read its manifest. The React part is the one that was built
// last, or none.
func (r Repo) Describable(ctx context.Context, plugins string, log *slog.Logger) error {
	folder, remote := filepath.Join(plugins, r.Key), ""
	err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700))
	if err == nil {
		err = r.buildBinary(ctx, filepath.Join(folder, r.Key))
	}
	if built := r.Built(); err == nil && isFile(filepath.Join(built, "remote.json")) {
		remote = "remote"
		err = os.CopyFS(filepath.Join(folder, remote), os.DirFS(built))
	}
	if err == nil {
		_, err = pluginhost.Pack(ctx, folder, r.Key, remote, log)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(folder))
	}
	return nil
}

// Step is a command that a developer runs, with its purpose.
type Step struct {
	What string
	Args []string
	Hint string // advice to print after a failure if the output contains none
}

// hasRemote reports whether the module has a React part.
func (r Repo) hasRemote() bool {
	return isFile(filepath.Join(r.Root, "remotes", r.Key, "package.json"))
}

// BuildRemote returns the command that builds the React part, or nothing if there is none.
func (r Repo) BuildRemote() []Step {
	if !r.hasRemote() {
		return nil
	}
	return []Step{{What: "the remote", Args: []string{"npm", "--silent", "run", "build", "-w", "remotes/" + r.Key}}}
}

// Built returns the folder with the built React part, or "" if there is none.
func (r Repo) Built() string {
	if !r.hasRemote() {
		return ""
	}
	return filepath.Join(r.Root, "remotes", r.Key, "dist")
}

// Test returns the commands that check and test both parts, without a browser.
func (r Repo) Test() []Step {
	packages, check := "./modules/"+r.Key+"/...", []string{"go", "tool", "check"}
	if r.isWattle {
		check = []string{"go", "run", "./core/moduletest/check"}
	}
	steps := []Step{
		{What: "go vet", Args: []string{"go", "vet", packages}},
		{What: "the analyzer", Args: append(check, "-labels", "labels", packages)},
		{What: "go test", Args: []string{"go", "test", "-vet=off", packages}},
	}
	if !r.hasRemote() {
		return steps
	}
	remote := "remotes/" + r.Key
	steps = append(steps, r.BuildRemote()...)
	steps = append(steps, Step{What: "types", Args: []string{"npm", "--silent", "run", "typecheck", "-w", remote}})
	if r.isWattle {
		steps = append(steps, Step{What: "format", Args: []string{"npm", "--silent", "exec", "--", "biome", "ci", "--colors=off", remote},
			Hint: "npm exec -- biome format --write " + remote + " formats it; what is left is yours"})
	}
	return append(steps, Step{What: "vitest", Args: []string{"npm", "--silent", "exec", "--", "vitest", "run", remote}})
}

// HasClient reports whether the module, in a separate repository, has a client for other modules: modules/<key>/<key>api.
func (r Repo) HasClient() bool {
	return !r.isWattle && isFile(filepath.Join(r.api(), "client.gen.go"))
}

func (r Repo) api() string { return filepath.Join(r.Root, "modules", r.Key, r.Key+"api") }

// Schema returns the commands that write the OpenAPI and AsyncAPI documents, the client, and the types for the browser. generator is the
// folder with the sources of tools/clients, for a repository with its own client (HasClient). If it is empty, no client is written.
func (r Repo) Schema(generator string) []Step {
	steps := []Step{{What: "the documents", Args: []string{"go", "test", "-vet=off", "-run", "^(TestOpenAPI|TestAsyncAPI)$", "./modules/" +
		r.Key, "-update"}}}
	if generator != "" && r.HasClient() {
		steps = append(steps, Step{What: "the client", Args: []string{"go", "-C", generator, "run", "./cmd", "-key", r.Key,
			"-document", filepath.Join(r.Root, "schemas", "openapi", r.Key+".json"), "-folder", r.api()},
			Hint: "Go downloads the libraries of the generator the first time, from the registries that it has (go env GOPROXY)"})
	}
	switch {
	case r.isWattle:
		steps = append(steps,
			Step{What: "clients of siblings", Args: []string{"go", "-C", "tools/clients", "run", "./cmd"}},
			Step{What: "types", Args: []string{"npm", "--silent", "run", "generate"}})
	case r.hasRemote():
		steps = append(steps, Step{What: "types", Args: []string{"npm", "--silent", "run", "types"}})
	}
	return steps
}

// minNode is the minimum major version of Node that the packages of Wattle need, as in the engines field of a new repository.
const minNode = 22

// ErrNode is returned if the React part cannot be built with the installed Node, which would fail with an error of its own.
var ErrNode = fmt.Errorf("scaffold: the React half needs Node %d or newer", minNode)

// checkNode returns ErrNode if the module has a React part and the node in the PATH is missing or too old. A checkout of Wattle has its own
// Node.
func (r Repo) checkNode(ctx context.Context) error {
	if r.isWattle || !r.hasRemote() {
		return nil
	}
	return CheckNode(ctx)
}

// CheckNode returns ErrNode if the node in the PATH is missing or older than a new repository needs.
func CheckNode(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return fmt.Errorf("%w, and there is no node in the PATH: %w", ErrNode, err)
	}
	version := strings.TrimSpace(string(out))
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < minNode {
		return fmt.Errorf("%w, and node in the PATH is %s", ErrNode, version)
	}
	return nil
}

// Run runs steps in the repository, and prints how long each step took. It stops at the first step that fails, and prints its output.
func (r Repo) Run(ctx context.Context, out io.Writer, steps []Step) error {
	if slices.ContainsFunc(steps, func(s Step) bool { return s.Args[0] == "npm" }) { // before the slow steps
		if err := r.checkNode(ctx); err != nil {
			return err
		}
	}
	for _, s := range steps {
		began := time.Now()
		cmd := exec.CommandContext(ctx, s.Args[0], s.Args[1:]...)
		cmd.Dir = r.Root
		if text, err := cmd.CombinedOutput(); err != nil {
			if s.Hint != "" {
				text = append(text, s.Hint+"\n"...)
			}
			return fmt.Errorf("%s: %s: %w\n%s", s.What, strings.Join(s.Args, " "), err, text)
		}
		fmt.Fprintf(out, "%-20s %5.1fs\n", s.What, time.Since(began).Seconds())
	}
	return nil
}
