package payment

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
)

// Notes about refunds and chargebacks. Staff read them on the payment.
const (
	NoteChargedBack = "CHARGED_BACK"                // the buyer's bank took the money back before the transfer: the sale is cancelled
	NoteChargedLate = "CHARGED_BACK_AFTER_TRANSFER" // the buyer has both the shares and the money
	NotePart        = "REFUNDED_PART"               // a part was refunded at the provider: the sale remains valid
	NoteFailed      = "REFUND_FAILED"               // the provider accepted our refund, and later reported that it failed
	NoteRestored    = "MONEY_RESTORED"              // a chargeback was reversed: the money was paid again
	noteTwiceBack   = "RETURNED_TWICE"              // more was returned than paid: refunded and also charged back
)

// parkedNotes are the notes of a REFUNDING payment that waits for staff: the refund is not retried automatically.
var parkedNotes = []string{NoteFailed, NoteRestored}

// StuckNotes are the notes of a REFUNDING payment that no longer changes once staff have marked it as seen.
var StuckNotes = append([]string{NoteRefused}, parkedNotes...)

// Sale is the status of the order of a payment. Only the statuses below mean a valid sale.
type Sale string

// Order statuses of a valid sale.
const (
	SaleBought    Sale = "BOUGHT"    // paid, and the shares are held until the transfer date
	SaleCompleted Sale = "COMPLETED" // the shares have been transferred
)

// Facts is the input of DecideReturn: what is known when a provider reports refunds and chargebacks of a payment.
type Facts struct {
	State  State       `json:"state"` // PAID, REFUNDING or REFUNDED
	Note   string      `json:"note"`
	Bought bool        `json:"bought"` // this payment paid its order
	Order  Sale        `json:"order"`
	Amount value.Cents `json:"amount"` // amount that was paid
	Had    Returned    `json:"had"`    // amounts known before
	Now    Returned    `json:"now"`
}

// Decision is the result of DecideReturn.
type Decision struct {
	State  State  `json:"state"`
	Note   string `json:"note"`
	Cancel string `json:"cancel,omitempty"` // why the portal cancels the sale; empty: it does not cancel
	Rest   bool   `json:"rest,omitempty"`   // the rest of the money is refunded too
	Case   bool   `json:"case,omitempty"`   // staff must check the payment
}

// DecideReturn decides what to do when a payment was refunded or charged back (9-money-back-*). It compares the current facts with the
// last known ones, not the events between them: reports that arrive late, twice or in another order lead to the same decision.
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
		case slices.Contains(parkedNotes, f.Note): // refunded outside the portal after all
			v.Note = NoteOutside
		case f.State == Paid: // a payment without a valid order, which staff had to check
			v.Case = true
		}
	case f.State == Refunded: // the provider has the money again, and no valid order: 9-money-back-refund-failed
		v.State, v.Note, v.Case = Refunding, NoteFailed, true
		if f.Now.ChargedBack < f.Had.ChargedBack {
			v.Note = NoteRestored
		}
	case f.State == Paid:
		v.Case = true
	}
	return v
}

// CanRefund reports whether staff can refund a payment that has no valid order. A paid order is undone by its buyer.
func (p Payment) CanRefund() bool {
	return p.State == string(Paid) && p.Note == NoteAmount || p.State == string(Refunding)
}

// CanMarkSeen reports whether staff can mark a payment as seen: it no longer changes by itself.
func (p Payment) CanMarkSeen() bool {
	return p.Late && p.SeenAt == nil && (p.State != string(Refunding) || slices.Contains(StuckNotes, p.Note))
}

// WaitsForStaff reports whether a refund waits for a decision of staff.
func (p Payment) WaitsForStaff() bool {
	return p.State == string(Refunding) && slices.Contains(parkedNotes, p.Note)
}

// CanCancelSale reports whether staff can cancel the sale of a payment: it was partly refunded at the provider, and the shares have not
// been transferred (9-money-back-part).
func (p Payment) CanCancelSale(order Sale) bool {
	return p.Bought && order == SaleBought && p.Refunded > 0 && p.State == string(Paid)
}

// DisplayState returns the displayed state of a payment. CHARGED_BACK is stored as REFUNDED.
func (p Payment) DisplayState() string {
	if p.State == string(Refunded) && p.ChargedBack > 0 {
		return string(ChargedBack)
	}
	return p.State
}

// Returned returns the recorded refunds and chargebacks of a payment.
func (p Payment) Returned() Returned {
	return Returned{Refunded: p.Refunded, ChargedBack: p.ChargedBack}
}

// ReturnedNow returns the refunds and chargebacks that a provider reports, combined with the recorded ones. Our refund has not failed just
// because the provider does not list it yet.
func (p Payment) ReturnedNow(f Found) Returned {
	now := f.Returned
	if f.Refunds != nil && p.RefundID != "" && !slices.Contains(f.Refunds, p.RefundID) {
		now.Refunded = max(now.Refunded, p.Refunded)
	}
	return now
}
