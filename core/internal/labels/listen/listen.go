// Package listen reports changes of a labels folder, if the file system reports each change.
package listen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// Parts are the subfolders of a label that are read.
var Parts = []string{"assets", "messages", "pages"}

// ErrLink is returned when changes of a label cannot be reported: an event names the folder of a file, but not the links that lead to that
// folder.
var ErrLink = errors.New("a link leads to files elsewhere")

// ErrMoved is returned by Run when the labels folder was moved or removed.
var ErrMoved = errors.New("the labels folder was moved or removed")

// Listener receives file system events for the labels folder, the label folders and their subfolders.
type Listener struct {
	dir     string
	watcher *fsnotify.Watcher
	Changed chan map[string]bool // names of label folders with events; "" is the labels folder itself
}

// Watch starts to listen to a labels folder. It returns an error when some changes would not be reported.
func Watch(dir string) (*Listener, error) {
	if err := isDirect(dir); err != nil {
		return nil, err
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, limitReached(err)
	}
	l := &Listener{dir, w, make(chan map[string]bool)}
	if err := l.addAll(); err != nil {
		_ = w.Close() // releases the watches for other processes
		return nil, err
	}
	return l, nil
}

// isDirect returns ErrLink when the path of the folder contains a link, because a change of the link would not be reported.
func isDirect(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err == nil && real != abs {
		err = ErrLink
	}
	return err
}

// limitReached adds advice to an error that means that the system allows no more watches.
func limitReached(err error) error {
	if isLimit(err) {
		return fmt.Errorf("no more watches for this user (%w): raise fs.inotify.max_user_watches and fs.inotify.max_user_instances", err)
	}
	return err
}

// addAll listens to the labels folder and to all label folders.
func (l *Listener) addAll() error {
	if err := l.add(l.dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := l.addLabel(e); err != nil {
			return err
		}
	}
	return nil
}

// addLabel listens to a label folder and its subfolders.
func (l *Listener) addLabel(e fs.DirEntry) error {
	if strings.HasPrefix(e.Name(), ".") || e.Type().IsRegular() {
		return nil
	}
	if isLink(e) {
		return fmt.Errorf("%s: %w", e.Name(), ErrLink)
	}
	entries, err := l.addFolder(e.Name())
	for _, inside := range entries {
		if err == nil && inside.IsDir() && slices.Contains(Parts, inside.Name()) {
			_, err = l.addFolder(filepath.Join(e.Name(), inside.Name()))
		}
	}
	return err
}

// addFolder listens to a folder below the labels folder, and then returns its content. A missing folder is empty: its parent folder reports
// when it is created.
func (l *Listener) addFolder(name string) ([]fs.DirEntry, error) {
	err := l.add(filepath.Join(l.dir, name))
	var entries []fs.DirEntry
	if err == nil {
		entries, err = os.ReadDir(filepath.Join(l.dir, name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if i := slices.IndexFunc(entries, isLink); i >= 0 {
		return nil, fmt.Errorf("%s: %w", filepath.Join(name, entries[i].Name()), ErrLink)
	}
	return entries, err
}

// isLink reports whether an entry is a link. It ignores names that begin with a dot, which editors create.
func isLink(e fs.DirEntry) bool {
	return e.Type()&fs.ModeSymlink != 0 && !strings.HasPrefix(e.Name(), ".")
}

func (l *Listener) add(dir string) error {
	if err := reportsChanges(dir); err != nil {
		return err
	}
	return limitReached(l.watcher.Add(dir))
}

// Run sends the label folders with events to Changed, until ctx ends or listening fails.
func (l *Listener) Run(ctx context.Context) error {
	defer l.watcher.Close()
	var dirty map[string]bool
	mark := func(key string) {
		if dirty == nil {
			dirty = map[string]bool{}
		}
		dirty[key] = true
	}
	for {
		var ready chan<- map[string]bool // nil, and therefore never ready, while there are no events
		if len(dirty) > 0 {
			ready = l.Changed
		}
		select {
		case <-ctx.Done():
			return nil
		case ready <- dirty:
			dirty = nil
		case err := <-l.watcher.Errors: // the lost events may have been about new folders
			mark("")
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return err
			}
			if err := l.addAll(); err != nil {
				return err
			}
		case e := <-l.watcher.Events:
			key, err := l.follow(e)
			if err != nil {
				return err
			}
			if !strings.HasPrefix(key, ".") {
				mark(key)
			}
		}
	}
}

// follow returns the folder of the label that an event is about, and listens to folders that are new.
func (l *Listener) follow(e fsnotify.Event) (key string, err error) {
	rel, err := filepath.Rel(l.dir, e.Name)
	switch {
	case err != nil:
		return "", err
	case rel == "." && (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)):
		return "", ErrMoved
	case rel == ".":
		return "", nil
	}
	names := strings.Split(rel, string(filepath.Separator))
	if !e.Has(fsnotify.Create) || strings.HasPrefix(names[0], ".") {
		return names[0], nil
	}
	info, err := os.Lstat(e.Name)
	if err != nil { // it has been removed again
		return names[0], nil
	}
	switch entry := fs.FileInfoToDirEntry(info); {
	case len(names) == 1:
		err = l.addLabel(entry)
	case isLink(entry):
		err = fmt.Errorf("%s: %w", rel, ErrLink)
	case len(names) == 2 && entry.IsDir() && slices.Contains(Parts, names[1]):
		_, err = l.addFolder(rel)
	}
	return names[0], err
}
