package history

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
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

// Limits of the steps of a retrieval.
const (
	chunkMonths       = 3 // months of one connection per step
	MaxSourceAttempts = 4 // attempts per step until the retrieval fails
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

// Job is a stored retrieval. Its steps are planned when it is requested: each step fetches a few months of one connection.
type Job struct {
	RelationID string `bun:",pk"`
	Agreement  string `bun:",pk"`
	Number     int    `bun:",pk"` // sequence number per agreement
	State      State
	EANCodes   []string `bun:"ean_codes,type:text"` // JSON
	FromDay    value.Day
	UntilDay   value.Day // exclusive
	Done       int       // number of steps
	Tries      int       // attempts of the next step
	Reach      value.Day `bun:"reach_day"` // last fetched day with measurements
	Code       string
	Subject    string    // the account that requested it
	Requested  time.Time `bun:"requested_at"`
	Touched    time.Time `bun:"touched_at"` // time of the last step or attempt
	Finished   time.Time `bun:"finished_at,nullzero"`
}

// NewJob plans a retrieval of connections over a span; last is the previous retrieval or nil. A retrieval without days is done immediately.
func NewJob(last *Job, relation, agreement string, connections []meter.Connection, s meter.Span, now time.Time) Job {
	j := Job{RelationID: relation, Agreement: agreement, Number: 1, State: Queued, FromDay: s.From, UntilDay: s.End(), Requested: now,
		Touched: now}
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
func (j *Job) chunkCount() (n int) {
	for from := j.FromDay; from.Before(j.UntilDay); from = j.FromDay.AddMonths(n * chunkMonths) {
		n++
	}
	return n
}

// stepCount returns the number of steps of the job.
func (j *Job) stepCount() int { return j.chunkCount() * len(j.EANCodes) }

// Step returns the connection and the span of the n-th step.
func (j *Job) Step(n int) (ean string, s meter.Span) {
	chunks := j.chunkCount()
	ean, n = j.EANCodes[n/chunks], n%chunks
	s = meter.Span{From: j.FromDay.AddMonths(n * chunkMonths), Until: j.FromDay.AddMonths((n + 1) * chunkMonths)}
	return ean, s.Within(meter.Span{From: s.From, Until: j.UntilDay})
}

// Advance records a successful step; reach is its last day with measurements.
func (j *Job) Advance(reach value.Day, now time.Time) {
	j.Done, j.Tries, j.State, j.Touched = j.Done+1, 0, Running, now
	if reach.After(j.Reach) {
		j.Reach = reach
	}
	if j.Done >= j.stepCount() {
		j.State, j.Finished = Done, now
	}
}

// Fail records a failed step and returns the time of the next attempt. If the error is permanent or no attempts are left, retry is false
// and the job has failed.
func (j *Job) Fail(code string, retryable bool, now time.Time) (due time.Time, retry bool) {
	j.Tries, j.Touched = j.Tries+1, now
	if retryable && j.Tries < MaxSourceAttempts {
		return now.Add(sourceBackoff << (j.Tries - 1)), true
	}
	j.State, j.Code, j.Finished = Failed, code, now
	return time.Time{}, false
}

// Retrieval returns the state of the job for the customer.
func (j *Job) Retrieval() Retrieval {
	r := Retrieval{State: j.State, Until: j.Reach, Code: j.Code}
	if j.State == Done {
		r.Progress = 100
	} else if steps := j.stepCount(); steps > 0 {
		r.Progress = 100 * j.Done / steps
	}
	return r
}

// Active reports whether the job is queued or running.
func (j *Job) Active() bool { return j.State == Queued || j.State == Running }

// staleAfter is the time without progress after which a new request restarts the job, because its event may be a dead letter.
const staleAfter = time.Hour

// Stale reports whether the job is active but has made no progress for staleAfter.
func (j *Job) Stale(now time.Time) bool { return j.Active() && now.Sub(j.Touched) > staleAfter }
