package scaffold

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ErrRoot is returned for a folder that is not a checkout of Wattle.
var ErrRoot = errors.New("scaffold: there is no checkout of Wattle")

// Root returns the checkout of Wattle that contains dir.
func Root(dir string) (string, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for ; ; at = filepath.Dir(at) {
		raw, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil && strings.HasPrefix(string(raw), "module "+Wattle+"\n") {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%w in %s or above it", ErrRoot, dir)
		}
	}
}

// InTree writes a module to a checkout of Wattle: modules/<key>, remotes/<key> and its documents in schemas. It registers both parts, and
// enables the module in labels, which are names of folders in labels/. It returns the files that it has written or changed.
func InTree(root string, m Module, labels ...string) ([]string, error) {
	m.Path = Wattle
	out, err := m.written(os.DirFS(filepath.Join(root, Template)))
	if err != nil {
		return nil, err
	}
	if err := m.workspace(root, out); err != nil {
		return nil, err
	}
	for _, folder := range []string{"modules/" + m.Key, "remotes/" + m.Key} { // even one that contains other files than a new module
		if entries, err := os.ReadDir(filepath.Join(root, folder)); err == nil && len(entries) > 0 {
			return nil, fmt.Errorf("%w: %s", ErrExists, folder)
		}
	}
	changed := files{}
	change := func(name string, with func(string) (string, error)) error {
		raw, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return fmt.Errorf("scaffold: %w", err)
		}
		text, err := with(string(raw))
		if err != nil {
			return fmt.Errorf("scaffold: %s: %w", name, err)
		}
		changed[name] = []byte(text)
		return nil
	}
	err = errors.Join(
		change("modules/modules.go", m.register),
		change("package-lock.json", func(text string) (string, error) {
			return m.addToLock(text, out["remotes/"+m.Key+"/package.json"])
		}),
	)
	for _, label := range labels {
		err = errors.Join(err, change("labels/"+label+"/label.cue", func(text string) (string, error) {
			return strings.TrimRight(text, "\n") + "\n\nmodules: " + m.Key + ": {}\n", nil
		}))
	}
	if err != nil {
		return nil, err
	}
	written, err := out.write(root)
	if err != nil {
		return nil, err
	}
	for name, text := range changed {
		if err := os.WriteFile(filepath.Join(root, name), text, 0o644); err != nil {
			return nil, fmt.Errorf("scaffold: %w", err)
		}
		written = append(written, name)
	}
	slices.Sort(written)
	return written, nil
}

// workspace removes all files of a separate repository except those of its module. It makes the remote a workspace of the checkout, which
// contains the packages of Wattle as sources.
func (m Module) workspace(root string, out files) error {
	maps.DeleteFunc(out, func(name string, _ []byte) bool {
		top, _, _ := strings.Cut(name, "/")
		return top != "modules" && top != "remotes" && top != "schemas"
	})
	remote := "remotes/" + m.Key + "/"
	var here, sdk, own npmPackage
	for file, v := range map[string]*npmPackage{"package.json": &here, "shell/sdk/package.json": &sdk} {
		raw, err := os.ReadFile(filepath.Join(root, file))
		if err == nil {
			err = json.Unmarshal(raw, v)
		}
		if err != nil {
			return fmt.Errorf("scaffold: %s: %w", file, err)
		}
	}
	if err := json.Unmarshal(out[remote+"package.json"], &own); err != nil {
		return fmt.Errorf("scaffold: %w", err)
	}
	own.Name, own.Version, own.License = "@wattle/remote-"+m.Key, sdk.Version, "Apache-2.0"
	for name := range own.Dependencies {
		if strings.HasPrefix(name, "@wattle/") {
			own.Dependencies[name] = sdk.Version
		}
	}
	tools := map[string]string{}
	for _, name := range []string{"@testing-library/react", "@testing-library/user-event", "typescript", "vitest"} {
		tools[name] = here.DevDependencies[name]
	}
	own.DevDependencies = tools
	raw, err := json.MarshalIndent(own, "", "  ")
	out[remote+"package.json"] = append(raw, '\n')
	out[remote+"tsconfig.json"] = bytes.Replace(out[remote+"tsconfig.json"], []byte("    \"lib\":"),
		[]byte("    \"customConditions\": [\"wattle-source\"],\n    \"lib\":"), 1)
	first, rest, _ := bytes.Cut(out[remote+"src/api.gen.ts"], []byte("\n"))
	out[remote+"src/api.gen.ts"] = slices.Concat(generatedBy.ReplaceAll(first, []byte(`by "make generate"`)), []byte("\n"), rest)
	return err
}

// generatedBy matches the command in the first line of a generated file.
var generatedBy = regexp.MustCompile(`by "[^"]*"`)

// npmPackage is the content of a package.json.
type npmPackage struct {
	Name            string            `json:"name"`
	Version         string            `json:"version"`
	Private         bool              `json:"private,omitempty"`
	Type            string            `json:"type,omitempty"`
	License         string            `json:"license"`
	Scripts         map[string]string `json:"scripts,omitempty"`
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
}

var listed = regexp.MustCompile(`(?m)^\t([a-z][a-z0-9_]*)\.Module,\n`)

// register adds the module to the sorted list in modules.go.
func (m Module) register(text string) (string, error) {
	at := -1
	for _, found := range listed.FindAllStringSubmatchIndex(text, -1) {
		switch name := text[found[2]:found[3]]; {
		case name == m.Key:
			return "", fmt.Errorf("%w: module %s", ErrExists, m.Key)
		case name < m.Key || at < 0:
			at = found[1]
			if name > m.Key {
				at = found[0]
			}
		}
	}
	end := strings.Index(text, "\n)\n") // end of the imports
	if at < 0 || end < 0 || end > at {
		return "", errors.New("it has no list of modules")
	}
	text = text[:end] + "\n\t\"" + Wattle + "/modules/" + m.Key + "\"" + text[end:at] + "\t" + m.Key + ".Module,\n" + text[at:]
	b, err := format.Source([]byte(text))
	return string(b), err
}

// addToLock adds the workspace of the remote to package-lock.json, like npm: a link and the package, each in its alphabetical place.
func (m Module) addToLock(text string, pkg []byte) (string, error) {
	var p npmPackage
	if err := json.Unmarshal(pkg, &p); err != nil {
		return "", err
	}
	p.Private, p.Type, p.Scripts = false, "", nil // a lock file contains none of these
	folder := "remotes/" + m.Key
	text, err := insertPackage(text, "node_modules/@wattle/", "node_modules/"+p.Name, struct {
		Resolved string `json:"resolved"`
		Link     bool   `json:"link"`
	}{folder, true})
	if err != nil {
		return "", err
	}
	return insertPackage(text, "remotes/", folder, p)
}

var entry = regexp.MustCompile(`(?m)^    "([^"]+)": \{\n`)

// insertPackage adds an entry to the packages in a lock file, among the entries with a prefix.
func insertPackage(lock, prefix, name string, value any) (string, error) {
	b, err := json.MarshalIndent(value, "    ", "  ")
	if err != nil {
		return "", err
	}
	at := -1
	for _, found := range entry.FindAllStringSubmatchIndex(lock, -1) {
		switch other := lock[found[2]:found[3]]; {
		case other == name:
			return "", fmt.Errorf("%w: %s", ErrExists, name)
		case at >= 0 && !strings.HasPrefix(other, prefix), strings.HasPrefix(other, prefix) && cmp.Compare(other, name) > 0:
			return lock[:found[0]] + `    "` + name + `": ` + string(b) + ",\n" + lock[found[0]:], nil
		case strings.HasPrefix(other, prefix):
			at = found[0]
		}
	}
	return "", fmt.Errorf("it has no packages of the form %s", prefix)
}
