// Package assets serves the built front end: the one embedded in the program or in a folder, the remotes of plugins, and the files of
// earlier builds, which open tabs and other replicas still request.
package assets

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

//go:embed all:dist
var embedded embed.FS

// Prefix is the path of the files; below it are shell/<file> and <remote>/<hash>/<file>.
const Prefix = "/assets/"

// Front is one version of the front end. It is immutable.
type Front struct {
	Build   string            // hash of all files; empty: nothing has been built
	Entry   []string          // URLs of the shell's entry scripts
	Preload []string          // URLs of scripts that the entry scripts load immediately
	Fonts   map[string]string // family → URL of its woff2 file
	Remotes map[string]Remote // by key; for a plugin with several versions, the remote of the highest version
	// Versions are the remotes of plugins that run side by side in several versions, by key and version. A version without a remote has a
	// zero Remote.
	Versions map[string]map[string]Remote
}

// Remote returns the remote of a module in a version, or false when it has none. Modules that are not plugins have one version.
func (f *Front) Remote(key, version string) (Remote, bool) {
	if r, exists := f.Versions[key][version]; exists {
		return r, r.Entry != ""
	}
	r, exists := f.Remotes[key]
	return r, exists
}

// Remote is one built remote.
type Remote struct {
	Entry    string          // URL
	Manifest json.RawMessage // content of remote.json
}

// Config configures the sources of the front end.
type Config struct {
	Dir  string // folder of a built front end; empty: the embedded one
	Own  string // folder of separately deployed remotes, by key; each replaces the remote with its key
	Keep string // folder for the files of earlier builds; empty: they are not kept
	Dev  bool   // file names have no hash, so responses must not be cached
	Log  *slog.Logger
}

// Store serves the front end.
type Store struct {
	c       Config
	base    fs.FS
	read    string // fingerprint of base at the first read
	now     atomic.Pointer[state]
	earlier *os.Root // nil: earlier builds are not kept
	own     string   // fingerprint of c.Own at the first read

	hangUp sync.Once
	closed chan struct{}

	mu      sync.Mutex // held by the goroutine that replaces now
	plugins map[string]pluginRemotes
	changed []func()
}

// pluginRemotes are the remote folders of a plugin.
type pluginRemotes struct {
	dir      string            // of the highest version; empty: no remote
	versions map[string]string // by version, when there are several; empty: no remote in that version
}

type state struct {
	front    *Front
	files    map[string]*file // by path below Prefix
	replaced chan struct{}    // closed when a newer state replaces this one
}

// Open reads the front end. A folder without a build is not an error: Front().Build is then empty.
func Open(c Config) (*Store, error) {
	s := &Store{c: c, plugins: map[string]pluginRemotes{}, closed: make(chan struct{})}
	s.base, _ = fs.Sub(embedded, "dist") // dist is embedded, so this does not fail
	if c.Dir != "" {
		s.base = os.DirFS(c.Dir)
	}
	s.own = ownFingerprint(c.Own)
	if c.Dev {
		s.read = fingerprint(s.base)
	}
	if err := s.Reload(); err != nil {
		return nil, err
	}
	if c.Keep != "" && !c.Dev {
		if err := s.keep(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Front returns the current front end.
func (s *Store) Front() *Front { return s.now.Load().front }

// OnChange registers f to be called after every change of the front end.
func (s *Store) OnChange(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = append(s.changed, f)
}

// AddRemote serves the built remote of a plugin. It replaces an embedded remote with the same key. Files of the replaced remote stay
// available for open pages. versions contains the folders of all versions of a plugin that run side by side.
func (s *Store) AddRemote(key, dir string, versions map[string]string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, had := s.plugins[key]
	s.plugins[key] = pluginRemotes{dir, versions}
	if err := s.load(); err != nil {
		delete(s.plugins, key)
		if had {
			s.plugins[key] = was
		}
		return err
	}
	if s.earlier == nil {
		return nil
	}
	return s.keepFiles()
}

// RemoveRemote removes the remote of a plugin, if it has one. Its files stay available for open pages. With Config.Dev, open pages are
// reloaded even when the plugin has no remote, because its server part was replaced.
func (s *Store) RemoveRemote(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, exists := s.plugins[key]; !exists && !s.c.Dev {
		return
	}
	delete(s.plugins, key)
	if err := s.load(); err != nil {
		s.c.Log.Error("front end could not be reloaded; the old one is served", "error", err)
	}
}

// Reload reads the front end again. On an error, the previous one stays in use.
func (s *Store) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.load()
}

func (s *Store) load() error {
	next := &state{front: &Front{Remotes: map[string]Remote{}, Versions: map[string]map[string]Remote{}}, files: map[string]*file{},
		replaced: make(chan struct{})}
	if err := next.shell(s.base, s.c.Dev); err != nil {
		return err
	}
	remotes, err := fs.ReadDir(s.base, "remotes")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("assets: %w", err)
	}
	sources := map[string]fs.FS{}
	for _, r := range remotes {
		if r.IsDir() {
			sources[r.Name()], _ = fs.Sub(s.base, path.Join("remotes", r.Name())) // the folder has just been listed
		}
	}
	for key, p := range s.plugins {
		if p.dir != "" {
			sources[key] = os.DirFS(p.dir)
		}
	}
	own, err := s.ownRemotes()
	if err != nil { // keep the embedded remote with this key
		s.c.Log.Error("remote in --remotes is invalid and skipped", "error", err)
	}
	for key, f := range sources {
		if own[key] == nil {
			if err := next.remote(key, f, s.c.Dev); err != nil {
				return err
			}
		}
	}
	for key, f := range own {
		if err := next.remote(key, f, false); err != nil {
			return err
		}
	}
	for key, p := range s.plugins {
		if own[key] != nil {
			continue
		}
		if err := next.versions(key, p.versions); err != nil {
			return err
		}
	}
	deployed := slices.Collect(maps.Keys(own))
	for key := range s.plugins {
		if own[key] == nil {
			deployed = append(deployed, key)
		}
	}
	next.front.Build = buildOf(next.front, deployed)
	if last := s.now.Swap(next); last != nil {
		close(last.replaced)
	}
	if !s.c.Dev { // in development, compression would slow down the next build, and the browser is on the same machine
		go next.compress()
	}
	for _, f := range s.changed {
		f()
	}
	return nil
}

// shell reads shell.json and its files; without shell.json nothing has been built.
func (s *state) shell(f fs.FS, dev bool) error {
	raw, err := fs.ReadFile(f, "shell.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var about struct {
		Build          string
		Entry, Preload []string
		Fonts          map[string]string
	}
	if err == nil {
		err = json.Unmarshal(raw, &about)
	}
	if err == nil {
		err = s.read(f, "shell", "shell", dev)
	}
	if err != nil {
		return fmt.Errorf("assets: shell.json: %w", err)
	}
	s.front.Build, s.front.Fonts = about.Build, map[string]string{}
	for _, e := range about.Entry {
		s.front.Entry = append(s.front.Entry, Prefix+e)
	}
	for _, p := range about.Preload {
		s.front.Preload = append(s.front.Preload, Prefix+p)
	}
	for family, p := range about.Fonts {
		s.front.Fonts[family] = Prefix + p
	}
	return nil
}

// remote reads remote.json and the files next to it.
func (s *state) remote(key string, f fs.FS, dev bool) error {
	r, err := s.readRemote(key, f, dev)
	if err == nil {
		s.front.Remotes[key] = r
	}
	return err
}

// versions reads the remotes of versions that run side by side. File names contain a hash of the content, so all versions can use the same
// path.
func (s *state) versions(key string, dirs map[string]string) error {
	for version, dir := range dirs {
		r := Remote{}
		if dir != "" {
			var err error
			if r, err = s.readRemote(key, os.DirFS(dir), false); err != nil {
				return err
			}
		}
		if s.front.Versions[key] == nil {
			s.front.Versions[key] = map[string]Remote{}
		}
		s.front.Versions[key][version] = r
	}
	return nil
}

func (s *state) readRemote(key string, f fs.FS, dev bool) (Remote, error) {
	raw, err := fs.ReadFile(f, "remote.json")
	var about struct {
		Key   string
		Entry string
	}
	if err == nil {
		err = json.Unmarshal(raw, &about)
	}
	if err == nil && (about.Key != key || about.Entry == "" || key == "shell") {
		err = fmt.Errorf("it belongs to remote %q with entry %q", about.Key, about.Entry)
	}
	if err == nil {
		err = s.read(f, ".", key, dev)
	}
	if err != nil {
		return Remote{}, fmt.Errorf("assets: remote.json of %s: %w", key, err)
	}
	return Remote{Entry: Prefix + path.Join(key, about.Entry), Manifest: raw}, nil
}

// read adds the files of a folder below name, including the compressed files of the build.
func (s *state) read(f fs.FS, dir, name string, dev bool) error {
	return fs.WalkDir(f, dir, func(p string, d fs.DirEntry, err error) error {
		base := path.Base(p)
		if err != nil || d.IsDir() || base == "remote.json" || base == textsFile || strings.HasPrefix(base, ".") ||
			strings.HasSuffix(p, ".br") || strings.HasSuffix(p, ".gz") {
			return err
		}
		raw, err := fs.ReadFile(f, p)
		if err != nil {
			return err
		}
		encoded := map[string][]byte{}
		for _, e := range encodings {
			if b, err := fs.ReadFile(f, p+e.suffix); err == nil {
				encoded[e.name] = b
			}
		}
		below := strings.TrimPrefix(strings.TrimPrefix(p, dir), "/")
		s.files[path.Join(name, below)] = newFile(below, raw, encoded, !dev)
		return nil
	})
}

func (s *state) compress() {
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		s.files[name].compress()
	}
}
