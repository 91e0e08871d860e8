package usage

import (
	"slices"

	"github.com/wattle-portal/wattle/core/module"
)

// Reading is what a meter showed on a day (3-meter-reading-fields). The standings are those at the begin of the day, so what was
// used on a day is the difference with the next. A meter with one register, as of gas, shows it as consumption_normal.
type Reading struct {
	EANNumber         string     `json:"ean_number"`
	MeasurementDate   module.Day `json:"measurement_date"`
	MeterType         MeterType  `json:"meterType" enum:"SMART,CONVENTIONAL"`
	MeterNumber       string     `json:"meter_number" doc:"Standings of different meters do not continue each other"`
	Consumption       *Amount    `json:"consumption" nullable:"true" doc:"Taken since the previous reading of the same meter; null for its first"`
	ConsumptionNormal *Amount    `json:"consumption_normal" nullable:"true" doc:"Standing of the normal tariff, or of a meter's only register"`
	ConsumptionLow    *Amount    `json:"consumption_low" nullable:"true" doc:"Standing of the low tariff"`
	FeedinNormal      *Amount    `json:"feedin_normal" nullable:"true" doc:"Standing of what was fed in at the normal tariff"`
	FeedinLow         *Amount    `json:"feedin_low" nullable:"true" doc:"Standing of what was fed in at the low tariff"`
	Unit              Unit       `json:"unit" enum:"KWH,KWT,MTQ,M3N"`
}

// standing is a reading as it is stored: what the four registers of one meter showed.
type standing struct {
	EANCode     string     `bun:"ean_code,pk"`
	Day         module.Day `bun:",pk"`
	MeterNumber string     `bun:",pk"`

	Normal       *Amount
	Low          *Amount
	FeedinNormal *Amount
	FeedinLow    *Amount
}

func (s standing) registers() [4]*Amount {
	return [4]*Amount{s.Normal, s.Low, s.FeedinNormal, s.FeedinLow}
}

// fields name the registers of a record.
var standingFields = [4]string{"consumption_normal", "consumption_low", "feedin_normal", "feedin_low"}

// backwards names the first register that shows more in a than in b, a later reading of the same meter; empty when none does.
func backwards(a, b standing) string {
	x, y := a.registers(), b.registers()
	for i := range x {
		if x[i] != nil && y[i] != nil && *x[i] > *y[i] {
			return standingFields[i]
		}
	}
	return ""
}

// used is what was taken and fed in between two readings of the same meter.
func used(a, b standing, c Commodity) Amounts {
	x, y := a.registers(), b.registers()
	var d [4]*Amount
	for i := range x {
		if x[i] != nil && y[i] != nil {
			n := *y[i] - *x[i]
			d[i] = &n
		}
	}
	if c == Gas {
		return Amounts{Consumption: d[0]}
	}
	return Amounts{Normal: d[0], Low: d[1], FeedinNormal: d[2], FeedinLow: d[3], Consumption: sum(d[0], d[1])}
}

// readingsOf puts stored standings of a connection in words, newest first, with what was taken between them.
func readingsOf(c Connection, standings []standing) []Reading {
	ordered := slices.Clone(standings)
	slices.SortStableFunc(ordered, func(a, b standing) int { return a.Day.DaysSince(b.Day) })
	last := map[string]standing{} // by meter
	out := make([]Reading, 0, len(ordered))
	for _, s := range ordered {
		r := Reading{EANNumber: s.EANCode, MeasurementDate: s.Day, MeterType: c.MeterType, MeterNumber: s.MeterNumber, Unit: UnitOf(c.Commodity),
			ConsumptionNormal: s.Normal, ConsumptionLow: s.Low, FeedinNormal: s.FeedinNormal, FeedinLow: s.FeedinLow}
		if before, ok := last[s.MeterNumber]; ok {
			r.Consumption = used(before, s, c.Commodity).Consumption
		}
		last[s.MeterNumber] = s
		out = append(out, r)
	}
	slices.Reverse(out)
	return out
}
