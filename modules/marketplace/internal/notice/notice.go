// Package notice writes the marketplace emails. Send publishes a notice in the transaction that it is about, so that a rollback sends no
// email; Mail writes its text when the recipient's language is known.
package notice

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Notice is an email to be sent. Send publishes it in the transaction that it is about; it is sent after the commit, when the address and
// the language of its recipient are known. Back offices may subscribe to notices: they contain no secrets. The texts are in the folder
// messages.
type Notice = marketplaceapi.Notice

type Kind = marketplaceapi.NoticeKind

// Notice kinds, with their recipients and the fields that they need in addition to Kind and Relation.
const (
	OfferApproved Kind = "offer_approved" // seller: Type, Reference, Project, Shares, Price, Day
	OfferRejected Kind = "offer_rejected" // seller: Type, Reference, Project, Shares, Reason
	OfferSold     Kind = "offer_sold"     // seller, once paid: Reference (of the offer), Project, Shares, Amount, Day
	// seller, when a paid order is cancelled: Reference (of the offer), Project, Shares, Free, Reason (empty: the buyer withdrew)
	SaleUndone Kind = "sale_undone"
	OfferCode  Kind = "code" // email address of the buyer of a DIRECT offer: Offer, Project, Shares, Price

	OrderPlaced      Kind = "order_placed"       // buyer, as soon as it can be paid: Reference, Shares, Amount, Day, Until
	OrderPaid        Kind = "order_paid"         // buyer: Reference, Shares, Amount, Day, Until (end of the withdrawal period)
	OrderExpiresSoon Kind = "order_expires_soon" // buyer: Reference, Shares, Amount, Until
	OrderExpired     Kind = "order_expired"      // buyer: Reference, Shares, Amount
	OrderCancelled   Kind = "order_cancelled"    // buyer: Reference, Shares, Amount, Refund
	OrderCompleted   Kind = "order_completed"    // buyer: Reference, Shares, Day
	Withdrawal       Kind = "withdrawal"         // buyer, the receipt: Reference, Shares, Amount, Refund, At
	Refunded         Kind = "refunded"           // buyer who paid too late or twice: Reference, Refund
	// buyer, when the portal or staff cancel a paid order: Reference, Shares, Amount, Refund (still to be refunded), Reason
	PurchaseReversed Kind = "purchase_reversed"
	// buyer, when money was refunded or charged back and the order does not change: Reference, Shares, Amount, Refund (how much), Reason
	MoneyReturned Kind = "money_returned"
	SaleMoney     Kind = "sale_money" // seller whose sale remains valid then: Reference (of the offer), Project, Shares, Reason

	TransferReceived Kind = "transfer_received" // receiver: From, Project, Shares, Day
	TransferDone     Kind = "transfer_done"     // giver: Reference, Project, Shares, Day
	// giver, when the receiver no longer has an electricity contract: Reference, Project, Shares
	TransferFailed Kind = "transfer_failed"
	Moved          Kind = "moved" // Project, Shares, Day, Address
	AccessApproved Kind = "access_approved"
	AccessRejected Kind = "access_rejected" // Reason
)

// Send publishes a notice, which is emailed once after the commit of tx. Without a recipient it does nothing.
func Send(ctx context.Context, tx module.Tx, n Notice) error {
	key := cmp.Or(n.Relation, n.Offer)
	if key == "" {
		return nil
	}
	data, err := json.Marshal(n)
	if err != nil {
		return err
	}
	// The event has no sequence: numbering would serialize all transactions about one member.
	return tx.Publish(ctx, module.Event{Type: marketplaceapi.EventNotice, Key: key, Seq: 1, Data: data})
}

// Reader is the recipient of an email, with language and time zone.
type Reader struct {
	Email  string
	Locale string
	Zone   *time.Location
	Code   string // code of the offer, for OfferCode
	From   string // name of the relation in Notice.From
}

// Grouped formats a number with dots as thousands separators, in either language.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "." + s[i:]
	}
	return s
}

// MoneyText formats an amount as the portal does, "€ 1.234,50" or "€ -12,50", in either language (1-currency-format).
func MoneyText(c value.Cents) string {
	sign := ""
	if c < 0 {
		sign, c = "-", -c
	}
	_, cents, _ := strings.Cut(c.String(), ".")
	return "€ " + sign + Grouped(int64(c)/100) + "," + cents
}

// DayText formats a day as the portal displays it, in either language.
func DayText(d value.Day) string {
	s := d.String() // 2026-11-20
	if s == "" {
		return ""
	}
	return s[8:] + "-" + s[5:7] + "-" + s[:4]
}
