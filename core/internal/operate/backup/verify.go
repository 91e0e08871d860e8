package backup

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
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/private"
)

// Verify reads a backup and returns ErrDamaged unless it is complete and each entry has the checksum in the manifest. It writes nothing.
func Verify(file string) (Manifest, error) {
	m, err := compare(file, func(r io.Reader, _ string) (Entry, error) {
		sum := sha256.New()
		n, err := io.Copy(sum, r)
		if err != nil {
			err = errors.Join(ErrDamaged, err)
		}
		return Entry{n, hex.EncodeToString(sum.Sum(nil))}, err
	})
	if err != nil {
		return m, fmt.Errorf("backup: %s: %w", file, err)
	}
	return m, nil
}

// dumpMagic are the first bytes of a dump written by pg_dump --format=custom.
var dumpMagic = []byte("PGDMP")

// VerifyDump returns ErrDamaged for a file that is not a dump in pg_dump's custom format. If pg_restore is installed, it also reads the
// table of contents.
func VerifyDump(ctx context.Context, file string) error {
	in, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	start := make([]byte, len(dumpMagic))
	_, err = io.ReadFull(in, start)
	if err = errors.Join(err, in.Close()); err != nil || !bytes.Equal(start, dumpMagic) {
		return fmt.Errorf("backup: %s: %w: pg_dump --format=custom writes one", file, ErrDamaged)
	}
	program, err := exec.LookPath("pg_restore")
	if err != nil {
		return nil
	}
	if out, err := exec.CommandContext(ctx, program, "--list", file).CombinedOutput(); err != nil {
		return fmt.Errorf("backup: %s: %w: %s", file, ErrDamaged, bytes.TrimSpace(out))
	}
	return nil
}

// recordFile is the file in the data folder that describes the last verified backup.
const recordFile = "backup.json"

// Record describes the last verified backup of an installation.
type Record struct {
	At   time.Time `json:"at"` // when it was made
	File string    `json:"file"`
}

// Note records a verified backup in the data folder. The record belongs to the owner of that folder, even when root makes the backup.
func Note(data string, r Record) error {
	if _, err := private.MakeFolder(data); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if at, err := filepath.Abs(r.File); err == nil {
		r.File = at
	}
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	part := filepath.Join(data, "."+recordFile)
	if err := os.WriteFile(part, text, private.FileMode); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if err := errors.Join(giveToOwner(part, data), os.Rename(part, filepath.Join(data, recordFile))); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return nil
}

// Last returns the last verified backup that is recorded in the data folder, or false if there is none.
func Last(data string) (r Record, found bool, err error) {
	text, err := os.ReadFile(filepath.Join(data, recordFile))
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return r, false, fmt.Errorf("backup: %w", err)
	}
	return r, true, nil
}
