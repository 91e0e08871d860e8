package marketplace

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// Entry is what happened to the shares of a participation, as its owner sees it: an entry of the ledger.
type Entry struct {
	Sequence  int64          `json:"sequence" doc:"1 is the first of the participation"`
	Kind      ledger.Kind    `json:"kind" enum:"ISSUED,CORRECTED,OFFERED,RETRACTED,RESERVED,RELEASED,EXPIRED,SOLD,RETURNED,TRANSFERRED_OUT,TRANSFERRED_IN,MOVE_PLANNED,MOVE_CANCELLED,MOVED_OUT,MOVED_IN"`
	Change    ledger.Balance `json:"change" doc:"What it adds to each number"`
	After     ledger.Balance `json:"after" doc:"What they are from then on"`
	Ref       string         `json:"ref" doc:"The offer, order or move that it is about"`
	Reason    string         `json:"reason,omitempty"`
	By        string         `json:"by" enum:"customer,staff,key,system" doc:"Who did it: a member, staff, the back office, or the portal by itself"`
	Effective value.Day      `json:"effective"`
	At        time.Time      `json:"at"`
	Hash      string         `json:"hash" doc:"Of this entry and all before it"`
}

// entriesAfter are entries, newest first, with the balance after each. after is that of the newest.
func entriesAfter(rows []ledger.Entry, after ledger.Balance) []Entry {
	out := make([]Entry, len(rows))
	for i, r := range rows {
		out[i] = Entry{Sequence: r.Sequence, Kind: r.Kind, Change: r.Balance, After: after, Ref: r.Ref, Reason: r.Reason, By: r.Role,
			Effective: r.Effective, At: r.At.UTC(), Hash: r.Hash}
		after = after.Minus(r.Balance)
	}
	return out
}

// entryTexts say in Dutch and in English what an entry is.
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

// returnedTexts say why a paid sale was undone.
var returnedTexts = map[string][2]string{
	"":                      {"Koper ziet van de koop af", "Buyer withdrew"},
	payment.NoteChargedBack: {"Betaling van de koper teruggeboekt", "Buyer's payment was reversed"},
	payment.NoteOutside:     {"Betaling aan de koper teruggegeven", "Buyer's payment was refunded"},
	payment.NoteStaff:       {"Verkoop geannuleerd", "Sale cancelled"},
}

// text says what an entry is, with why where there are several reasons.
func (e Entry) text(locale string) string {
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
