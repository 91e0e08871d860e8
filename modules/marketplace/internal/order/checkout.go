package order

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
)

// Error code of the transfer date.
const (
	codeDateEarly = "marketplace.date_early"
)

// Settings are the module settings that orders need.
type Settings struct {
	Transfer       TransferSettings `json:"transfer"`
	Order          OrderSettings    `json:"order"`
	WithdrawalDays int              `json:"withdrawal_days"` // 9-withdrawal-period
}

// FirstTransferDay returns the earliest day on which shares can be transferred, which is also the proposed day: the first transfer day of
// the basket or, without one, today plus EarliestDays (5.7-checkout-date-default).
func FirstTransferDay(first, today value.Day, set TransferSettings) value.Day {
	if first.IsZero() {
		return today.AddDays(set.EarliestDays)
	}
	return first
}

// firstOf returns the first valid transfer date of a basket whose offers have these dates: an offer must be for sale, and EarliestDays
// must have passed. It returns the zero day for an empty basket.
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

// CheckTransferDate returns the error codes for a transfer date (5.7-checkout-date-min).
func CheckTransferDate(day, first, today value.Day, set TransferSettings) []string {
	switch {
	case day.IsZero():
		return []string{offer.CodeRequired}
	case day.Before(FirstTransferDay(first, today, set)):
		return []string{codeDateEarly}
	}
	return nil
}

// TransferWhenPaid returns the transfer date of an order that is paid on a day: the chosen date or, when it has been reached, EarliestDays
// after the payment, or fewer days if the withdrawal period is shorter (9-transfer-when-paid).
func TransferWhenPaid(chosen, paid value.Day, set Settings) value.Day {
	if chosen.After(paid) {
		return chosen
	}
	return paid.AddDays(min(set.Transfer.EarliestDays, set.WithdrawalDays+1))
}

// ThankYou returns the parameter n of the thank-you page: URL-safe base64, without padding, of the JSON array [order reference, amount in
// euros] (2.4-thank-you-encoding). The page shows what was ordered and does not claim that it was paid.
func ThankYou(reference string, amount value.Cents) string {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode([]any{reference, amount}) // encoding a string and a number never fails
	return base64.RawURLEncoding.EncodeToString([]byte(strings.TrimSpace(text.String())))
}

// TransferSettings limit when bought shares can be transferred (5.7-checkout-date-default).
type TransferSettings struct {
	EarliestDays int `json:"earliest_days" browser:"true" doc:"Minimum number of days between an order and its transfer"`
}

// OrderSettings limit how long an order waits for its payment (9-order-reservation, 9-payment-link-life) and define what it costs.
type OrderSettings struct {
	ReservationDays int `json:"reservation_days" browser:"true" doc:"Number of days that an unpaid order holds its shares"`
	LinkDays        int `json:"link_days" browser:"true" doc:"Number of days that a link to pay an order can be used"`
	// 9-order-costs
	AdministrationCosts bool `json:"administration_costs" browser:"true" doc:"Whether the administration costs of projects are charged with an order"`
}
