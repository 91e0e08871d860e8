// Command release creates the files that operators install, in the folder with the packages for module teams (`make release-packages`):
// programs for each platform in archives, .deb and .rpm, a container image, a compose file, a Helm chart, a bill of materials (CycloneDX),
// the licences of all of that, checksums, and a signature if there is a key. The same program always produces the same bytes
// (11-release-reproducible).
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	root := flag.String("root", "../..", "the checkout, with a built front end")
	out := flag.String("out", "", "folder with packages.json and provenance.json, for the release")
	platforms := flag.String("platforms", strings.Join(all(), ","), "platforms to build for")
	flag.Parse()
	if *out == "" {
		log.Fatal("release: -out names the folder")
	}
	if err := run(*root, *out, strings.Split(*platforms, ",")); err != nil {
		log.Fatal(err)
	}
}

func run(root, out string, platforms []string) error {
	r, err := open(root, out)
	if err != nil {
		return err
	}
	for _, name := range platforms {
		p, err := parsePlatform(name)
		if err != nil {
			return err
		}
		if err := r.compile(p); err != nil {
			return err
		}
	}
	return r.write(os.Stdout)
}

// release is a release that is being created.
type release struct {
	root, out string
	version   string    // without "v"
	time      time.Time // time of the commit, which every file of the release gets
	programs  []program
	key       *signingKey // nil: unsigned
}

// program is a compiled program.
type program struct {
	platform
	file string
}

// open reads the version that `make release-packages` has written, the time of the commit, and the key.
func open(root, out string) (*release, error) {
	r := &release{}
	var err error
	if r.root, err = filepath.Abs(root); err != nil {
		return nil, err
	}
	if r.out, err = filepath.Abs(out); err != nil {
		return nil, err
	}
	var about struct{ Go string }
	raw, err := os.ReadFile(filepath.Join(r.out, "packages.json"))
	if err == nil {
		err = json.Unmarshal(raw, &about)
	}
	if err != nil || about.Go == "" {
		return nil, fmt.Errorf("release: make release-packages writes the packages first: %w", errors.Join(err))
	}
	r.version = strings.TrimPrefix(about.Go, "v")
	if r.time, err = commitTime(r.root); err != nil {
		return nil, err
	}
	r.key, err = readKey(os.LookupEnv)
	return r, err
}

// commitTime returns the time of the commit, or that of SOURCE_DATE_EPOCH (reproducible-builds.org).
func commitTime(root string) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		cmd := exec.Command("git", "log", "-1", "--format=%ct")
		cmd.Dir = root
		out, err := cmd.Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("release: the time of the commit: %w", err)
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("release: %q is not a number of seconds: %w", text, err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// name returns the name of a release file: wattle_0.1.0_<rest>.
func (r *release) name(rest string) string { return "wattle_" + r.version + "_" + rest }

// write creates all files from the programs. Files of a previous run remain only if this run writes them too.
func (r *release) write(out io.Writer) error {
	parts, err := r.parts()
	if err != nil {
		return err
	}
	return r.writeWith(out, parts)
}

// writeWith creates all files from the programs and their parts. At the end it prints the version, the folder, and the signer.
func (r *release) writeWith(out io.Writer, parts []part) error {
	licences, err := licenceText(parts)
	if err != nil {
		return err
	}
	if err := r.put("THIRD_PARTY_LICENSES", []byte(licences)); err != nil {
		return err
	}
	steps := []struct {
		what string
		make func() error
	}{
		{"archives", r.archives},
		{"monitoring", r.monitoringArchive},
		{"packages of Linux", r.linuxPackages},
		{"image", r.image},
		{"compose file and chart", r.deployments},
		{"bill of materials", func() error { return r.billOfMaterials(parts) }},
		{"provenance", r.provenance},
		{"checksums", r.checksums}, // must be last
	}
	for _, s := range steps {
		if err := s.make(); err != nil {
			return fmt.Errorf("release: %s: %w", s.what, err)
		}
	}
	_, err = fmt.Fprintf(out, "release: wattle %s in %s, %s\n", r.version, r.out, r.key.description())
	return err
}

func (r *release) at(name string) string { return filepath.Join(r.root, filepath.FromSlash(name)) }

func (r *release) put(name string, content []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), content, 0o644)
}

// on returns the programs of an operating system.
func (r *release) on(os string) []program {
	var found []program
	for _, p := range r.programs {
		if p.OS == os {
			found = append(found, p)
		}
	}
	return found
}
