package payment

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
)

// Notes about money that came back. Staff read them on the payment.
const (
	NoteChargedBack = "CHARGED_BACK"                // by the buyer's bank: a sale before its transfer is cancelled
	NoteChargedLate = "CHARGED_BACK_AFTER_TRANSFER" // the buyer has the shares and the money
	NotePart        = "REFUNDED_PART"               // somebody gave a part back at the provider: the sale stands
	NoteFailed      = "REFUND_FAILED"               // the provider took our refund on, and later said that it failed
	NoteRestored    = "MONEY_RESTORED"              // what came back is here again: a chargeback was reversed
	noteTwiceBack   = "RETURNED_TWICE"              // more came back than was paid: refunded and charged back
)

// parkedNotes are those with which a payment that is REFUNDING waits for staff: paying back is not tried again by itself.
var parkedNotes = []string{NoteFailed, NoteRestored}

// StuckNotes are those of a payment that is REFUNDING of which nothing more becomes by itself once staff have seen it.
var StuckNotes = append([]string{NoteRefused}, parkedNotes...)

// Sale is the status of the order that a payment is for, as far as it matters to the money: in any other status no sale stands.
type Sale string

// Statuses in which a sale stands.
const (
	SaleBought    Sale = "BOUGHT"    // paid, and the shares are held until the transfer date
	SaleCompleted Sale = "COMPLETED" // the shares have been transferred
)

// Facts is what is known when a provider tells how much of a payment came back.
type Facts struct {
	State  State       `json:"state"` // PAID, REFUNDING or REFUNDED
	Note   string      `json:"note"`
	Bought bool        `json:"bought"` // this payment bought its order
	Order  Sale        `json:"order"`
	Amount value.Cents `json:"amount"` // that was paid
	Had    Returned    `json:"had"`    // as it was known before
	Now    Returned    `json:"now"`
}

// Verdict is what follows.
type Verdict struct {
	State  State  `json:"state"`
	Note   string `json:"note"`
	Cancel string `json:"cancel,omitempty"` // why the portal cancels the sale; empty: it does not
	Rest   bool   `json:"rest,omitempty"`   // what is left of the money goes back too
	Case   bool   `json:"case,omitempty"`   // somebody of the staff has to look
}

// Judge says what follows from how much of a payment came back (9-money-back-*). It looks at what is true now and at what was
// known last, never at the way between them: news that come late, again or against each other end where the last of them says.
func Judge(f Facts) Verdict {
	v := Verdict{State: f.State, Note: f.Note}
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
		case slices.Contains(parkedNotes, f.Note): // it went back without us after all
			v.Note = NoteOutside
		case f.State == Paid: // money that no order stood for and that somebody was to look at
			v.Case = true
		}
	case f.State == Refunded: // it is here again, and no order stands for it: 9-money-back-refund-failed
		v.State, v.Note, v.Case = Refunding, NoteFailed, true
		if f.Now.ChargedBack < f.Had.ChargedBack {
			v.Note = NoteRestored
		}
	case f.State == Paid:
		v.Case = true
	}
	return v
}

// Refundable reports whether staff can give a payment back: money that no order stands for. An order that is paid is undone by its
// buyer.
func (p Payment) Refundable() bool {
	return p.State == string(Paid) && p.Note == NoteAmount || p.State == string(Refunding)
}

// Seeable reports whether staff can say that they have seen to a payment: nothing more becomes of it by itself.
func (p Payment) Seeable() bool {
	return p.Late && p.SeenAt == nil && (p.State != string(Refunding) || slices.Contains(StuckNotes, p.Note))
}

// Parked reports whether money is to go back and waits for staff to say so.
func (p Payment) Parked() bool {
	return p.State == string(Refunding) && slices.Contains(parkedNotes, p.Note)
}

// CancellableSale reports whether staff can cancel the sale that a payment stands for: a part of its money was given back at the
// provider, and the shares have not been transferred (9-money-back-part).
func (p Payment) CancellableSale(order Sale) bool {
	return p.Bought && order == SaleBought && p.Refunded > 0 && p.State == string(Paid)
}

// Shown is the state of a payment as it is shown: CHARGED_BACK is kept as REFUNDED, which it is to a program of an older version.
func (p Payment) Shown() string {
	if p.State == string(Refunded) && p.ChargedBack > 0 {
		return string(ChargedBack)
	}
	return p.State
}

// Returned is what is known to have come back of a payment.
func (p Payment) Returned() Returned {
	return Returned{Refunded: p.Refunded, ChargedBack: p.ChargedBack}
}

// ReturnedNow is what a provider says came back, beside what is known of p already. A refund of ours that the provider's list does
// not have yet is no refund that failed.
func (p Payment) ReturnedNow(f Found) Returned {
	now := f.Returned
	if f.Refunds != nil && p.RefundID != "" && !slices.Contains(f.Refunds, p.RefundID) {
		now.Refunded = max(now.Refunded, p.Refunded)
	}
	return now
}
