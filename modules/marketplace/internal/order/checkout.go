package order

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
)

// Code of the transfer date.
const (
	codeDateEarly = "marketplace.date_early"
)

// Settings are the settings of the module that orders need.
type Settings struct {
	Transfer       TransferSettings `json:"transfer"`
	Order          OrderSettings    `json:"order"`
	WithdrawalDays int              `json:"withdrawal_days"` // 9-withdrawal-period
}

// FirstTransferDay is the earliest day on which shares can be transferred, and the one that is proposed: that of the basket or,
// where it has none, today plus so many days (5.7-checkout-date-default).
func FirstTransferDay(first, today value.Day, set TransferSettings) value.Day {
	if first.IsZero() {
		return today.AddDays(set.EarliestDays)
	}
	return first
}

// firstOf is the first valid start date of a basket with offers of these dates: nobody gets shares before they are for sale, nor
// sooner than the label takes to transfer them. Zero for an empty basket.
func firstOf(dates []value.Day, today value.Day, set TransferSettings) value.Day {
	if len(dates) == 0 {
		return value.Day{}
	}
	first := today.AddDays(set.EarliestDays)
	for _, d := range dates {
		if d.After(first) {
			first = d
		}
	}
	return first
}

// CheckTransferDate judges a transfer date (5.7-checkout-date-min).
func CheckTransferDate(day, first, today value.Day, set TransferSettings) []string {
	switch {
	case day.IsZero():
		return []string{offer.CodeRequired}
	case day.Before(FirstTransferDay(first, today, set)):
		return []string{codeDateEarly}
	}
	return nil
}

// WithdrawUntil is the last day on which a paid order can be undone: so many days after the day of payment (9-withdrawal-period), but
// before the shares are transferred (9-withdrawal-reconcile).
func WithdrawUntil(paid, transfer value.Day, days int) value.Day {
	last, until := paid.AddDays(days), transfer.AddDays(-1)
	if until.Before(last) {
		return until
	}
	return last
}

// ThankYou is the parameter n of the thank-you page: URL-safe base64, without padding, of the JSON array [order reference, amount in
// euro] (2.4-thank-you-encoding). It says what was ordered, never that it was paid.
func ThankYou(reference string, amount value.Cents) string {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode([]any{reference, amount}) // a text and a number always encode
	return base64.RawURLEncoding.EncodeToString([]byte(strings.TrimSpace(text.String())))
}

// TransferSettings say how soon bought shares can be handed over (5.7-checkout-date-default).
type TransferSettings struct {
	EarliestDays int `json:"earliest_days" browser:"true"`
}

// OrderSettings say how long an order waits for its money (9-order-reservation, 9-payment-link-life).
type OrderSettings struct {
	ReservationDays int `json:"reservation_days" browser:"true"`
	LinkDays        int `json:"link_days" browser:"true"`
}
