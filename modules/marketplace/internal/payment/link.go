package payment

import (
	"time"

	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// LinkUntil is until when a payment can be used: the label's number of days, but never past the end of the reservation
// (9-reservation-link-reconcile) nor of the provider's own patience.
func LinkUntil(now, orderExpires, provider time.Time, days int) time.Time {
	until := now.Add(time.Duration(days) * 24 * time.Hour)
	for _, t := range []time.Time{orderExpires, provider} {
		if !t.IsZero() && t.Before(until) {
			until = t
		}
	}
	return state.StoredTime(until)
}
