package marketplace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// Balance is where the shares of a participation are; in an entry of the ledger it is what the entry adds to each. Share is all of
// them, the others are parts of it that do not overlap.
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

// available is what participations show as available: all that is not offered (3-participation-available).
func (b Balance) available() int64 { return b.Share - b.OfferedShare() }

// Plus adds what an entry adds.
func (b Balance) Plus(d Balance) Balance {
	return Balance{b.Share + d.Share, b.Offered + d.Offered, b.Reserved + d.Reserved, b.Held + d.Held, b.Moving + d.Moving}
}

// Possible reports whether no number is below zero and the parts are no more than the whole.
func (b Balance) Possible() bool {
	return b.Offered >= 0 && b.Reserved >= 0 && b.Held >= 0 && b.Moving >= 0 && b.Free() >= 0
}

// entryKind says why shares went where.
type entryKind string

// Kinds of entry, with what they add. Only ISSUED and CORRECTED make shares or take them away.
const (
	entryIssued         entryKind = "ISSUED"          // +share: the first that is known of it
	entryCorrected      entryKind = "CORRECTED"       // ±share: the back office knows better
	entryOffered        entryKind = "OFFERED"         // +offered
	entryRetracted      entryKind = "RETRACTED"       // -offered: by the owner, or the offer was rejected
	entryReserved       entryKind = "RESERVED"        // -offered +reserved: ordered
	entryReleased       entryKind = "RELEASED"        // -reserved +offered: the order was cancelled
	entryExpired        entryKind = "EXPIRED"         // -reserved +offered: the order was not paid in time
	entrySold           entryKind = "SOLD"            // -reserved +held: paid
	entryReturned       entryKind = "RETURNED"        // -held (+offered): the buyer withdrew
	entryTransferredOut entryKind = "TRANSFERRED_OUT" // -share -held
	entryTransferredIn  entryKind = "TRANSFERRED_IN"  // +share
	entryMovePlanned    entryKind = "MOVE_PLANNED"    // +moving
	entryMoveCancelled  entryKind = "MOVE_CANCELLED"  // -moving
	entryMovedOut       entryKind = "MOVED_OUT"       // -share (-moving)
	entryMovedIn        entryKind = "MOVED_IN"        // +share
)

// posting is an entry to be made: what it adds to the balance of a participation, and why. When is post's to know.
type posting struct {
	Participation string
	Kind          entryKind
	Balance                    // what it adds
	Ref           string       // the offer, order or move that it is about
	Counter       string       // the participation on the other side
	Reason        string       // a code, or what staff wrote
	Effective     value.Day    // zero: the day of At
	By            module.Scope // who did it; without a label: whoever ctx is for. Orders of several buyers are posted at once
}

// sealed is an entry as it is hashed: its JSON is the canonical form. Times have no more than microseconds, which both engines keep.
type sealed struct {
	Label         string    `json:"label"`
	Participation string    `json:"participation"`
	Sequence      int64     `json:"sequence"`
	Kind          entryKind `json:"kind"`
	Balance                 // inlined
	Ref           string    `json:"ref"`
	Counter       string    `json:"counter"`
	Reason        string    `json:"reason"`
	Actor         string    `json:"actor"`
	Subject       string    `json:"subject"`
	Role          string    `json:"role"`
	Effective     value.Day `json:"effective"`
	At            string    `json:"at"`
	Previous      string    `json:"previous"`
}

// cut is a time as both engines keep it.
func cut(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// seal is the hash of an entry: of its canonical form, which holds the hash of the entry before it.
func seal(e sealed, at time.Time) string {
	e.At = cut(at).Format("2006-01-02T15:04:05.000000Z")
	data, err := json.Marshal(e)
	if err != nil {
		panic(fmt.Sprintf("marketplace: an entry has no canonical form: %v", err)) // it is made of texts and numbers
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
