package cost

import (
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// NetMetering compares the cost of a year with net metering and without it, for customers who feed in (9-usage-euro-net-metering).
type NetMetering struct {
	EANCode string       `json:"ean_code" doc:"EAN code of the connection"`
	Applies bool         `json:"applies" doc:"Whether net metering still holds today and the connection fed in during these days; if not, there are no costs"`
	Until   value.Day    `json:"net_metering_until,omitzero" doc:"Last day on which feed-in is subtracted from usage"`
	From    value.Day    `json:"from" doc:"First day: twelve months before the current one"`
	To      value.Day    `json:"to" doc:"Day after the last: the first of the current month"`
	Fed     meter.Amount `json:"fed_in" doc:"What was fed in on these days"`
	With    *Cost        `json:"with,omitempty" doc:"Cost of these days at today's prices with net metering"`
	Without *Cost        `json:"without,omitempty" doc:"The same without net metering: all feed-in is paid by its own price and its costs apply"`
}

// Compare calculates the cost of days with net metering and without it, at today's prices.
func (n *NetMetering) Compare(t Tariff, today value.Day, days meter.Span, quantities []meter.Quantity) {
	t.Prices, t.NetMeteringUntil = pricesOf(today, t.Prices, days), days.Until
	with := Of(t, days, quantities)
	t.NetMeteringUntil = value.Day{}
	without := Of(t, days, quantities)
	n.With, n.Without = &with, &without
}
