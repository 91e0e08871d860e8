package payment

// Notes that staff read on a payment.
const (
	NoteHonoured = "HONOURED"        // late, but the shares were available: a new order replaces its order
	NoteGone     = "SHARES_GONE"     // late, and the shares were no longer available
	NoteEnded    = "ORDER_CANCELLED" // its order had already been cancelled
	NoteTwice    = "PAID_TWICE"      // its order had already been paid
	NoteAmount   = "AMOUNT_DIFFERS"  // the provider reports another amount or payment: staff must check it
	NoteOutside  = "REFUNDED_OUTSIDE"
	NoteRefused  = "REFUND_REFUSED" // the provider refuses the refund: staff must check it
	NoteUndone   = "WITHDRAWN"      // the buyer undid a paid order
	NoteStaff    = "BY_STAFF"
)
