package share

import (
	"time"
)

// Period is a period in which a member had shares of a project.
type Period struct {
	Project string    `json:"project_code" doc:"Code of the project"`
	From    time.Time `json:"from" doc:"When the member got shares of it"`
	Until   time.Time `json:"until,omitzero" doc:"Absent while the member has shares of it"`
}

// held is a change of the shares of a member in a project, with the time from which it counts.
type held struct {
	project string
	from    time.Time
	delta   int64
}

// periodsOf returns the periods in which a member had shares. changes must be sorted by project and by time. Changes at the same time are
// combined, so that a move from one address to another does not end a period.
func periodsOf(changes []held) []Period {
	out := []Period{}
	share := int64(0)
	for i, c := range changes {
		if i == 0 || changes[i-1].project != c.project {
			share = 0
		}
		if share += c.delta; i+1 < len(changes) && changes[i+1].project == c.project && changes[i+1].from.Equal(c.from) {
			continue
		}
		last := len(out) - 1
		open := last >= 0 && out[last].Project == c.project && out[last].Until.IsZero()
		switch {
		case share > 0 && !open:
			out = append(out, Period{Project: c.project, From: c.from})
		case share <= 0 && open:
			out[last].Until = c.from
		}
	}
	return out
}
