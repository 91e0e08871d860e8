// Package notice writes the mails of the marketplace. Send publishes a notice in the transaction that it is about, so that no mail is sent of
// what was rolled back; Mail gives it a text when the language of its reader is known.
package notice

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Notice is what somebody is notified of by mail. It is written in the transaction that it tells of, with Send, and mailed after the commit,
// when the address and the language of its reader can be asked for. Back offices may hear of notices too: they hold nothing that
// opens anything. The texts are in mail_offer.go, mail_order.go and mail_share.go.
type Notice = marketplaceapi.Notice

type Kind = marketplaceapi.NoticeKind

// The mails of the marketplace, with their readers and the fields that they need beside Kind and Relation.
const (
	OfferApproved Kind = "offer_approved" // seller: Type, Reference, Project, Shares, Price, Day
	OfferRejected Kind = "offer_rejected" // seller: Type, Reference, Project, Shares, Reason
	OfferSold     Kind = "offer_sold"     // seller, once paid: Reference (of the offer), Project, Shares, Amount, Day
	SaleUndone    Kind = "sale_undone"    // seller, when a paid order is cancelled: Reference (of the offer), Project, Shares, Free, Reason (empty: the buyer withdrew)
	OfferCode     Kind = "code"           // whoever has the buyer's address of a DIRECT offer: Offer, Project, Shares, Price

	OrderPlaced      Kind = "order_placed"       // buyer, as soon as it can be paid: Reference, Shares, Amount, Day, Until
	OrderPaid        Kind = "order_paid"         // buyer: Reference, Shares, Amount, Day, Until (of the cooling-off period)
	OrderExpiresSoon Kind = "order_expires_soon" // buyer: Reference, Shares, Amount, Until
	OrderExpired     Kind = "order_expired"      // buyer: Reference, Shares, Amount
	OrderCancelled   Kind = "order_cancelled"    // buyer: Reference, Shares, Amount, Refund
	OrderCompleted   Kind = "order_completed"    // buyer: Reference, Shares, Day
	Withdrawal       Kind = "withdrawal"         // buyer, the receipt: Reference, Shares, Amount, Refund, At
	Refunded         Kind = "refunded"           // buyer who paid too late or twice: Reference, Refund
	PurchaseReversed Kind = "purchase_reversed"  // buyer, when the portal or staff cancel a paid order: Reference, Shares, Amount, Refund (what still goes back), Reason
	MoneyReturned    Kind = "money_returned"     // buyer, when money came back and the order stays as it is: Reference, Shares, Amount, Refund (how much), Reason
	SaleMoney        Kind = "sale_money"         // seller whose sale stands, of the same: Reference (of the offer), Project, Shares, Reason

	TransferReceived Kind = "transfer_received" // receiver: From, Project, Shares, Day
	TransferDone     Kind = "transfer_done"     // giver: Reference, Project, Shares, Day
	TransferFailed   Kind = "transfer_failed"   // giver, when the receiver has no contract for electricity any more: Reference, Project, Shares
	Moved            Kind = "moved"             // Project, Shares, Day, Address
	AccessApproved   Kind = "access_approved"
	AccessRejected   Kind = "access_rejected" // Reason
)

// Send has a notice mailed to its reader after the commit of tx, once. Without a reader it does nothing.
func Send(ctx context.Context, tx module.Tx, n Notice) error {
	key := cmp.Or(n.Relation, n.Offer)
	if key == "" {
		return nil
	}
	data, err := json.Marshal(n)
	if err != nil {
		return err
	}
	// Nobody counts notices by their reader, and counting would make all who sell to one member wait for each other.
	return tx.Publish(ctx, module.Event{Type: marketplaceapi.EventNotice, Key: key, Seq: 1, Data: data})
}

// Reader is who reads a mail, in which language, and when a day begins where they are.
type Reader struct {
	Email  string
	Locale string
	Zone   *time.Location
	Code   string // of OfferCode: what opens the offer
	From   string // name of notice.From
}

func (r Reader) en() bool { return r.Locale == "en" }

// Say chooses between Dutch and English; any locale but "en" is Dutch.
func (r Reader) Say(nl, en string) string {
	if r.en() {
		return en
	}
	return nl
}

// letter is the text of one mail.
type letter func(r Reader, n Notice) module.Mail

var letters = map[Kind]letter{
	OfferApproved: mailOfferApproved, OfferRejected: mailOfferRejected, OfferSold: mailOfferSold,
	SaleUndone: MailSaleUndone, OfferCode: mailCode,
	OrderPlaced: mailOrderPlaced, OrderPaid: mailOrderPaid, OrderExpiresSoon: mailOrderExpiresSoon,
	OrderExpired: mailOrderExpired, OrderCancelled: mailOrderCancelled, OrderCompleted: mailOrderCompleted,
	Withdrawal: mailWithdrawal, Refunded: mailRefunded,
	PurchaseReversed: MailPurchaseReversed, MoneyReturned: MailMoneyReturned, SaleMoney: mailSaleMoney,
	TransferReceived: mailTransferReceived, TransferDone: mailTransferDone, TransferFailed: mailTransferFailed,
	Moved: mailMoved, AccessApproved: mailAccessApproved, AccessRejected: mailAccessRejected,
}

// Mail writes a notice out; ok is false for a kind that has no text.
func Mail(r Reader, n Notice) (m module.Mail, ok bool) {
	write, ok := letters[n.Kind]
	if !ok {
		return m, false
	}
	m = write(r, n)
	m.To, m.Locale = r.Email, r.Locale
	return m, true
}

// mailTo begins a mail: one text is both its subject and its title.
func mailTo(r Reader, nl, en string) module.Mail {
	title := r.Say(nl, en)
	return module.Mail{Subject: title, Title: title}
}

// button is where a mail leads.
func button(r Reader, nl, en, path string) *module.Button {
	return &module.Button{Text: r.Say(nl, en), Path: path}
}

// facts are lines of a name and what it is; those that are empty are left out.
func facts(pairs ...string) (lines []string) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			lines = append(lines, pair[0]+": "+pair[1])
		}
	}
	return lines
}

// SharesText is "1 deel", "12 delen".
func SharesText(r Reader, n int64) string {
	switch {
	case n == 1:
		return r.Say("1 deel", "1 share")
	default:
		return Grouped(n) + r.Say(" delen", " shares")
	}
}

// Grouped writes a number with dots between thousands, in either language.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "." + s[i:]
	}
	return s
}

// MoneyText is "€ 1.234,50", in either language.
func MoneyText(c value.Cents) string {
	if c < 0 {
		return "-" + MoneyText(-c)
	}
	_, cents, _ := strings.Cut(c.String(), ".")
	return "€ " + Grouped(int64(c)/100) + "," + cents
}

// DayText writes a day as the portal shows it, in either language.
func DayText(d value.Day) string {
	s := d.String() // 2026-11-20
	if s == "" {
		return ""
	}
	return s[8:] + "-" + s[5:7] + "-" + s[:4]
}

// MomentText is a day with the time on the clock there.
func MomentText(r Reader, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	at = at.In(r.Zone)
	return DayText(value.DayOf(at)) + r.Say(" om ", " at ") + at.Format("15:04") + r.Say(" uur", "")
}
