package label

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/elf"
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
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/private"
)

// CacheFolder is the folder of cached labels in the data folder of the portal.
const CacheFolder = "labels-compiled"

// maxCached is the maximum number of schemas with a cache: those with and without plugins, and those of earlier releases to which an
// installation may return.
const maxCached = 3

// cache stores the result of evaluating each label with CUE in a folder, so that a start evaluates only what has changed
// (docs/decisions/0058). Everything else is computed from the label's files at each start. A nil cache stores nothing.
type cache struct {
	dir     string
	program string // programID
	log     *slog.Logger
}

// Option configures Open.
type Option func(*Store)

// CacheIn stores evaluated labels in a folder, which only the user of this process may write to.
func CacheIn(dir string, log *slog.Logger) Option {
	return func(s *Store) { s.cache = openCache(dir, log) }
}

// openCache returns nil, after logging why, when the folder cannot be used.
func openCache(dir string, log *slog.Logger) *cache {
	program, err := programID()
	if err == nil {
		err = secureCache(dir)
	}
	if err != nil {
		log.Warn("compiled labels are not kept, so each start compiles all of them", "folder", dir, "error", err)
		return nil
	}
	return &cache{dir, program, log}
}

// secureCache creates the folder. It returns an error for an existing folder that other users own or may write to, because its content
// decides which labels are served.
func secureCache(dir string) error {
	err := os.Mkdir(dir, private.FolderMode)
	if err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	around, err := os.Stat(filepath.Dir(dir))
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New("it is not a folder; remove it")
	case !isOwn(info, around):
		return errors.New("it belongs to another user; remove it")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0:
		return errors.New("others may write to it; remove it")
	}
	return nil
}

// programID identifies the running program: another build may evaluate labels differently. It is the build id, which the linker computes
// from all sources and flags, or a hash of the program if it has no build id.
var programID = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("label: %w", err)
	}
	if program, err := elf.Open(path); err == nil {
		defer program.Close()
		if note := program.Section(".note.go.buildid"); note != nil {
			if id, err := note.Data(); err == nil && len(bytes.Trim(id, "\x00")) > minBuildID {
				return hashOf(string(id)), nil
			}
		}
	}
	return fileHash(path)
})

// minBuildID is smaller than the length of a build id, which consists of four hashes, and larger than that of a note with an empty build
// id.
const minBuildID = 40

func fileHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("label: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("label: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// identity returns a hash of everything in the schema. The lenient schema is derived from the rest.
func (s *schema) identity() string {
	all := *s
	all.lenient = nil
	return hashOf(fmt.Sprintf("%#v", all)) // maps are printed in the order of their keys
}

// cached is the part of a cache for one schema.
type cached struct {
	dir, key string // its folder; hash of program and schema
}

// of returns the part of the cache for a schema and marks it as the most recently used. It returns nil without a cache.
func (c *cache) of(s *schema) *cached {
	if c == nil {
		return nil
	}
	key := hashOf(c.program + s.identity())
	p := &cached{filepath.Join(c.dir, key[:24]), key}
	err := os.MkdirAll(p.dir, private.FolderMode)
	if err == nil {
		now := time.Now()
		err = os.Chtimes(p.dir, now, now)
	}
	if err == nil {
		err = c.prune()
	}
	if err != nil {
		c.log.Warn("compiled labels are not kept, so each start compiles all of them", "folder", c.dir, "error", err)
		return nil
	}
	return p
}

// prune removes the parts that were least recently used.
func (c *cache) prune() error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	used := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // another process may have removed the part
			used[e.Name()] = info.ModTime()
		}
	}
	newest := slices.SortedFunc(maps.Keys(used), func(a, b string) int { return cmp.Or(used[b].Compare(used[a]), cmp.Compare(a, b)) })
	for _, name := range newest[min(maxCached, len(newest)):] {
		if err := os.RemoveAll(filepath.Join(c.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// evaluated is the result of evaluating a label with CUE: its validated settings with defaults, and positions in its files.
type evaluated struct {
	Data     json.RawMessage            `json:"data"`
	Modules  map[string]json.RawMessage `json:"modules"` // replaces the modules in Data: with moved settings, without demo settings
	Hosts    [][2]int                   `json:"hosts"`   // line and column of each host
	Problems []Problem                  `json:"problems,omitempty"`
}

// sum returns the hash of the sources of a label: its label.cue and messages, with program and schema.
func (p *cached) sum(key string, sources Files) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n", p.key, key)
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		if !strings.HasPrefix(name, "pages/") {
			fmt.Fprintf(h, "%q %d\n%s\n", name, len(sources[name]), sources[name])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (p *cached) file(key string) string { return filepath.Join(p.dir, key+".json") }

// load returns the stored evaluation of a label with this sum, or nil.
func (p *cached) load(key, sum string) *evaluated {
	stored, err := os.ReadFile(p.file(key))
	if err != nil {
		return nil
	}
	head, body, _ := bytes.Cut(stored, []byte("\n"))
	if string(head) != sum+" "+hashOf(string(body)) {
		return nil
	}
	e := &evaluated{}
	if json.Unmarshal(body, e) != nil {
		return nil
	}
	return e
}

// store stores an evaluation. If that fails, the label is evaluated again at the next start.
func (p *cached) store(key, sum string, e *evaluated) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // keeps settings byte for byte as CUE wrote them
	if encoder.Encode(e) != nil {
		return
	}
	f, err := os.CreateTemp(p.dir, ".new-*") // with mode 0600
	if err != nil {
		return
	}
	_, err = fmt.Fprintf(f, "%s %s\n%s", sum, hashOf(body.String()), body.Bytes())
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), p.file(key))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // an incomplete file is ignored in any case
	}
}

// forget removes the stored evaluations of labels that no longer have a folder.
func (p *cached) forget(prints map[string]fingerprint) {
	entries, _ := os.ReadDir(p.dir)
	for _, e := range entries {
		key, ok := strings.CutSuffix(e.Name(), ".json")
		if _, exists := prints[key]; !ok || !exists {
			_ = os.Remove(filepath.Join(p.dir, e.Name()))
		}
	}
}

// compileFolders compiles the labels in the given folders. It evaluates only those that are not in the cache.
func (s *Store) compileFolders(keys []string) []outcome {
	out := make([]outcome, len(keys))
	part := s.part
	misses := part.restore(s.schema, s.dir, keys, out)
	compiled := compileAll(s.schema, len(misses), func(c *compiler, i int) *candidate {
		key := keys[misses[i]]
		k := c.compile(s.dir, key)
		if part != nil && k.label != nil {
			part.store(key, part.sum(key, k.sources), k.evaluated())
		}
		return k
	})
	for i, o := range compiled {
		out[misses[i]] = o
	}
	return out
}

// restore fills in the labels that are in the cache, and returns the indices of the others.
func (p *cached) restore(sc *schema, dir string, keys []string, out []outcome) (misses []int) {
	found := make([]bool, len(keys))
	if p != nil {
		var next atomic.Int64
		var wg sync.WaitGroup
		for range min(len(keys), runtime.GOMAXPROCS(0)) {
			wg.Go(func() {
				for i := int(next.Add(1) - 1); i < len(keys); i = int(next.Add(1) - 1) {
					out[i], found[i] = p.compile(sc, dir, keys[i])
				}
			})
		}
		wg.Wait()
	}
	for i := range keys {
		if !found[i] {
			misses = append(misses, i)
		}
	}
	return misses
}

// compile builds a label from its stored evaluation and its files. ok is false for a label with a problem that was not stored: the label
// must be evaluated to locate the problem.
func (p *cached) compile(sc *schema, root, key string) (_ outcome, ok bool) {
	dir := filepath.Join(root, key)
	k := &candidate{compiler: &compiler{schema: sc}, key: key, dir: dir, from: labelFolder(dir), sources: Files{}}
	if _, err := k.source("label.cue"); err != nil {
		return outcome{}, false
	}
	for _, file := range k.from.list("messages") {
		if _, ok := isLocale(file); !ok {
			continue
		}
		if _, err := k.source("messages/" + file); err != nil {
			return outcome{}, false
		}
	}
	e := p.load(key, p.sum(key, k.sources))
	if e == nil {
		return outcome{}, false
	}
	l, err := k.decode(e.Data)
	if err != nil {
		return outcome{}, false
	}
	l.Modules = e.Modules
	if ps := k.complete(l); len(ps) > 0 || len(l.hostAt) != len(e.Hosts) {
		return outcome{}, false
	}
	for i, at := range e.Hosts {
		l.hostAt[i] = place{at[0], at[1]}
	}
	return outcome{l, e.Problems}, true
}
