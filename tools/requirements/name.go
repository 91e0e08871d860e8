package main

import (
	"regexp"
	"strings"
)

// An id begins with its section, a digit, or with "face".
const idForm = `(?:[0-9](?:\.[0-9]+)?|face)-[a-z][a-z0-9]*(?:-[a-z0-9]+)*`

var (
	wholeID = regexp.MustCompile(`^` + idForm + `$`)
	// How an id begins, wherever it stands in a name.
	idLike = regexp.MustCompile(`(?i)(?:^|[^a-z0-9.-])((?:[0-9](?:\.[0-9]+)?|face)-[a-z])`)
	// go test numbers a second test of the same name.
	repeated = regexp.MustCompile(`#[0-9]+$`)
	brackets = regexp.MustCompile(`\[([^\]]*)\]`)
)

// goIDs returns the rows that the last segment of a Go test's name lists, separated by commas. It reports false for a name that
// looks as if it names a row and does not parse: such a test proves nothing, and its author believes that it does.
func goIDs(name string) (ids []string, ok bool) {
	segments := strings.Split(name, "/")
	last := repeated.ReplaceAllString(segments[len(segments)-1], "")
	for _, id := range strings.Split(last, ",") {
		if !wholeID.MatchString(id) {
			return nil, !idLike.MatchString(last)
		}
		ids = append(ids, id)
	}
	return ids, true
}

// titleIDs returns the rows that a title of vitest or Playwright lists between brackets, separated by spaces. It reports false for
// brackets without a row, for a list that does not parse, and for an id outside brackets.
func titleIDs(title string) (ids []string, ok bool) {
	for _, m := range brackets.FindAllStringSubmatch(title, -1) {
		fields := strings.Fields(m[1])
		if len(fields) == 0 {
			return nil, false
		}
		if !idLike.MatchString(m[1]) {
			continue // brackets of the sentence itself
		}
		for _, id := range fields {
			if !wholeID.MatchString(id) {
				return nil, false
			}
			ids = append(ids, id)
		}
	}
	return ids, !idLike.MatchString(brackets.ReplaceAllString(title, " "))
}
