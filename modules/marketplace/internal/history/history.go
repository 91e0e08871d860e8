// Package history shows the ledger entries of a participation to its owner: page by page and as a PDF.
package history

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// Entry is a ledger entry as the owner of the participation sees it.
type Entry struct {
	Sequence  int64          `json:"sequence" doc:"1 for the first entry of the participation"`
	Kind      ledger.Kind    `json:"kind" enum:"ISSUED,CORRECTED,OFFERED,RETRACTED,RESERVED,RELEASED,EXPIRED,SOLD,RETURNED,TRANSFERRED_OUT,TRANSFERRED_IN,MOVE_PLANNED,MOVE_CANCELLED,MOVED_OUT,MOVED_IN" doc:"What happened to the shares"`
	Change    ledger.Balance `json:"change" doc:"What the entry adds to each number"`
	After     ledger.Balance `json:"after" doc:"The numbers after the entry"`
	Ref       string         `json:"ref" doc:"Id of the offer, order or move, or kind of the imported record"`
	Reason    string         `json:"reason,omitempty" doc:"Code of a reason, or the text that staff wrote; absent: none"`
	By        string         `json:"by" enum:"customer,staff,key,system" doc:"Who did it: a member, staff, the back office, or the portal itself"`
	Effective value.Day      `json:"effective" doc:"Day from which the entry counts"`
	At        time.Time      `json:"at" doc:"Time at which the entry was written"`
	Hash      string         `json:"hash" doc:"Hash of this entry and all before it"`
}

// entriesAfter returns entries, newest first, each with the balance after it. after is the balance after the newest entry.
func entriesAfter(rows []ledger.Entry, after ledger.Balance) []Entry {
	out := make([]Entry, len(rows))
	for i, r := range rows {
		out[i] = Entry{Sequence: r.Sequence, Kind: r.Kind, Change: r.Balance, After: after, Ref: r.Ref, Reason: r.Reason, By: r.Role,
			Effective: r.Effective, At: r.At.UTC(), Hash: r.Hash}
		after = after.Minus(r.Balance)
	}
	return out
}

// entryTexts are the Dutch and English names of the entry kinds.
var entryTexts = map[ledger.Kind][2]string{
	ledger.Issued:         {"Delen toegekend", "Shares issued"},
	ledger.Corrected:      {"Gecorrigeerd", "Corrected"},
	ledger.Offered:        {"Te koop gezet", "Put on offer"},
	ledger.Retracted:      {"Uit de verkoop gehaald", "Taken off offer"},
	ledger.Reserved:       {"Besteld door een ander lid", "Ordered by another member"},
	ledger.Released:       {"Bestelling geannuleerd", "Order cancelled"},
	ledger.Expired:        {"Bestelling niet op tijd betaald", "Order not paid in time"},
	ledger.Sold:           {"Verkocht en betaald", "Sold and paid"},
	ledger.Returned:       {"Verkoop ongedaan gemaakt", "Sale undone"},
	ledger.TransferredOut: {"Overgedragen aan een ander lid", "Transferred to another member"},
	ledger.TransferredIn:  {"Ontvangen van een ander lid", "Received from another member"},
	ledger.MovePlanned:    {"Verhuizing gepland", "Move planned"},
	ledger.MoveCancelled:  {"Verhuizing ingetrokken", "Move taken back"},
	ledger.MovedOut:       {"Verhuisd naar een ander adres", "Moved to another address"},
	ledger.MovedIn:        {"Verhuisd vanaf een ander adres", "Moved from another address"},
}

// returnedTexts are the Dutch and English reasons why a paid sale was undone.
var returnedTexts = map[string][2]string{
	"":                      {"Koper ziet van de koop af", "Buyer withdrew"},
	payment.NoteChargedBack: {"Betaling van de koper teruggeboekt", "Buyer's payment was reversed"},
	payment.NoteOutside:     {"Betaling aan de koper teruggegeven", "Buyer's payment was refunded"},
	payment.NoteStaff:       {"Verkoop geannuleerd", "Sale cancelled"},
}

// Text returns the name of an entry, or its reason if a sale was undone for a known one.
func (e Entry) Text(locale string) string {
	both, known := returnedTexts[e.Reason]
	switch {
	case e.Kind != ledger.Returned || !known:
		return kindText(e.Kind, locale)
	case locale == "en":
		return both[1]
	}
	return both[0]
}

func kindText(k ledger.Kind, locale string) string {
	both, known := entryTexts[k]
	switch {
	case !known:
		return string(k)
	case locale == "en":
		return both[1]
	}
	return both[0]
}
