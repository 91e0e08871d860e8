package marketplace

import (
	"context"
	"errors"
	"time"

	"github.com/wattle-portal/wattle/core/module"
)

// paymentState is how far a payment has come. REFUNDING is wished, REFUNDED is taken by the provider.
type paymentState string

// States of a payment. A provider says OPEN, PAID, FAILED, CANCELLED, EXPIRED and REFUNDED; REFUNDING is ours.
const (
	payOpen      paymentState = "OPEN"
	payPaid      paymentState = "PAID"
	payFailed    paymentState = "FAILED"
	payCancelled paymentState = "CANCELLED"
	payExpired   paymentState = "EXPIRED"
	payRefunding paymentState = "REFUNDING"
	payRefunded  paymentState = "REFUNDED"
)

// Errors of a provider. module.ErrDown (wrapped) beside them says that it gave no answer that can be used: later it may.
var (
	errPaymentUnknown = errors.New("marketplace: the provider does not know the payment")
	errPaymentKey     = errors.New("marketplace: the provider refuses the key")
)

// provider takes the money of customers. Everything may be asked twice: what carries the same key is done once.
type provider interface {
	// Create makes a payment, or gives the one that was made for the same Key before.
	Create(ctx context.Context, p paymentWish) (paymentMade, error)
	// Get says what became of a payment. errPaymentUnknown when there is none.
	Get(ctx context.Context, id string) (paymentFound, error)
	// Refund gives all of a payment back. nil: the provider has taken it on.
	Refund(ctx context.Context, r refundWish) (id string, err error)
}

// paymentWish is a payment to be made.
type paymentWish struct {
	Key         string // of our payment: its id
	Order       string // reference, for people
	Amount      module.Cents
	Description string
	Return      string // where the customer goes after paying
	Cancel      string // and after changing his mind
	Webhook     string // is told that something became of it
	Locale      string // nl or en
}

// paymentMade is where it can be paid.
type paymentMade struct {
	ID      string
	URL     string
	Expires time.Time // zero: the provider does not say
}

// paymentFound is what a provider says of a payment.
type paymentFound struct {
	State  paymentState
	Key    string // as it was given to Create
	Amount module.Cents
	Paid   time.Time // zero: not, or not said
}

// refundWish is money to be given back.
type refundWish struct {
	Payment     string // id that Create gave
	Key         string // of our payment
	Amount      module.Cents
	Description string
}
