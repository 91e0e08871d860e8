package marketplace

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// Notes about money that came back. Staff read them on the payment.
const (
	noteChargedBack = "CHARGED_BACK"                // by the buyer's bank: a sale before its transfer is cancelled
	noteChargedLate = "CHARGED_BACK_AFTER_TRANSFER" // the buyer has the shares and the money
	notePart        = "REFUNDED_PART"               // somebody gave a part back at the provider: the sale stands
	noteFailed      = "REFUND_FAILED"               // the provider took our refund on, and later said that it failed
	noteRestored    = "MONEY_RESTORED"              // what came back is here again: a chargeback was reversed
	noteTwiceBack   = "RETURNED_TWICE"              // more came back than was paid: refunded and charged back
)

// parkedNotes are those with which a payment that is REFUNDING waits for staff: paying back is not tried again by itself.
var parkedNotes = []string{noteFailed, noteRestored}

// stuckNotes are those of a payment that is REFUNDING of which nothing more becomes by itself once staff have seen it.
var stuckNotes = append([]string{noteRefused}, parkedNotes...)

// moneyFacts is what is known when a provider tells how much of a payment came back.
type moneyFacts struct {
	State  payment.State    `json:"state"` // PAID, REFUNDING or REFUNDED
	Note   string           `json:"note"`
	Bought bool             `json:"bought"` // this payment bought its order
	Order  status           `json:"order"`
	Amount value.Cents      `json:"amount"` // that was paid
	Had    payment.Returned `json:"had"`    // as it was known before
	Now    payment.Returned `json:"now"`
}

// moneyVerdict is what follows.
type moneyVerdict struct {
	State  payment.State `json:"state"`
	Note   string        `json:"note"`
	Cancel string        `json:"cancel,omitempty"` // why the portal cancels the sale; empty: it does not
	Rest   bool          `json:"rest,omitempty"`   // what is left of the money goes back too
	Case   bool          `json:"case,omitempty"`   // somebody of the staff has to look
}

// judgeMoney says what follows from how much of a payment came back (9-money-back-*). It looks at what is true now and at what was
// known last, never at the way between them: news that come late, again or against each other end where the last of them says.
func judgeMoney(f moneyFacts) moneyVerdict {
	v := moneyVerdict{State: f.State, Note: f.Note}
	if f.Now == f.Had {
		return v
	}
	gone := f.Now.Sum() >= f.Amount
	stands := f.Bought && (f.Order == orderBought || f.Order == orderCompleted)
	switch {
	case stands && f.Order == orderBought && (f.Now.ChargedBack > 0 || gone): // 9-money-back-before-transfer
		v.Cancel, v.Case = noteOutside, true
		if f.Now.ChargedBack > 0 {
			v.Cancel = noteChargedBack
		}
		v.Note = v.Cancel
		if v.State = payment.Refunded; !gone {
			v.State, v.Rest = payment.Refunding, true
		}
	case stands: // 9-money-back-after-transfer, 9-money-back-part
		if v.State, v.Case = payment.Paid, true; gone {
			v.State = payment.Refunded
		}
		switch {
		case f.Now.ChargedBack > 0:
			v.Note = noteChargedLate
		case gone:
			v.Note = noteOutside
		case f.Now.Refunded > 0:
			v.Note = notePart
		default:
			v.Note = noteRestored
		}
	case f.Now.Sum() > f.Amount:
		v.State, v.Note, v.Case = payment.Refunded, noteTwiceBack, true
	case gone:
		v.State = payment.Refunded
		switch {
		case f.Now.ChargedBack > f.Had.ChargedBack:
			v.Note, v.Case = noteChargedBack, true
		case slices.Contains(parkedNotes, f.Note): // it went back without us after all
			v.Note = noteOutside
		case f.State == payment.Paid: // money that no order stood for and that somebody was to look at
			v.Case = true
		}
	case f.State == payment.Refunded: // it is here again, and no order stands for it: 9-money-back-refund-failed
		v.State, v.Note, v.Case = payment.Refunding, noteFailed, true
		if f.Now.ChargedBack < f.Had.ChargedBack {
			v.Note = noteRestored
		}
	case f.State == payment.Paid:
		v.Case = true
	}
	return v
}

// refundable reports whether staff can give a payment back: money that no order stands for. An order that is paid is undone by its
// buyer.
func (p paymentRow) refundable() bool {
	return p.State == string(payment.Paid) && p.Note == noteAmount || p.State == string(payment.Refunding)
}

// seeable reports whether staff can say that they have seen to a payment: nothing more becomes of it by itself.
func (p paymentRow) seeable() bool {
	return p.Late && p.SeenAt == nil && (p.State != string(payment.Refunding) || slices.Contains(stuckNotes, p.Note))
}

// parked reports whether money is to go back and waits for staff to say so.
func (p paymentRow) parked() bool {
	return p.State == string(payment.Refunding) && slices.Contains(parkedNotes, p.Note)
}

// cancellableSale reports whether staff can cancel the sale that a payment stands for: a part of its money was given back at the
// provider, and the shares have not been transferred (9-money-back-part).
func (p paymentRow) cancellableSale(order status) bool {
	return p.Bought && order == orderBought && p.Refunded > 0 && p.State == string(payment.Paid)
}

// shown is the state of a payment as it is shown: CHARGED_BACK is kept as REFUNDED, which it is to a program of an older version.
func (p paymentRow) shown() string {
	if p.State == string(payment.Refunded) && p.ChargedBack > 0 {
		return string(payment.ChargedBack)
	}
	return p.State
}

// returned is what is known to have come back of a payment.
func (p paymentRow) returned() payment.Returned {
	return payment.Returned{Refunded: p.Refunded, ChargedBack: p.ChargedBack}
}

// returnedNow is what a provider says came back, beside what is known of p already. A refund of ours that the provider's list does
// not have yet is no refund that failed.
func (p paymentRow) returnedNow(f payment.Found) payment.Returned {
	now := f.Returned
	if f.Refunds != nil && p.RefundID != "" && !slices.Contains(f.Refunds, p.RefundID) {
		now.Refunded = max(now.Refunded, p.Refunded)
	}
	return now
}
