package ledger

import (
	"fmt"
	"strings"
)

// Finding is something that the audit of the ledger found wrong.
type Finding struct {
	What  string `json:"what" doc:"chain, balance, offer, move, project or payment"`
	ID    string `json:"id" doc:"Of the participation, offer, project or order"`
	Where int64  `json:"sequence,omitempty" doc:"Of the entry, for a broken chain"`
	Text  string `json:"text"`
}

// String is a line for an operator.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", f.What, f.ID)
	if f.Where > 0 {
		fmt.Fprintf(&b, " entry %d", f.Where)
	}
	return b.String() + ": " + f.Text
}

// Report is what an audit of a label's ledger has looked at and found.
type Report struct {
	Participations int       `json:"participations"`
	Entries        int       `json:"entries"`
	Offers         int       `json:"offers"`
	Shares         int64     `json:"shares" doc:"All that the ledger knows of"`
	Findings       []Finding `json:"findings" nullable:"false"`
	More           int       `json:"more,omitempty" doc:"Findings that are left out"`
}

// MaxFindings bounds a report: a broken ledger breaks everywhere.
const MaxFindings = 200

// Find adds a finding on id; those above the bound are counted only.
func (r *Report) Find(what, id, format string, args ...any) { r.findAt(what, id, 0, format, args...) }

func (r *Report) findAt(what, id string, sequence int64, format string, args ...any) {
	if len(r.Findings) >= MaxFindings {
		r.More++
		return
	}
	r.Findings = append(r.Findings, Finding{what, id, sequence, fmt.Sprintf(format, args...)})
}

// chain walks along the entries of one participation.
type chain struct {
	participation string
	sequence      int64
	hash          string
	Balance
	broken bool
}

// step takes the next entry; it reports an entry that does not follow from those before it.
func (c *chain) step(r *Report, e Entry) {
	c.sequence++
	c.Balance = c.Plus(e.Balance)
	switch {
	case c.broken: // everything after the first break hangs on nothing
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

// end compares what the entries come to with what is kept beside them.
func (c *chain) end(r *Report, p Participation) {
	switch {
	case c.broken:
	case p.Sequence != c.sequence || p.Hash != c.hash:
		r.Find("chain", p.ID, "its newest entry is %d, and %d are there", p.Sequence, c.sequence)
	case p.Balance != c.Balance:
		r.Find("balance", p.ID, "is kept as %+v, its entries come to %+v", p.Balance, c.Balance)
	}
}
