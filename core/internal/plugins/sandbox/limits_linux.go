package sandbox

import (
	"context"
	"errors"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// Resident returns the bytes of memory that a process uses.
func Resident(_ context.Context, pid int) (int64, error) {
	proc, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	stat, err := proc.Stat()
	return int64(stat.ResidentMemory()), err
}

// Bounds of a process that the kernel enforces. The heap of Go reserves address space that it does not use, so RLIMIT_AS would have to be
// tens of gigabytes; RLIMIT_DATA counts writable memory only.
const (
	maxOpenFiles = 1024
	dataSlack    = 256 << 20
)

// Confine sets the limits of a running process: no allocation that the next measurement would find too late, no more open files
// than a module needs, and no core dump, which would contain data of customers.
func Confine(pid int, memory int64) error {
	set := func(resource int, n uint64) error {
		return unix.Prlimit(pid, resource, &unix.Rlimit{Cur: n, Max: n}, nil)
	}
	return errors.Join(set(unix.RLIMIT_DATA, uint64(memory)+dataSlack), set(unix.RLIMIT_NOFILE, maxOpenFiles), set(unix.RLIMIT_CORE, 0))
}
