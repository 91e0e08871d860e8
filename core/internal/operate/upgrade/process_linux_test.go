package upgrade

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A process started by another goroutine has all files of this process open until its program runs.
func TestAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Parallel()
	t.Run("11-upgrade-continue", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "lock")
		release, err := alone(file)
		require.NoError(t, err)
		_, err = alone(file)
		require.ErrorContains(t, err, "is running")
		inherited := inherit(t, file)
		defer func() { _ = syscall.Close(inherited) }() // an error does not matter
		release()
		second, err := alone(file)
		require.NoError(t, err)
		second()
		t.Run("killed while it started a child", func(t *testing.T) {
			f, err := os.OpenFile(file, os.O_RDWR, 0)
			require.NoError(t, err)
			require.NoError(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
			child := inherit(t, file)
			require.NoError(t, f.Close())
			time.AfterFunc(released/4, func() { _ = syscall.Close(child) }) // like a child whose program starts to run
			release, err := alone(file)
			require.NoError(t, err)
			release()
		})
	})
}

// A placed program can be run immediately, even while other processes are being started.
func TestPlacedProgramRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Parallel()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				_ = exec.Command("/bin/true").Run() // only the fork matters
			}
		}
	}()
	defer func() { close(stop); <-stopped }()
	file := filepath.Join(t.TempDir(), "program")
	for range 100 {
		require.NoError(t, place(strings.NewReader("#!/bin/sh\n"+strings.Repeat("# \n", 1<<16)), file))
		require.NoError(t, exec.Command(file).Run())
	}
}

// inherit returns another descriptor for a file that this process has open, like that of a forked child.
func inherit(t *testing.T, file string) int {
	open, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	for _, fd := range open {
		if to, _ := os.Readlink("/proc/self/fd/" + fd.Name()); to == file {
			n, err := strconv.Atoi(fd.Name())
			require.NoError(t, err)
			// close-on-exec, so that the program of another test does not keep it open while it runs
			inherited, err := unix.FcntlInt(uintptr(n), unix.F_DUPFD_CLOEXEC, 0)
			require.NoError(t, err)
			return inherited
		}
	}
	require.Fail(t, "the file is not open")
	return -1
}
