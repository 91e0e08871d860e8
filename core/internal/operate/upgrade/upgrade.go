// Package upgrade replaces the program of an installation with a newer one. It makes a verified backup, tries the new program where nobody
// else can reach it, and rolls back to the previous program and data if the new program does not become healthy in time. Each phase is
// recorded in a journal, so that an upgrade that was killed can be continued.
package upgrade

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/operate/about"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
)

// Options describe an upgrade.
type Options struct {
	Program string        // installed program; it is replaced
	Running string        // executable of this process
	To      string        // file with the new program
	Sums    string        // SHA256SUMS of its release; empty: not checked
	Key     string        // public key of the signature of Sums; empty: not checked
	Start   string        // shell command that starts the service; empty: the operator starts it
	Stop    string        // shell command that stops the service
	Config  config.Config // validated with Config.Check
	Env     []string      // environment of all processes: the configuration, with absolute paths
	Healthy time.Duration // how long the new program may take until it is ready
	Settle  time.Duration // how long it must stay ready
	Out     io.Writer     // progress
	// At is called after each phase has been written to the journal; nil: nothing. It is for tests.
	At func(phase string)
}

// ErrStuck is returned when a rollback was not completed: the portal is down until the rollback is continued.
var ErrStuck = errors.New("nothing serves now, and all data is kept")

type upgrade struct {
	Options
	j         journal
	isResumed bool // another process started the upgrade
}

// Run upgrades the installation. It returns nil when the new program is serving or, if there is no service, is installed and was healthy.
func Run(ctx context.Context, o Options) error {
	return locked(o, func() error {
		u := &upgrade{Options: o}
		if j, err := readJournal(o.Program); err == nil && j.Phase != phaseDone {
			return fmt.Errorf("an upgrade of %s to %s is not finished: run `%s upgrade --continue` with the same configuration", j.From, j.To,
				j.Driver)
		} else if err != nil && !errors.Is(err, errNoUpgrade) {
			return err
		}
		if err := u.prepare(ctx); err != nil {
			return err
		}
		return u.forward(ctx)
	})
}

// Continue completes an upgrade that was killed, or its rollback.
func Continue(ctx context.Context, o Options) error {
	return locked(o, func() error {
		u, err := resume(o)
		if err != nil {
			return err
		}
		if u.j.Phase == phaseDone {
			return fmt.Errorf("the upgrade to %s is finished: there is nothing to continue", u.j.To)
		}
		u.say("Continuing the upgrade from %s to %s.", u.j.From, u.j.To)
		if u.j.Phase == phaseGoingBack {
			return u.goBack(ctx)
		}
		return u.forward(ctx)
	})
}

// Revert undoes the last upgrade, even if it was completed. Data that was stored since then is kept in a file and no longer served.
func Revert(ctx context.Context, o Options) error {
	return locked(o, func() error {
		u, err := resume(o)
		if err != nil {
			return err
		}
		if u.j.Phase == phasePrepared {
			return u.abandon(ctx, errRequested)
		}
		err = u.fail(ctx, errRequested)
		if errors.Is(err, errRequested) {
			return nil
		}
		return err
	})
}

var errRequested = errors.New("it was undone with --back")

func locked(o Options, do func() error) error {
	release, err := alone(o.Program + ".upgrade.lock")
	if err != nil {
		return err
	}
	defer release()
	return do()
}

// resume reads the journal.
func resume(o Options) (*upgrade, error) {
	j, err := readJournal(o.Program)
	if err != nil {
		return nil, err
	}
	data, err := filepath.Abs(o.Config.Data)
	if err != nil {
		return nil, err
	}
	if data != j.Data {
		return nil, fmt.Errorf("the upgrade is of the data in %s, and this configuration is of %s: use the configuration that the upgrade began with", j.Data, data)
	}
	o.Start, o.Stop = cmp.Or(o.Start, j.Start), cmp.Or(o.Stop, j.Stop)
	return &upgrade{o, j, true}, nil
}

func (u *upgrade) say(format string, args ...any) { fmt.Fprintf(u.Out, format+"\n", args...) }

// to writes the next phase to the journal.
func (u *upgrade) to(phase string) error {
	u.j.Phase = phase
	if err := u.j.write(); err != nil {
		return err
	}
	if u.At != nil {
		u.At(phase)
	}
	return nil
}

// prepare checks everything that can be checked while the portal is serving, and places both programs next to the installed one.
func (u *upgrade) prepare(ctx context.Context) (err error) {
	if (u.Start == "") != (u.Stop == "") {
		return errors.New("--start and --stop go together")
	}
	data, err := filepath.Abs(u.Config.Data)
	if err != nil {
		return err
	}
	if _, err := os.Stat(data); err != nil {
		return fmt.Errorf("there is no data to upgrade: %w", err)
	}
	if u.Config.Database != "" {
		if err := postgresPrograms(); err != nil {
			return err
		}
	}
	if err := verify(u.To, u.Sums, u.Key); err != nil {
		return err
	}
	u.j = journal{Program: u.Program, Data: data, Token: rand.Text(), At: time.Now().UTC(), Start: u.Start, Stop: u.Stop, Driver: u.Program +
		previousSuffix}
	fresh := u.Program + newSuffix
	defer func() {
		if err != nil {
			err = errors.Join(err, removeAll(fresh))
		}
	}()
	if err := fetch(ctx, u.To, fresh); errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("run this as the user who may change %s: %w", u.Program, err)
	} else if err != nil {
		return err
	}
	to, err := u.describe(ctx, fresh)
	if err != nil {
		return fmt.Errorf("%s is not a Wattle program with the command upgrade, or it is damaged: %w", u.To, err)
	}
	previous, err := u.describe(ctx, u.Program)
	if err != nil {
		previous.Version = about.UpgradesFrom // a program without `wattle version --json`
	}
	if err := span(previous, to); err != nil {
		return err
	}
	if same, err := sameFile(fresh, u.Program); err != nil {
		return err
	} else if same {
		return fmt.Errorf("wattle %s is installed already", to.Version)
	}
	if err := placeFile(u.Program, u.Program+previousSuffix); err != nil {
		return err
	}
	if u.Running != u.Program && u.Running != u.Program+previousSuffix { // the installed program may not support the command yet
		u.j.Driver = fresh
	}
	u.j.From, u.j.To = previous.Version, to.Version
	u.j.Work = u.j.At.Format("20060102-150405")
	return u.to(phasePrepared)
}

// forward continues the upgrade from the phase of the journal.
func (u *upgrade) forward(ctx context.Context) error {
	fresh := u.Program + newSuffix
	if u.j.Phase == phasePrepared {
		u.say("Upgrading from %s to %s.", u.j.From, u.j.To)
		if err := u.stop(ctx); err != nil {
			return u.abandon(ctx, err)
		}
		u.say("Making a backup.")
		if err := u.step(ctx, StepSave); err != nil {
			return u.abandon(ctx, err)
		}
		if err := u.to(phaseChanging); err != nil {
			return u.abandon(ctx, err)
		}
	}
	if u.j.Phase == phaseChanging {
		if u.isResumed { // a reboot may have started the service again
			if err := u.stop(ctx); err != nil {
				return u.fail(ctx, err)
			}
		}
		u.say("Migrating.")
		cmd, err := u.command(ctx, fresh, "migrate")
		if err == nil {
			err = output(cmd)
		}
		if err != nil {
			return u.fail(ctx, fmt.Errorf("its migrations failed: %w", err))
		}
		u.say("Testing %s on an address that nobody else can reach.", u.j.To)
		if err := u.try(ctx, fresh); err != nil {
			return u.fail(ctx, err)
		}
		if err := u.to(phaseStarting); err != nil {
			return u.fail(ctx, err)
		}
	}
	if err := placeFile(fresh, u.Program); err != nil {
		return u.fail(ctx, err)
	}
	if err := u.start(ctx); err != nil {
		return u.fail(ctx, err)
	}
	if err := u.to(phaseDone); err != nil {
		return err
	}
	if u.j.Driver != fresh { // Driver is also used for a rollback
		if err := removeAll(fresh); err != nil {
			return err
		}
	}
	u.say("wattle %s %s. The previous program is %s, the backup is %s.", u.j.To, u.state(), u.Program+previousSuffix,
		filepath.Join(u.work(), beforeName))
	return nil
}

// state describes the state of the portal after the program was installed.
func (u *upgrade) state() string {
	if u.Start == "" {
		return "is installed and was healthy: start it now"
	}
	return "serves"
}

func (u *upgrade) work() string { return filepath.Join(u.j.Data, hold.Folder, u.j.Work) }

// abandon ends an upgrade that has not changed anything yet.
func (u *upgrade) abandon(ctx context.Context, reason error) error {
	err := u.start(context.WithoutCancel(ctx))
	if err != nil {
		return fmt.Errorf("the upgrade to %s ended before it changed anything: %w. But wattle %s does not start again: %w", u.j.To, reason,
			u.j.From, err)
	}
	if err := removeAll(journalFile(u.Program), u.Program+newSuffix, u.Program+previousSuffix); err != nil {
		return err
	}
	state := "serves again"
	if u.Start == "" {
		state = "can be started"
	}
	return fmt.Errorf("the upgrade to %s ended before it changed anything, and wattle %s %s: %w", u.j.To, u.j.From, state, reason)
}

// fail begins the rollback.
func (u *upgrade) fail(ctx context.Context, reason error) error {
	u.j.Reason = reason.Error()
	if err := u.to(phaseGoingBack); err != nil {
		return errors.Join(reason, err)
	}
	err := u.goBack(ctx)
	if errors.Is(reason, errRequested) && err != nil && !errors.Is(err, ErrStuck) {
		return errRequested
	}
	return err
}

// goBack restores the previous program and data, and starts the program. It can be repeated.
func (u *upgrade) goBack(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	u.say("Rolling back to %s: %s", u.j.From, u.j.Reason)
	put := func() error {
		if err := u.stop(ctx); err != nil {
			return err
		}
		if err := u.step(ctx, StepBack); err != nil {
			return err
		}
		if err := placeFile(u.Program+previousSuffix, u.Program); err != nil {
			return err
		}
		return u.start(ctx)
	}
	if err := put(); err != nil {
		return fmt.Errorf("wattle %s did not become healthy (%s), and the rollback stopped: %w. %w. Correct that, and run `%s upgrade --continue` with the same configuration",
			u.j.To, u.j.Reason, err, ErrStuck, u.j.Driver)
	}
	if err := removeAll(journalFile(u.Program), u.Program+newSuffix); err != nil {
		return err
	}
	state := "serve again"
	if u.Start == "" {
		state = "are back: start it now"
	}
	text := fmt.Sprintf("wattle %s and its data %s; what %s left is in %s", u.j.From, state, u.j.To, filepath.Join(u.work(), failedName))
	if u.j.Reason == errRequested.Error() {
		u.say("%s", text)
		return errRequested
	}
	return fmt.Errorf("wattle %s is not healthy: %s. %s", u.j.To, strings.TrimSuffix(u.j.Reason, "."), text)
}

// stop stops the service and holds the data, so that no other process starts using it. It returns an error while a process is using the
// data.
func (u *upgrade) stop(ctx context.Context) error {
	if u.Stop != "" {
		if err := u.shell(ctx, u.Stop); err != nil {
			return fmt.Errorf("the service does not stop: %w", err)
		}
	}
	return u.step(ctx, StepHold)
}

// start ends the hold and, if there is a service, starts the service and waits until it is ready.
func (u *upgrade) start(ctx context.Context) error {
	if err := u.step(ctx, StepRelease); err != nil {
		return err
	}
	if u.Start == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, u.Healthy)
	defer cancel()
	if err := u.shell(ctx, u.Start); err != nil {
		return fmt.Errorf("the service does not start: %w", err)
	}
	return u.awaitReady(ctx, u.Config.Addr)
}

func (u *upgrade) shell(ctx context.Context, line string) error {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.WaitDelay = time.Second // a service that was started in the background keeps the output open
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("%s: %w: %s", line, err, lastLines(out))
	}
	return nil
}

// step runs an upgrade step as the owner of the data.
func (u *upgrade) step(ctx context.Context, name string) error {
	cmd, err := u.command(ctx, u.j.Driver, "upgrade", "step", name, "--work="+u.j.Work, "--driver="+u.j.Driver, "--from="+u.j.From)
	if err != nil {
		return err
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		if said := strings.TrimPrefix(lastLines(out), "wattle: "); said != "" {
			return errors.New(said)
		}
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// command returns a command of a program with the configuration of the installation, to be run as the owner of the data.
func (u *upgrade) command(ctx context.Context, program string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = u.j.Data
	cmd.Env = append(u.Env[:len(u.Env):len(u.Env)], hold.Env+"="+u.j.Token)
	return cmd, asOwner(cmd, u.j.Data)
}

func (u *upgrade) describe(ctx context.Context, program string) (about.Program, error) {
	cmd, err := u.command(ctx, program, "version", "--json")
	if err != nil {
		return about.Program{}, err
	}
	return describe(cmd.Output())
}

func sameFile(a, b string) (bool, error) {
	x, err := checksum(a)
	if err != nil {
		return false, err
	}
	y, err := checksum(b)
	return x == y, err
}

func removeAll(names ...string) error {
	var errs []error
	for _, name := range names {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
