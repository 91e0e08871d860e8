package files

import (
	"regexp"
	"strings"
)

// maxSegments is the maximum number of segments in a name, separated by slashes. No segment begins with a dot.
const maxSegments = 8

var segment = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// ValidName reports whether name is valid and of an allowed type. A valid name is a relative path that stays below its folder on every
// file system.
func ValidName(name string) bool {
	if strings.Count(name, "/") >= maxSegments {
		return false
	}
	for s := range strings.SplitSeq(name, "/") {
		if !segment.MatchString(s) || strings.HasSuffix(s, ".") { // Windows removes a trailing dot
			return false
		}
	}
	_, allowed := types[extension(name)]
	return allowed
}
