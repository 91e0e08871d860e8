package assets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"time"
)

// keepFor is how long the files of an earlier build are kept after the last start that still had them.
const keepFor = 30 * 24 * time.Hour

// keep copies the files of this build to the folder of earlier builds and deletes there what is long gone. Their names carry a
// hash, so that a file that is there already is the same one.
func (s *Store) keep() error {
	if err := os.MkdirAll(s.c.Keep, 0o700); err != nil {
		return fmt.Errorf("assets: %w", err)
	}
	root, err := os.OpenRoot(s.c.Keep)
	if err != nil {
		return fmt.Errorf("assets: %w", err)
	}
	s.older = root
	return s.keepFiles()
}

// keepFiles copies the files of now.
func (s *Store) keepFiles() error {
	root, now := s.older, time.Now()
	for name, f := range s.now.Load().files {
		if err := root.Chtimes(name, now, now); err == nil {
			continue
		}
		if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
			return fmt.Errorf("assets: %w", err)
		}
		part := name + ".part" // another process may be asking for it
		if err := errors.Join(root.WriteFile(part, f.raw, 0o600), root.Rename(part, name)); err != nil {
			return fmt.Errorf("assets: %w", err)
		}
	}
	return fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if about, err := d.Info(); err == nil && now.Sub(about.ModTime()) > keepFor {
			_ = root.Remove(p) // another process may have been quicker
		}
		return nil
	})
}

// ServeHTTP answers /assets/…: this build's files from memory, those of earlier builds from the data folder, else 404.
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
	if s.older != nil && !strings.HasSuffix(name, ".part") {
		if raw, err := s.older.ReadFile(name); err == nil {
			newFile(name, raw, nil, true).ServeHTTP(w, r)
			return
		}
	}
	w.Header().Set("Cache-Control", "no-store") // it may be of a build that another replica is just bringing
	http.Error(w, http.StatusText(http.StatusNotFound), http.StatusNotFound)
}

// Watch reloads the folder of the front end when something in it has changed since Open, until the context ends. For Config.Dev.
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
		if now != last { // still being written
			last = now
			continue
		}
		if now == loaded {
			continue
		}
		loaded = now
		if err := s.Reload(); err != nil {
			s.c.Log.Warn("the front end stays as it was", "error", err)
		}
	}
}

func fingerprint(f fs.FS) string {
	var b strings.Builder
	_ = fs.WalkDir(f, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // a file that has just gone is a change as well
		}
		if about, err := d.Info(); err == nil && !d.IsDir() {
			fmt.Fprintf(&b, "%s %d %d\n", p, about.Size(), about.ModTime().UnixNano())
		}
		return nil
	})
	return b.String()
}

// HangUp ends the streams of Reloads, so that a server can shut down.
func (s *Store) HangUp() { s.hangUp.Do(func() { close(s.closed) }) }

// Reloads tells open pages that the front end has changed, as server-sent events. For --dev.
func (s *Store) Reloads(w http.ResponseWriter, r *http.Request) {
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
	case <-now.over:
		_, _ = fmt.Fprint(w, "event: reload\ndata: now\n\n") // the page is gone when this fails
	}
}
