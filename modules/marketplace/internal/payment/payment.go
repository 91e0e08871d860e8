// Package payment takes the money of customers: what a provider of payments does, Mollie and the sandbox, the payments that are stored, and
// what follows when money comes back (Judge). It has no shares and no orders: a payment holds the id of an order and no more of it. Payments
// are written under lock and through Save alone, which counts their versions.
package payment

import (
	"context"
	"errors"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// State is how far a payment has come. REFUNDING is wished, REFUNDED is taken by the provider.
type State string

// States of a payment. A provider says OPEN, PAID, FAILED, CANCELLED and EXPIRED, and beside PAID how much came back; REFUNDING and
// REFUNDED are ours, and CHARGED_BACK is how a REFUNDED one is shown whose money the buyer's bank took back.
const (
	Open      State = "OPEN"
	Paid      State = "PAID"
	Failed    State = "FAILED"
	Cancelled State = "CANCELLED"
	Expired   State = "EXPIRED"
	Refunding State = "REFUNDING"
	Refunded  State = "REFUNDED"

	ChargedBack State = "CHARGED_BACK"
)

// Errors of a provider. source.ErrDown (wrapped) beside them says that it gave no answer that can be used: later it may.
var (
	ErrUnknown = errors.New("marketplace: the provider does not know the payment")
	ErrKey     = errors.New("marketplace: the provider refuses the key")
)

// Provider takes the money of customers. Everything may be asked twice: what carries the same key is done once.
type Provider interface {
	// Create makes a payment, or gives the one that was made for the same Key before.
	Create(ctx context.Context, p Wish) (Made, error)
	// Get says what became of a payment. ErrUnknown when there is none.
	Get(ctx context.Context, id string) (Found, error)
	// Refund gives money of a payment back. nil: the provider has taken it on; it may still say later that it failed.
	Refund(ctx context.Context, r Refund) (id string, err error)
}

// Wish is a payment to be made.
type Wish struct {
	Key         string // of our payment: its id
	Order       string // reference, for people
	Amount      value.Cents
	Description string
	Return      string // where the customer goes after paying
	Cancel      string // and after changing his mind
	Webhook     string // is told that something became of it
	Locale      string // nl or en
}

// Made is where it can be paid.
type Made struct {
	ID      string
	URL     string
	Expires time.Time // zero: the provider does not say
}

// Found is what a provider says of a payment.
type Found struct {
	State  State
	Key    string // as it was given to Create
	Amount value.Cents
	Paid   time.Time // zero: not, or not said

	Returned          // given back or on its way, without what failed, and charged back without what was given up since
	Refunds  []string // ids of the refunds that the provider lists, failed ones too; nil: it lists none at all
}

// Refund is money to be given back.
type Refund struct {
	Payment     string      // id that Create gave
	Key         string      // of our payment
	Try         int64       // from 0: refunds of before that failed
	Before      value.Cents // that has been given back already
	Amount      value.Cents
	Description string
}

// Returned is how much of a payment has come back.
type Returned struct {
	Refunded    value.Cents `json:"refunded"`
	ChargedBack value.Cents `json:"charged_back"`
}

// Sum is all that came back.
func (r Returned) Sum() value.Cents { return r.Refunded + r.ChargedBack }
