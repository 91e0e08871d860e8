package order

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// A withdrawn order is REFUNDED once all of its payments are.
func TestRefundOfAnOrder(t *testing.T) {
	for _, c := range []struct {
		states []payment.State
		want   string
	}{
		{nil, "NONE"}, {[]payment.State{payment.Expired, payment.Failed}, "NONE"},
		{[]payment.State{payment.Expired, payment.Refunding}, "REFUNDING"}, {[]payment.State{payment.Refunded, payment.Expired}, "REFUNDED"},
		{[]payment.State{payment.Refunded, payment.Refunding}, "REFUNDING"}, {[]payment.State{payment.Refunding, payment.Refunded}, "REFUNDING"},
	} {
		var all []payment.Payment
		for _, s := range c.states {
			all = append(all, payment.Payment{State: string(s)})
		}
		assert.Equal(t, c.want, refundOf(all), "%v", c.states)
	}
}
