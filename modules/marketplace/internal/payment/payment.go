// Package payment takes the money of customers: what a provider of payments does, Mollie, the payments that are stored, and
// what follows when money comes back (DecideReturn). It has no shares and no orders: a payment holds the id of an order and no more of
// it. Payments are written under lock and through Save alone, which counts their versions.
package payment

import (
	"context"
	"errors"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// State is the state of a payment. In REFUNDING a refund is requested, in REFUNDED the provider has accepted it.
type State string

// States of a payment. A provider reports OPEN, PAID, FAILED, CANCELLED and EXPIRED, and with PAID how much came back; REFUNDING and
// REFUNDED are ours. CHARGED_BACK is how a REFUNDED payment is shown when the buyer's bank took the money back.
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

// Settings name the payment provider. Key is the name of a secret.
type Settings struct {
	Provider string `json:"provider"`
	Key      string `json:"key,omitempty"`
	URL      string `json:"url,omitempty"`
}

// moduleSettings are the settings of the module that payments need.
type moduleSettings struct {
	Payment Settings `json:"payment"`
}

// SettingsOf returns the settings of the call's label. Without a provider the label sells nothing.
func SettingsOf(ctx context.Context) (Settings, error) {
	set, err := module.Settings[moduleSettings](ctx)
	if err != nil {
		return Settings{}, err
	}
	return set.Payment, nil
}

// Errors of a provider. An error that also wraps source.ErrDown means that the provider gave no usable answer and may be retried.
var (
	ErrUnknown = errors.New("marketplace: the provider does not know the payment")
	ErrKey     = errors.New("marketplace: the provider refuses the key")
)

// Provider takes the money of customers. All methods are idempotent: a request with the same key is done once.
type Provider interface {
	// Create creates a payment, or returns the one that was created with the same Key before.
	Create(ctx context.Context, r Request) (Made, error)
	// Get returns what the provider reports of a payment. It returns ErrUnknown when there is none.
	Get(ctx context.Context, id string) (Found, error)
	// Refund refunds money of a payment. Without an error the provider has accepted it; the refund may still fail later.
	Refund(ctx context.Context, r Refund) (id string, err error)
}

// Request is a payment to be created.
type Request struct {
	Key         string // id of our payment
	Order       string // reference, for people
	Amount      value.Cents
	Description string
	Return      string // URL that the customer returns to after paying
	Cancel      string // URL that the customer returns to after cancelling
	Webhook     string // URL that the provider notifies of changes
	Locale      string // nl or en
}

// Made is a payment that a provider has created.
type Made struct {
	ID      string
	URL     string
	Expires time.Time // zero: the provider does not report it
}

// Found is what a provider reports of a payment.
type Found struct {
	State  State
	Key    string // as given to Create
	Amount value.Cents
	Paid   time.Time // zero: not paid, or not reported

	Returned          // refunds without those that failed, and chargebacks without those that were reversed
	Refunds  []string // ids of all refunds, failed ones too; nil: the provider lists none
}

// Refund is a refund to be made.
type Refund struct {
	Payment     string      // id that Create returned
	Key         string      // id of our payment
	Try         int64       // from 0; counts earlier refunds that failed
	Before      value.Cents // amount that was refunded before
	Amount      value.Cents
	Description string
}

// Returned is how much of a payment has come back.
type Returned struct {
	Refunded    value.Cents `json:"refunded"`
	ChargedBack value.Cents `json:"charged_back"`
}

// Sum returns all that came back.
func (r Returned) Sum() value.Cents { return r.Refunded + r.ChargedBack }
