package doctor

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
)

// upgrade reports an upgrade that was not finished.
func (d *doctor) upgrade(context.Context) {
	const check = "upgrade"
	err := hold.Check(d.Config.Data)
	d.isHeld = err != nil
	if _, isUnfinished := errors.AsType[*hold.Error](err); isUnfinished {
		d.problem(check, "run that command; it finishes the upgrade, or restores the previous program and its data", "%v", err)
	} else if err != nil {
		d.problem(check, "let --data name the data folder, and let this user read it", "%v", err)
	} else {
		d.ok(check, "none is unfinished")
	}
}

// labels reports the findings of wattle labels vet.
func (d *doctor) labels(ctx context.Context) {
	const check = "labels"
	const do = "correct the file; until then the last good version of the label is served"
	problems, err := d.Vet(ctx)
	if err != nil {
		d.problem(check, "let --labels name the folder of the labels, and let this user read it", "%v", err)
		return
	}
	for i, p := range problems {
		switch {
		case i >= maxEach:
		case p.State == label.StateMoved:
			d.warn(check, "move the setting as it says", "%s", p)
		case p.State == label.StateWithoutModule || p.State == label.StateOtherVersion:
			d.problem(check, "install it, or take it out of the label; the label is served meanwhile", "%s", p)
		default:
			d.problem(check, do, "%s", p)
		}
	}
	d.addUnlisted(check, len(problems), "wattle labels vet lists all")
	all, err := d.Labels()
	if err != nil {
		d.problem(check, do, "%v", err)
		return
	}
	if len(problems) == 0 {
		d.ok(check, "%s in %s", words.Count(len(all), "label", "labels"), d.Config.Labels)
	}
}

// plugins reports plugins that would not run.
func (d *doctor) plugins(ctx context.Context) {
	const check = "plugins"
	if d.Config.Plugins == "" {
		d.ok(check, "none: --plugins names no folder")
		return
	}
	found, err := d.Plugins(ctx)
	if err != nil {
		d.problem(check, "let --plugins name the folder of the plugins, and let this user read it", "%v", err)
		return
	}
	up := 0
	for _, s := range found {
		switch s.State {
		case pluginhost.StateUp:
			up++
		case pluginhost.StateDisabled:
			d.warn(check, "wattle plugins enable "+s.Key+" brings it back", "%s is disabled", s.Folder)
		default:
			d.problem(check, "install a build of it for this program, or remove its folder; see docs/plugins.md", "%s: %s: %s", s.Folder, s.State,
				s.Detail)
		}
	}
	if up == len(found) {
		d.ok(check, "%d run", up)
	}
}

const (
	minFree      = 1 << 30 // bytes
	minFreeShare = 20      // as a fraction of the disk: 1/20
)

// isNearlyFull reports whether a disk with that many free bytes of its total needs attention (11-doctor-files).
func isNearlyFull(free, total uint64) bool { return free < minFree || free < total/minFreeShare }

// files writes a file to the data folder and reads it back, and lists the file store.
func (d *doctor) files(ctx context.Context) {
	const check = "files"
	before := len(d.found)
	if err := writeAndRead(d.Config.Data); errors.Is(err, fs.ErrNotExist) {
		d.warn(check, "start the portal, which creates it; if it should be there, the disk is not mounted", "there is no data folder %s yet",
			d.Config.Data)
	} else if err != nil {
		d.problem(check, "make the user of the service owner of the folder, mount the disk for writing, or free space on it",
			"the data folder cannot be used: %v", err)
	}
	if free, total, known := d.Free(d.Config.Data); known && isNearlyFull(free, total) {
		d.warn(check, "free space or enlarge the disk: when it is full nothing can be stored", "the disk of %s has %d MiB left of %d",
			d.Config.Data, free>>20, total>>20)
	}
	where := d.Config.Files
	if where == "" {
		where = "files in the data folder"
		if _, err := os.Stat(d.Config.Data); err != nil { // the doctor must not create it
			return
		}
	} else if len(where) < 5 || where[:5] != "s3://" {
		if _, err := os.Stat(where); err != nil {
			d.problem(check, "create the folder, or mount the disk, and copy the files of customers there", "--files: %v", err)
			return
		}
	}
	n, err := d.list(ctx)
	if err != nil {
		d.problem(check, "let this user read the folder; a bucket needs region, endpoint, keys and s3:ListBucket",
			"the file store %s cannot be listed: %v", where, err)
	}
	if len(d.found) == before {
		d.ok(check, "data folder %s written and read back; file store %s has %s", d.Config.Data, where, n)
	}
}

var errEnough = errors.New("enough")

// list lists the beginning of the file store.
func (d *doctor) list(ctx context.Context) (string, error) {
	s, err := files.Open(ctx, files.Config{At: d.Config.Files, Data: d.Config.Data, Secrets: d.Config.Secret})
	if err != nil {
		return "", err
	}
	defer func() { _ = s.Close() }() // only read
	found := "no files"
	err = s.List(ctx, func(files.Entry) error { found = "files"; return errEnough })
	if errors.Is(err, errEnough) {
		err = nil
	}
	return found, err
}

// writeAndRead writes a file into a folder, reads it back and removes it.
func writeAndRead(dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".wattle-doctor-*")
	if err != nil {
		return err
	}
	name, text := f.Name(), []byte(rand.Text())
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		var back []byte
		if back, err = os.ReadFile(name); err == nil && !bytes.Equal(back, text) {
			err = errors.New("what was written is not what is read back")
		}
	}
	return errors.Join(err, os.Remove(name))
}

// backup reports the age of the last verified backup.
func (d *doctor) backup(context.Context) {
	const check = "backup"
	do := "wattle backup --data " + d.Config.Data + " FILE, each day"
	if d.Config.Database != "" {
		do = "wattle backup --database … FILE prints the commands; the last one, wattle backup --record, records the dump"
	}
	last, found, err := backup.Last(d.Config.Data)
	if err != nil {
		d.problem(check, do, "%v", err)
		return
	}
	if !found {
		if d.Config.Demo {
			d.ok(check, "a demo needs none")
			return
		}
		d.warn(check, do, "no verified backup is recorded in %s", d.Config.Data)
		return
	}
	age := d.Now().Sub(last.At)
	if age > d.MaxBackupAge {
		d.problem(check, do, "the last verified backup is of %s, %s ago, and should be at most %s old", last.At.UTC().Format(time.RFC3339),
			rounded(age), rounded(d.MaxBackupAge))
		return
	}
	d.ok(check, "the last verified one is of %s, %s ago: %s", last.At.UTC().Format(time.RFC3339), rounded(age), last.File)
}

// rounded returns a duration in whole days, hours or minutes.
func rounded(d time.Duration) string {
	if d < day {
		return d.Round(time.Minute).String()
	}
	return d.Round(time.Hour).String()
}
