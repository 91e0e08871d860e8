package ledger

import (
	"fmt"
	"strings"
)

// Finding is an inconsistency that the audit found.
type Finding struct {
	What  string `json:"what" doc:"chain, balance, participation, offer, move, project or payment"`
	ID    string `json:"id" doc:"Id of the participation, offer, project or order"`
	Where int64  `json:"sequence,omitempty" doc:"Sequence of the entry, for a broken chain"`
	Text  string `json:"text" doc:"What is wrong, in a sentence for operators"`
}

// String returns the finding as a line for an operator.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", f.What, f.ID)
	if f.Where > 0 {
		fmt.Fprintf(&b, " entry %d", f.Where)
	}
	return b.String() + ": " + f.Text
}

// Report is the result of an audit of a label's ledger.
type Report struct {
	Participations int       `json:"participations" doc:"Number of participations that were checked"`
	Entries        int       `json:"entries" doc:"Number of entries that were checked"`
	Offers         int       `json:"offers" doc:"Number of offers that were checked"`
	Shares         int64     `json:"shares" doc:"All shares in the ledger"`
	Findings       []Finding `json:"findings" nullable:"false" doc:"What does not agree"`
	More           int       `json:"more,omitempty" doc:"Number of findings that are left out"`
}

// MaxFindings is the maximum number of findings that a report lists.
const MaxFindings = 200

// Find adds a finding about id. Findings above MaxFindings are only counted.
func (r *Report) Find(what, id, format string, args ...any) { r.findAt(what, id, 0, format, args...) }

func (r *Report) findAt(what, id string, sequence int64, format string, args ...any) {
	if len(r.Findings) >= MaxFindings {
		r.More++
		return
	}
	r.Findings = append(r.Findings, Finding{what, id, sequence, fmt.Sprintf(format, args...)})
}

// chain is the state of checking the entries of one participation.
type chain struct {
	participation string
	sequence      int64
	hash          string
	Balance
	broken bool
}

// step checks the next entry and reports it if it does not follow from the previous ones.
func (c *chain) step(r *Report, e Entry) {
	c.sequence++
	c.Balance = c.Plus(e.Balance)
	switch {
	case c.broken: // nothing can be checked after the first break
	case e.Sequence != c.sequence:
		c.broken = true
		r.findAt("chain", c.participation, e.Sequence, "entry %d is missing", c.sequence)
	case e.PreviousHash != c.hash:
		c.broken = true
		r.findAt("chain", c.participation, e.Sequence, "does not follow the entry before it")
	case e.seal() != e.Hash:
		c.broken = true
		r.findAt("chain", c.participation, e.Sequence, "has been changed")
	case !c.Possible():
		r.findAt("balance", c.participation, e.Sequence, "leaves an impossible balance: %+v", c.Balance)
	}
	c.hash = e.Hash
}

// end compares the sum of the entries with the stored balance.
func (c *chain) end(r *Report, p Participation) {
	switch {
	case c.broken:
	case p.Sequence != c.sequence || p.Hash != c.hash:
		r.Find("chain", p.ID, "its newest entry is %d, and %d are there", p.Sequence, c.sequence)
	case p.Balance != c.Balance:
		r.Find("balance", p.ID, "is kept as %+v, its entries come to %+v", p.Balance, c.Balance)
	}
}
