// Package notice writes the mails of the marketplace. Send publishes a notice in the transaction that it is about, so that a rollback sends
// no mail; Mail writes its text when the language of its reader is known.
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

// Notice is a mail to be sent. Send publishes it in the transaction that it is about; after the commit, when the address and the language
// of its reader are known, it is mailed. Back offices may subscribe to notices: they hold no secrets. The texts are in the folder
// messages.
type Notice = marketplaceapi.Notice

type Kind = marketplaceapi.NoticeKind

// Kinds of notice, with their readers and the fields that they need in addition to Kind and Relation.
const (
	OfferApproved Kind = "offer_approved" // seller: Type, Reference, Project, Shares, Price, Day
	OfferRejected Kind = "offer_rejected" // seller: Type, Reference, Project, Shares, Reason
	OfferSold     Kind = "offer_sold"     // seller, once paid: Reference (of the offer), Project, Shares, Amount, Day
	// seller, when a paid order is cancelled: Reference (of the offer), Project, Shares, Free, Reason (empty: the buyer withdrew)
	SaleUndone Kind = "sale_undone"
	OfferCode  Kind = "code" // address of the buyer of a DIRECT offer: Offer, Project, Shares, Price

	OrderPlaced      Kind = "order_placed"       // buyer, as soon as it can be paid: Reference, Shares, Amount, Day, Until
	OrderPaid        Kind = "order_paid"         // buyer: Reference, Shares, Amount, Day, Until (of the cooling-off period)
	OrderExpiresSoon Kind = "order_expires_soon" // buyer: Reference, Shares, Amount, Until
	OrderExpired     Kind = "order_expired"      // buyer: Reference, Shares, Amount
	OrderCancelled   Kind = "order_cancelled"    // buyer: Reference, Shares, Amount, Refund
	OrderCompleted   Kind = "order_completed"    // buyer: Reference, Shares, Day
	Withdrawal       Kind = "withdrawal"         // buyer, the receipt: Reference, Shares, Amount, Refund, At
	Refunded         Kind = "refunded"           // buyer who paid too late or twice: Reference, Refund
	// buyer, when the portal or staff cancel a paid order: Reference, Shares, Amount, Refund (what still goes back), Reason
	PurchaseReversed Kind = "purchase_reversed"
	// buyer, when money came back and the order stays as it is: Reference, Shares, Amount, Refund (how much), Reason
	MoneyReturned Kind = "money_returned"
	SaleMoney     Kind = "sale_money" // seller whose sale stands then: Reference (of the offer), Project, Shares, Reason

	TransferReceived Kind = "transfer_received" // receiver: From, Project, Shares, Day
	TransferDone     Kind = "transfer_done"     // giver: Reference, Project, Shares, Day
	// giver, when the receiver has no contract for electricity any more: Reference, Project, Shares
	TransferFailed Kind = "transfer_failed"
	Moved          Kind = "moved" // Project, Shares, Day, Address
	AccessApproved Kind = "access_approved"
	AccessRejected Kind = "access_rejected" // Reason
)

// Send publishes a notice, which is mailed once after the commit of tx. Without a reader it does nothing.
func Send(ctx context.Context, tx module.Tx, n Notice) error {
	key := cmp.Or(n.Relation, n.Offer)
	if key == "" {
		return nil
	}
	data, err := json.Marshal(n)
	if err != nil {
		return err
	}
	// The event has no sequence: numbering would make all transactions about one member wait for each other.
	return tx.Publish(ctx, module.Event{Type: marketplaceapi.EventNotice, Key: key, Seq: 1, Data: data})
}

// Reader is the reader of a mail, with language and time zone.
type Reader struct {
	Email  string
	Locale string
	Zone   *time.Location
	Code   string // of OfferCode: the code of the offer
	From   string // name of the relation Notice.From
}

// Grouped formats a number with dots between thousands, in either language.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "." + s[i:]
	}
	return s
}

// MoneyText returns "€ 1.234,50", in either language.
func MoneyText(c value.Cents) string {
	if c < 0 {
		return "-" + MoneyText(-c)
	}
	_, cents, _ := strings.Cut(c.String(), ".")
	return "€ " + Grouped(int64(c)/100) + "," + cents
}

// DayText formats a day as the portal shows it, in either language.
func DayText(d value.Day) string {
	s := d.String() // 2026-11-20
	if s == "" {
		return ""
	}
	return s[8:] + "-" + s[5:7] + "-" + s[:4]
}
