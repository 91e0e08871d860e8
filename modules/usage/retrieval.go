package usage

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// State says how far a retrieval is.
type State string

// States of a retrieval: none was ever asked for, it waits, it runs, and its two ends.
const (
	None    State = "NONE"
	Queued  State = "QUEUED"
	Running State = "RUNNING"
	Done    State = "DONE"
	Failed  State = "FAILED"
)

const (
	chunkMonths   = 3 // of one connection in a step
	sourceTries   = 4 // of a step, before the retrieval has failed
	sourceBackOff = time.Minute
)

// Retrieval is the fetching of an agreement's historical meter data, as the customer sees it.
type Retrieval struct {
	State    State     `json:"state" enum:"NONE,QUEUED,RUNNING,DONE,FAILED"`
	Progress int       `json:"progress" minimum:"0" maximum:"100" doc:"Percent"`
	Until    value.Day `json:"until,omitzero" doc:"Last day with measurements that was fetched; absent when there were none"`
	Code     string    `json:"code,omitempty" doc:"FAILED: why; also the id of the translated text"`
}

// Requested is the answer to who asks for a retrieval: the one that begins, or that is under way.
type Requested struct {
	Retrieval
	Requested time.Time `json:"requested"`
}

// job is a retrieval as it is stored. Its plan is made when it is asked for: steps of a few months of one connection each.
type job struct {
	RelationID string `bun:",pk"`
	Agreement  string `bun:",pk"`
	Number     int    `bun:",pk"` // counts an agreement's retrievals
	State      State
	EANCodes   []string `bun:"ean_codes,type:text"` // JSON
	FromDay    value.Day
	UntilDay   value.Day // exclusive
	Done       int       // steps
	Tries      int       // of the step that is next
	Reach      value.Day `bun:"reach_day"` // last day with measurements that was fetched
	Code       string
	Subject    string    // the account that asked
	Requested  time.Time `bun:"requested_at"`
	Touched    time.Time `bun:"touched_at"` // when a step was done or tried last
	Finished   time.Time `bun:"finished_at,nullzero"`
}

// newJob plans the retrieval of an agreement's connections over a span, after the last one. Without a day to fetch it is done.
func newJob(last *job, relation, agreement string, connections []Connection, s span, now time.Time) job {
	j := job{RelationID: relation, Agreement: agreement, Number: 1, State: Queued, FromDay: s.from, UntilDay: s.end(), Requested: now, Touched: now}
	if last != nil {
		j.Number = last.Number + 1
	}
	for _, c := range connections {
		j.EANCodes = append(j.EANCodes, c.EANCode)
	}
	if j.steps() == 0 {
		j.State, j.Finished = Done, now
	}
	return j
}

// chunks is how many steps one connection takes.
func (j *job) chunks() (n int) {
	for from := j.FromDay; from.Before(j.UntilDay); from = j.FromDay.AddMonths(n * chunkMonths) {
		n++
	}
	return n
}

// steps is how many there are in all.
func (j *job) steps() int { return j.chunks() * len(j.EANCodes) }

// step is what the n-th fetches.
func (j *job) step(n int) (ean string, s span) {
	chunks := j.chunks()
	ean, n = j.EANCodes[n/chunks], n%chunks
	s = span{from: j.FromDay.AddMonths(n * chunkMonths), until: j.FromDay.AddMonths((n + 1) * chunkMonths)}
	return ean, s.within(span{from: s.from, until: j.UntilDay})
}

// advance writes down that a step was done, with the last day that it brought.
func (j *job) advance(reach value.Day, now time.Time) {
	j.Done, j.Tries, j.State, j.Touched = j.Done+1, 0, Running, now
	if reach.After(j.Reach) {
		j.Reach = reach
	}
	if j.Done >= j.steps() {
		j.State, j.Finished = Done, now
	}
}

// fail writes down that a step was not done. It reports when it may be tried again; not at all when code says that it never will,
// or after the last try.
func (j *job) fail(code string, again bool, now time.Time) (due time.Time, retry bool) {
	j.Tries, j.Touched = j.Tries+1, now
	if again && j.Tries < sourceTries {
		return now.Add(sourceBackOff << (j.Tries - 1)), true
	}
	j.State, j.Code, j.Finished = Failed, code, now
	return time.Time{}, false
}

// shown is the job as the customer sees it.
func (j *job) shown() Retrieval {
	r := Retrieval{State: j.State, Until: j.Reach, Code: j.Code}
	if j.State == Done {
		r.Progress = 100
	} else if steps := j.steps(); steps > 0 {
		r.Progress = 100 * j.Done / steps
	}
	return r
}

// active reports whether the job has not come to its end.
func (j *job) active() bool { return j.State == Queued || j.State == Running }

// staleAfter is how long a retrieval may show nothing before asking again sets it going anew: its event may be a dead letter.
const staleAfter = time.Hour

// stale reports whether it is active and nothing was heard of it for long.
func (j *job) stale(now time.Time) bool { return j.active() && now.Sub(j.Touched) > staleAfter }
