package pluginhost

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Interval is how often the plugins folder is polled with stat, like the labels folder (docs/decisions/0044). A folder is read when two
// polls have found the same files, because copying takes time.
const Interval = 100 * time.Millisecond

// missingLooks is the number of polls after which a folder that has disappeared counts as removed: replacing a folder by renaming takes two
// steps.
const missingLooks = 10

// follow applies changes to the plugins folder, and retries plugins that did not start, until Close.
func (h *Host) follow() {
	root, _ := os.Stat(h.o.Dir) // to detect a volume that has been unmounted
	t := time.NewTimer(Interval)
	defer t.Stop()
	for {
		select {
		case <-h.stopping.Done():
			return
		case <-t.C:
		}
		began := time.Now()
		h.look(root)
		t.Reset(max(Interval, 10*time.Since(began)))
	}
}

// look compares the plugins folder with the serving versions.
func (h *Host) look(root fs.FileInfo) {
	if h.o.Dir != "" && h.o.grants.read(h.o.Dir) {
		if err := h.o.grants.invalid(); err != nil {
			h.o.Log.Error("grants of plugins cannot be read; what they said before goes on", "reason", sentence(err))
		} else {
			h.o.Log.Info("grants of plugins were read again; limits count from the next start of a plugin")
			h.retryRefused(nil)
		}
	}
	var prints map[string]string
	if h.o.Watch && h.o.Dir != "" {
		var err error
		prints, err = fingerprints(h.o.Dir)
		if now, gone := os.Stat(h.o.Dir); err == nil && len(prints) == 0 && root != nil && (gone != nil || !os.SameFile(root, now)) {
			err = fmt.Errorf("%s is empty. Is its volume mounted? The plugins go on", h.o.Dir)
		}
		h.mu.Lock()
		h.dirError = err
		h.mu.Unlock()
		if err != nil {
			prints = nil
		}
	}
	var replaced, removed, disabled []*folder
	h.mu.Lock()
	if prints != nil {
		h.disabled = Disabled(h.o.Dir)
		for _, f := range h.folders {
			switch off := h.disabled[f.spec.Key]; {
			case f.busy || off == f.isDisabled():
			case off:
				f.busy = true
				disabled = append(disabled, f)
			default:
				f.busy = true
				replaced = append(replaced, f)
			}
		}
		for name, print := range prints {
			f := h.folder(name)
			settled := f.seen == print
			f.seen, f.missing = print, 0
			if !f.busy && settled && f.examined != print {
				f.examined, f.delay, f.busy = print, 0, true
				replaced = append(replaced, f)
			}
		}
		for name, f := range h.folders {
			if _, exists := prints[name]; exists || f.busy {
				continue
			}
			if f.missing++; f.missing >= missingLooks {
				f.busy = true
				removed = append(removed, f)
			}
		}
	}
	now := time.Now()
	for _, f := range h.folders {
		if !f.busy && !f.retry.IsZero() && now.After(f.retry) {
			f.retry, f.busy = time.Time{}, true
			replaced = append(replaced, f)
		}
	}
	h.mu.Unlock()
	for _, f := range disabled {
		h.disable(f)
	}
	for _, f := range removed {
		h.remove(f)
	}
	for _, f := range replaced {
		h.work.Go(func() { // a plugin that starts slowly must not delay others
			h.replace(f)
			h.mu.Lock()
			f.busy = false
			h.mu.Unlock()
			h.notifyKeys()
		})
	}
	if len(removed)+len(disabled) > 0 {
		h.notifyKeys()
	}
}

// notifyKeys calls KeysChanged if the set of plugin keys has changed.
func (h *Host) notifyKeys() {
	now := h.keys()
	h.mu.Lock()
	changed := now != h.signature
	h.signature = now
	h.mu.Unlock()
	if changed && h.o.KeysChanged != nil && h.stopping.Err() == nil {
		h.o.KeysChanged()
	}
}

// maxFiles is the maximum number of files that are read in one folder.
const maxFiles = 10_000

// fingerprints returns the names, sizes, times and modes of the files in each plugin folder, by folder.
func fingerprints(dir string) (map[string]string, error) {
	names, err := folders(dir)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, name := range names {
		var b strings.Builder
		n := 0
		root, err := filepath.EvalSymlinks(filepath.Join(dir, name))
		if err != nil {
			continue // the folder has just been removed
		}
		_ = filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // a file that has just been removed is also a change
			}
			if n++; n > maxFiles {
				return errors.New("too many files")
			}
			if e.IsDir() && p != root {
				return nil
			}
			if info, err := os.Stat(p); err == nil { // a link counts as its target
				size := info.Size()
				when := info.ModTime().UnixNano()
				if info.IsDir() { // the time of a folder changes whenever a file in it is rewritten, which the times of its files already show
					size, when = 0, 0
				}
				fmt.Fprintf(&b, "%s %d %d %s\n", p, size, when, info.Mode())
			}
			return nil
		})
		out[name] = b.String()
	}
	return out, nil
}
