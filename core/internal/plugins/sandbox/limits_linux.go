package sandbox

import (
	"context"
	"errors"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// Resident returns the resident memory of a process in bytes.
func Resident(_ context.Context, pid int) (int64, error) {
	proc, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	stat, err := proc.Stat()
	return int64(stat.ResidentMemory()), err
}

// Limits of a process that the kernel enforces. Go's heap reserves address space that it does not use, so RLIMIT_AS would have to be tens
// of gigabytes. RLIMIT_DATA counts only writable memory.
const (
	maxOpenFiles = 1024
	dataSlack    = 256 << 20
)

// Confine sets the limits of a running process. They prevent allocations that the next measurement would detect too late, more open files
// than a module needs, and core dumps, which would contain customer data.
func Confine(pid int, memory int64) error {
	set := func(resource int, n uint64) error {
		return unix.Prlimit(pid, resource, &unix.Rlimit{Cur: n, Max: n}, nil)
	}
	return errors.Join(set(unix.RLIMIT_DATA, uint64(memory)+dataSlack), set(unix.RLIMIT_NOFILE, maxOpenFiles), set(unix.RLIMIT_CORE, 0))
}
