package payment

// Notes that staff read on a payment.
const (
	NoteHonoured = "HONOURED"        // late, but the shares were still there: a new order took its place
	NoteGone     = "SHARES_GONE"     // late, and they were not
	NoteEnded    = "ORDER_CANCELLED" // its order had been cancelled
	NoteTwice    = "PAID_TWICE"      // its order had been paid
	NoteAmount   = "AMOUNT_DIFFERS"  // the provider speaks of another amount or payment: somebody must look
	NoteOutside  = "REFUNDED_OUTSIDE"
	NoteRefused  = "REFUND_REFUSED" // the provider does not give it back: somebody must look
	NoteUndone   = "WITHDRAWN"      // the buyer undid a paid order
	NoteStaff    = "BY_STAFF"
)
