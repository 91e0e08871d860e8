package upgrade

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"aead.dev/minisign"
	"golang.org/x/mod/semver"

	"github.com/wattle-portal/wattle/core/internal/operate/about"
)

// Suffixes of the copies next to the installed program.
const (
	previousSuffix = ".previous"
	newSuffix      = ".new"
)

// Installed returns the installed program that the running executable belongs to: the executable itself, or the program of which it is a
// copy.
func Installed(executable string) string {
	for _, suffix := range []string{previousSuffix, newSuffix} {
		if name, ok := strings.CutSuffix(executable, suffix); ok {
			return name
		}
	}
	return executable
}

const programMode fs.FileMode = 0o755

// place copies a program to a path, which at every moment has either the old or the new content. No process is started while the copy is
// open for writing: it would inherit the file, and a program that is open for writing cannot be run (ETXTBSY).
func place(from io.Reader, to string) error {
	part := to + ".part"
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	f, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, programMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err = errors.Join(err, f.Chmod(programMode), f.Sync(), f.Close()); err == nil {
		err = os.Rename(part, to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return nil
}

func placeFile(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	return errors.Join(place(f, to), f.Close())
}

// fetch places the program from a file: the program itself, or the archive (.tar.gz) or Debian package of a release.
func fetch(ctx context.Context, file, to string) error {
	name := strings.ToLower(file)
	switch {
	case strings.HasSuffix(name, ".deb"):
		content, err := exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", file).Output()
		if err != nil {
			return fmt.Errorf("%s: dpkg-deb cannot unpack it: %w", file, err)
		}
		return fetchEntry(file, bytes.NewReader(content), to)
	case strings.HasSuffix(name, ".tar.gz"), strings.HasSuffix(name, ".tgz"):
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // opened for reading only
		z, err := gzip.NewReader(f)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return fetchEntry(file, z, to)
	case strings.HasSuffix(name, ".rpm"), strings.HasSuffix(name, ".zip"), strings.HasSuffix(name, ".tar"):
		return fmt.Errorf("%s: name the program, the .tar.gz or the .deb of a release", file)
	}
	return placeFile(file, to)
}

func fetchEntry(file string, archive io.Reader, to string) error {
	for r := tar.NewReader(archive); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: there is no program wattle in it", file)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if h.Typeflag == tar.TypeReg && path.Base(h.Name) == "wattle" && h.FileInfo().Mode()&0o111 != 0 {
			return place(r, to)
		}
	}
}

// verify compares a file with the checksums of its release. If there is a public key, it also verifies the signature of the checksums.
func verify(file, sums, key string) error {
	if sums == "" {
		if key != "" {
			return errors.New("--key checks the signature of --sums, which is missing")
		}
		return nil
	}
	text, err := os.ReadFile(sums)
	if err != nil {
		return fmt.Errorf("--sums: %w", err)
	}
	if key != "" {
		public, err := minisign.PublicKeyFromFile(key)
		if err != nil {
			return fmt.Errorf("--key: %w", err)
		}
		signature, err := os.ReadFile(sums + ".minisig")
		if err != nil {
			return fmt.Errorf("--key: the checksums are not signed: %w", err)
		}
		if !minisign.Verify(public, text, signature) {
			return fmt.Errorf("--key: %s was not signed with this key, or was changed: do not use this release", sums)
		}
	}
	sum, err := checksum(file)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		want, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if ok && strings.TrimLeft(name, " *") == filepath.Base(file) {
			if !strings.EqualFold(want, sum) {
				return fmt.Errorf("%s is not the file of %s: fetch it again", file, sums)
			}
			return nil
		}
	}
	return fmt.Errorf("--sums: %s does not name %s", sums, filepath.Base(file))
}

// checksum returns the SHA-256 of a file in hexadecimal.
func checksum(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, f.Close())
}

// describe returns the versions that a program prints. A program without that command belongs to the first releases.
func describe(out []byte, err error) (about.Program, error) {
	var p about.Program
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w: %s", err, lastLines(exit.Stderr))
	}
	if err == nil {
		err = json.Unmarshal(out, &p)
	}
	if err == nil && !semver.IsValid("v"+p.Version) {
		err = fmt.Errorf("%q is not a version", p.Version)
	}
	return p, err
}

// span returns an error unless the new program upgrades the data of the installed one directly.
func span(previous, to about.Program) error {
	a, b, oldest := "v"+previous.Version, "v"+to.Version, "v"+to.UpgradesFrom
	switch {
	case to.OS != runtime.GOOS || to.Arch != runtime.GOARCH:
		return fmt.Errorf("wattle %s is for %s/%s, and this machine is %s/%s: fetch the file for it", to.Version, to.OS, to.Arch, runtime.GOOS,
			runtime.GOARCH)
	case semver.Compare(b, a) < 0:
		return fmt.Errorf("wattle %s is older than the installed %s: `wattle upgrade --back` undoes the last upgrade, and a backup restores earlier data", to.Version, previous.Version)
	case to.UpgradesFrom != "" && semver.Compare(a, oldest) < 0:
		return fmt.Errorf("wattle %s upgrades data of %s and later, and this is %s: upgrade to %s first, and then to %s", to.Version,
			to.UpgradesFrom, previous.Version, to.UpgradesFrom, to.Version)
	}
	return nil
}
