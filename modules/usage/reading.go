package usage

import (
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Reading is what a meter showed on a day (3-meter-reading-fields). The standings are those at the begin of the day, so what was
// used on a day is the difference with the next. A meter with one register, as of gas, shows it as consumption_normal.
type Reading struct {
	EANNumber         string    `json:"ean_number"`
	MeasurementDate   value.Day `json:"measurement_date"`
	MeterType         MeterType `json:"meterType" enum:"SMART,CONVENTIONAL"`
	MeterNumber       string    `json:"meter_number" doc:"Standings of different meters do not continue each other"`
	Consumption       *Amount   `json:"consumption" nullable:"true" doc:"Taken since the previous reading of the same meter; null for its first"`
	ConsumptionNormal *Amount   `json:"consumption_normal" nullable:"true" doc:"Standing of the normal tariff, or of a meter's only register"`
	ConsumptionLow    *Amount   `json:"consumption_low" nullable:"true" doc:"Standing of the low tariff"`
	FeedinNormal      *Amount   `json:"feedin_normal" nullable:"true" doc:"Standing of what was fed in at the normal tariff"`
	FeedinLow         *Amount   `json:"feedin_low" nullable:"true" doc:"Standing of what was fed in at the low tariff"`
	Unit              Unit      `json:"unit" enum:"KWH,KWT,MTQ,M3N"`
}

// standing is a reading as it is stored: what the four registers of one meter showed.
type standing struct {
	EANCode     string    `bun:"ean_code,pk"`
	Day         value.Day `bun:",pk"`
	MeterNumber string    `bun:",pk"`

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

// readingsOf puts stored standings of a connection in words, newest first, with what was taken between them: not over a gap in the
// span in which the relation was supplied, for that is another household's.
func readingsOf(c Connection, standings []standing, t span) []Reading {
	ordered := slices.Clone(standings)
	slices.SortStableFunc(ordered, func(a, b standing) int { return a.Day.DaysSince(b.Day) })
	last := map[string]standing{} // by meter
	out := make([]Reading, 0, len(ordered))
	for _, s := range ordered {
		r := Reading{EANNumber: s.EANCode, MeasurementDate: s.Day, MeterType: c.MeterType, MeterNumber: s.MeterNumber, Unit: UnitOf(c.Commodity),
			ConsumptionNormal: s.Normal, ConsumptionLow: s.Low, FeedinNormal: s.FeedinNormal, FeedinLow: s.FeedinLow}
		if before, ok := last[s.MeterNumber]; ok && t.covers(span{from: before.Day, until: s.Day}) {
			r.Consumption = used(before, s, c.Commodity).Consumption
		}
		last[s.MeterNumber] = s
		out = append(out, r)
	}
	slices.Reverse(out)
	return out
}

// readingRecord is what a meter showed (kind reading).
type readingRecord struct {
	EANCode           string  `json:"ean_code"`
	EANNumber         string  `json:"ean_number"` // the same under its name in the API
	MeasurementDate   string  `json:"measurement_date"`
	MeterNumber       string  `json:"meter_number"`
	Consumption       measure `json:"consumption"` // of gas: the standing
	ConsumptionNormal measure `json:"consumption_normal"`
	ConsumptionLow    measure `json:"consumption_low"`
	FeedinNormal      measure `json:"feedin_normal"`
	FeedinLow         measure `json:"feedin_low"`
	Correction        bool    `json:"correction"` // takes the place of what was read that day
}

// read checks a record of a connection by itself.
func (r *readingRecord) read(c Connection, today value.Day, loc *time.Location) (s standing, wrong *fault) {
	s = standing{EANCode: c.EANCode, MeterNumber: r.MeterNumber}
	if s.MeterNumber == "" {
		s.MeterNumber = c.MeterNumber
	}
	if r.MeasurementDate == "" {
		return s, &fault{"measurement_date", problem.CodeRequired}
	}
	var code string
	if s.Day, code = parseDate(r.MeasurementDate, loc); code != "" {
		return s, &fault{"measurement_date", code}
	}
	if s.Day.After(today.AddDays(1)) {
		return s, &fault{"measurement_date", codeFuture}
	}
	measures := [4]measure{r.ConsumptionNormal, r.ConsumptionLow, r.FeedinNormal, r.FeedinLow}
	fields := standingFields
	if c.Commodity == Gas && measures[0].text == "" {
		measures[0], fields[0] = r.Consumption, "consumption"
	}
	into, some := [4]**Amount{&s.Normal, &s.Low, &s.FeedinNormal, &s.FeedinLow}, false
	for i, m := range measures {
		a, code := m.amount()
		if code == "" && a != nil && c.Commodity == Gas && i > 0 {
			code = codeRegister
		}
		if code != "" {
			return s, &fault{fields[i], code}
		}
		*into[i], some = a, some || a != nil
	}
	if !some {
		return s, &fault{"", codeNothing}
	}
	return s, nil
}

// same reports whether two standings of a day say the same.
func (s standing) same(o standing) bool {
	x, y := s.registers(), o.registers()
	for i := range x {
		if (x[i] == nil) != (y[i] == nil) || x[i] != nil && *x[i] != *y[i] {
			return false
		}
	}
	return true
}

// accept judges a standing by the others of the same meter, in any order: it may not stand below an earlier or above a later one.
// One that is there already is taken quietly when it says the same; another of the same day is refused unless it is a correction.
func accept(others []standing, s standing, correction bool) (known bool, wrong *fault) {
	for _, o := range others {
		switch {
		case o.MeterNumber != s.MeterNumber:
		case o.Day == s.Day:
			if known = o.same(s); !known && !correction {
				return false, &fault{"measurement_date", codeDuplicate}
			}
		case o.Day.Before(s.Day):
			if field := backwards(o, s); field != "" {
				return false, &fault{field, codeBackwards}
			}
		default:
			if field := backwards(s, o); field != "" {
				return false, &fault{field, codeBackwards}
			}
		}
	}
	return known, nil
}

// measuredBetween are the days that standings of successive days tell of. A difference over more days is not spread over them:
// they stay gaps.
func measuredBetween(c Connection, standings []standing) map[value.Day]Profile {
	at := map[string]standing{}
	for _, s := range standings {
		at[s.MeterNumber+"\x00"+s.Day.String()] = s
	}
	out := map[value.Day]Profile{}
	for _, s := range standings {
		next, ok := at[s.MeterNumber+"\x00"+s.Day.AddDays(1).String()]
		if !ok {
			continue
		}
		a, p := used(s, next, c.Commodity), newProfile(daySeconds, 1)
		gas := a.Consumption
		if c.Commodity == Electricity {
			gas = nil
		}
		some := false
		for register, v := range [registers]*Amount{a.Normal, a.Low, a.FeedinNormal, a.FeedinLow, gas} {
			if v != nil && *v >= 0 {
				p.set(register, 0, *v)
				some = true
			}
		}
		if some {
			out[s.Day] = p
		}
	}
	return out
}

// replace puts a standing among others of its connection, in the place of the one of the same day and meter.
func replace(standings []standing, s standing) []standing {
	i := slices.IndexFunc(standings, func(o standing) bool { return o.Day == s.Day && o.MeterNumber == s.MeterNumber })
	if i < 0 {
		return append(standings, s)
	}
	standings[i] = s
	return standings
}
