package interval

import (
	"time"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// registerFields contains the names of the registers in a record, in the order of the registers.
var registerFields = [registers]string{"normal", "low", "feedin_normal", "feedin_low", "consumption"}

// hasRegister reports whether a commodity has a register: gas has only consumption, electricity the other four.
func hasRegister(c meter.Commodity, register int) bool { return (register == Gas) == (c == meter.Gas) }

// Record is one interval of one connection (kind interval).
type Record struct {
	EANCode      string       `json:"ean_code"`
	Start        string       `json:"start"`
	Seconds      meter.Number `json:"seconds"`
	Normal       meter.Number `json:"normal"`
	Low          meter.Number `json:"low"`
	FeedinNormal meter.Number `json:"feedin_normal"`
	FeedinLow    meter.Number `json:"feedin_low"`
	Consumption  meter.Number `json:"consumption"`
}

// Interval is a parsed Record: one slot of a day.
type Interval struct {
	Day     value.Day
	Seconds int // length of the interval
	Slot    int // index of the interval in the day, from 0
	Amounts [registers]*meter.Amount
}

// Parse validates and parses a record of a connection. It returns the first invalid field.
func (r *Record) Parse(c meter.Connection, today value.Day, loc *time.Location) (i Interval, recordErr *meter.RecordError) {
	var ok bool
	if i.Seconds, recordErr = parseSeconds(r.Seconds); recordErr != nil {
		return i, recordErr
	}
	if r.Start == "" {
		return i, meter.Invalid("start", problem.CodeRequired)
	}
	at, code := meter.ParseInstant(r.Start, loc)
	if code != "" && i.Seconds == DaySeconds {
		var d value.Day
		if d, code = meter.ParseDate(r.Start, loc); code == "" {
			at = d.In(loc)
		}
	}
	if code != "" {
		return i, meter.Invalid("start", code)
	}
	if i.Day, i.Slot, ok = findSlot(at, i.Seconds, loc); !ok {
		return i, meter.Invalid("start", codeAligned)
	}
	if i.Day.After(today.AddDays(1)) {
		return i, meter.Invalid("start", meter.CodeFuture)
	}
	hasAmount := false
	for register, m := range [registers]meter.Number{r.Normal, r.Low, r.FeedinNormal, r.FeedinLow, r.Consumption} {
		if i.Amounts[register], code = m.Amount(); code != "" {
			return i, meter.Invalid(registerFields[register], code)
		}
		if i.Amounts[register] != nil {
			if hasAmount = true; !hasRegister(c.Commodity, register) {
				return i, meter.Invalid(registerFields[register], meter.CodeRegister)
			}
		}
	}
	if !hasAmount {
		return i, meter.Invalid("", meter.CodeNothing)
	}
	return i, nil
}

// parseSeconds returns the length of an interval in seconds; by default an hour.
func parseSeconds(m meter.Number) (int, *meter.RecordError) {
	n, ok := m.Integer(HourSeconds)
	if !ok || n != QuarterSeconds && n != HourSeconds && n != DaySeconds {
		return 0, meter.Invalid("seconds", meter.CodeSeconds)
	}
	return n, nil
}

// DayRecord is a day of intervals of one connection (kind interval_day). Each list has one element per interval of the day.
type DayRecord struct {
	EANCode      string         `json:"ean_code"`
	Day          string         `json:"day"`
	Seconds      meter.Number   `json:"seconds"`
	Normal       []meter.Number `json:"normal"`
	Low          []meter.Number `json:"low"`
	FeedinNormal []meter.Number `json:"feedin_normal"`
	FeedinLow    []meter.Number `json:"feedin_low"`
	Consumption  []meter.Number `json:"consumption"`
}

// Parse validates and parses a record of a connection. It returns the first invalid field.
func (r *DayRecord) Parse(c meter.Connection, today value.Day, loc *time.Location) (d value.Day, p Profile, recordErr *meter.RecordError) {
	seconds, recordErr := parseSeconds(r.Seconds)
	if recordErr != nil {
		return d, p, recordErr
	}
	if r.Day == "" {
		return d, p, meter.Invalid("day", problem.CodeRequired)
	}
	d, err := value.ParseDay(r.Day)
	if err != nil {
		return d, p, meter.Invalid("day", meter.CodeTime)
	}
	if d.After(today.AddDays(1)) {
		return d, p, meter.Invalid("day", meter.CodeFuture)
	}
	p = NewProfile(seconds, SlotCount(d, seconds, loc))
	for register, list := range [registers][]meter.Number{r.Normal, r.Low, r.FeedinNormal, r.FeedinLow, r.Consumption} {
		if list == nil {
			continue
		}
		if !hasRegister(c.Commodity, register) {
			return d, p, meter.Invalid(registerFields[register], meter.CodeRegister)
		}
		if len(list) != p.Slots {
			return d, p, meter.Invalid(registerFields[register], codeDayLength)
		}
		for slot, m := range list {
			a, code := m.Amount()
			if code != "" {
				return d, p, meter.Invalid(registerFields[register], code)
			}
			if a != nil {
				p.Set(register, slot, *a)
			}
		}
	}
	if p.LastSlot() < 0 {
		return d, p, meter.Invalid("", meter.CodeNothing)
	}
	return d, p, nil
}
