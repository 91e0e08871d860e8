package scaffold

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/label"
)

// versions are those of the npm packages of a checkout of Wattle: its own, and of the libraries that it is tested with.
type versions struct {
	Own   string
	Tools map[string]string
}

func versionsOf(root string) (v versions, err error) {
	v.Tools = map[string]string{}
	for _, name := range []string{"tools/gen/package.json", "package.json", "shell/sdk/package.json"} {
		raw, err := os.ReadFile(filepath.Join(root, name))
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

// Repository writes a repository of its own with a module: a Go module, a remote that is built with the tarballs of `make pack`, a demo
// label and a browser test. root is the checkout of Wattle with whose packages it is built; fragments are those of the modules of that
// portal. It returns the written files.
func Repository(dir, root string, m Module, fragments []label.Fragment) ([]string, error) {
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
	checkout, err := filepath.Rel(dir, root)
	if err != nil {
		checkout = root // on another volume
	}
	checkout = filepath.ToSlash(checkout)
	out, err := m.copied()
	if err != nil {
		return nil, err
	}
	delete(out, "modules/"+m.Key+"/"+m.Key+"api/client.gen.go") // its generator is part of Wattle
	types := "remotes/" + m.Key + "/src/api.gen.ts"
	out[types] = bytes.Replace(out[types], []byte(`"make generate"`), []byte(`"make schema"`), 1)
	v, err := versionsOf(root)
	if err != nil {
		return nil, err
	}
	data := map[string]any{"Key": m.Key, "Title": m.title(), "Path": m.Path, "Wattle": checkout, "Versions": v}
	if err := out.add("repository", m, data); err != nil {
		return nil, err
	}
	if err := m.goModule(out, root, checkout); err != nil {
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

var moduleLine = regexp.MustCompile(`(?m)^module .*$`)

// goModule adds go.mod and go.sum. They begin with the versions of the portal, of which "go mod tidy" removes those that are not needed, so
// that compiling needs no network. Wattle itself is the checkout.
func (m Module) goModule(out files, root, checkout string) error {
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return fmt.Errorf("scaffold: %w", err)
	}
	if out["go.sum"], err = os.ReadFile(filepath.Join(root, "go.sum")); err != nil {
		return fmt.Errorf("scaffold: %w", err)
	}
	if !strings.HasPrefix(checkout, ".") {
		checkout = filepath.ToSlash(root)
	}
	text := moduleLine.ReplaceAllLiteralString(string(own), "module "+m.Path)
	out["go.mod"] = []byte(text + "\ntool " + Wattle + "/core/moduletest/check\n\nrequire " + Wattle + " v0.0.0\n\n" +
		"// The portal is this checkout, until it is published.\nreplace " + Wattle + " => " + checkout + "\n")
	return nil
}
