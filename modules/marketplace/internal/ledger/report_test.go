package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFindingForAnOperator(t *testing.T) {
	assert.Equal(t, "chain P-1 entry 1: has been changed", Finding{"chain", "P-1", 1, "has been changed"}.String())
	assert.Equal(t, "offer A: is odd", Finding{"offer", "A", 0, "is odd"}.String())
}

// The report of a ledger that is broken everywhere stays readable and states how many findings it omits.
func TestReportIsBounded(t *testing.T) {
	var r Report
	for range MaxFindings {
		r.Find("balance", "P", "%d is wrong", 7)
	}
	assert.Len(t, r.Findings, 200)
	assert.Equal(t, 0, r.More)
	assert.Equal(t, Finding{What: "balance", ID: "P", Text: "7 is wrong"}, r.Findings[199])
	r.Find("balance", "P", "is wrong")
	r.Find("balance", "P", "is wrong")
	assert.Len(t, r.Findings, 200)
	assert.Equal(t, 2, r.More)
}

// testChain returns entries as post writes them.
func testChain() (rows []Entry, whole Participation) {
	whole.ID = "P"
	for i, b := range []Balance{{Share: 20}, {Offered: 5}, {Offered: -2, Reserved: 2}} {
		e := Entry{ParticipationID: "P", Sequence: int64(i + 1), Balance: b, PreviousHash: whole.Hash}
		e.Hash = e.seal()
		whole.Sequence, whole.Hash, whole.Balance = e.Sequence, e.Hash, whole.Balance.Plus(b)
		rows = append(rows, e)
	}
	return rows, whole
}

func TestChain(t *testing.T) {
	for name, c := range map[string]struct {
		change func(rows []Entry, p *Participation) []Entry
		want   []string
	}{
		"as it was written": {func(rows []Entry, _ *Participation) []Entry { return rows }, nil},
		"without entries":   {func(_ []Entry, p *Participation) []Entry { *p = Participation{ID: "P"}; return nil }, nil},
		"the newest is gone": {func(rows []Entry, _ *Participation) []Entry { return rows[:2] },
			[]string{"chain P: its newest entry is 3, and 2 are there"}},
		"the newest is of another": {func(rows []Entry, p *Participation) []Entry { p.Hash = "other"; return rows },
			[]string{"chain P: its newest entry is 3, and 3 are there"}},
		"the number of the newest": {func(rows []Entry, p *Participation) []Entry { p.Sequence = 9; return rows },
			[]string{"chain P: its newest entry is 9, and 3 are there"}},
		"one is gone, named once": {func(rows []Entry, _ *Participation) []Entry { return []Entry{rows[0], rows[2]} },
			[]string{"chain P entry 3: entry 2 is missing"}},
		"one was changed, named once": {func(rows []Entry, _ *Participation) []Entry { rows[1].Offered = 6; return rows },
			[]string{"chain P entry 2: has been changed"}},
		"one was replaced": {func(rows []Entry, _ *Participation) []Entry {
			rows[1].Offered = 6
			rows[1].Hash = rows[1].seal()
			return rows
		}, []string{"chain P entry 3: does not follow the entry before it"}},
		"what is kept beside them": {func(rows []Entry, p *Participation) []Entry { p.Share++; return rows },
			[]string{"balance P: is kept as {Share:21 Offered:3 Reserved:2 Held:0 Moving:0}, its entries come to {Share:20 Offered:3 Reserved:2 Held:0 Moving:0}"}},
		"more is offered than there is": {func(rows []Entry, p *Participation) []Entry {
			rows = rows[:1]
			e := Entry{ParticipationID: "P", Sequence: 2, Balance: Balance{Offered: 21}, PreviousHash: rows[0].Hash}
			e.Hash = e.seal()
			p.Sequence, p.Hash, p.Balance = 2, e.Hash, Balance{Share: 20, Offered: 21}
			return append(rows, e)
		}, []string{"balance P entry 2: leaves an impossible balance: {Share:20 Offered:21 Reserved:0 Held:0 Moving:0}"}},
	} {
		rows, p := testChain()
		rows = c.change(rows, &p)
		var r Report
		at := chain{participation: "P"}
		for _, e := range rows {
			at.step(&r, e)
		}
		at.end(&r, p)
		var got []string
		for _, f := range r.Findings {
			got = append(got, f.String())
		}
		assert.Equal(t, c.want, got, name)
	}
}
