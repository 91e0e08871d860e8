package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// example is the folder of a module of another team with its own repository.
const example = "docs/examples/outages"

// copyExample copies the example to a separate repository, which requires the packages of bin/wattle.
func copyExample(root, dir string) error {
	if err := os.RemoveAll(dir); err != nil { // left by a run with the same -keep
		return err
	}
	built := []string{".wattle", "node_modules", "plugins", "data", "dist", "compiled", "test-results"}
	home := filepath.Join(root, example)
	err := filepath.WalkDir(home, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(built, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(home, file)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return write(filepath.Join(dir, name), text)
	})
	if err != nil {
		return err
	}
	return run(dir, "make", "update")
}

// twoVersions packs the example, and then a newer version with another title, as its team would. FIRST and NEXT stand for the file names.
func twoVersions(dir string) error {
	changes := []struct{ file, from, to string }{
		{"modules/outages/module.go", `Version: "1.0.0"`, `Version: "1.1.0"`},
		{"remotes/outages/src/messages/nl.json", `"outages.title": "Storingen"`, `"outages.title": "Storingen bij jou"`},
	}
	if err := run(dir, "make", "pack"); err != nil {
		return err
	}
	swap := func(file, from, to string) error {
		name := filepath.Join(dir, file)
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if !bytes.Contains(text, []byte(from)) {
			return fmt.Errorf("%s has no %s", file, from)
		}
		return write(name, bytes.ReplaceAll(text, []byte(from), []byte(to)))
	}
	for _, c := range changes {
		if err := swap(c.file, c.from, c.to); err != nil {
			return err
		}
	}
	if err := run(dir, "make", "pack"); err != nil {
		return err
	}
	for _, c := range changes {
		if err := swap(c.file, c.to, c.from); err != nil {
			return err
		}
	}
	for name, version := range map[string]string{"FIRST": "1.0.0", "NEXT": "1.1.0"} {
		if err := os.Setenv(name, filepath.Join(dir, "outages-"+version+".wattle")); err != nil {
			return err
		}
	}
	return nil
}
