package pluginhost

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/modules/contract"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/module"
)

// Reasons for refusing a plugin. Each is wrapped with details, so that the whole error is one sentence for the operator.
var (
	ErrSpec         = errors.New("its plugin.json is not valid")
	ErrIncomplete   = errors.New("the folder is not completely copied")
	ErrWritable     = errors.New("other users may write to the plugin")
	ErrChecksum     = errors.New("a file is not the one that plugin.json names")
	ErrDigest       = errors.New("the operator does not allow this binary")
	ErrPlatform     = errors.New("the binary is for another platform")
	ErrContract     = errors.New("the contract is not supported")
	ErrManifest     = errors.New("the binary is not what plugin.json describes")
	ErrRemote       = errors.New("the remote breaks its contract")
	ErrKeyTaken     = errors.New("the key is taken")
	ErrIncompatible = errors.New("it does not fit the other modules")
	ErrStart        = errors.New("it does not start")
	ErrDisabled     = errors.New("it is disabled")
)

const specFile = "plugin.json"

// Spec is the content of plugin.json. Checksums prove that the folder is complete; the operator's list of digests decides which binaries
// may run.
type Spec struct {
	Key     string `json:"key"`
	Version string `json:"version"` // that of the module's manifest

	Contract    int               `json:"contract"`         // version of the contract that the plugin was built for
	Binary      string            `json:"binary"`           // name of a file in the folder
	SHA256      string            `json:"sha256"`           // checksum of the binary, hex
	Size        int64             `json:"size"`             // size of the binary in bytes
	Remote      string            `json:"remote,omitempty"` // subfolder with the built remote; empty: no remote
	Files       map[string]string `json:"files,omitempty"`  // checksums (hex) of the files of the remote, by path in the folder
	Permissions Permissions       `json:"permissions,omitzero"`

	dir string
}

// Permissions lists what a plugin requests from the portal. Core and Hosts are nil if the plugin lists no requests; then everything is
// allowed that the operator's grants allow.
type Permissions struct {
	Modules []string `json:"modules,omitempty"` // siblings that it calls: all in Needs and Uses of its manifest
	Core    []string `json:"core,omitzero"`     // core services that it calls
	Hosts   []string `json:"hosts,omitzero"`    // external hosts that it calls, or "*.example.nl" for all subdomains
}

// FileCount returns the number of files in plugin.json.
func (s Spec) FileCount() int { return 1 + len(s.Files) }

// RemoteDir returns the folder with the built remote, or "" if there is none. The JavaScript of the remote runs in the portal's pages and
// is trusted.
func (s Spec) RemoteDir() string {
	if s.Remote == "" {
		return ""
	}
	return filepath.Join(s.dir, s.Remote)
}

var (
	keyForm     = regexp.MustCompile(`^[a-z][a-z0-9_]{0,29}$`)
	versionForm = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(?:[-+][0-9A-Za-z.+-]{1,40})?$`)
)

// FolderOf returns the folder name of a version that runs next to another version of the same plugin.
func FolderOf(key, version string) string { return key + "@" + version }

// KeyOf returns the plugin key in the name of a folder.
func KeyOf(folder string) string {
	key, _, _ := strings.Cut(folder, "@")
	return key
}

// IsKey reports whether key is valid for a plugin. The key of core is reserved.
func IsKey(key string) bool { return keyForm.MatchString(key) && key != "core" }

// Scan reads every plugin.json in the subfolders of dir, ordered by folder, without running anything. It returns the valid specs together
// with the errors of the others.
func Scan(dir string) ([]Spec, error) {
	folders, err := folders(dir)
	if err != nil {
		return nil, err
	}
	var out []Spec
	var errs []error
	for _, name := range folders {
		s, err := read(filepath.Join(dir, name), contract.Current)
		if err == nil && slices.ContainsFunc(out, s.excludes) {
			err = fmt.Errorf("two folders have version %s of plugin %s: %w", s.Version, s.Key, ErrKeyTaken)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		out = append(out, s)
	}
	return out, errors.Join(errs...)
}

// excludes reports whether two plugins cannot run side by side because they are the same version of one module.
func (s Spec) excludes(o Spec) bool { return o.Key == s.Key && o.Version == s.Version }

// folders returns the names of the subfolders that may contain a plugin, sorted. Names that begin with a dot are reserved for the operator.
func folders(dir string) (out []string, err error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("pluginhost: %w", err)
	}
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if err == nil && info.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

// read reads and checks the plugin.json of a folder, for a portal with version v of the contract. The Spec contains the fields that could
// be read, even if there is an error.
func read(folder string, v contract.Version) (Spec, error) {
	s := Spec{dir: folder}
	b, err := os.ReadFile(filepath.Join(folder, specFile))
	if errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("there is no plugin.json yet: %w", ErrIncomplete)
	}
	if err != nil {
		return s, fmt.Errorf("%w: %w", ErrSpec, err)
	}
	var built struct{ Contract int }
	if err := json.Unmarshal(b, &built); err == nil { // first, because another version may have other fields
		if built.Contract != 0 && !v.Runs(built.Contract) {
			_ = json.Unmarshal(b, &s) // the fields that can be read, for the message
			return s, fmt.Errorf("it was built for contract %d and this portal supports %s: %w", built.Contract, v.Range(), ErrContract)
		}
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return s, fmt.Errorf("its plugin.json ends too early: %w", ErrIncomplete)
		}
		return s, fmt.Errorf("%w: %s", ErrSpec, strings.TrimPrefix(err.Error(), "json: "))
	}
	return s, s.valid()
}

// invalid returns ErrSpec with a description of the problem.
func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrSpec}, args...)...)
}

// validNames checks the fields that Pack needs to describe the binary.
func (s Spec) validNames() error {
	switch {
	case !IsKey(s.Key):
		return invalid("key %q", s.Key)
	case s.Binary == "" || s.Binary != filepath.Base(s.Binary):
		return invalid("binary is the name of a file in the folder")
	case !isSum(s.SHA256):
		return invalid("sha256 is 64 hexadecimal digits")
	case s.Remote != "" && !filepath.IsLocal(s.Remote):
		return invalid("remote is a folder in the folder")
	}
	return nil
}

func (s Spec) valid() error {
	if err := s.validNames(); err != nil {
		return err
	}
	switch {
	case s.Contract == 0:
		return invalid("contract is missing")
	case !versionForm.MatchString(s.Version):
		return invalid("version %q is not of the form 1.2.3", s.Version)
	case s.Size <= 0:
		return invalid("size is the number of bytes of the binary")
	case filepath.Base(s.dir) != s.Key && filepath.Base(s.dir) != FolderOf(s.Key, s.Version):
		return invalid("the folder of plugin %s is named %s", s.Key, filepath.Base(s.dir))
	case s.Remote != "" && s.Files[filepath.ToSlash(filepath.Join(s.Remote, "remote.json"))] == "":
		return invalid("files does not list %s/remote.json", s.Remote)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		switch {
		case !filepath.IsLocal(name) || s.Remote == "" || !strings.HasPrefix(name, filepath.ToSlash(filepath.Clean(s.Remote))+"/"):
			return invalid("files lists %q, which is not in the folder of the remote", name)
		case !isSum(s.Files[name]):
			return invalid("the checksum of %s is not 64 hexadecimal digits", name)
		}
	}
	return nil
}

func isSum(s string) bool {
	sum, err := hex.DecodeString(s)
	return err == nil && len(sum) == sha256.Size
}

// check verifies the binary before it runs: it can only have been written by root or the user of this process, it is complete, it is for
// this platform, and the operator allows it.
func (s Spec) check(allowed []string) (binary string, sum []byte, err error) {
	binary = filepath.Join(s.dir, s.Binary)
	for _, path := range []string{filepath.Dir(s.dir), s.dir, filepath.Join(s.dir, specFile), binary} {
		if err := private(path); err != nil && (filepath.Base(path) != specFile || !errors.Is(err, ErrIncomplete)) { // not yet written by Pack
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
	info, err := f.Stat()
	if err != nil {
		return "", nil, fmt.Errorf("pluginhost: %w", err)
	}
	if s.Size > 0 && info.Size() != s.Size {
		return "", nil, fmt.Errorf("file %s has %d of %d bytes: %w", s.Binary, info.Size(), s.Size, ErrIncomplete)
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", nil, fmt.Errorf("pluginhost: %w", err)
	}
	sum = h.Sum(nil)
	if !strings.EqualFold(hex.EncodeToString(sum), s.SHA256) {
		return "", nil, fmt.Errorf("the checksum of %s is another one: %w", s.Binary, ErrChecksum)
	}
	if at := platformOf(f); at != "" && at != thisPlatform {
		return "", nil, fmt.Errorf("it is for %s and this portal runs on %s: %w", at, thisPlatform, ErrPlatform)
	}
	if len(allowed) > 0 && !slices.ContainsFunc(allowed, func(d string) bool {
		return strings.EqualFold(strings.TrimPrefix(d, "sha256:"), s.SHA256)
	}) {
		return "", nil, fmt.Errorf("%w: sha256:%s is not in --plugin-digest", ErrDigest, s.SHA256)
	}
	return binary, sum, nil
}

// matches returns an error unless the manifest in the binary matches plugin.json.
func (s Spec) matches(m module.Manifest) error {
	if m.Key != s.Key {
		return fmt.Errorf("the binary is module %q: %w", m.Key, ErrManifest)
	}
	if s.Contract == 0 { // Pack has not written plugin.json yet
		return nil
	}
	if m.Version != s.Version {
		return fmt.Errorf("its plugin.json is of version %s and the binary of version %s: %w", s.Version, m.Version, ErrManifest)
	}
	for _, sibling := range slices.Concat(m.Needs, m.Uses) {
		if !slices.Contains(s.Permissions.Modules, sibling) {
			return fmt.Errorf("the binary calls module %s, which plugin.json does not ask for: %w", sibling, ErrManifest)
		}
	}
	if m.Permissions == nil {
		return nil
	}
	for _, service := range m.Permissions.Core {
		if !slices.Contains(s.Permissions.Core, service) {
			return fmt.Errorf("the binary calls %s of core, which plugin.json does not ask for: %w", service, ErrManifest)
		}
	}
	for _, host := range m.Permissions.Hosts {
		if !slices.Contains(s.Permissions.Hosts, host) {
			return fmt.Errorf("the binary calls host %s, which plugin.json does not ask for: %w", host, ErrManifest)
		}
	}
	return nil
}

// private returns an error if users other than root and the user of this process can change a file or folder.
func private(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no %s yet: %w", filepath.Base(path), ErrIncomplete)
	}
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	if info.Mode()&os.ModeSymlink != 0 {
		if info, err = os.Stat(path); err != nil {
			return fmt.Errorf("pluginhost: %w", err)
		}
	}
	if info.Mode().Perm()&0o022 != 0 || !isOwnFile(info) {
		return fmt.Errorf("%w: only root and the user of the portal may write to %s", ErrWritable, path)
	}
	return nil
}

// Pack writes the plugin.json of a folder that contains a binary and, if remote is not empty, a built remote. It runs the binary to get its
// manifest.
func Pack(ctx context.Context, folder, binary, remote string, log *slog.Logger) (Spec, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return Spec{}, fmt.Errorf("pluginhost: %w", err)
	}
	s := Spec{Key: KeyOf(filepath.Base(folder)), Binary: binary, Remote: remote, dir: folder}
	if s.SHA256, err = Sum(filepath.Join(folder, binary)); err != nil {
		return s, err
	}
	if err := s.validNames(); err != nil {
		return s, err
	}
	m, err := newPlugin(ctx, s, Options{Log: log}, installation{}).describe(ctx)
	if err != nil {
		return s, err
	}
	s.Version, s.Permissions.Modules = m.Version, slices.Sorted(slices.Values(slices.Concat(m.Needs, m.Uses)))
	if m.Permissions != nil {
		s.Permissions.Core, s.Permissions.Hosts = append([]string{}, m.Permissions.Core...), append([]string{}, m.Permissions.Hosts...)
	}
	return Seal(folder, s)
}

// Seal writes the plugin.json of a folder, with the size and checksums of the files that it contains now, and returns it.
func Seal(folder string, s Spec) (Spec, error) {
	info, err := os.Stat(filepath.Join(folder, s.Binary))
	if err != nil {
		return s, fmt.Errorf("pluginhost: %w", err)
	}
	s.dir, s.Contract, s.Size, s.Files = folder, wire.Version, info.Size(), nil
	if s.SHA256, err = Sum(filepath.Join(folder, s.Binary)); err != nil {
		return s, err
	}
	if s.Remote != "" {
		s.Files = map[string]string{}
		err := fs.WalkDir(os.DirFS(folder), filepath.ToSlash(s.Remote), func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				s.Files[name], err = Sum(filepath.Join(folder, name))
			}
			return err
		})
		if err != nil {
			return s, fmt.Errorf("pluginhost: %w", err)
		}
	}
	if err := s.valid(); err != nil {
		return s, err
	}
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return s, fmt.Errorf("pluginhost: %w", err)
	}
	part := filepath.Join(folder, "."+specFile) // renamed last, so that a running portal only sees complete new files
	if err := os.WriteFile(part, append(b, '\n'), 0o600); err != nil {
		return s, fmt.Errorf("pluginhost: %w", err)
	}
	return s, os.Rename(part, filepath.Join(folder, specFile))
}

// Sum returns the SHA-256 of a file in hexadecimal.
func Sum(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("pluginhost: %w", err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("pluginhost: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
