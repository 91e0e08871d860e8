// Package reading validates and stores meter readings, which are taken at the start of a day. It calculates the usage between two readings,
// and determines which readings reveal daily usage.
package reading

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Reading is a meter reading (3-meter-reading-fields). It is taken at the start of the day, so the usage of a day is the difference between
// its reading and the next day's. A meter with one register, such as a gas meter, uses consumption_normal.
type Reading struct {
	EANNumber         string        `json:"ean_number" doc:"EAN code of the connection"`
	MeasurementDate   value.Day     `json:"measurement_date" doc:"Day of the reading, taken at the start of the day"`
	MeterType         meter.Type    `json:"meterType" enum:"SMART,CONVENTIONAL" doc:"SMART: a smart meter that is read remotely; CONVENTIONAL: any other"`
	MeterNumber       string        `json:"meter_number" doc:"Number of the meter; the readings of different meters cannot be subtracted"`
	Consumption       *meter.Amount `json:"consumption" nullable:"true" doc:"Usage since the previous reading of the same meter; null for its first"`
	ConsumptionNormal *meter.Amount `json:"consumption_normal" nullable:"true" doc:"Reading of the normal tariff, or of the only register"`
	ConsumptionLow    *meter.Amount `json:"consumption_low" nullable:"true" doc:"Reading of the low tariff"`
	FeedinNormal      *meter.Amount `json:"feedin_normal" nullable:"true" doc:"Reading of feed-in at the normal tariff"`
	FeedinLow         *meter.Amount `json:"feedin_low" nullable:"true" doc:"Reading of feed-in at the low tariff"`
	Unit              meter.Unit    `json:"unit" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the readings: KWH is kWh, M3N is normal cubic meter"`
}

// Stored is a stored reading of the four registers of one meter.
type Stored struct {
	EANCode     string    `bun:"ean_code,pk"`
	Day         value.Day `bun:",pk"`
	MeterNumber string    `bun:",pk"`

	Normal       *meter.Amount
	Low          *meter.Amount
	FeedinNormal *meter.Amount
	FeedinLow    *meter.Amount
}

// registers returns the readings in the order of recordFields.
func (s Stored) registers() [4]*meter.Amount {
	return [4]*meter.Amount{s.Normal, s.Low, s.FeedinNormal, s.FeedinLow}
}

// recordFields contains the names of the registers in a record.
var recordFields = [4]string{"consumption_normal", "consumption_low", "feedin_normal", "feedin_low"}

// decreasingField returns the field of the first register that is higher in a than in b, a later reading of the same meter, or "".
func decreasingField(a, b Stored) string {
	x, y := a.registers(), b.registers()
	for i := range x {
		if x[i] != nil && y[i] != nil && *x[i] > *y[i] {
			return recordFields[i]
		}
	}
	return ""
}

// Difference returns the usage in Wh or dm³ between two readings of the same meter.
func Difference(a, b Stored, c meter.Commodity) meter.Amounts {
	x, y := a.registers(), b.registers()
	var d [4]*meter.Amount
	for i := range x {
		if x[i] != nil && y[i] != nil {
			n := *y[i] - *x[i]
			d[i] = &n
		}
	}
	if c == meter.Gas {
		return meter.Amounts{Consumption: d[0]}
	}
	return meter.Amounts{Normal: d[0], Low: d[1], FeedinNormal: d[2], FeedinLow: d[3], Consumption: meter.Sum(d[0], d[1])}
}

// List returns the readings of a connection for the API, newest first, with the usage since the previous one. The usage is left out
// across a gap in the span of supply, because another household used energy there.
func List(c meter.Connection, readings []Stored, t meter.Span) []Reading {
	ordered := slices.Clone(readings)
	slices.SortStableFunc(ordered, func(a, b Stored) int { return a.Day.DaysSince(b.Day) })
	last := map[string]Stored{} // by meter number
	out := make([]Reading, 0, len(ordered))
	for _, s := range ordered {
		r := Reading{EANNumber: s.EANCode, MeasurementDate: s.Day, MeterType: c.MeterType, MeterNumber: s.MeterNumber,
			Unit:              meter.UnitOf(c.Commodity),
			ConsumptionNormal: s.Normal, ConsumptionLow: s.Low, FeedinNormal: s.FeedinNormal, FeedinLow: s.FeedinLow}
		if before, ok := last[s.MeterNumber]; ok && t.Contains(meter.Span{From: before.Day, Until: s.Day}) {
			r.Consumption = Difference(before, s, c.Commodity).Consumption
		}
		last[s.MeterNumber] = s
		out = append(out, r)
	}
	slices.Reverse(out)
	return out
}

// equalValues reports whether two readings have the same values.
func (s Stored) equalValues(o Stored) bool {
	x, y := s.registers(), o.registers()
	for i := range x {
		if (x[i] == nil) != (y[i] == nil) || x[i] != nil && *x[i] != *y[i] {
			return false
		}
	}
	return true
}

// Check compares a reading with others of the same meter, in any order: it may not be lower than an earlier or higher than a later one.
// known is true if the same reading is already stored. A different reading of the same day is refused unless it is a correction.
func Check(others []Stored, s Stored, correction bool) (known bool, recordErr *meter.RecordError) {
	for _, o := range others {
		switch {
		case o.MeterNumber != s.MeterNumber:
		case o.Day == s.Day:
			if known = o.equalValues(s); !known && !correction {
				return false, meter.Invalid("measurement_date", meter.CodeDuplicate)
			}
		case o.Day.Before(s.Day):
			if field := decreasingField(o, s); field != "" {
				return false, meter.Invalid(field, codeBackwards)
			}
		default:
			if field := decreasingField(s, o); field != "" {
				return false, meter.Invalid(field, codeBackwards)
			}
		}
	}
	return known, nil
}

// DailyProfiles returns the usage of days with readings on that day and the next. Differences over several days are not divided over these
// days, which stay gaps.
func DailyProfiles(c meter.Connection, readings []Stored) map[value.Day]interval.Profile {
	at := map[string]Stored{}
	for _, s := range readings {
		at[s.MeterNumber+"\x00"+s.Day.String()] = s
	}
	out := map[value.Day]interval.Profile{}
	for _, s := range readings {
		next, ok := at[s.MeterNumber+"\x00"+s.Day.AddDays(1).String()]
		if !ok {
			continue
		}
		a, p := Difference(s, next, c.Commodity), interval.NewProfile(interval.DaySeconds, 1)
		gas := a.Consumption
		if c.Commodity == meter.Electricity {
			gas = nil
		}
		hasAmount := false
		for register, v := range []*meter.Amount{a.Normal, a.Low, a.FeedinNormal, a.FeedinLow, gas} {
			if v != nil && *v >= 0 {
				p.Set(register, 0, *v)
				hasAmount = true
			}
		}
		if hasAmount {
			out[s.Day] = p
		}
	}
	return out
}

// Replace adds a reading, or replaces the reading of the same day and meter.
func Replace(readings []Stored, s Stored) []Stored {
	i := slices.IndexFunc(readings, func(o Stored) bool { return o.Day == s.Day && o.MeterNumber == s.MeterNumber })
	if i < 0 {
		return append(readings, s)
	}
	readings[i] = s
	return readings
}
