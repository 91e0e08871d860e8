package scaffold

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/wattle-portal/wattle/core/internal/label"
)

// versions are those of the npm packages of Wattle: its own, and of the libraries that it is tested with.
type versions struct {
	Own   string
	Tools map[string]string
}

// versionsOf reads the versions of a checkout.
func versionsOf(checkout fs.FS) (v versions, err error) {
	v.Tools = map[string]string{}
	for _, name := range []string{"tools/gen/package.json", "package.json", "shell/sdk/package.json"} {
		raw, err := fs.ReadFile(checkout, name)
		if err != nil {
			return v, fmt.Errorf("scaffold: %w", err)
		}
		var p struct {
			Version                       string
			Dependencies, DevDependencies map[string]string
		}
		if err := json.Unmarshal(raw, &p); err != nil {
			return v, fmt.Errorf("scaffold: %s: %w", name, err)
		}
		for _, list := range []map[string]string{p.Dependencies, p.DevDependencies} {
			for library, version := range list {
				if library == "typescript" && name == "tools/gen/package.json" {
					library = "typescript of tools/gen"
				}
				v.Tools[library] = version
			}
		}
		v.Own = p.Version // of the SDK, which is the last
	}
	return v, nil
}

// demoLabel is the label of the repository's own demo.
const demoLabel = "demo"

// Packages are the packages of Wattle that a repository is built with.
type Packages struct {
	Go     string // version of the Go module
	NPM    string // version of @wattle/sdk, ui and charts
	Sums   string // lines of go.sum for the Go module
	Source fs.FS  // the Go module
}

// Repository writes a repository of its own with a module: a Go module, a remote, a demo label and a browser test. program is the path of
// wattle, which the Makefile uses when it is not in the PATH; fragments are those of the modules of its portal. It returns the written files.
func Repository(dir, program string, with Packages, m Module, fragments []label.Fragment) ([]string, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if m.Path == "" {
		m.Path = "example.org/" + m.Key
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if entries, err := os.ReadDir(dir); err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != ".git" }) {
		return nil, fmt.Errorf("%w: %s is not empty", ErrExists, dir)
	}
	if near, err := filepath.Rel(dir, program); err == nil { // another volume has no relative path
		program = near
	}
	out, err := m.copied()
	if err != nil {
		return nil, err
	}
	delete(out, "modules/"+m.Key+"/"+m.Key+"api/client.gen.go") // a plugin of which no other module needs anything goes without: see Repo.HasClient
	types := "remotes/" + m.Key + "/src/api.gen.ts"
	out[types] = bytes.Replace(out[types], []byte(`"make generate"`), []byte(`"make schema"`), 1)
	v, err := versionsOf(with.Source)
	if err != nil {
		return nil, err
	}
	v.Own = with.NPM
	data := map[string]any{"Key": m.Key, "Title": m.title(), "Path": m.Path, "Wattle": filepath.ToSlash(program), "Versions": v}
	if err := out.add("repository", m, data); err != nil {
		return nil, err
	}
	if err := m.goModule(out, with); err != nil {
		return nil, err
	}
	written, err := out.write(dir)
	if err != nil {
		return nil, err
	}
	return m.demo(dir, written, fragments)
}

// demo writes the demo label, with the module.
func (m Module) demo(dir string, written []string, fragments []label.Fragment) ([]string, error) {
	at := filepath.Join(dir, "labels", demoLabel)
	people := filepath.Join(at, "demo")
	keep := filepath.Join(dir, "labels", ".people") // label.New wants to make the folder itself
	err := errors.Join(os.Rename(people, keep), os.Remove(at))
	if err != nil {
		return nil, fmt.Errorf("scaffold: %w", err)
	}
	more, err := label.New(filepath.Dir(at), label.Sketch{Key: demoLabel, Color: "#0b7a3b"}, fragments)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(at, "label.cue")
	text, err := os.ReadFile(file)
	if err == nil {
		err = errors.Join(os.Rename(keep, people), os.WriteFile(file, append(text, "\nmodules: "+m.Key+": {}\n"...), 0o644))
	}
	if err != nil {
		return nil, fmt.Errorf("scaffold: %w", err)
	}
	for _, name := range more {
		written = append(written, "labels/"+name)
	}
	slices.Sort(written)
	return written, nil
}

// goModule adds go.mod and go.sum: those of Wattle, with the version of Wattle in addition, so that the module is compiled with the
// libraries that Wattle was tested with. "go mod tidy" removes those that the module does not need.
func (m Module) goModule(out files, with Packages) error {
	own, err := fs.ReadFile(with.Source, "go.mod")
	if err != nil {
		return fmt.Errorf("scaffold: %w", err)
	}
	sums, err := fs.ReadFile(with.Source, "go.sum")
	if err != nil {
		return fmt.Errorf("scaffold: %w", err)
	}
	mod, err := modfile.Parse("go.mod", own, nil)
	if err != nil {
		return fmt.Errorf("scaffold: %w", err)
	}
	imports, err := out.imports()
	if err != nil {
		return err
	}
	fresh := new(modfile.File)
	if err := errors.Join(fresh.AddModuleStmt(m.Path), fresh.AddGoStmt(mod.Go.Version), fresh.AddTool(Wattle+"/core/moduletest/check")); err != nil {
		return fmt.Errorf("scaffold: %w", err)
	}
	requires := []*modfile.Require{{Mod: module.Version{Path: Wattle, Version: with.Go}}}
	for _, r := range mod.Require {
		direct := slices.ContainsFunc(imports, func(path string) bool { return path == r.Mod.Path || strings.HasPrefix(path, r.Mod.Path+"/") })
		requires = append(requires, &modfile.Require{Mod: r.Mod, Indirect: !direct})
	}
	fresh.SetRequireSeparateIndirect(requires)
	fresh.Cleanup()
	if out["go.mod"], err = fresh.Format(); err != nil {
		return fmt.Errorf("scaffold: %w", err)
	}
	lines := strings.SplitAfter(string(sums)+with.Sums, "\n")
	slices.Sort(lines)
	out["go.sum"] = []byte(strings.Join(lines, ""))
	return nil
}

// imports returns what the Go files import.
func (out files) imports() (paths []string, err error) {
	for name, text := range out {
		if filepath.Ext(name) != ".go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return nil, fmt.Errorf("scaffold: %w", err)
		}
		for _, i := range f.Imports {
			paths = append(paths, strings.Trim(i.Path.Value, `"`))
		}
	}
	return paths, nil
}
