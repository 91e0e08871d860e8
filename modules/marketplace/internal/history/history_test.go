package history

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// A sale that was undone shows its reason if it is known; any other entry shows its kind.
func TestTextOfAnEntry(t *testing.T) {
	t.Run("9-money-back-agree", func(t *testing.T) {
		for _, c := range []struct {
			Entry
			nl, en string
		}{
			{Entry{Kind: ledger.Returned}, "Koper ziet van de koop af", "Buyer withdrew"},
			{Entry{Kind: ledger.Returned, Reason: payment.NoteChargedBack}, "Betaling van de koper teruggeboekt", "Buyer's payment was reversed"},
			{Entry{Kind: ledger.Returned, Reason: payment.NoteOutside}, "Betaling aan de koper teruggegeven", "Buyer's payment was refunded"},
			{Entry{Kind: ledger.Returned, Reason: payment.NoteStaff}, "Verkoop geannuleerd", "Sale cancelled"},
			{Entry{Kind: ledger.Returned, Reason: "OTHER"}, "Verkoop ongedaan gemaakt", "Sale undone"},
			{Entry{Kind: ledger.Retracted, Reason: payment.NoteStaff}, "Uit de verkoop gehaald", "Taken off offer"},
			{Entry{Kind: ledger.Sold}, "Verkocht en betaald", "Sold and paid"},
			{Entry{Kind: "OTHER", Reason: "OTHER"}, "OTHER", "OTHER"},
		} {
			assert.Equal(t, c.nl, c.Text("nl"), "%+v", c.Entry)
			assert.Equal(t, c.en, c.Text("en"), "%+v", c.Entry)
			assert.Equal(t, c.nl, c.Text("fy"), "any other language is Dutch")
		}
	})
}

func TestEntriesAfter(t *testing.T) {
	rows := []ledger.Entry{ // newest first
		{Sequence: 3, Kind: ledger.Reserved, Balance: ledger.Balance{Offered: -2, Reserved: 2}},
		{Sequence: 2, Kind: ledger.Offered, Balance: ledger.Balance{Offered: 5}},
		{Sequence: 1, Kind: ledger.Issued, Balance: ledger.Balance{Share: 20}},
	}
	var after []ledger.Balance
	for i, e := range entriesAfter(rows, ledger.Balance{Share: 20, Offered: 3, Reserved: 2}) {
		assert.Equal(t, rows[i].Balance, e.Change)
		after = append(after, e.After)
	}
	assert.Equal(t, []ledger.Balance{{Share: 20, Offered: 3, Reserved: 2}, {Share: 20, Offered: 5}, {Share: 20}}, after)
	assert.Empty(t, entriesAfter(nil, ledger.Balance{}))
}

func TestTextsOfEntries(t *testing.T) {
	for kind, both := range entryTexts {
		assert.NotEqual(t, both[0], both[1])
		assert.Equal(t, both[1], kindText(kind, "en"))
		assert.Equal(t, both[0], kindText(kind, "nl"))
	}
	assert.Equal(t, "SOMETHING", kindText(ledger.Kind("SOMETHING"), "nl"))
	assert.Len(t, entryTexts, 15, "each kind of the ledger")
}
