// Package ledger accounts for every share of the marketplace. It owns the tables marketplace_participations and
// marketplace_entries: nothing else writes them. A participation's balance changes through the operations of movement.go only, each
// of which writes an entry of the chain and the new balance together, or neither.
package ledger

// Balance says where the shares of a participation are; in an entry it is what the entry adds to each number. Share is all of them,
// the others are parts of it that do not overlap.
type Balance struct {
	Share    int64 `json:"share"`
	Offered  int64 `json:"offered"`  // in offers of its own
	Reserved int64 `json:"reserved"` // in unpaid orders of others
	Held     int64 `json:"held"`     // paid, waiting for the transfer date
	Moving   int64 `json:"moving"`   // in a move of shares to come
}

// Free is what a new offer or move can take.
func (b Balance) Free() int64 { return b.Share - b.Offered - b.Reserved - b.Held - b.Moving }

// OfferedShare is what participations show as offered: until the shares are transferred they are (3-participation-available).
func (b Balance) OfferedShare() int64 { return b.Offered + b.Reserved + b.Held }

// Available is what participations show as available: all that is not offered (3-participation-available).
func (b Balance) Available() int64 { return b.Share - b.OfferedShare() }

// Plus adds what an entry adds.
func (b Balance) Plus(d Balance) Balance {
	return Balance{b.Share + d.Share, b.Offered + d.Offered, b.Reserved + d.Reserved, b.Held + d.Held, b.Moving + d.Moving}
}

// Minus takes away what an entry added.
func (b Balance) Minus(d Balance) Balance {
	return Balance{b.Share - d.Share, b.Offered - d.Offered, b.Reserved - d.Reserved, b.Held - d.Held, b.Moving - d.Moving}
}

// Possible reports whether no number is below zero and the parts are no more than the whole.
func (b Balance) Possible() bool {
	return b.Offered >= 0 && b.Reserved >= 0 && b.Held >= 0 && b.Moving >= 0 && b.Free() >= 0
}
