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

// trim releases the memory that only the start needed: garbage, and the pages of the binary that were read. The kernel would take those
// back too, but only when memory is short, and until then they count as used. Pages that are needed again are mapped again from the page
// cache.
func trim() {
	debug.FreeOSMemory()
	binary, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return // it only costs memory
	}
	all, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, m := range cleanMappings(all, binary) {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.start, m.end-m.start, unix.MADV_DONTNEED) // without it the pages stay
	}
}

// mapping is a part of the address space.
type mapping struct{ start, end uintptr }

// cleanMappings returns the mappings of a file in smaps that nobody can write to and nobody has written to: their content is that of the
// file, so the pages can be dropped. Pages that were relocated at the start are in none.
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
