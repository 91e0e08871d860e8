// Package hold prevents other processes from using data that an upgrade is changing: a portal, an import or another command.
package hold

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wattle-portal/wattle/core/internal/base/private"
)

// Env is the environment variable that contains the token of an upgrade. Processes that the upgrade starts inherit it.
const Env = "WATTLE_UPGRADE"

// Folder is the folder for upgrades in the data folder.
const Folder = "upgrade"

// Hold is the content of the file that marks held data.
type Hold struct {
	Token   string `json:"token"`
	Program string `json:"program"` // that continues the upgrade
}

func file(data string) string { return filepath.Join(data, Folder, "hold.json") }

// Set marks the data as held by an upgrade.
func Set(data string, h Hold) error {
	text, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("hold: %w", err)
	}
	if _, err := private.MakeFolder(filepath.Join(data, Folder)); err != nil {
		return fmt.Errorf("hold: %w", err)
	}
	part := file(data) + ".part"
	if err := os.WriteFile(part, text, private.FileMode); err != nil {
		return fmt.Errorf("hold: %w", err)
	}
	if err := os.Rename(part, file(data)); err != nil {
		return fmt.Errorf("hold: %w", err)
	}
	return nil
}

// Release ends the hold. It does nothing if the data is not held.
func Release(data string) error {
	if err := os.Remove(file(data)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("hold: %w", err)
	}
	return nil
}

// Error is returned for data that an unfinished upgrade holds. Its message says what to do.
type Error struct {
	Data    string
	Program string // that continues the upgrade
}

func (e *Error) Error() string {
	return fmt.Sprintf("an upgrade of %s is not finished, and nothing else may use this data until it is: run `%s upgrade --continue` with the same configuration",
		e.Data, e.Program)
}

// Check returns an *Error for a process that is not part of the upgrade that holds the data, and another error if the hold cannot be read.
func Check(data string) error {
	h, isHeld, err := read(data)
	if err != nil || !isHeld || h.Token == os.Getenv(Env) {
		return err
	}
	return &Error{data, h.Program}
}

// IsTrial reports whether this process was started by the upgrade that holds the data.
func IsTrial(data string) bool {
	h, isHeld, err := read(data)
	return err == nil && isHeld && h.Token == os.Getenv(Env)
}

func read(data string) (h Hold, isHeld bool, err error) {
	text, err := os.ReadFile(file(data))
	if errors.Is(err, fs.ErrNotExist) {
		return h, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &h)
	}
	if err == nil && h.Token == "" {
		err = errors.New("it has no token")
	}
	if err != nil {
		return h, true, fmt.Errorf("hold: %s: %w", file(data), err)
	}
	return h, true, nil
}
