package marketplace

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

// notice is what somebody is notified of by mail. It is written in the transaction that it tells of, with tell, and mailed after the commit,
// when the address and the language of its reader can be asked for. Back offices may hear of notices too: they hold nothing that
// opens anything. The texts are in mail_offer.go, mail_order.go and mail_share.go.
type notice = marketplaceapi.Notice

type noticeKind = marketplaceapi.NoticeKind

// The mails of the marketplace, with their readers and the fields that they need beside Kind and Relation.
const (
	noticeOfferApproved noticeKind = "offer_approved" // seller: Type, Reference, Project, Shares, Price, Day
	noticeOfferRejected noticeKind = "offer_rejected" // seller: Type, Reference, Project, Shares, Reason
	noticeOfferSold     noticeKind = "offer_sold"     // seller, once paid: Reference (of the offer), Project, Shares, Amount, Day
	noticeSaleUndone    noticeKind = "sale_undone"    // seller, when a paid order is cancelled: Reference (of the offer), Project, Shares, Free, Reason (empty: the buyer withdrew)
	noticeCode          noticeKind = "code"           // whoever has the buyer's address of a DIRECT offer: Offer, Project, Shares, Price

	noticeOrderPlaced      noticeKind = "order_placed"       // buyer, as soon as it can be paid: Reference, Shares, Amount, Day, Until
	noticeOrderPaid        noticeKind = "order_paid"         // buyer: Reference, Shares, Amount, Day, Until (of the cooling-off period)
	noticeOrderExpiresSoon noticeKind = "order_expires_soon" // buyer: Reference, Shares, Amount, Until
	noticeOrderExpired     noticeKind = "order_expired"      // buyer: Reference, Shares, Amount
	noticeOrderCancelled   noticeKind = "order_cancelled"    // buyer: Reference, Shares, Amount, Refund
	noticeOrderCompleted   noticeKind = "order_completed"    // buyer: Reference, Shares, Day
	noticeWithdrawal       noticeKind = "withdrawal"         // buyer, the receipt: Reference, Shares, Amount, Refund, At
	noticeRefunded         noticeKind = "refunded"           // buyer who paid too late or twice: Reference, Refund
	noticePurchaseReversed noticeKind = "purchase_reversed"  // buyer, when the portal or staff cancel a paid order: Reference, Shares, Amount, Refund (what still goes back), Reason
	noticeMoneyReturned    noticeKind = "money_returned"     // buyer, when money came back and the order stays as it is: Reference, Shares, Amount, Refund (how much), Reason
	noticeSaleMoney        noticeKind = "sale_money"         // seller whose sale stands, of the same: Reference (of the offer), Project, Shares, Reason

	noticeTransferReceived noticeKind = "transfer_received" // receiver: From, Project, Shares, Day
	noticeTransferDone     noticeKind = "transfer_done"     // giver: Reference, Project, Shares, Day
	noticeTransferFailed   noticeKind = "transfer_failed"   // giver, when the receiver has no contract for electricity any more: Reference, Project, Shares
	noticeMoved            noticeKind = "moved"             // Project, Shares, Day, Address
	noticeAccessApproved   noticeKind = "access_approved"
	noticeAccessRejected   noticeKind = "access_rejected" // Reason
)

// tell has a notice mailed to its reader after the commit of tx, once. Without a reader it does nothing.
func tell(ctx context.Context, tx module.Tx, n notice) error {
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

// reader is who reads a mail, in which language, and when a day begins where they are.
type reader struct {
	Email  string
	Locale string
	Zone   *time.Location
	Code   string // of noticeCode: what opens the offer
	From   string // name of notice.From
}

func (r reader) en() bool { return r.Locale == "en" }

// say chooses between Dutch and English; any locale but "en" is Dutch.
func (r reader) say(nl, en string) string {
	if r.en() {
		return en
	}
	return nl
}

// letter is the text of one mail.
type letter func(r reader, n notice) module.Mail

var letters = map[noticeKind]letter{
	noticeOfferApproved: mailOfferApproved, noticeOfferRejected: mailOfferRejected, noticeOfferSold: mailOfferSold,
	noticeSaleUndone: mailSaleUndone, noticeCode: mailCode,
	noticeOrderPlaced: mailOrderPlaced, noticeOrderPaid: mailOrderPaid, noticeOrderExpiresSoon: mailOrderExpiresSoon,
	noticeOrderExpired: mailOrderExpired, noticeOrderCancelled: mailOrderCancelled, noticeOrderCompleted: mailOrderCompleted,
	noticeWithdrawal: mailWithdrawal, noticeRefunded: mailRefunded,
	noticePurchaseReversed: mailPurchaseReversed, noticeMoneyReturned: mailMoneyReturned, noticeSaleMoney: mailSaleMoney,
	noticeTransferReceived: mailTransferReceived, noticeTransferDone: mailTransferDone, noticeTransferFailed: mailTransferFailed,
	noticeMoved: mailMoved, noticeAccessApproved: mailAccessApproved, noticeAccessRejected: mailAccessRejected,
}

// mailOf writes a notice out; ok is false for a kind that has no text.
func mailOf(r reader, n notice) (m module.Mail, ok bool) {
	write, ok := letters[n.Kind]
	if !ok {
		return m, false
	}
	m = write(r, n)
	m.To, m.Locale = r.Email, r.Locale
	return m, true
}

// mailTo begins a mail: one text is both its subject and its title.
func mailTo(r reader, nl, en string) module.Mail {
	title := r.say(nl, en)
	return module.Mail{Subject: title, Title: title}
}

// button is where a mail leads.
func button(r reader, nl, en, path string) *module.Button {
	return &module.Button{Text: r.say(nl, en), Path: path}
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

// sharesText is "1 deel", "12 delen".
func sharesText(r reader, n int64) string {
	switch {
	case n == 1:
		return r.say("1 deel", "1 share")
	default:
		return grouped(n) + r.say(" delen", " shares")
	}
}

// grouped writes a number with dots between thousands, in either language.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "." + s[i:]
	}
	return s
}

// moneyText is "€ 1.234,50", in either language.
func moneyText(c value.Cents) string {
	if c < 0 {
		return "-" + moneyText(-c)
	}
	_, cents, _ := strings.Cut(c.String(), ".")
	return "€ " + grouped(int64(c)/100) + "," + cents
}

// dayText writes a day as the portal shows it, in either language.
func dayText(d value.Day) string {
	s := d.String() // 2026-11-20
	if s == "" {
		return ""
	}
	return s[8:] + "-" + s[5:7] + "-" + s[:4]
}

// momentText is a day with the time on the clock there.
func momentText(r reader, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	at = at.In(r.Zone)
	return dayText(value.DayOf(at)) + r.say(" om ", " at ") + at.Format("15:04") + r.say(" uur", "")
}
