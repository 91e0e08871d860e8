package ledger

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/value"
)

// The hash covers every field of an entry and is the same wherever it is computed.
func TestSeal(t *testing.T) {
	at := time.Date(2026, 11, 20, 11, 0, 0, 123456789, time.FixedZone("Amsterdam", 3600))
	e := Entry{LabelKey: "acme", ParticipationID: "p", Sequence: 3, Kind: Sold, Balance: Balance{Reserved: -2, Held: 2}, Ref: "order",
		Counter: "", Reason: "é<&>",
		Actor: "staff", Subject: "account", Role: "staff", Effective: value.Day{Year: 2026, Month: 11, Day: 20}, At: at, PreviousHash: "abc"}
	assert.Equal(t, "326a27cccf4a47ef", e.seal()[:16], "the canonical form has changed: no chain that is stored holds any more")
	same := e
	same.At = at.UTC().Truncate(time.Microsecond)
	assert.Equal(t, e.seal(), same.seal(), "as a database gives it back")
	for name, change := range map[string]func(*Entry){
		"label": func(e *Entry) { e.LabelKey = "other" }, "participation": func(e *Entry) { e.ParticipationID = "q" },
		"sequence": func(e *Entry) { e.Sequence++ },
		"kind":     func(e *Entry) { e.Kind = Reserved }, "share": func(e *Entry) { e.Share++ }, "offered": func(e *Entry) { e.Offered++ },
		"reserved": func(e *Entry) { e.Reserved++ }, "held": func(e *Entry) { e.Held++ }, "moving": func(e *Entry) { e.Moving++ },
		"ref": func(e *Entry) { e.Ref = "" }, "counter": func(e *Entry) { e.Counter = "x" }, "reason": func(e *Entry) { e.Reason = "" },
		"actor": func(e *Entry) { e.Actor = "" }, "subject": func(e *Entry) { e.Subject = "" }, "role": func(e *Entry) { e.Role = "" },
		"effective": func(e *Entry) { e.Effective = e.Effective.AddDays(1) }, "at": func(e *Entry) { e.At = e.At.Add(time.Microsecond) },
		"previous": func(e *Entry) { e.PreviousHash = "abd" },
	} {
		changed := e
		change(&changed)
		assert.NotEqual(t, e.seal(), changed.seal(), name)
	}
}
