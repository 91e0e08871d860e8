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

// Kind is the kind of an entry: the reason why shares moved.
type Kind string

// Entry kinds and the numbers that they change. Only Issued and Corrected create or remove shares.
const (
	Issued         Kind = "ISSUED"          // +share: the first known shares of a participation
	Corrected      Kind = "CORRECTED"       // ±share: a later import by the back office
	Offered        Kind = "OFFERED"         // +offered
	Retracted      Kind = "RETRACTED"       // -offered: retracted by the owner, or the offer was rejected
	Reserved       Kind = "RESERVED"        // -offered +reserved: ordered
	Released       Kind = "RELEASED"        // -reserved +offered: the order was cancelled
	Expired        Kind = "EXPIRED"         // -reserved +offered: the order was not paid in time
	Sold           Kind = "SOLD"            // -reserved +held: paid
	Returned       Kind = "RETURNED"        // -held (+offered): the sale was undone
	TransferredOut Kind = "TRANSFERRED_OUT" // -share -held, or -share -offered
	TransferredIn  Kind = "TRANSFERRED_IN"  // +share
	MovePlanned    Kind = "MOVE_PLANNED"    // +moving
	MoveCancelled  Kind = "MOVE_CANCELLED"  // -moving
	MovedOut       Kind = "MOVED_OUT"       // -share (-moving)
	MovedIn        Kind = "MOVED_IN"        // +share
)

// Entry is a change of the balance of a participation: who made it, why and when. An entry is never changed.
type Entry struct {
	LabelKey        string `bun:",pk"`
	ParticipationID string `bun:",pk"`
	Sequence        int64  `bun:",pk"` // from 1 for each participation
	Kind            Kind
	Balance         `bun:",embed"` // the change
	Ref             string         // id of the offer, order or move, or the kind of the imported record
	Counter         string         // the counter participation of a transfer or move
	Reason          string         // a code, or text written by staff
	Actor           string
	Subject         string
	Role            string
	Effective       value.Day
	At              time.Time
	PreviousHash    string
	Hash            string
}

// posting is an entry to be written: the change of the balance of a participation and its reason.
type posting struct {
	Participation string
	Kind          Kind
	Balance                    // the change
	Ref           string       // see Entry
	Counter       string       // see Entry
	Reason        string       // see Entry
	Effective     value.Day    // zero: the day on which the entry is written
	By            module.Scope // actor; the scope of ctx if it has no label
}

// sealed is the canonical form of an entry, which is hashed as JSON. Times are truncated to microseconds, the precision of both engines.
type sealed struct {
	Label         string    `json:"label"`
	Participation string    `json:"participation"`
	Sequence      int64     `json:"sequence"`
	Kind          Kind      `json:"kind"`
	Balance                 // embedded fields
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

// seal returns the hash of the canonical form of an entry, which includes the hash of the previous entry.
func (e Entry) seal() string {
	data, err := json.Marshal(sealed{Label: e.LabelKey, Participation: e.ParticipationID, Sequence: e.Sequence, Kind: e.Kind,
		Balance: e.Balance, Ref: e.Ref,
		Counter: e.Counter, Reason: e.Reason, Actor: e.Actor, Subject: e.Subject, Role: e.Role, Effective: e.Effective,
		At: e.At.UTC().Truncate(time.Microsecond).Format("2006-01-02T15:04:05.000000Z"), Previous: e.PreviousHash})
	if err != nil {
		panic(fmt.Sprintf("marketplace: an entry has no canonical form: %v", err)) // encoding strings and numbers never fails
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
