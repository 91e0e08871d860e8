package imports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxSame is the number of records that may be refused for one reason before any record is stored. Such a run has the wrong file, or a file
// with the same mistake in every line.
const maxSame = 1000

// tally counts refused records by their reason.
type tally struct {
	reasons map[string]*tallied
	accepts bool // whether a record was stored
	refused int
	last    int // number of the last refused record
}

type tallied struct {
	count, line int
	first       string
}

func (t *tally) add(x rejection) {
	if t.reasons == nil {
		t.reasons = map[string]*tallied{}
	}
	key := cmp.Or(x.Column, x.Field)
	if key != "" {
		key += ": "
	}
	key += x.Reason
	r := t.reasons[key]
	if r == nil {
		if len(t.reasons) >= 200 {
			key = "other reasons"
		}
		if r = t.reasons[key]; r == nil {
			r = &tallied{line: x.Line, first: x.Hint}
			t.reasons[key] = r
		}
	}
	r.count++
	if x.number != t.last {
		t.refused++
	}
	t.last = x.number
}

// isHopeless reports whether all records were refused for the same reason.
func (t *tally) isHopeless() bool {
	if t.accepts || t.refused < maxSame {
		return false
	}
	for _, r := range t.reasons {
		if r.count >= t.refused {
			return true
		}
	}
	return false
}

// lines returns the reasons with their counts, the most frequent first.
func (t *tally) lines() (out []string) {
	keys := slices.SortedFunc(maps.Keys(t.reasons), func(a, b string) int {
		return cmp.Or(t.reasons[b].count-t.reasons[a].count, strings.Compare(a, b))
	})
	for _, key := range keys[:min(len(keys), 10)] {
		r := t.reasons[key]
		line := fmt.Sprintf("%d × %s, first in line %d", r.count, key, r.line)
		if r.first != "" {
			line += ": " + r.first
		}
		out = append(out, line)
	}
	if len(keys) > 10 {
		out = append(out, fmt.Sprintf("and %d more reasons", len(keys)-10))
	}
	return out
}
