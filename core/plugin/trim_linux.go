package plugin

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"
)

// trim releases memory that was only needed at the start: garbage, and pages of the binary that have been read. The kernel would also
// reclaim those pages, but only when memory is short, and until then they count as used. Pages that are needed again are mapped again from
// the page cache.
func trim() {
	debug.FreeOSMemory()
	binary, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return // this only costs memory
	}
	all, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, m := range cleanMappings(all, binary) {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.start, m.end-m.start, unix.MADV_DONTNEED) // otherwise the pages stay in memory
	}
}

// mapping is a range of the address space.
type mapping struct{ start, end uintptr }

// cleanMappings returns the mappings of a file in smaps that are not writable and have not been modified. Their content equals that of the
// file, so the pages can be dropped. Pages that were relocated at the start are excluded.
func cleanMappings(smaps []byte, file string) (out []mapping) {
	var at mapping
	mine := false
	for lines := bufio.NewScanner(bytes.NewReader(smaps)); lines.Scan(); {
		line := lines.Text()
		name, value, isField := strings.Cut(line, ":")
		switch isField = isField && !strings.Contains(name, " "); {
		case !isField:
			var permissions string
			n, err := fmt.Sscanf(line, "%x-%x %s", &at.start, &at.end, &permissions)
			path := strings.TrimSuffix(line[strings.LastIndex(line, " ")+1:], " (deleted)")
			mine = err == nil && n == 3 && path == file && (permissions == "r-xp" || permissions == "r--p")
		case mine && name == "Anonymous" && strings.TrimSpace(value) == "0 kB":
			out = append(out, at)
		}
	}
	return out
}
