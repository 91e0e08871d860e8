package payment

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
)

// Notes about money that came back. Staff read them on the payment.
const (
	NoteChargedBack = "CHARGED_BACK"                // the buyer's bank took it back before the transfer: the sale is cancelled
	NoteChargedLate = "CHARGED_BACK_AFTER_TRANSFER" // the buyer has both the shares and the money
	NotePart        = "REFUNDED_PART"               // a part was refunded at the provider: the sale stands
	NoteFailed      = "REFUND_FAILED"               // the provider accepted our refund, and later reported that it failed
	NoteRestored    = "MONEY_RESTORED"              // money that came back was paid again: a chargeback was reversed
	noteTwiceBack   = "RETURNED_TWICE"              // more came back than was paid: refunded and also charged back
)

// parkedNotes are the notes of a REFUNDING payment that waits for staff: the refund is not retried automatically.
var parkedNotes = []string{NoteFailed, NoteRestored}

// StuckNotes are the notes of a REFUNDING payment that does not change any more once staff have marked it as seen.
var StuckNotes = append([]string{NoteRefused}, parkedNotes...)

// Sale is the status of the order of a payment, as far as it matters to the money: in any other status no sale stands.
type Sale string

// Statuses in which a sale stands.
const (
	SaleBought    Sale = "BOUGHT"    // paid, and the shares are held until the transfer date
	SaleCompleted Sale = "COMPLETED" // the shares have been transferred
)

// Facts is what is known when a provider reports how much of a payment came back.
type Facts struct {
	State  State       `json:"state"` // PAID, REFUNDING or REFUNDED
	Note   string      `json:"note"`
	Bought bool        `json:"bought"` // this payment bought its order
	Order  Sale        `json:"order"`
	Amount value.Cents `json:"amount"` // amount that was paid
	Had    Returned    `json:"had"`    // what was known before
	Now    Returned    `json:"now"`
}

// Decision is what DecideReturn decides.
type Decision struct {
	State  State  `json:"state"`
	Note   string `json:"note"`
	Cancel string `json:"cancel,omitempty"` // why the portal cancels the sale; empty: it does not
	Rest   bool   `json:"rest,omitempty"`   // the rest of the money is refunded too
	Case   bool   `json:"case,omitempty"`   // staff must look at it
}

// DecideReturn decides what follows when money of a payment came back (9-money-back-*). It compares the current facts with the last known
// ones, not the events between them: reports that come late, twice or in another order end in the same decision.
func DecideReturn(f Facts) Decision {
	v := Decision{State: f.State, Note: f.Note}
	if f.Now == f.Had {
		return v
	}
	gone := f.Now.Sum() >= f.Amount
	stands := f.Bought && (f.Order == SaleBought || f.Order == SaleCompleted)
	switch {
	case stands && f.Order == SaleBought && (f.Now.ChargedBack > 0 || gone): // 9-money-back-before-transfer
		v.Cancel, v.Case = NoteOutside, true
		if f.Now.ChargedBack > 0 {
			v.Cancel = NoteChargedBack
		}
		v.Note = v.Cancel
		if v.State = Refunded; !gone {
			v.State, v.Rest = Refunding, true
		}
	case stands: // 9-money-back-after-transfer, 9-money-back-part
		if v.State, v.Case = Paid, true; gone {
			v.State = Refunded
		}
		switch {
		case f.Now.ChargedBack > 0:
			v.Note = NoteChargedLate
		case gone:
			v.Note = NoteOutside
		case f.Now.Refunded > 0:
			v.Note = NotePart
		default:
			v.Note = NoteRestored
		}
	case f.Now.Sum() > f.Amount:
		v.State, v.Note, v.Case = Refunded, noteTwiceBack, true
	case gone:
		v.State = Refunded
		switch {
		case f.Now.ChargedBack > f.Had.ChargedBack:
			v.Note, v.Case = NoteChargedBack, true
		case slices.Contains(parkedNotes, f.Note): // it was refunded outside the portal after all
			v.Note = NoteOutside
		case f.State == Paid: // money without an order, which staff had to look at
			v.Case = true
		}
	case f.State == Refunded: // the money is back at the provider, and no order stands for it: 9-money-back-refund-failed
		v.State, v.Note, v.Case = Refunding, NoteFailed, true
		if f.Now.ChargedBack < f.Had.ChargedBack {
			v.Note = NoteRestored
		}
	case f.State == Paid:
		v.Case = true
	}
	return v
}

// CanRefund reports whether staff can refund a payment: money that no order stands for. The buyer undoes an order that is paid.
func (p Payment) CanRefund() bool {
	return p.State == string(Paid) && p.Note == NoteAmount || p.State == string(Refunding)
}

// CanMarkSeen reports whether staff can mark a payment as seen: it does not change any more by itself.
func (p Payment) CanMarkSeen() bool {
	return p.Late && p.SeenAt == nil && (p.State != string(Refunding) || slices.Contains(StuckNotes, p.Note))
}

// WaitsForStaff reports whether a refund waits for staff.
func (p Payment) WaitsForStaff() bool {
	return p.State == string(Refunding) && slices.Contains(parkedNotes, p.Note)
}

// CanCancelSale reports whether staff can cancel the sale of a payment: a part of its money was refunded at the provider, and the shares
// have not been transferred (9-money-back-part).
func (p Payment) CanCancelSale(order Sale) bool {
	return p.Bought && order == SaleBought && p.Refunded > 0 && p.State == string(Paid)
}

// Shown returns the state of a payment as it is shown. CHARGED_BACK is stored as REFUNDED.
func (p Payment) Shown() string {
	if p.State == string(Refunded) && p.ChargedBack > 0 {
		return string(ChargedBack)
	}
	return p.State
}

// Returned returns what is known to have come back of a payment.
func (p Payment) Returned() Returned {
	return Returned{Refunded: p.Refunded, ChargedBack: p.ChargedBack}
}

// ReturnedNow returns what a provider reports to have come back, combined with what is known of p. Our refund has not failed when the
// provider's list does not have it yet.
func (p Payment) ReturnedNow(f Found) Returned {
	now := f.Returned
	if f.Refunds != nil && p.RefundID != "" && !slices.Contains(f.Refunds, p.RefundID) {
		now.Refunded = max(now.Refunded, p.Refunded)
	}
	return now
}
