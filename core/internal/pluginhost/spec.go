package pluginhost

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Errors in a plugin's folder.
var (
	ErrSpec     = errors.New("pluginhost: plugin.json is not right")
	ErrWritable = errors.New("pluginhost: others may write to it")
	ErrChecksum = errors.New("pluginhost: the binary is not the one that plugin.json names")
	ErrDigest   = errors.New("pluginhost: the operator does not allow this binary")
)

// Spec is a plugin.json. The checksum proves that the binary is complete; the operator's list of digests decides which binaries may run.
type Spec struct {
	Key    string `json:"key"`
	Binary string `json:"binary"` // name of a file in the folder
	SHA256 string `json:"sha256"` // checksum of the binary, hex
	Remote string `json:"remote"` // subfolder with the built remote; empty: no remote

	dir string
}

// RemoteDir returns the folder with the built remote; empty without one. Its JavaScript runs in the portal's pages and is trusted.
func (s Spec) RemoteDir() string {
	if s.Remote == "" {
		return ""
	}
	return filepath.Join(s.dir, s.Remote)
}

var keyForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,29}$`)

// Scan reads every plugin.json in the subfolders of dir, ordered by folder, and runs nothing. It returns the valid specs together with
// the errors of the others.
func Scan(dir string) ([]Spec, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("pluginhost: %w", err)
	}
	var out []Spec
	var errs []error
	for _, e := range entries {
		folder := filepath.Join(dir, e.Name())
		if info, err := os.Stat(folder); err != nil || !info.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		s, err := read(folder)
		if err == nil && slices.ContainsFunc(out, func(o Spec) bool { return o.Key == s.Key }) {
			err = fmt.Errorf("%w: two plugins have the key %s", ErrSpec, s.Key)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", e.Name(), err))
			continue
		}
		out = append(out, s)
	}
	return out, errors.Join(errs...)
}

func read(folder string) (Spec, error) {
	s := Spec{dir: folder}
	b, err := os.ReadFile(filepath.Join(folder, "plugin.json"))
	if err != nil {
		return s, fmt.Errorf("%w: %w", ErrSpec, err)
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("%w: %w", ErrSpec, err)
	}
	sum, err := hex.DecodeString(s.SHA256)
	switch {
	case !keyForm.MatchString(s.Key) || s.Key == "core":
		return s, fmt.Errorf("%w: key %q", ErrSpec, s.Key)
	case s.Binary == "" || s.Binary != filepath.Base(s.Binary):
		return s, fmt.Errorf("%w: binary is the name of a file in the folder", ErrSpec)
	case err != nil || len(sum) != sha256.Size:
		return s, fmt.Errorf("%w: sha256 is 64 hexadecimal digits", ErrSpec)
	case s.Remote != "" && !filepath.IsLocal(s.Remote):
		return s, fmt.Errorf("%w: remote is a folder in the folder", ErrSpec)
	}
	return s, nil
}

// check verifies the binary before it is run: only root and the user of this process can have written it, and the operator allows it.
func (s Spec) check(allowed []string) (binary string, sum []byte, err error) {
	binary = filepath.Join(s.dir, s.Binary)
	for _, path := range []string{filepath.Dir(s.dir), s.dir, filepath.Join(s.dir, "plugin.json"), binary} {
		if err := private(path); err != nil {
			return "", nil, err
		}
	}
	if binary, err = filepath.Abs(binary); err != nil {
		return "", nil, fmt.Errorf("pluginhost: %w", err)
	}
	f, err := os.Open(binary)
	if err != nil {
		return "", nil, fmt.Errorf("pluginhost: %w", err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", nil, fmt.Errorf("pluginhost: %w", err)
	}
	sum = h.Sum(nil)
	if !strings.EqualFold(hex.EncodeToString(sum), s.SHA256) {
		return "", nil, ErrChecksum
	}
	if len(allowed) > 0 && !slices.ContainsFunc(allowed, func(d string) bool {
		return strings.EqualFold(strings.TrimPrefix(d, "sha256:"), s.SHA256)
	}) {
		return "", nil, fmt.Errorf("%w: sha256:%s", ErrDigest, s.SHA256)
	}
	return binary, sum, nil
}

// private returns an error for a file or folder that users other than root and the user of this process may change.
func private(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	if info.Mode()&os.ModeSymlink != 0 {
		if info, err = os.Stat(path); err != nil {
			return fmt.Errorf("pluginhost: %w", err)
		}
	}
	if info.Mode().Perm()&0o022 != 0 || !isOwnFile(info) {
		return fmt.Errorf("%w: %s", ErrWritable, path)
	}
	return nil
}
