package marketplace

import (
	"context"
	"errors"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// paymentState is how far a payment has come. REFUNDING is wished, REFUNDED is taken by the provider.
type paymentState string

// States of a payment. A provider says OPEN, PAID, FAILED, CANCELLED and EXPIRED, and beside PAID how much came back; REFUNDING and
// REFUNDED are ours, and CHARGED_BACK is how a REFUNDED one is shown whose money the buyer's bank took back.
const (
	payOpen      paymentState = "OPEN"
	payPaid      paymentState = "PAID"
	payFailed    paymentState = "FAILED"
	payCancelled paymentState = "CANCELLED"
	payExpired   paymentState = "EXPIRED"
	payRefunding paymentState = "REFUNDING"
	payRefunded  paymentState = "REFUNDED"

	payChargedBack paymentState = "CHARGED_BACK"
)

// Errors of a provider. source.ErrDown (wrapped) beside them says that it gave no answer that can be used: later it may.
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
	// Refund gives money of a payment back. nil: the provider has taken it on; it may still say later that it failed.
	Refund(ctx context.Context, r refundWish) (id string, err error)
}

// paymentWish is a payment to be made.
type paymentWish struct {
	Key         string // of our payment: its id
	Order       string // reference, for people
	Amount      value.Cents
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
	Amount value.Cents
	Paid   time.Time // zero: not, or not said

	Refunded    value.Cents // given back, or on its way; what failed is not in it
	ChargedBack value.Cents // taken back by the buyer's bank and not given up since
	Refunds     []string    // ids of the refunds that the provider lists, failed ones too; nil: it lists none at all
}

// refundWish is money to be given back.
type refundWish struct {
	Payment     string      // id that Create gave
	Key         string      // of our payment
	Try         int64       // from 0: refunds of before that failed
	Before      value.Cents // that has been given back already
	Amount      value.Cents
	Description string
}
