package packages

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"
)

// Folder is the folder that contains the packages in a repository that uses them. It is not committed.
const Folder = ".wattle"

// ErrRepository is returned for a folder that is not in a repository with a module for Wattle.
var ErrRepository = errors.New("packages: there is no go.mod that requires " + Module)

// ErrVersion is returned if a repository requires other packages than the available ones.
var ErrVersion = errors.New("packages: other packages are required")

// Repository is a repository that is built with the packages of Wattle.
type Repository struct {
	Root string
	Go   string            // version of the Go module that the repository requires
	npm  map[string]string // files that refer to tarballs, and the version of one of those
}

var tarball = regexp.MustCompile(`wattle-(sdk|ui|charts)-([^"/]+)\.tgz`)

// Find returns the repository that contains dir.
func Find(dir string) (Repository, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return Repository{}, err
	}
	for ; ; at = filepath.Dir(at) {
		raw, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil {
			return repositoryOf(at, raw)
		}
		if at == filepath.Dir(at) {
			return Repository{}, fmt.Errorf("%w, in %s or above it", ErrRepository, dir)
		}
	}
}

func repositoryOf(root string, raw []byte) (Repository, error) {
	r := Repository{Root: root, npm: map[string]string{}}
	mod, err := modfile.Parse(filepath.Join(root, "go.mod"), raw, nil)
	if err != nil {
		return r, fmt.Errorf("packages: %w", err)
	}
	for _, x := range mod.Require {
		if x.Mod.Path == Module {
			r.Go = x.Mod.Version
		}
	}
	if r.Go == "" {
		return r, fmt.Errorf("%w: %s", ErrRepository, filepath.Join(root, "go.mod"))
	}
	remotes, err := filepath.Glob(filepath.Join(root, "remotes", "*", "package.json"))
	if err != nil {
		return r, fmt.Errorf("packages: %w", err)
	}
	for _, file := range append(remotes, filepath.Join(root, "package.json")) {
		raw, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return r, fmt.Errorf("packages: %w", err)
		}
		if found := tarball.FindSubmatch(raw); found != nil {
			r.npm[file] = string(found[2])
		}
	}
	return r, nil
}

// uses reports whether the repository requires the packages of the set.
func (r Repository) uses(s Set) bool {
	for _, version := range r.npm {
		if version != s.NPM {
			return false
		}
	}
	return r.Go == s.Go
}

// Install installs the packages that the repository requires to its folder .wattle and to Go's module cache: those of the set, or others
// that are already in .wattle. It returns their versions, or ErrVersion if the required packages are not available.
func (r Repository) Install(ctx context.Context, s Set) (About, error) {
	folder := filepath.Join(r.Root, Folder)
	if !r.uses(s) {
		have, err := Open(folder)
		if err != nil || !r.uses(have) {
			return About{}, fmt.Errorf("%w: %s requires Wattle %s, and this program has %s: use the program of that version, or move to this one with `wattle modules packages --update`", ErrVersion, r.Root, r.Go, s.Go)
		}
		s = have
	} else if err := s.Write(folder); err != nil {
		return About{}, err
	}
	return s.About, r.download(ctx, s)
}

// Update makes the repository require the packages of the set, and installs them. Other libraries are upgraded to the versions that Wattle
// needs, from the registries that the developer uses.
func (r Repository) Update(ctx context.Context, s Set) error {
	if err := s.Write(filepath.Join(r.Root, Folder)); err != nil {
		return err
	}
	if err := r.download(ctx, s); err != nil {
		return err
	}
	for file := range r.npm {
		raw, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, tarball.ReplaceAll(raw, []byte("wattle-$1-"+s.NPM+".tgz")), 0o644)
		}
		if err != nil {
			return fmt.Errorf("packages: %w", err)
		}
	}
	if r.Go == s.Go {
		return nil
	}
	if err := r.require(s.Go); err != nil {
		return err
	}
	private := "GONOSUMDB=" + join(Module, r.env(ctx, "GONOSUMDB"))
	if err := r.run(ctx, []string{"go", "get", Module + "@" + s.Go}, private); err != nil {
		return err
	}
	// go get only adds the module. Libraries that its packages newly need are added when go loads the packages; without them, go.mod and
	// go.sum are out of date for every other go command.
	return r.run(ctx, []string{"go", "list", "-mod=mod", "-e", "-deps", "-test", "./...", "tool"}, private)
}

// require changes the version of the Go module in go.mod, and removes the previous version from go.sum. It does not use the go command,
// which would need the previous version: on a fresh clone that is not available.
func (r Repository) require(version string) error {
	name := filepath.Join(r.Root, "go.mod")
	raw, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("packages: %w", err)
	}
	mod, err := modfile.Parse(name, raw, nil)
	if err == nil {
		err = mod.AddRequire(Module, version)
	}
	if err == nil {
		raw, err = mod.Format()
	}
	if err == nil {
		err = os.WriteFile(name, raw, 0o644)
	}
	if err != nil {
		return fmt.Errorf("packages: %w", err)
	}
	sums := filepath.Join(r.Root, "go.sum")
	raw, err = os.ReadFile(sums)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var kept strings.Builder
	for line := range strings.Lines(string(raw)) {
		if !strings.HasPrefix(line, Module+" ") {
			kept.WriteString(line)
		}
	}
	if err == nil {
		err = os.WriteFile(sums, []byte(kept.String()), 0o644)
	}
	if err != nil {
		return fmt.Errorf("packages: %w", err)
	}
	return nil
}

// download adds the Go module to the module cache, so that every go command finds it without settings, including those that an editor runs.
func (r Repository) download(ctx context.Context, s Set) error {
	proxy := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(r.Root, Folder, GoFolder))}
	return r.run(ctx, []string{"go", "mod", "download", Module + "@" + s.Go},
		"GOPROXY="+proxy.String(), "GONOPROXY=none", "GOPRIVATE=", "GONOSUMDB="+Module, "GOWORK=off")
}

func (r Repository) run(ctx context.Context, args []string, env ...string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = r.Root, append(os.Environ(), env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("packages: %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return nil
}

// env returns a setting of go, or "" if it is not set.
func (r Repository) env(ctx context.Context, name string) string {
	cmd := exec.CommandContext(ctx, "go", "env", name)
	cmd.Dir = r.Root
	out, _ := cmd.Output() // if this fails, the command that needs the setting reports the reason
	return strings.TrimSpace(string(out))
}

func join(a, b string) string { return strings.TrimRight(a+","+b, ",") }
