package assets

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"time"
)

// keepDuration is how long the files of an earlier build are kept after the last start of a process with that build.
const keepDuration = 30 * 24 * time.Hour

// keep copies the files of this build to the folder of earlier builds, and deletes expired files there. File names contain a hash, so a
// file that exists has the same content.
func (s *Store) keep() error {
	if err := os.MkdirAll(s.c.Keep, 0o700); err != nil {
		return fmt.Errorf("assets: %w", err)
	}
	root, err := os.OpenRoot(s.c.Keep)
	if err != nil {
		return fmt.Errorf("assets: %w", err)
	}
	s.earlier = root
	return s.keepFiles()
}

// keepFiles copies the files of the current build.
func (s *Store) keepFiles() error {
	root, now := s.earlier, time.Now()
	for name, f := range s.now.Load().files {
		if err := root.Chtimes(name, now, now); err == nil {
			continue
		}
		if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
			return fmt.Errorf("assets: %w", err)
		}
		part := name + "." + rand.Text() + ".part" // another process, or a change of another remote, may read or write name at the same time
		if err := errors.Join(root.WriteFile(part, f.raw, 0o600), root.Rename(part, name)); err != nil {
			return fmt.Errorf("assets: %w", err)
		}
	}
	return fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if about, err := d.Info(); err == nil && now.Sub(about.ModTime()) > keepDuration {
			_ = root.Remove(p) // another process may have removed it
		}
		return nil
	})
}

// ServeHTTP serves /assets/…: files of this build from memory, and files of earlier builds from the data folder. It returns 404 for any
// other file.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, Prefix)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	if f := s.now.Load().files[name]; f != nil {
		f.ServeHTTP(w, r)
		return
	}
	if s.earlier != nil && !strings.HasSuffix(name, ".part") {
		if raw, err := s.earlier.ReadFile(name); err == nil {
			newFile(name, raw, nil, true).ServeHTTP(w, r)
			return
		}
	}
	w.Header().Set("Cache-Control", "no-store") // the file may belong to a newer build of another replica
	http.Error(w, http.StatusText(http.StatusNotFound), http.StatusNotFound)
}

// Watch reloads the front-end folder when it has changed since Open, until ctx ends. It is used with Config.Dev.
func (s *Store) Watch(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	last, loaded := s.read, s.read
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := fingerprint(s.base)
		if now != last { // files are still being written
			last = now
			continue
		}
		if now == loaded {
			continue
		}
		loaded = now
		if err := s.Reload(); err != nil {
			s.c.Log.Warn("front end could not be reloaded; the old one is served", "error", err)
		}
	}
}

func fingerprint(f fs.FS) string {
	var b strings.Builder
	_ = fs.WalkDir(f, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // a file that has just been removed is also a change
		}
		if about, err := d.Info(); err == nil && !d.IsDir() {
			fmt.Fprintf(&b, "%s %d %d\n", p, about.Size(), about.ModTime().UnixNano())
		}
		return nil
	})
	return b.String()
}

// CloseStreams ends the streams of ServeReloads, so that the server can shut down.
func (s *Store) CloseStreams() { s.hangUp.Do(func() { close(s.closed) }) }

// ServeReloads sends a server-sent event to open pages when the front end has changed. It is used with --dev.
func (s *Store) ServeReloads(w http.ResponseWriter, r *http.Request) {
	out := http.NewResponseController(w)
	_ = out.SetWriteDeadline(time.Time{})
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	now := s.now.Load()
	if _, err := fmt.Fprintf(w, "retry: 300\ndata: %s\n\n", now.front.Build); err != nil || out.Flush() != nil {
		return
	}
	select {
	case <-r.Context().Done():
	case <-s.closed:
	case <-now.replaced:
		_, _ = fmt.Fprint(w, "event: reload\ndata: now\n\n") // fails only when the page has closed the stream
	}
}
