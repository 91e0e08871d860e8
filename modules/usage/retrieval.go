package usage

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// State is the state of a retrieval.
type State string

// States of a retrieval. None means that none was requested.
const (
	None    State = "NONE"
	Queued  State = "QUEUED"
	Running State = "RUNNING"
	Done    State = "DONE"
	Failed  State = "FAILED"
)

const (
	chunkMonths       = 3 // months of one connection per step
	maxSourceAttempts = 4 // attempts per step until the retrieval fails
	sourceBackoff     = time.Minute
)

// Retrieval is the state of a retrieval of an agreement's historical meter data, for the customer.
type Retrieval struct {
	State    State     `json:"state" enum:"NONE,QUEUED,RUNNING,DONE,FAILED" doc:"State of the retrieval; NONE: none was requested"`
	Progress int       `json:"progress" minimum:"0" maximum:"100" doc:"Progress in percent"`
	Until    value.Day `json:"until,omitzero" doc:"Last fetched day with measurements; absent: none"`
	Code     string    `json:"code,omitempty" doc:"Problem code of a failed retrieval, also the id of its text"`
}

// Requested is the retrieval that was started or is running.
type Requested struct {
	Retrieval
	Requested time.Time `json:"requested" doc:"Time of the request"`
}

// job is a stored retrieval. It is planned when it is requested: each step fetches a few months of one connection.
type job struct {
	RelationID string `bun:",pk"`
	Agreement  string `bun:",pk"`
	Number     int    `bun:",pk"` // sequence number per agreement
	State      State
	EANCodes   []string `bun:"ean_codes,type:text"` // JSON
	FromDay    value.Day
	UntilDay   value.Day // exclusive
	Done       int       // formatAmount of steps
	Tries      int       // attempts of the next step
	Reach      value.Day `bun:"reach_day"` // last fetched day with measurements
	Code       string
	Subject    string    // the account that requested it
	Requested  time.Time `bun:"requested_at"`
	Touched    time.Time `bun:"touched_at"` // time of the last step or attempt
	Finished   time.Time `bun:"finished_at,nullzero"`
}

// newJob plans a retrieval of connections over a span; last is the previous retrieval or nil. A retrieval without days is done at once.
func newJob(last *job, relation, agreement string, connections []Connection, s span, now time.Time) job {
	j := job{RelationID: relation, Agreement: agreement, Number: 1, State: Queued, FromDay: s.from, UntilDay: s.end(), Requested: now, Touched: now}
	if last != nil {
		j.Number = last.Number + 1
	}
	for _, c := range connections {
		j.EANCodes = append(j.EANCodes, c.EANCode)
	}
	if j.stepCount() == 0 {
		j.State, j.Finished = Done, now
	}
	return j
}

// chunkCount returns the number of steps per connection.
func (j *job) chunkCount() (n int) {
	for from := j.FromDay; from.Before(j.UntilDay); from = j.FromDay.AddMonths(n * chunkMonths) {
		n++
	}
	return n
}

// stepCount returns the number of steps of the job.
func (j *job) stepCount() int { return j.chunkCount() * len(j.EANCodes) }

// step returns the connection and the span of the n-th step.
func (j *job) step(n int) (ean string, s span) {
	chunks := j.chunkCount()
	ean, n = j.EANCodes[n/chunks], n%chunks
	s = span{from: j.FromDay.AddMonths(n * chunkMonths), until: j.FromDay.AddMonths((n + 1) * chunkMonths)}
	return ean, s.within(span{from: s.from, until: j.UntilDay})
}

// advance records a successful step; reach is its last day with measurements.
func (j *job) advance(reach value.Day, now time.Time) {
	j.Done, j.Tries, j.State, j.Touched = j.Done+1, 0, Running, now
	if reach.After(j.Reach) {
		j.Reach = reach
	}
	if j.Done >= j.stepCount() {
		j.State, j.Finished = Done, now
	}
}

// fail records a failed step and returns the time of the next attempt. retry is false if the error is permanent or no attempts are left;
// then the job has failed.
func (j *job) fail(code string, retryable bool, now time.Time) (due time.Time, retry bool) {
	j.Tries, j.Touched = j.Tries+1, now
	if retryable && j.Tries < maxSourceAttempts {
		return now.Add(sourceBackoff << (j.Tries - 1)), true
	}
	j.State, j.Code, j.Finished = Failed, code, now
	return time.Time{}, false
}

// retrieval returns the state of the job for the customer.
func (j *job) retrieval() Retrieval {
	r := Retrieval{State: j.State, Until: j.Reach, Code: j.Code}
	if j.State == Done {
		r.Progress = 100
	} else if steps := j.stepCount(); steps > 0 {
		r.Progress = 100 * j.Done / steps
	}
	return r
}

// active reports whether the job is queued or running.
func (j *job) active() bool { return j.State == Queued || j.State == Running }

// staleAfter is the time without progress after which a new request restarts the job: its event may be a dead letter.
const staleAfter = time.Hour

// stale reports whether the job is active but has made no progress for staleAfter.
func (j *job) stale(now time.Time) bool { return j.active() && now.Sub(j.Touched) > staleAfter }
