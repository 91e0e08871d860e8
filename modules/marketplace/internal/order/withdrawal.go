package order

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// WithdrawUntil returns the last day of the withdrawal period (cooling-off), on which a paid order can be undone: a number of days after
// the day of payment (9-withdrawal-period), but before the shares are transferred (9-withdrawal-reconcile).
func WithdrawUntil(paid, transfer value.Day, days int) value.Day {
	last, until := paid.AddDays(days), transfer.AddDays(-1)
	if until.Before(last) {
		return until
	}
	return last
}

// LastUndoDay returns the last day on which an order can be undone; zero when it cannot be undone or is not paid. The withdrawal period is
// the one that applied at the time of the payment.
func LastUndoDay(o Row, zone *time.Location) value.Day {
	if o.Status != Bought || o.PaidAt == nil || o.WithdrawalDays == nil {
		return value.Day{}
	}
	return WithdrawUntil(value.DayOf(o.PaidAt.In(zone)), o.TransferDate, *o.WithdrawalDays)
}
