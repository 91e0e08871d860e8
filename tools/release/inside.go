package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// part is a library in the release.
type part struct {
	kind          string // as in a package URL: "golang", "npm", "generic"
	name, version string
	algorithm     string // algorithm of sum
	sum           []byte
	platforms     []string // platforms whose program contains a Go module; npm packages are in all programs
	licences      []licence
}

func (p part) String() string { return strings.TrimSpace(p.name + " " + p.version) }

// parts returns all parts of the release: Go modules of the programs, the standard library, and npm packages of the front end.
func (r *release) parts() ([]part, error) {
	inGo, err := r.goParts()
	if err != nil {
		return nil, err
	}
	inFront, err := r.npmParts()
	if err != nil {
		return nil, err
	}
	words, err := r.wordParts()
	if err != nil {
		return nil, err
	}
	certificates, err := certificateParts()
	if err != nil {
		return nil, err
	}
	font := part{kind: "generic", name: "open-sans"}
	err = font.addLicences(r.at("shell/ui/src/fonts"), nil)
	return slices.Concat(inGo, certificates, inFront, words, []part{font}), err
}

// goPackage is a package in the output of `go list -json`.
type goPackage struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{ Path, Version, Dir string }
	}
}

func goList(dir string, env []string, args ...string) ([]goPackage, error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Dir,Standard,Module"}, args...)...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return nil, fmt.Errorf("release: go list: %w", err)
	}
	var list []goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
}

// goParts returns the modules that the linker recorded in each program, with the licences of the compiled packages.
func (r *release) goParts() ([]part, error) {
	found := map[string]*part{}
	for _, p := range r.programs {
		about, err := buildinfo.ReadFile(p.file)
		if err != nil {
			return nil, err
		}
		packages, err := goList(r.root, p.environment(), "./core/cmd/wattle")
		if err != nil {
			return nil, err
		}
		dirs := map[string][]string{} // folders of the compiled packages, by module
		roots := map[string]string{}
		for _, one := range packages {
			if one.Standard || one.Module == nil || one.Module.Main {
				continue
			}
			root := one.Module.Dir
			if one.Module.Replace != nil {
				root = one.Module.Replace.Dir
			}
			roots[one.Module.Path] = root
			dirs[one.Module.Path] = append(dirs[one.Module.Path], one.Dir)
		}
		for _, m := range about.Deps {
			root, listed := roots[m.Path]
			if !listed {
				return nil, fmt.Errorf("release: %s of %s is not in go.mod: build the program again", m.Path, p.file)
			}
			from := m
			if m.Replace != nil {
				from = m.Replace
			}
			one := &part{kind: "golang", name: from.Path, version: from.Version, algorithm: "SHA-256"}
			if known := found[one.String()]; known != nil {
				one = known
			} else {
				found[one.String()] = one
				// "h1:" and the SHA-256 of all files, as in go.sum
				if one.sum, err = base64.StdEncoding.DecodeString(strings.TrimPrefix(from.Sum, "h1:")); err != nil || len(one.sum) == 0 {
					return nil, fmt.Errorf("release: %s has no checksum (%w)", one, err)
				}
			}
			one.platforms = append(one.platforms, p.String())
			if err := one.addLicences(root, dirs[m.Path]); err != nil {
				return nil, err
			}
		}
		found["std"] = &part{kind: "golang", name: "std", version: strings.TrimPrefix(about.GoVersion, "go")}
	}
	if std := found["std"]; std != nil {
		root, err := goRoot()
		if err != nil {
			return nil, err
		}
		if err := std.addLicences(root, nil); err != nil {
			return nil, err
		}
	}
	return sorted(found), nil
}

func goRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}

// certificateParts returns the module with Mozilla's certificates, which the image contains.
func certificateParts() ([]part, error) {
	const module = "golang.org/x/crypto/x509roots/fallback"
	packages, err := goList(".", os.Environ(), module+"/bundle")
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		if p.Module != nil && p.Module.Path == module {
			one := part{kind: "golang", name: module, version: p.Module.Version}
			err := one.addLicences(p.Module.Dir, nil)
			return []part{one}, err
		}
	}
	return nil, fmt.Errorf("release: %s is not in go.mod", module)
}

func sorted(found map[string]*part) []part {
	var list []part
	for _, p := range found {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b part) int { return strings.Compare(a.String(), b.String()) })
	return list
}

// bundledFile is written by tools/build.mjs: it lists the folders of the packages in the front end.
const bundledFile = "core/internal/http/assets/dist/bundled.json"

// npmParts returns the packages in the built front end, according to package-lock.json.
func (r *release) npmParts() ([]part, error) {
	var bundled []string
	if err := readJSON(r.at(bundledFile), &bundled); err != nil {
		return nil, fmt.Errorf("release: make front builds the front end first: %w", err)
	}
	var lock struct {
		Packages map[string]struct{ Version, Integrity, License string }
	}
	if err := readJSON(r.at("package-lock.json"), &lock); err != nil {
		return nil, err
	}
	found := map[string]*part{}
	for _, at := range bundled {
		locked, there := lock.Packages[at]
		if !there {
			return nil, fmt.Errorf("release: %s is in the front end and not in package-lock.json", at)
		}
		_, name, _ := cutLast(at, "node_modules/")
		one := &part{kind: "npm", name: name, version: locked.Version, algorithm: "SHA-512"}
		if found[one.String()] != nil {
			continue
		}
		found[one.String()] = one
		digest, isSHA512 := strings.CutPrefix(locked.Integrity, "sha512-")
		var err error
		if one.sum, err = base64.StdEncoding.DecodeString(digest); err != nil || !isSHA512 {
			return nil, fmt.Errorf("release: %s has no SHA-512 in package-lock.json (%w)", at, err)
		}
		if err := one.addLicences(r.at(at), nil); err != nil {
			return nil, err
		}
	}
	return sorted(found), nil
}

func readJSON(file string, v any) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

var wordList = regexp.MustCompile(`(?m)^  (@zxcvbn-ts/[a-z-]+) ([0-9.]+) `)

// wordParts returns the packages whose words the list of common passwords contains. Their licence is next to that list.
func (r *release) wordParts() ([]part, error) {
	raw, err := os.ReadFile(r.at("core/internal/people/identity/common_passwords.license"))
	if err != nil {
		return nil, err
	}
	var parts []part
	for _, m := range wordList.FindAllStringSubmatch(string(raw), -1) {
		parts = append(parts, part{kind: "npm", name: m[1], version: m[2], licences: []licence{newLicence("LICENSE", string(raw))}})
	}
	if len(parts) == 0 {
		return nil, errors.New("release: the list of common passwords does not say where it comes from")
	}
	return parts, nil
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|copyright|notice|ofl|patents)([-_.].*)?$`)

// addLicences adds the licence files in the root folder of a library, and in the folders between it and its packages.
func (p *part) addLicences(root string, packages []string) error {
	folders := []string{root}
	for _, dir := range packages {
		for ; len(dir) > len(root); dir = filepath.Dir(dir) {
			folders = append(folders, dir)
		}
	}
	slices.Sort(folders)
	for _, dir := range slices.Compact(folders) {
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // vendored by a replacement, or generated
		}
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !licenceName.MatchString(e.Name()) || slices.Contains([]string{".go", ".js", ".ts", ".json"},
				path.Ext(e.Name())) {
				continue
			}
			raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			below, err := filepath.Rel(root, filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			one := newLicence(filepath.ToSlash(below), string(raw))
			if !slices.ContainsFunc(p.licences, func(l licence) bool { return l.file == one.file }) {
				p.licences = append(p.licences, one)
			}
		}
	}
	return nil
}

var goVersion = runtime.Version()
