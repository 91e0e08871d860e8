package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listed is a package, as `go list -json` describes it.
type listed struct {
	Dir, ImportPath string
	GoFiles         []string
	ImportMap       map[string]string // for vendored packages
	Module          *struct{ Path, GoVersion string }
	Error           *struct{ Err string }
}

// typeChecker type-checks the sources of the program for several platforms, which takes seconds; compiling all libraries for each would
// take minutes. Function bodies in libraries are left out: they do not change with this repository.
type typeChecker struct {
	files  *token.FileSet
	parsed map[string]*ast.File // most files are part of the program on several platforms
}

func (c *typeChecker) parse(t *testing.T, file string) *ast.File {
	t.Helper()
	if c.parsed[file] == nil {
		f, err := parser.ParseFile(c.files, file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		c.parsed[file] = f
	}
	return c.parsed[file]
}

// errors returns the type errors of the program on a platform.
func (c *typeChecker) errors(t *testing.T, p platform) []error {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,ImportPath,GoFiles,ImportMap,Module,Error", "./core/cmd/wattle")
	cmd.Dir, cmd.Env = repository, p.environment()
	out, err := cmd.Output()
	require.NoError(t, err, p.String())
	var found []error
	known := map[string]*types.Package{"unsafe": types.Unsafe}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; { // a package comes after all packages that it imports
		var l listed
		err := d.Decode(&l)
		if errors.Is(err, io.EOF) {
			return found
		}
		require.NoError(t, err)
		if l.Error != nil {
			found = append(found, errors.New(l.ImportPath+": "+l.Error.Err))
			continue
		}
		if l.ImportPath == "unsafe" {
			continue
		}
		var files []*ast.File
		for _, name := range l.GoFiles {
			files = append(files, c.parse(t, filepath.Join(l.Dir, name)))
		}
		ours := l.Module != nil && l.Module.Path == modulePath
		check := types.Config{
			IgnoreFuncBodies: !ours, Sizes: types.SizesFor("gc", p.Arch),
			Importer: importer(func(path string) (*types.Package, error) {
				if to, there := l.ImportMap[path]; there {
					path = to
				}
				if pkg := known[path]; pkg != nil {
					return pkg, nil
				}
				return nil, errors.New("no package " + path)
			}),
			Error: func(err error) { found = append(found, err) },
		}
		known[l.ImportPath], _ = check.Check(l.ImportPath, c.files, files, nil) // errors are collected in found
	}
}

type importer func(string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }

func TestPlatforms(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: compiles for every platform")
	}
	c := typeChecker{files: token.NewFileSet(), parsed: map[string]*ast.File{}}
	for _, p := range platforms {
		if p == thisPlatform() {
			continue // compiled on this machine anyway
		}
		t.Run("11-release-platforms", func(t *testing.T) { // make release-test builds for all of them
			for _, err := range c.errors(t, p) {
				assert.NoError(t, err, p.String())
			}
		})
	}
}
