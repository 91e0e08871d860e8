package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// Kind is why shares moved.
type Kind string

// Kinds of entry, with what they add. Only Issued and Corrected create or remove shares.
const (
	Issued         Kind = "ISSUED"          // +share: the first known shares of a participation
	Corrected      Kind = "CORRECTED"       // ±share: a later statement of the back office
	Offered        Kind = "OFFERED"         // +offered
	Retracted      Kind = "RETRACTED"       // -offered: by the owner, or the offer was rejected
	Reserved       Kind = "RESERVED"        // -offered +reserved: ordered
	Released       Kind = "RELEASED"        // -reserved +offered: the order was cancelled
	Expired        Kind = "EXPIRED"         // -reserved +offered: the order was not paid in time
	Sold           Kind = "SOLD"            // -reserved +held: paid
	Returned       Kind = "RETURNED"        // -held (+offered): the buyer withdrew
	TransferredOut Kind = "TRANSFERRED_OUT" // -share -held, or -share -offered
	TransferredIn  Kind = "TRANSFERRED_IN"  // +share
	MovePlanned    Kind = "MOVE_PLANNED"    // +moving
	MoveCancelled  Kind = "MOVE_CANCELLED"  // -moving
	MovedOut       Kind = "MOVED_OUT"       // -share (-moving)
	MovedIn        Kind = "MOVED_IN"        // +share
)

// Entry is what was added to the balance of a participation, who did it, why and when. It is never changed.
type Entry struct {
	LabelKey        string `bun:",pk"`
	ParticipationID string `bun:",pk"`
	Sequence        int64  `bun:",pk"` // 1 is the first of the participation
	Kind            Kind
	Balance         `bun:",embed"` // what it adds
	Ref             string         // id of the offer, order, move or import
	Counter         string         // the participation at the other end
	Reason          string         // a code, or what staff wrote
	Actor           string
	Subject         string
	Role            string
	Effective       value.Day
	At              time.Time
	PreviousHash    string
	Hash            string
}

// posting is an entry to be written: what it adds to the balance of a participation, and why.
type posting struct {
	Participation string
	Kind          Kind
	Balance                    // what it adds
	Ref           string       // see Entry
	Counter       string       // see Entry
	Reason        string       // see Entry
	Effective     value.Day    // zero: the day of the entry
	By            module.Scope // who did it; without a label: the scope of ctx
}

// sealed is an entry in the canonical form that is hashed, as JSON. Times are cut to microseconds, which both engines store.
type sealed struct {
	Label         string    `json:"label"`
	Participation string    `json:"participation"`
	Sequence      int64     `json:"sequence"`
	Kind          Kind      `json:"kind"`
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

// seal returns the hash of an entry: that of its canonical form, which has the hash of the entry before it.
func (e Entry) seal() string {
	data, err := json.Marshal(sealed{Label: e.LabelKey, Participation: e.ParticipationID, Sequence: e.Sequence, Kind: e.Kind,
		Balance: e.Balance, Ref: e.Ref,
		Counter: e.Counter, Reason: e.Reason, Actor: e.Actor, Subject: e.Subject, Role: e.Role, Effective: e.Effective,
		At: e.At.UTC().Truncate(time.Microsecond).Format("2006-01-02T15:04:05.000000Z"), Previous: e.PreviousHash})
	if err != nil {
		panic(fmt.Sprintf("marketplace: an entry has no canonical form: %v", err)) // strings and numbers always encode
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
