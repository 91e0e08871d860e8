package payment

import (
	"time"

	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// LinkUntil returns the end of the validity of a payment link: after the label's number of days, but not after the end of the reservation
// (9-reservation-link-reconcile) or the provider's own limit.
func LinkUntil(now, orderExpires, provider time.Time, days int) time.Time {
	until := now.Add(time.Duration(days) * 24 * time.Hour)
	for _, t := range []time.Time{orderExpires, provider} {
		if !t.IsZero() && t.Before(until) {
			until = t
		}
	}
	return state.StoredTime(until)
}
