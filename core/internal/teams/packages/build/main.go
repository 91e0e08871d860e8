// Command build builds the packages of Wattle from a checkout: the Go module in the form in which a module proxy serves it, and the npm
// tarballs. The same sources always produce the same bytes.
//
// A commit without changes that has the tag v<version of package.json> is a release and has that version. In all other cases "-dev.h" and a
// checksum of the sources are appended to the version, so that two different states never have the same version. Go's module cache and
// npm's lock files would refuse that.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	modzip "golang.org/x/mod/zip"

	"github.com/wattle-portal/wattle/core/internal/teams/packages"
)

func main() {
	log.SetFlags(0)
	root := flag.String("root", ".", "the checkout")
	out := flag.String("out", "", "folder of the packages")
	flag.Parse()
	if *out == "" {
		log.Fatal("packages: -out names the folder")
	}
	b, err := open(*root)
	if err == nil {
		err = b.write(*out)
	}
	if errors.Is(err, errNoGit) {
		log.Print(err)
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("packages: Go %s, npm %s\n", b.about.Go, b.about.NPM)
}

// errNoGit is returned for sources that are not a git checkout, because it is then unknown which files belong to them.
var errNoGit = errors.New("packages: this is not a git checkout, so no packages were made, and `wattle modules new --dir` of this build needs --packages")

// build builds one set of packages.
type build struct {
	root  string
	files []string // files of the repository, slash-separated and sorted
	about packages.About
}

// npmSources are the folders and files from which the npm packages are built.
var npmSources = []string{"shell/sdk/", "shell/ui/", "shell/charts/", "tools/pack.mjs", "tsconfig.base.json", "package-lock.json",
	"LICENSE", "CHANGELOG.md"}

func open(root string) (*build, error) {
	b := &build{root: root}
	listed, err := b.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, errNoGit
	}
	for _, name := range strings.Split(listed, "\x00") {
		if info, err := os.Lstat(b.at(name)); name != "" && err == nil && info.Mode().IsRegular() { // deleted files are also listed
			b.files = append(b.files, name)
		}
	}
	slices.Sort(b.files)
	b.files = slices.Compact(b.files)
	raw, err := os.ReadFile(b.at("package.json"))
	if err != nil {
		return nil, err
	}
	var p struct{ Version string }
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	b.about = packages.About{Go: "v" + p.Version, NPM: p.Version, Files: map[string]string{}}
	if other := b.otherVersion(); other != "" {
		return nil, fmt.Errorf("packages: this commit has the tag %s, and package.json the version %s: set the version before the tag", other,
			p.Version)
	}
	if b.isRelease() {
		return b, nil
	}
	ofGo, err := b.checksum(append(b.goFiles(), b.clientsFiles()...))
	if err != nil {
		return nil, err
	}
	ofNPM, err := b.checksum(slices.DeleteFunc(slices.Clone(b.files), func(name string) bool {
		return !slices.ContainsFunc(npmSources, func(s string) bool {
			return name == s || strings.HasSuffix(s, "/") &&
				strings.HasPrefix(name, s)
		})
	}))
	if err != nil {
		return nil, err
	}
	b.about.Go += "-dev.h" + ofGo
	b.about.NPM += "-dev.h" + ofNPM
	return b, nil
}

// sum returns a checksum in hexadecimal.
func sum(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }

func (b *build) at(name string) string { return filepath.Join(b.root, filepath.FromSlash(name)) }

func (b *build) git(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = b.root
	out, err := cmd.Output()
	return string(out), err
}

// otherVersion returns a tag of this commit whose version differs from the one in package.json.
func (b *build) otherVersion() string {
	tags, err := b.git("tag", "--points-at", "HEAD")
	if err != nil || slices.Contains(strings.Fields(tags), b.about.Go) {
		return ""
	}
	return regexp.MustCompile(`(?m)^v\d+\.\d+\.\d+\S*$`).FindString(tags)
}

func (b *build) isRelease() bool {
	tags, err := b.git("tag", "--points-at", "HEAD")
	if err != nil || !slices.Contains(strings.Fields(tags), b.about.Go) {
		return false
	}
	changed, err := b.git("status", "--porcelain")
	return err == nil && changed == ""
}

// checksum returns the first twelve digits of a checksum over files.
func (b *build) checksum(names []string) (string, error) {
	h := sha256.New()
	for _, name := range names {
		raw, err := os.ReadFile(b.at(name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(raw))
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:12], nil
}

// goFiles returns the files of the Go module: those of the repository, except folders with their own go.mod.
func (b *build) goFiles() []string {
	var modules []string
	for _, name := range b.files {
		if dir, file := path.Split(name); file == "go.mod" && dir != "" {
			modules = append(modules, dir)
		}
	}
	return slices.DeleteFunc(slices.Clone(b.files), func(name string) bool {
		return slices.ContainsFunc(modules, func(dir string) bool { return strings.HasPrefix(name, dir) })
	})
}

const (
	clientsFolder  = "tools/clients/"
	templateFolder = "docs/examples/module/"
)

// clientsFiles returns the files of the client generator, without its tests.
func (b *build) clientsFiles() []string {
	return slices.DeleteFunc(slices.Clone(b.files), func(name string) bool {
		return !strings.HasPrefix(name, clientsFolder) || strings.HasSuffix(name, "_test.go")
	})
}

// templateFiles returns the files of the template for new modules. They do not affect the version, because no package is built from them.
func (b *build) templateFiles() []string {
	return slices.DeleteFunc(slices.Clone(b.files), func(name string) bool { return !strings.HasPrefix(name, templateFolder) })
}

// archives zips the folders with their own go.mod, which the program could not embed otherwise.
func (b *build) archives(made map[string][]byte) error {
	return errors.Join(
		b.zipped(made, packages.Clients, clientsFolder, b.clientsFiles()),
		b.zipped(made, packages.Template, templateFolder, b.templateFiles()),
	)
}

func (b *build) zipped(made map[string][]byte, as, folder string, files []string) error {
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for _, name := range files {
		raw, err := os.ReadFile(b.at(name))
		if err != nil {
			return err
		}
		w, err := z.Create(strings.TrimPrefix(name, folder)) // without a time, so that the same sources produce the same bytes
		if err == nil {
			_, err = w.Write(raw)
		}
		if err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	made[as] = zipped.Bytes()
	return nil
}

// write builds the packages and replaces those in dir.
func (b *build) write(dir string) error {
	made := map[string][]byte{}
	if err := errors.Join(b.goModule(made), b.archives(made), b.npm(made)); err != nil {
		return err
	}
	for name, content := range made {
		b.about.Files[name] = sum(content)
	}
	provenance, err := b.provenance()
	if err == nil {
		b.about.Program, err = b.ofProgram()
	}
	if err != nil {
		return err
	}
	changes, err := os.ReadFile(b.at("CHANGELOG.md"))
	if err != nil {
		return err
	}
	if err := empty(dir); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if err := write(filepath.Join(dir, filepath.FromSlash(name)), made[name]); err != nil {
			return err
		}
	}
	return errors.Join(
		write(filepath.Join(dir, "CHANGELOG.md"), changes),
		write(filepath.Join(dir, "provenance.json"), provenance),
		writeJSON(filepath.Join(dir, "packages.json"), b.about), // written last
	)
}

// contract are the packages whose libraries a module of another team needs: for its plugin, its tests and the analyzer.
var contract = []string{"./core/plugin", "./core/moduletest/...", "./core/portaltest", "./modules/account/..."}

// ofProgram returns the libraries that this repository needs and a module of another team does not.
func (b *build) ofProgram() ([]string, error) {
	all, err := b.libraries("-test", "./...")
	if err != nil {
		return nil, err
	}
	used, err := b.libraries(contract...)
	return slices.DeleteFunc(all, func(library string) bool { return slices.Contains(used, library) }), err
}

// libraries returns the Go modules of packages and of all packages that they import.
func (b *build) libraries(packages ...string) ([]string, error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"}, packages...)...)
	cmd.Dir = b.root
	listed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("packages: go list: %w", err)
	}
	out := strings.Fields(string(listed))
	slices.Sort(out)
	return slices.Compact(out), nil
}

// empty removes everything in a folder except .keep, which lets the program compile without packages.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if e.Name() != ".keep" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func write(file string, content []byte) error {
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, content, 0o644))
}

func writeJSON(file string, v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return write(file, append(raw, '\n'))
}

// source is a file for modzip.
type source struct{ name, file string }

// Path implements modzip.File.
func (s source) Path() string { return s.name }

// Lstat implements modzip.File.
func (s source) Lstat() (fs.FileInfo, error) { return os.Lstat(s.file) }

// Open implements modzip.File.
func (s source) Open() (io.ReadCloser, error) { return os.Open(s.file) }

func (b *build) goModule(made map[string][]byte) error {
	var sources []modzip.File
	for _, name := range b.goFiles() {
		sources = append(sources, source{name, b.at(name)})
	}
	var zipped bytes.Buffer
	version := module.Version{Path: packages.Module, Version: b.about.Go}
	if err := modzip.Create(&zipped, version, sources); err != nil {
		return fmt.Errorf("packages: %w", err)
	}
	mod, err := os.ReadFile(b.at("go.mod"))
	if err != nil {
		return err
	}
	info, err := json.Marshal(struct{ Version string }{b.about.Go})
	if err != nil {
		return err
	}
	made[packages.Proxied(b.about.Go, "zip")] = zipped.Bytes()
	made[packages.Proxied(b.about.Go, "mod")] = mod
	made[packages.Proxied(b.about.Go, "info")] = info
	made[path.Join(packages.GoFolder, packages.Module, "@v/list")] = []byte(b.about.Go + "\n")
	return nil
}

// npm builds the tarballs, unless those of the same version are in .cache.
func (b *build) npm(made map[string][]byte) error {
	cached := b.at(path.Join(".cache/packages", b.about.NPM))
	read := func() error {
		for _, name := range packages.Names {
			file := packages.Tarball(name, b.about.NPM)
			raw, err := os.ReadFile(filepath.Join(cached, file))
			if err != nil {
				return err
			}
			made[path.Join(packages.NPMFolder, file)] = raw
		}
		return nil
	}
	if !b.isRelease() && read() == nil {
		return nil
	}
	if err := empty(filepath.Dir(cached)); err != nil { // keep only the last ones
		return err
	}
	to, err := filepath.Abs(cached)
	if err != nil {
		return err
	}
	cmd := exec.Command("npm", "--silent", "exec", "--", "node", "tools/pack.mjs", "--version", b.about.NPM, "--to", to)
	cmd.Dir = b.root
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("packages: tools/pack.mjs: %w\n%s", err, text)
	}
	return read()
}

// provenance returns an in-toto statement with a SLSA predicate, which says which files were built from which sources. It is not signed.
func (b *build) provenance() ([]byte, error) {
	type object = map[string]any
	commit, err := b.git("rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	changed, err := b.git("status", "--porcelain")
	if err != nil {
		return nil, err
	}
	var subjects, sources []object
	for _, name := range slices.Sorted(maps.Keys(b.about.Files)) {
		subjects = append(subjects, object{"name": name, "digest": object{"sha256": b.about.Files[name]}})
	}
	repository := "https://" + packages.Module
	sources = append(sources, object{"uri": "git+" + repository, "digest": object{"gitCommit": strings.TrimSpace(commit)}})
	for _, name := range []string{"go.sum", "package-lock.json"} {
		raw, err := os.ReadFile(b.at(name))
		if err != nil {
			return nil, err
		}
		sources = append(sources, object{"uri": "file:" + name, "digest": object{"sha256": sum(raw)}})
	}
	sum, err := dirhash.Hash1(b.goFiles(), func(name string) (io.ReadCloser, error) { return os.Open(b.at(name)) })
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(object{
		"_type":         "https://in-toto.io/Statement/v1",
		"subject":       subjects,
		"predicateType": "https://slsa.dev/provenance/v1",
		"predicate": object{
			"buildDefinition": object{
				"buildType":            repository + "/blob/main/Makefile#release-packages",
				"externalParameters":   object{"go": b.about.Go, "npm": b.about.NPM},
				"internalParameters":   object{"sources": sum, "unchanged": changed == ""},
				"resolvedDependencies": sources,
			},
			"runDetails": object{"builder": object{"id": repository + "/blob/main/Makefile"}},
		},
	}, "", "  ")
}
