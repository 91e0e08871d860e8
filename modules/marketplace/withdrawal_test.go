package marketplace

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A buyer who withdrew is told that the money is back once all of it is.
func TestRefundOfAnOrder(t *testing.T) {
	for _, c := range []struct {
		states []paymentState
		want   string
	}{
		{nil, "NONE"}, {[]paymentState{payExpired, payFailed}, "NONE"}, {[]paymentState{payExpired, payRefunding}, "REFUNDING"}, {[]paymentState{payRefunded, payExpired}, "REFUNDED"},
		{[]paymentState{payRefunded, payRefunding}, "REFUNDING"}, {[]paymentState{payRefunding, payRefunded}, "REFUNDING"},
	} {
		var all []paymentRow
		for _, s := range c.states {
			all = append(all, paymentRow{State: string(s)})
		}
		assert.Equal(t, c.want, refundOf(all), "%v", c.states)
	}
}
