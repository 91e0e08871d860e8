package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

const (
	key    = "production"
	wattle = "github.com/wattle-portal/wattle"
	// otherModule is the path of the other team's Go module. Its folders are the same as here, so that only the prefix of import paths
	// changes.
	otherModule = "example.org/production"
)

// copyModule copies the Go half and the React half of the module into dir, a repository of another team, unchanged except for import paths.
func copyModule(root, dir string) error {
	own := strings.NewReplacer(wattle+"/modules/"+key+`"`, otherModule+"/modules/"+key+`"`, wattle+"/modules/"+key+"/",
		otherModule+"/modules/"+key+"/")
	for _, half := range []string{"modules", "remotes"} {
		err := filepath.WalkDir(filepath.Join(root, half, key), func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if n := d.Name(); n == "node_modules" || n == "dist" || n == "compiled" {
					return filepath.SkipDir
				}
				return nil
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if filepath.Ext(file) == ".go" {
				text = []byte(own.Replace(string(text)))
			}
			name, err := filepath.Rel(root, file)
			if err != nil {
				return err
			}
			return write(filepath.Join(dir, name), text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func write(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// goModule writes the go.mod of the other team as described in docs/modules.md. It starts with the versions of the portal, so that
// compiling needs no network; "go mod tidy" removes those that are not needed.
func goModule(root, dir string) error {
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	own = regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(own, []byte("module "+otherModule))
	own = append(own, "\ntool "+wattle+"/core/moduletest/check\n\nrequire "+wattle+" v0.0.0\n\nreplace "+wattle+" => "+root+"\n"...)
	if err := write(filepath.Join(dir, "go.mod"), own); err != nil {
		return err
	}
	return write(filepath.Join(dir, "go.sum"), sums)
}

// npmPackage adds to the remote's package.json the tarballs and what remotes in this repository get from the workspace: types, a browser
// for tests, and their configuration.
func npmPackage(root, dir string, tarballs []string) error {
	home := filepath.Join(dir, "remotes", key)
	raw, err := os.ReadFile(filepath.Join(home, "package.json"))
	if err != nil {
		return err
	}
	var own, here map[string]any
	if err := json.Unmarshal(raw, &own); err != nil {
		return err
	}
	raw, err = os.ReadFile(filepath.Join(root, "package.json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &here); err != nil {
		return err
	}
	needs, tools := own["dependencies"].(map[string]any), own["devDependencies"].(map[string]any)
	for _, file := range tarballs {
		name := strings.SplitN(filepath.Base(file), "-", 3)[1] // wattle-sdk-0.1.0.tgz
		needs["@wattle/"+name] = "file:" + file
	}
	for _, name := range []string{"@testing-library/dom", "@testing-library/jest-dom", "@types/node", "@types/react", "@types/react-dom",
		"jsdom"} {
		tools[name] = here["devDependencies"].(map[string]any)[name]
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(own); err != nil {
		return err
	}
	if err := write(filepath.Join(home, "package.json"), out.Bytes()); err != nil {
		return err
	}
	return write(filepath.Join(home, "vitest.config.ts"), []byte(vitestConfig))
}

// vitestConfig is the configuration in docs/remotes.md.
const vitestConfig = `import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'jsdom',
    setupFiles: ['@wattle/sdk/setup'],
    // by Vite, which knows what Node does not: that the default of styled-components is a function
    server: { deps: { inline: [/@wattle\//] } },
    restoreMocks: true,
    testTimeout: 120_000,
  },
});
`
