// Package scaffold writes new modules: the template docs/examples/module with the requested parts under another key, in this repository or
// in a separate one.
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

// Template is the folder of the template in a checkout. Its module has the key template, the title titled and the version firstVersion.
const (
	Template     = "docs/examples/module"
	template     = "mykey"
	titled       = "My module"
	firstVersion = "1.0.0"
)

// ErrKey is returned for a key that is invalid for a module.
var ErrKey = errors.New("scaffold: a key has lower case letters, digits and underscores, at most 30, begins with a letter, and is not a word that Go, the code of a module or the portal uses")

// ErrTaken is returned for the key of a module of the program, because a plugin with that key would replace the module.
var ErrTaken = errors.New("scaffold: the program has a module with this key, which the new one would replace")

// ErrTitle is returned for a title that could not be written into code.
var ErrTitle = errors.New("scaffold: a title has at most 40 characters, without quotes, braces, backslashes and <")

// ErrExists is returned if part of the new module already exists. Nothing is written then.
var ErrExists = errors.New("scaffold: there is something already")

var (
	keyForm   = regexp.MustCompile(`^[a-z][a-z0-9_]{0,29}$`)
	titleForm = regexp.MustCompile("^[^'\"`\\\\{}<\\pC]{0,40}$")
)

// ofPortal are keys whose page would have the path of a page or of files of the portal itself.
var ofPortal = []string{"api", "assets", "core", "dashboard", "dev", "docs", "healthz", "home", "notfound", "plugins", "readyz", "shell", "staff"}

// Module describes a new module.
type Module struct {
	Key   string   // "outages"
	Title string   // title of its pages, menu items and tile; empty: the key with a capital letter
	With  []string // of Parts
	Taken []string // keys of the modules of the program
	// Path is the path of the Go module that contains the module.
	Path string
}

// ParseParts parses the names of parts; "all" means all of them. It returns ErrPart for another name.
func ParseParts(names []string) ([]string, error) {
	for _, name := range names {
		if name != "all" && !slices.Contains(Parts, name) {
			return nil, fmt.Errorf("%w: %q", ErrPart, name)
		}
	}
	if slices.Contains(names, "all") {
		return Parts, nil
	}
	return names, nil
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

// notCopied lists the build output of the template, and its go.mod.
var notCopied = []string{".wattle", "bin", "compiled", "data", "dist", "dist.work", "go.mod", "go.sum", "node_modules", "package-lock.json",
	"plugins", "test-results"}

// Check returns ErrKey, ErrTaken, ErrTitle or ErrPart for a module that cannot be written.
func (m Module) Check() error {
	switch {
	case !keyForm.MatchString(m.Key) || token.IsKeyword(m.Key) || slices.Contains(ofPortal, m.Key):
		return fmt.Errorf("%w: %q", ErrKey, m.Key)
	case slices.Contains(m.Taken, m.Key):
		return fmt.Errorf("%w: %s", ErrTaken, m.Key)
	case !titleForm.MatchString(m.Title):
		return fmt.Errorf("%w: %q", ErrTitle, m.Title)
	}
	_, err := ParseParts(m.With)
	return err
}

// written returns the files of the module and its repository.
func (m Module) written(from fs.FS) (files, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	chosen := map[string]string{}
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
		if err == nil {
			chosen[name], err = m.choose(string(raw))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err == nil {
		err = m.reduce(chosen)
	}
	if err != nil {
		return nil, err
	}
	rename := strings.NewReplacer("example.org/"+template, m.Path, titled, m.title(), template, m.Key)
	out := files{}
	for name, text := range chosen {
		to, content := rename.Replace(name), []byte(rename.Replace(text))
		var err error
		switch {
		case path.Ext(to) == ".go":
			if m.uses(content) {
				return nil, fmt.Errorf("%w: %q", ErrKey, m.Key)
			}
			content, err = format.Source(content)
		case strings.HasPrefix(to, "schemas/openapi/"):
			content, err = sorted(content)
		case path.Base(to) == "api.gen.ts":
			content = sortedTypes(content)
		case to == "README.md":
			content = notRun.ReplaceAll(content, nil)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", to, err)
		}
		out[to] = content
	}
	return out, nil
}

// notRun matches a comment for the test that runs the commands in the docs.
var notRun = regexp.MustCompile(`(?m)^<!-- not run: .* -->\n\n`)

// uses reports whether a Go file that imports the package of the module has another identifier with its name.
func (m Module) uses(code []byte) (found bool) {
	f, err := parser.ParseFile(token.NewFileSet(), "", code, parser.SkipObjectResolution)
	if err != nil {
		return false // format reports the problem
	}
	own := m.Path + "/modules/" + m.Key
	imported := func(i *ast.ImportSpec) string { return strings.Trim(i.Path.Value, `"`) }
	if !slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return imported(i) == own }) {
		return false
	}
	isPackage := map[*ast.Ident]bool{} // in mykey.Module
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				isPackage[x] = true
			}
		case *ast.Ident:
			found = found || n.Name == m.Key && !isPackage[n]
		case *ast.ImportSpec:
			found = found || imported(n) != own && path.Base(imported(n)) == m.Key
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
