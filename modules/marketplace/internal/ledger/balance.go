// Package ledger accounts for every share of the marketplace. It owns the tables marketplace_participations and marketplace_entries; no
// other package writes them. Only the functions of movement.go change the balance of a participation. Each writes the entries of the chain
// and the new balances together, or nothing.
package ledger

// Balance holds the numbers of shares of a participation; in an entry, it holds the changes of these numbers. Share is the total; the
// other numbers are parts of it that do not overlap.
type Balance struct {
	Share    int64 `json:"share" doc:"All shares of the participation"`
	Offered  int64 `json:"offered" doc:"Shares in the participation's own offers"`
	Reserved int64 `json:"reserved" doc:"Shares in unpaid orders of other members"`
	Held     int64 `json:"held" doc:"Shares that are paid and wait for their transfer date"`
	Moving   int64 `json:"moving" doc:"Shares in a planned move"`
}

// Free returns how many shares a new offer or move can take.
func (b Balance) Free() int64 { return b.Share - b.Offered - b.Reserved - b.Held - b.Moving }

// OfferedShare returns the number that participations show as offered, until the shares are transferred (3-participation-available).
func (b Balance) OfferedShare() int64 { return b.Offered + b.Reserved + b.Held }

// Available returns the number that participations show as available: all shares that are not offered (3-participation-available).
func (b Balance) Available() int64 { return b.Share - b.OfferedShare() }

// Plus returns the balance after an entry.
func (b Balance) Plus(d Balance) Balance {
	return Balance{b.Share + d.Share, b.Offered + d.Offered, b.Reserved + d.Reserved, b.Held + d.Held, b.Moving + d.Moving}
}

// Minus returns the balance before an entry.
func (b Balance) Minus(d Balance) Balance {
	return Balance{b.Share - d.Share, b.Offered - d.Offered, b.Reserved - d.Reserved, b.Held - d.Held, b.Moving - d.Moving}
}

// Possible reports whether no number is negative and the parts do not exceed the total.
func (b Balance) Possible() bool {
	return b.Offered >= 0 && b.Reserved >= 0 && b.Held >= 0 && b.Moving >= 0 && b.Free() >= 0
}
