package sandbox

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// The page shows what was chosen, and offers what can still happen to the payment.
func TestChoicesThatAreLeft(t *testing.T) {
	const amount = 4000
	for _, c := range []struct {
		row     Row
		says    string
		choices []string
	}{
		{Row{State: payment.Open}, "", nil},
		{Row{State: payment.Failed}, "This payment has failed.", nil},
		{Row{State: payment.Paid}, "This payment has been made.", []string{"charge_back", "refund_part"}},
		{Row{State: payment.Paid, Refunded: 3998}, "This payment has been made.", []string{"charge_back", "refund_part", "fail_refund"}},
		{Row{State: payment.Paid, Refunded: 3999}, "This payment has been made.", []string{"charge_back", "fail_refund"}},
		{Row{State: payment.Paid, Refunded: amount}, "This payment has been given back.", []string{"charge_back", "fail_refund"}},
		{Row{State: payment.Paid, ChargedBack: 2000}, "This payment has been charged back.", []string{"refund_part", "reverse"}},
		{Row{State: payment.Paid, ChargedBack: amount}, "This payment has been charged back.", []string{"reverse"}},
	} {
		v := view{Lang: "en"}
		v.show(c.row, amount)
		var choices []string
		for _, b := range v.Back {
			choices = append(choices, b.Value)
		}
		assert.Equal(t, c.says, v.State, "%+v", c.row)
		assert.Equal(t, c.choices, choices, "%+v", c.row)
	}
}
