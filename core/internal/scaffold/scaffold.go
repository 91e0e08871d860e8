// Package scaffold writes new modules: copies of the example module of the docs under another key, in this repository or in one of their
// own, with what such a repository needs in addition.
package scaffold

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/wattle-portal/wattle/docs"
)

// Wattle is the path of the Go module of Wattle.
const Wattle = "github.com/wattle-portal/wattle"

// ErrKey is returned for a key that no module can have.
var ErrKey = errors.New("scaffold: a key has lower case letters, digits and underscores, at most 30, begins with a letter, and is no word that Go or the code of a module uses")

// ErrExists is returned when something of the new module is there already. Nothing is written then.
var ErrExists = errors.New("scaffold: there is something already")

//go:embed templates
var templates embed.FS

var keyForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,29}$`)

// taken are the names of packages that the code of a module imports, and those of its own types.
var taken = []string{"core", "bun", "call", "command", "context", "demodata", "embed", "event", "fmt", "huma", "http", "json", "main", "module", "moduletest",
	"note", "plugin", "portaltest", "problem", "record", "service", "settings", "store", "strconv", "testing", "texts", "time"}

// Module names a new module.
type Module struct {
	Key   string // "outages"
	Title string // title of its page, menu item and tile; empty: the key with a capital
	// Path is the path of the Go module that it belongs to.
	Path string
}

// Check returns ErrKey for an invalid key.
func (m Module) Check() error {
	if !keyForm.MatchString(m.Key) || token.IsKeyword(m.Key) || slices.Contains(taken, m.Key) {
		return fmt.Errorf("%w: %q", ErrKey, m.Key)
	}
	return nil
}

func (m Module) title() string {
	if m.Title != "" {
		return m.Title
	}
	words := strings.ReplaceAll(m.Key, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// files are the contents of new files by their slash-separated path in the repository.
type files map[string][]byte

// copied returns both halves of the module. The documents of its operations and events stand where those of all modules of a repository do.
func (m Module) copied() (files, error) {
	const example = "example-module"
	own := m.Path + "/modules/" + m.Key
	text := strings.NewReplacer(
		`acme "`+Wattle+`/docs/`+example+`"`, `"`+own+`"`,
		Wattle+"/docs/"+example, own,
		`"openapi.json"`, `"../../schemas/openapi/`+m.Key+`.json"`,
		`"asyncapi.json"`, `"../../schemas/asyncapi/`+m.Key+`.json"`,
		"acme", m.Key, "Acme", m.title(),
	)
	out := files{}
	err := fs.WalkDir(docs.Example, example, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := docs.Example.ReadFile(name)
		if err != nil {
			return err
		}
		to := strings.ReplaceAll(strings.TrimPrefix(name, example+"/"), "acme", m.Key)
		rest, isRemote := strings.CutPrefix(to, "remote/")
		switch {
		case isRemote:
			to = "remotes/" + m.Key + "/" + rest
		case to == "openapi.json" || to == "asyncapi.json":
			to = "schemas/" + strings.TrimSuffix(to, ".json") + "/" + m.Key + ".json"
		default:
			to = "modules/" + m.Key + "/" + to
		}
		content := []byte(text.Replace(string(raw)))
		if path.Ext(to) == ".go" {
			if content, err = format.Source(content); err != nil {
				return fmt.Errorf("%s: %w", to, err)
			}
		}
		out[to] = content
		return nil
	})
	return out, err
}

// add executes the templates of a folder into out. "key" in the name of a template is the key of the module; a dot file is named "dot-".
func (out files) add(folder string, m Module, data any) error {
	return fs.WalkDir(templates, "templates/"+folder, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := templates.ReadFile(name)
		if err != nil {
			return err
		}
		t, err := template.New(name).Option("missingkey=error").Delims("[[", "]]").Parse(string(raw))
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := t.Execute(&b, data); err != nil {
			return err
		}
		to := strings.TrimSuffix(strings.TrimPrefix(name, "templates/"+folder+"/"), ".tmpl")
		out[strings.NewReplacer("key", m.Key, "dot-", ".").Replace(to)] = b.Bytes()
		return nil
	})
}

// write writes the files below dir, and returns their paths, sorted. It writes nothing when one of them is there already.
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
