package scaffold

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Packages contains the packages of Wattle with which a repository is built.
type Packages struct {
	Go       string   // version of the Go module
	NPM      string   // version of @wattle/sdk, ui and charts
	Sums     string   // lines of go.sum for the Go module
	Source   fs.FS    // the Go module
	Program  []string // libraries that only the program needs
	Template fs.FS    // from which a new repository is written
}

var tarball = regexp.MustCompile(`(file:\S*/wattle-[a-z]+)-[^"/]+\.tgz`)

// Repository writes a separate repository with a module: a Go module, a remote, a demo label and a browser test. program is the path of
// wattle, which the Makefile uses if wattle is not in the PATH. It returns the written files.
func Repository(dir, program string, with Packages, m Module) ([]string, error) {
	if m.Path == "" {
		m.Path = "example.org/" + m.Key
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	out, err := m.written(with.Template)
	if err != nil {
		return nil, err
	}
	if entries, err := os.ReadDir(dir); err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != ".git" }) {
		return nil, fmt.Errorf("%w: %s is not empty", ErrExists, dir)
	}
	if near, err := filepath.Rel(dir, program); err == nil { // there is no relative path to another volume
		program = near
	}
	out["Makefile"] = bytes.Replace(out["Makefile"], []byte("../../../bin/wattle"), []byte(filepath.ToSlash(program)), 1)
	remote := "remotes/" + m.Key + "/package.json"
	out[remote] = tarball.ReplaceAll(out[remote], []byte("$1-"+with.NPM+".tgz"))
	if err := m.goModule(out, with); err != nil {
		return nil, err
	}
	return out.write(dir)
}

// goModule adds go.mod and go.sum: Wattle and the libraries that its packages for modules and tests need, in the versions with which Wattle
// was tested.
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
	if err := errors.Join(fresh.AddModuleStmt(m.Path), fresh.AddGoStmt(mod.Go.Version),
		fresh.AddTool(Wattle+"/core/moduletest/check")); err != nil {
		return fmt.Errorf("scaffold: %w", err)
	}
	requires := []*modfile.Require{{Mod: module.Version{Path: Wattle, Version: with.Go}}}
	for _, r := range mod.Require {
		if slices.Contains(with.Program, r.Mod.Path) {
			continue
		}
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

// imports returns the imports of the Go files.
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
