package billing

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/value"
)

func TestElectricityOfAnAgreement(t *testing.T) {
	today := day(t, "2026-11-20")
	last, over := today, today.AddDays(-1)
	at := func(commodities ...string) []Address {
		a := Address{Type: "SHIPPING"}
		for _, c := range commodities {
			a.Connections = append(a.Connections, Connection{EAN: "871600000000000017", Commodity: c})
		}
		return []Address{{Type: "INVOICE"}, a}
	}
	from := func(d value.Day, to *value.Day) Period { return Period{d, to} }
	for name, c := range map[string]struct {
		status    Status
		period    Period
		addresses []Address
		products  []Product
		want      bool
	}{
		"a connection":    {"ACTIVE", from(today, nil), at("GAS", "ELECTRICITY"), nil, true},
		"on its last day": {"ACTIVE", from(day(t, "2024-01-01"), &last), at("ELECTRICITY"), nil, true},
		"ended yesterday": {"ACTIVE", from(day(t, "2024-01-01"), &over), at("ELECTRICITY"), nil, false},
		"begins tomorrow": {"ACTIVE", from(today.AddDays(1), nil), at("ELECTRICITY"), nil, false},
		"terminated":      {"TERMINATED", from(day(t, "2024-01-01"), nil), at("ELECTRICITY"), nil, false},
		"cancelled":       {"CANCELLED", from(day(t, "2024-01-01"), nil), at("ELECTRICITY"), nil, false},
		"future":          {"FUTURE", from(day(t, "2024-01-01"), nil), at("ELECTRICITY"), nil, false},
		"gas only":        {"ACTIVE", from(today, nil), at("GAS"), nil, false},
		"nothing":         {"ACTIVE", from(today, nil), nil, nil, false},
		"a product": {"ACTIVE", from(today, nil), nil, []Product{{Commodity: "GAS", Start: today},
			{Commodity: "ELECTRICITY", Start: today}}, true},
		"a product that is over": {"ACTIVE", from(today, nil), nil,
			[]Product{{Commodity: "ELECTRICITY", Start: day(t, "2024-01-01"), End: &over}}, false},
		"a product of an ended one": {"ACTIVE", from(day(t, "2024-01-01"), &over), nil,
			[]Product{{Commodity: "ELECTRICITY", Start: day(t, "2024-01-01")}}, false},
		"a product without its sort": {"ACTIVE", from(today, nil), nil, []Product{{Start: today}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := &storedAgreement{Agreement: Agreement{Status: c.status, Period: c.period, Addresses: c.addresses}, Products: c.products}
			assert.Equal(t, c.want, a.deliversElectricity(today))
		})
	}
}
