package usage

import (
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Reading is a meter reading (3-meter-reading-fields). It is taken at the begin of the day, so the usage of a day is the difference with the
// next day's reading. A meter with one register, such as a gas meter, uses consumption_normal.
type Reading struct {
	EANNumber         string    `json:"ean_number" doc:"EAN code of the connection"`
	MeasurementDate   value.Day `json:"measurement_date" doc:"Day of the reading, taken at the begin of the day"`
	MeterType         MeterType `json:"meterType" enum:"SMART,CONVENTIONAL" doc:"SMART: a smart meter that is read remotely; CONVENTIONAL: any other"`
	MeterNumber       string    `json:"meter_number" doc:"Number of the meter; the readings of different meters cannot be subtracted"`
	Consumption       *Amount   `json:"consumption" nullable:"true" doc:"Usage since the previous reading of the same meter; null for its first"`
	ConsumptionNormal *Amount   `json:"consumption_normal" nullable:"true" doc:"Reading of the normal tariff, or of the only register"`
	ConsumptionLow    *Amount   `json:"consumption_low" nullable:"true" doc:"Reading of the low tariff"`
	FeedinNormal      *Amount   `json:"feedin_normal" nullable:"true" doc:"Reading of feed-in at the normal tariff"`
	FeedinLow         *Amount   `json:"feedin_low" nullable:"true" doc:"Reading of feed-in at the low tariff"`
	Unit              Unit      `json:"unit" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the readings: KWH is kWh, M3N is normal cubic meter"`
}

// storedReading is a stored reading of the four registers of one meter.
type storedReading struct {
	EANCode     string    `bun:"ean_code,pk"`
	Day         value.Day `bun:",pk"`
	MeterNumber string    `bun:",pk"`

	Normal       *Amount
	Low          *Amount
	FeedinNormal *Amount
	FeedinLow    *Amount
}

func (s storedReading) registers() [4]*Amount {
	return [4]*Amount{s.Normal, s.Low, s.FeedinNormal, s.FeedinLow}
}

// readingFields are the names of the registers in a record.
var readingFields = [4]string{"consumption_normal", "consumption_low", "feedin_normal", "feedin_low"}

// decreasingField returns the field of the first register that is higher in a than in b, a later reading of the same meter, or "".
func decreasingField(a, b storedReading) string {
	x, y := a.registers(), b.registers()
	for i := range x {
		if x[i] != nil && y[i] != nil && *x[i] > *y[i] {
			return readingFields[i]
		}
	}
	return ""
}

// difference returns the usage between two readings of the same meter.
func difference(a, b storedReading, c Commodity) Amounts {
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

// toReadings returns the readings of a connection for the API, newest first, with the usage since the previous one. The usage is left out
// across a gap in the span of supply, because another household used energy there.
func toReadings(c Connection, readings []storedReading, t span) []Reading {
	ordered := slices.Clone(readings)
	slices.SortStableFunc(ordered, func(a, b storedReading) int { return a.Day.DaysSince(b.Day) })
	last := map[string]storedReading{} // by meter number
	out := make([]Reading, 0, len(ordered))
	for _, s := range ordered {
		r := Reading{EANNumber: s.EANCode, MeasurementDate: s.Day, MeterType: c.MeterType, MeterNumber: s.MeterNumber, Unit: UnitOf(c.Commodity),
			ConsumptionNormal: s.Normal, ConsumptionLow: s.Low, FeedinNormal: s.FeedinNormal, FeedinLow: s.FeedinLow}
		if before, ok := last[s.MeterNumber]; ok && t.contains(span{from: before.Day, until: s.Day}) {
			r.Consumption = difference(before, s, c.Commodity).Consumption
		}
		last[s.MeterNumber] = s
		out = append(out, r)
	}
	slices.Reverse(out)
	return out
}

// readingRecord is a meter reading (kind reading).
type readingRecord struct {
	EANCode           string  `json:"ean_code"`
	EANNumber         string  `json:"ean_number" doc:"EAN code of the connection"` // alias, the name in the API
	MeasurementDate   string  `json:"measurement_date" doc:"Day of the reading, taken at the begin of the day"`
	MeterNumber       string  `json:"meter_number"`
	Consumption       measure `json:"consumption"` // the meter reading of gas
	ConsumptionNormal measure `json:"consumption_normal"`
	ConsumptionLow    measure `json:"consumption_low"`
	FeedinNormal      measure `json:"feedin_normal"`
	FeedinLow         measure `json:"feedin_low"`
	Correction        bool    `json:"correction"` // replaces the stored reading of that day
}

// parse validates and parses a record of a connection, without comparing other readings.
func (r *readingRecord) parse(c Connection, today value.Day, loc *time.Location) (s storedReading, wrong *recordError) {
	s = storedReading{EANCode: c.EANCode, MeterNumber: r.MeterNumber}
	if s.MeterNumber == "" {
		s.MeterNumber = c.MeterNumber
	}
	if r.MeasurementDate == "" {
		return s, &recordError{"measurement_date", problem.CodeRequired}
	}
	var code string
	if s.Day, code = parseDate(r.MeasurementDate, loc); code != "" {
		return s, &recordError{"measurement_date", code}
	}
	if s.Day.After(today.AddDays(1)) {
		return s, &recordError{"measurement_date", codeFuture}
	}
	measures := [4]measure{r.ConsumptionNormal, r.ConsumptionLow, r.FeedinNormal, r.FeedinLow}
	fields := readingFields
	if c.Commodity == Gas && measures[0].text == "" {
		measures[0], fields[0] = r.Consumption, "consumption"
	}
	targets, hasAmount := [4]**Amount{&s.Normal, &s.Low, &s.FeedinNormal, &s.FeedinLow}, false
	for i, m := range measures {
		a, code := m.amount()
		if code == "" && a != nil && c.Commodity == Gas && i > 0 {
			code = codeRegister
		}
		if code != "" {
			return s, &recordError{fields[i], code}
		}
		*targets[i], hasAmount = a, hasAmount || a != nil
	}
	if !hasAmount {
		return s, &recordError{"", codeNothing}
	}
	return s, nil
}

// equalValues reports whether two readings have the same values.
func (s storedReading) equalValues(o storedReading) bool {
	x, y := s.registers(), o.registers()
	for i := range x {
		if (x[i] == nil) != (y[i] == nil) || x[i] != nil && *x[i] != *y[i] {
			return false
		}
	}
	return true
}

// checkReading compares a reading with others of the same meter, in any order: it may not be lower than an earlier or higher than a later
// one. known is true if the same reading is already stored. A different reading of the same day is refused unless it is a correction.
func checkReading(others []storedReading, s storedReading, correction bool) (known bool, wrong *recordError) {
	for _, o := range others {
		switch {
		case o.MeterNumber != s.MeterNumber:
		case o.Day == s.Day:
			if known = o.equalValues(s); !known && !correction {
				return false, &recordError{"measurement_date", codeDuplicate}
			}
		case o.Day.Before(s.Day):
			if field := decreasingField(o, s); field != "" {
				return false, &recordError{field, codeBackwards}
			}
		default:
			if field := decreasingField(s, o); field != "" {
				return false, &recordError{field, codeBackwards}
			}
		}
	}
	return known, nil
}

// dailyProfiles returns the usage of days with readings on that day and the next. Longer differences are not spread over their days, which
// stay gaps.
func dailyProfiles(c Connection, readings []storedReading) map[value.Day]Profile {
	at := map[string]storedReading{}
	for _, s := range readings {
		at[s.MeterNumber+"\x00"+s.Day.String()] = s
	}
	out := map[value.Day]Profile{}
	for _, s := range readings {
		next, ok := at[s.MeterNumber+"\x00"+s.Day.AddDays(1).String()]
		if !ok {
			continue
		}
		a, p := difference(s, next, c.Commodity), newProfile(daySeconds, 1)
		gas := a.Consumption
		if c.Commodity == Electricity {
			gas = nil
		}
		hasAmount := false
		for register, v := range [registers]*Amount{a.Normal, a.Low, a.FeedinNormal, a.FeedinLow, gas} {
			if v != nil && *v >= 0 {
				p.set(register, 0, *v)
				hasAmount = true
			}
		}
		if hasAmount {
			out[s.Day] = p
		}
	}
	return out
}

// replaceReading adds a reading, or replaces the one of the same day and meter.
func replaceReading(readings []storedReading, s storedReading) []storedReading {
	i := slices.IndexFunc(readings, func(o storedReading) bool { return o.Day == s.Day && o.MeterNumber == s.MeterNumber })
	if i < 0 {
		return append(readings, s)
	}
	readings[i] = s
	return readings
}
