package upgrade

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/private"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
)

// Steps that run as the owner of the data, in a separate process.
const (
	StepHold    = "hold"
	StepSave    = "save"
	StepBack    = "back"
	StepRelease = "release"
)

// Step is one step of an upgrade on the data.
type Step struct {
	Name    string
	Work    string // folder of the upgrade
	Token   string
	Program string // path of the program that continues the upgrade
	Version string // version of the data
}

// Names in the upgrade folder.
const (
	beforeName = "before"   // backup of the data before the upgrade
	failedName = "after"    // data of the new program, kept after a rollback
	backName   = "back.tmp" // the unpacked backup
)

// Run runs the step on the data of c.
func (s Step) Run(ctx context.Context, c config.Config) error {
	if !filepath.IsLocal(s.Work) && s.Work != "" {
		return fmt.Errorf("upgrade: %q is not a folder name", s.Work)
	}
	work := filepath.Join(c.Data, hold.Folder, s.Work)
	switch s.Name {
	case StepHold:
		return hold.Set(c.Data, hold.Hold{Token: s.Token, Program: s.Program})
	case StepRelease:
		return hold.Release(c.Data)
	case StepSave, StepBack:
		if err := free(ctx, c); err != nil {
			return err
		}
		if _, err := private.MakeFolder(work); err != nil {
			return fmt.Errorf("upgrade: %w", err)
		}
		if s.Name == StepSave {
			return save(ctx, c, work, s.Version)
		}
		return putBack(ctx, c, work)
	}
	return fmt.Errorf("upgrade: there is no step %q", s.Name)
}

// free returns an error if another process has opened the database.
func free(ctx context.Context, c config.Config) error {
	if c.Database != "" {
		return backup.CheckUnused(ctx, c.Server())
	}
	if err := backup.Running(c.Data); errors.Is(err, backup.ErrRunning) {
		return errors.New("a portal or a command is using this data: stop it first, or name its service with --unit, or with --stop and --start")
	} else if err != nil {
		return err
	}
	return nil
}

// save writes a verified backup. It replaces the backup of an interrupted attempt, because the portal may have been running since.
func save(ctx context.Context, c config.Config, work, version string) error {
	file := filepath.Join(work, beforeName)
	if c.Database != "" {
		if err := dump(ctx, c.Server(), file); err != nil {
			return err
		}
		return backup.Note(c.Data, backup.Record{At: time.Now().UTC(), File: file})
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("upgrade: %w", err)
	}
	store, err := files.Open(ctx, files.Config{At: c.Files, Data: c.Data, Secrets: c.Secret})
	if err != nil {
		return fmt.Errorf("--files: %w", err)
	}
	defer func() { _ = store.Close() }() // opened for reading only
	m, err := backup.Write(ctx, file, backup.Source{Data: c.Data, Labels: c.Labels, Files: store, Version: version, Now: time.Now()})
	if err != nil {
		return err
	}
	if _, err := backup.Verify(file); err != nil {
		return err
	}
	return backup.Note(c.Data, backup.Record{At: m.At, File: file})
}

// putBack replaces the data with that of the backup, and keeps the replaced data. It can be repeated if it is interrupted.
func putBack(ctx context.Context, c config.Config, work string) error {
	before, kept := filepath.Join(work, beforeName), filepath.Join(work, failedName)
	if c.Database != "" {
		return restoreDump(ctx, c.Server(), before, kept)
	}
	back := filepath.Join(work, backName)
	if err := os.RemoveAll(back); err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	if _, _, err := backup.Read(before, backup.Target{Data: back}); err != nil {
		return err
	}
	databases, err := backup.Databases(back)
	if err != nil {
		return err
	}
	for _, name := range databases {
		if err := exchange(filepath.Join(back, name), filepath.Join(c.Data, name), filepath.Join(kept, name)); err != nil {
			return fmt.Errorf("upgrade: %s: %w", name, err)
		}
	}
	if err := os.RemoveAll(back); err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	return nil
}

// exchange moves a database to a path. The database at that path, with its log, is moved to kept, unless an earlier attempt has already
// kept one.
func exchange(from, to, kept string) error {
	if err := os.MkdirAll(filepath.Dir(kept), private.FolderMode); err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if _, err := os.Lstat(kept + suffix); errors.Is(err, fs.ErrNotExist) {
			err = os.Rename(to+suffix, kept+suffix)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if err := os.Remove(to + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(to), private.FolderMode); err != nil {
		return err
	}
	return os.Rename(from, to)
}
