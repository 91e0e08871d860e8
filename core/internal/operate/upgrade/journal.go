package upgrade

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/private"
)

// Phases of an upgrade. Each is written to the journal before it begins.
const (
	phasePrepared  = "prepared"   // both programs are copied; the service may be running
	phaseChanging  = "changing"   // the backup is verified; the new program migrates the data and is tested
	phaseStarting  = "starting"   // the new program is healthy and is being installed and started
	phaseGoingBack = "going back" // the previous program and data are being restored
	phaseDone      = "done"
)

// journal contains the data that is needed to continue an upgrade that was killed. It is stored next to the installed program, and only a
// user who may change that program can change the journal.
type journal struct {
	Phase   string    `json:"phase"`
	Program string    `json:"program"` // that is replaced, absolute
	Driver  string    `json:"driver"`  // copy of the program that runs the upgrade
	From    string    `json:"from"`    // version
	To      string    `json:"to"`      // version
	Data    string    `json:"data"`    // folder, absolute
	Work    string    `json:"work"`    // name of the folder of this upgrade in Data/upgrade
	Token   string    `json:"token"`
	Start   string    `json:"start,omitempty"` // shell commands of the service
	Stop    string    `json:"stop,omitempty"`
	Reason  string    `json:"reason,omitempty"` // why it goes back
	At      time.Time `json:"at"`
}

func journalFile(program string) string { return program + ".upgrade.json" }

// errNoUpgrade is returned when there is no upgrade to continue or to undo.
var errNoUpgrade = errors.New("no upgrade of this program was begun")

func readJournal(program string) (j journal, err error) {
	text, err := os.ReadFile(journalFile(program))
	if errors.Is(err, fs.ErrNotExist) {
		return j, fmt.Errorf("%s: %w", program, errNoUpgrade)
	}
	if err == nil {
		err = json.Unmarshal(text, &j)
	}
	if err != nil {
		return j, fmt.Errorf("upgrade: %s: %w", journalFile(program), err)
	}
	return j, nil
}

// write replaces the journal atomically, even if the machine loses power.
func (j journal) write() error {
	text, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	part := journalFile(j.Program) + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, private.FileMode)
	if err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	if err := os.Rename(part, journalFile(j.Program)); err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	return nil
}
