package files

import (
	"regexp"
	"strings"
)

// A name is at most this many segments with slashes between them; none begins with a dot, so none is "..".
const maxSegments = 8

var segment = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// ValidName reports whether a text is the name of a file of an allowed type. Whatever it accepts is a relative path that stays where
// it is on every file system.
func ValidName(name string) bool {
	if strings.Count(name, "/") >= maxSegments {
		return false
	}
	for s := range strings.SplitSeq(name, "/") {
		if !segment.MatchString(s) || strings.HasSuffix(s, ".") { // Windows drops a last dot
			return false
		}
	}
	_, allowed := types[extension(name)]
	return allowed
}
