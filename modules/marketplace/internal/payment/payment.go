// Package payment processes the payments of customers: the interface of payment providers, Mollie, the stored payments, and the decision
// after a refund or chargeback (DecideReturn). It knows nothing about shares and orders except the order id of a payment. Payments are
// changed under lock and only through Save, which counts their versions.
package payment

import (
	"context"
	"errors"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// State is the state of a payment. REFUNDING means that a refund is requested, REFUNDED that the provider has accepted it.
type State string

// Payment states. A provider reports OPEN, PAID, FAILED, CANCELLED and EXPIRED, and for PAID the refunds and chargebacks; the portal adds
// REFUNDING and REFUNDED. A REFUNDED payment is shown as CHARGED_BACK when the buyer's bank took the money back.
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

// Settings contain the payment provider. Key is the name of a secret.
type Settings struct {
	Provider string `json:"provider"`
	Key      string `json:"key,omitempty"`
	URL      string `json:"url,omitempty"`
}

// moduleSettings are the module settings that payments need.
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

// Provider errors. An error that also wraps source.ErrDown means that the provider gave no usable response; the call may be retried.
var (
	ErrUnknown = errors.New("marketplace: the provider does not know the payment")
	ErrKey     = errors.New("marketplace: the provider refuses the key")
)

// Provider processes payments of customers. All methods are idempotent: a request with the same key is processed once.
type Provider interface {
	// Create creates a payment, or returns the one that was already created with the same Key.
	Create(ctx context.Context, r Request) (Made, error)
	// Get returns what the provider reports about a payment. It returns ErrUnknown when the payment does not exist.
	Get(ctx context.Context, id string) (Found, error)
	// Refund refunds a payment or a part of it. Without an error the provider has accepted the refund, which may still fail later.
	Refund(ctx context.Context, r Refund) (id string, err error)
}

// Request is a payment to be created.
type Request struct {
	Key         string // id of our payment
	Order       string // human-readable reference
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

// Found is what a provider reports about a payment.
type Found struct {
	State  State
	Key    string // as passed to Create
	Amount value.Cents
	Paid   time.Time // zero: not paid, or not reported

	Returned          // without failed refunds and reversed chargebacks
	Refunds  []string // ids of all refunds, including failed ones; nil: the provider lists none
}

// Refund is a refund to be made.
type Refund struct {
	Payment     string      // id that Create returned
	Key         string      // id of our payment
	Try         int64       // number of earlier refunds that failed
	Before      value.Cents // amount refunded before
	Amount      value.Cents
	Description string
}

// Returned contains the amounts of a payment that were refunded and charged back.
type Returned struct {
	Refunded    value.Cents `json:"refunded"`
	ChargedBack value.Cents `json:"charged_back"`
}

// Sum returns the total of both amounts.
func (r Returned) Sum() value.Cents { return r.Refunded + r.ChargedBack }
