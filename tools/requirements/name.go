package main

import (
	"regexp"
	"strings"
)

// idForm matches an id, which begins with its section, such as 5.4 or 11, or with "face".
const idForm = `(?:1[01]|[0-9](?:\.[0-9]+)?|face)-[a-z][a-z0-9]*(?:-[a-z0-9]+)*`

var (
	wholeID = regexp.MustCompile(`^` + idForm + `$`)
	// idLike matches the beginning of an id anywhere in a name.
	idLike = regexp.MustCompile(`(?i)(?:^|[^a-z0-9.-])((?:1[01]|[0-9](?:\.[0-9]+)?|face)-[a-z])`)
	// repeated matches the number that go test appends to a repeated name.
	repeated = regexp.MustCompile(`#[0-9]+$`)
	brackets = regexp.MustCompile(`\[([^\]]*)\]`)
)

// goIDs returns the rows in the last segment of a Go test's name, separated by commas. It returns false for a name that seems to contain
// an id but does not parse: such a test would prove nothing, although its author expects it to.
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

// titleIDs returns the rows between brackets in a vitest or Playwright title, separated by spaces. It returns false for brackets without a
// row, for a list that does not parse, and for an id outside brackets.
func titleIDs(title string) (ids []string, ok bool) {
	for _, m := range brackets.FindAllStringSubmatch(title, -1) {
		fields := strings.Fields(m[1])
		if len(fields) == 0 {
			return nil, false
		}
		if !idLike.MatchString(m[1]) {
			continue // brackets that belong to the sentence
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
