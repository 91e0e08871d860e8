// Package packages provides the packages with which a module outside this repository is built: the Go module of Wattle in the form in which
// a module proxy serves it, and @wattle/sdk, @wattle/ui and @wattle/charts as npm tarballs. `make bin/wattle` embeds them in the program,
// so that a module can be built without a registry that has them. Command build builds them.
package packages

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/mod/sumdb/dirhash"
)

// Module is the path of the Go module of Wattle.
const Module = "github.com/wattle-portal/wattle"

// Names are the names of the npm packages without their scope, ordered by dependency.
var Names = []string{"sdk", "ui", "charts"}

// Folders and files of a set of packages.
const (
	GoFolder  = "go" // can be a GOPROXY
	NPMFolder = "npm"
	Clients   = "clients.zip"   // the sources of tools/clients, a separate Go module with the client generator
	Template  = "template.zip"  // docs/examples/module, from which `wattle modules new` writes modules
	index     = "packages.json" // written last: a folder with this file is complete
)

// ErrNone is returned for a program that was built without packages, or a folder without them.
var ErrNone = errors.New("packages: there are no packages of Wattle in this program: `make bin/wattle` builds one that has them, and `make release-packages` a folder for --packages")

//go:embed all:dist
var embedded embed.FS

// About contains the versions of a set of packages and the checksums of its files.
type About struct {
	Go    string            `json:"go"`    // "v0.1.0", or "v0.1.0-dev.h…" for sources that are not a release, where h… is their checksum
	NPM   string            `json:"npm"`   // "0.1.0"
	Files map[string]string `json:"files"` // hexadecimal SHA-256 by slash-separated path
	// Program are the libraries in go.mod that only the program and its tests need. A module of another team does not require them.
	Program []string `json:"program"`
}

// Set is a set of packages. It is immutable.
type Set struct {
	About
	files fs.FS
}

// Open returns the set of packages in a folder, or the embedded set if dir is empty. It returns ErrNone if there is none, and an error if a
// file has a different checksum.
func Open(dir string) (Set, error) {
	files := os.DirFS(dir)
	if dir == "" {
		sub, err := fs.Sub(embedded, "dist")
		if err != nil {
			return Set{}, err
		}
		files = sub
	}
	raw, err := fs.ReadFile(files, index)
	if errors.Is(err, fs.ErrNotExist) {
		return Set{}, ErrNone
	}
	s := Set{files: files}
	if err == nil {
		err = json.Unmarshal(raw, &s.About)
	}
	if err != nil {
		return Set{}, fmt.Errorf("packages: %s: %w", index, err)
	}
	for name, sum := range s.Files {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return Set{}, fmt.Errorf("packages: %w", err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(b)); got != sum {
			return Set{}, fmt.Errorf("packages: %s has the checksum %s, and %s says %s: it was changed or not copied completely", name, got, index,
				sum)
		}
	}
	return s, nil
}

// Proxied returns the path in a set of a file of the Go module, in the layout of module proxies. ext is "zip", "mod" or "info".
func Proxied(version, ext string) string {
	return path.Join(GoFolder, Module, "@v", version+"."+ext)
}

// Tarball returns the file name of an npm package.
func Tarball(name, version string) string { return "wattle-" + name + "-" + version + ".tgz" }

// Source returns the files of the Go module.
func (s Set) Source() (fs.FS, error) {
	z, err := s.unzipped(Proxied(s.Go, "zip"))
	if err != nil {
		return nil, err
	}
	return fs.Sub(z, Module+"@"+s.Go)
}

// Template returns the files of the template for new modules.
func (s Set) Template() (fs.FS, error) { return s.unzipped(Template) }

func (s Set) unzipped(name string) (fs.FS, error) {
	raw, err := fs.ReadFile(s.files, name)
	if err != nil {
		return nil, fmt.Errorf("packages: %w", err)
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, fmt.Errorf("packages: %s: %w", name, err)
	}
	return z, nil
}

// Generator writes the sources of the client generator to a folder.
func (s Set) Generator(dir string) error {
	z, err := s.unzipped(Clients)
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, z); err != nil {
		return fmt.Errorf("packages: %w", err)
	}
	return nil
}

// Sums returns the lines of go.sum for the Go module.
func (s Set) Sums() (string, error) {
	temp, err := os.CreateTemp("", "wattle-*.zip")
	if err != nil {
		return "", fmt.Errorf("packages: %w", err)
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	raw, err := fs.ReadFile(s.files, Proxied(s.Go, "zip"))
	if err == nil {
		_, err = temp.Write(raw)
	}
	if err := errors.Join(err, temp.Close()); err != nil {
		return "", fmt.Errorf("packages: %w", err)
	}
	all, err := dirhash.HashZip(temp.Name(), dirhash.Hash1)
	if err != nil {
		return "", fmt.Errorf("packages: %w", err)
	}
	mod, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return s.files.Open(Proxied(s.Go, "mod")) })
	if err != nil {
		return "", fmt.Errorf("packages: %w", err)
	}
	return fmt.Sprintf("%s %s %s\n%s %s/go.mod %s\n", Module, s.Go, all, Module, s.Go, mod), nil
}

// Write replaces dir with the files of the set. A folder that already contains this set is not changed.
func (s Set) Write(dir string) error {
	if have, err := Open(dir); err == nil && have.Go == s.Go && have.NPM == s.NPM {
		return nil
	}
	fresh := filepath.Clean(dir) + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return fmt.Errorf("packages: %w", err)
	}
	copied := func(name string) error {
		raw, err := fs.ReadFile(s.files, name)
		if err != nil {
			return err
		}
		to := filepath.Join(fresh, filepath.FromSlash(name))
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, raw, 0o644))
	}
	for name := range s.Files {
		if err := copied(name); err != nil {
			return fmt.Errorf("packages: %w", err)
		}
	}
	if err := errors.Join(copied(index), os.RemoveAll(dir)); err != nil {
		return fmt.Errorf("packages: %w", err)
	}
	if err := os.Rename(fresh, dir); err != nil {
		return fmt.Errorf("packages: %w", err)
	}
	return nil
}
