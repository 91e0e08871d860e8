// Package scaffold writes new modules: copies of another team's example module, docs/examples/outages, with a different key, in this
// repository or in a separate one.
package scaffold

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Wattle is the path of the Go module of Wattle.
const Wattle = "github.com/wattle-portal/wattle"

// example is the key of the example module, and Example is the folder of its repository in a checkout.
const (
	example = "outages"
	Example = "docs/examples/" + example
)

// ErrKey is returned for a key that is invalid for a module.
var ErrKey = errors.New("scaffold: a key has lower case letters, digits and underscores, at most 30, begins with a letter, and is not a word that Go or the code of a module uses")

// ErrExists is returned if part of the new module already exists. Nothing is written then.
var ErrExists = errors.New("scaffold: there is something already")

var keyForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,29}$`)

// Module describes a new module.
type Module struct {
	Key   string // "outages"
	Title string // title of its pages, menu items and tile; empty: the key with a capital letter
	// Path is the path of the Go module that contains the module.
	Path string
}

func (m Module) title() string {
	if m.Title != "" {
		return m.Title
	}
	words := strings.ReplaceAll(m.Key, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// files contains the content of new files, by slash-separated path in the repository.
type files map[string][]byte

// notCopied lists the build output of the example, its go.mod and go.sum, and its plugin lifecycle test, which tests Wattle.
var notCopied = []string{".wattle", "bin", "compiled", "data", "dist", "dist.work", "go.mod", "go.sum", "lifecycle.spec.ts", "node_modules",
	"package-lock.json", "plugins", "portal.ts", "test-results"}

// copied returns the files of the module and its repository. It returns ErrKey for an invalid key.
func (m Module) copied(from fs.FS) (files, error) {
	if !keyForm.MatchString(m.Key) || token.IsKeyword(m.Key) || m.Key == "core" {
		return nil, fmt.Errorf("%w: %q", ErrKey, m.Key)
	}
	text := strings.NewReplacer(
		"example.org/"+example, m.Path,
		`"outages.title": "Outages"`, `"`+m.Key+`.title": "`+m.title()+`"`,
		`"outages.title": "Storingen"`, `"`+m.Key+`.title": "`+m.title()+`"`,
		`'outages.title', defaultMessage: 'Outages'`, `'`+m.Key+`.title', defaultMessage: '`+m.title()+`'`,
		`"outages.title" defaultMessage="Outages"`, `"`+m.Key+`.title" defaultMessage="`+m.title()+`"`,
		"# Outages", "# "+m.title(), "'Storingen'", "'"+m.title()+"'", "page Outages", "page "+m.title(), "pagina Storingen", "pagina "+m.title(),
		example, m.Key,
	)
	out := files{}
	err := fs.WalkDir(from, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case slices.Contains(notCopied, e.Name()) && e.IsDir():
			return fs.SkipDir
		case slices.Contains(notCopied, e.Name()), e.IsDir(), path.Ext(name) == ".wattle":
			return nil
		}
		raw, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		to, content := strings.ReplaceAll(name, example, m.Key), []byte(text.Replace(string(raw)))
		switch {
		case path.Ext(to) == ".go":
			if m.uses(raw) {
				return fmt.Errorf("%w: %q", ErrKey, m.Key)
			}
			content, err = format.Source(content)
		case strings.HasPrefix(to, "schemas/openapi/"):
			content, err = sorted(content)
		case path.Base(to) == "api.gen.ts":
			content = sortedPaths(content)
		case to == "README.md":
			content = notRun.ReplaceAll(content, nil)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", to, err)
		}
		out[to] = content
		return nil
	})
	return out, err
}

// notRun matches a comment for the test that runs the commands in the docs.
var notRun = regexp.MustCompile(`(?m)^<!-- not run: .* -->\n\n`)

// uses reports whether a Go file of the example contains an identifier that is equal to the key, which is the name of the new package.
func (m Module) uses(code []byte) (found bool) {
	f, err := parser.ParseFile(token.NewFileSet(), "", code, parser.SkipObjectResolution)
	if err != nil {
		return false // format reports the problem
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || n.Name == m.Key && m.Key != example
		case *ast.ImportSpec:
			found = found || path.Base(strings.Trim(n.Path.Value, `"`)) == m.Key && m.Key != example
		}
		return !found
	})
	return found
}

// sorted returns a JSON document with its keys in order, because a different module key has a different position among them.
func sorted(document []byte) ([]byte, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}

var tsPath = regexp.MustCompile(`(?ms)^    "/[^\n]*": \{\n.*?^    \};\n`)

// sortedPaths returns the browser's types with the operation paths in order.
func sortedPaths(types []byte) []byte {
	all := tsPath.FindAll(types, -1)
	slices.SortFunc(all, bytes.Compare)
	return tsPath.ReplaceAllFunc(types, func([]byte) []byte {
		next := all[0]
		all = all[1:]
		return next
	})
}

// write writes the files below dir and returns their paths, sorted. It writes nothing if one of them already exists.
func (out files) write(dir string) ([]string, error) {
	names := slices.Sorted(maps.Keys(out))
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return nil, fmt.Errorf("%w: %s", ErrExists, name)
		}
	}
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, fmt.Errorf("scaffold: %w", err)
		}
		mode := fs.FileMode(0o644)
		if bytes.HasPrefix(out[name], []byte("#!")) {
			mode = 0o755
		}
		if err := os.WriteFile(file, out[name], mode); err != nil {
			return nil, fmt.Errorf("scaffold: %w", err)
		}
	}
	return names, nil
}
