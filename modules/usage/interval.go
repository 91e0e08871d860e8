package usage

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// measure is a quantity in a record: a JSON number or a string with a number. Null and "" mean "not measured".
type measure struct{ text string }

// UnmarshalJSON implements json.Unmarshaler. It does not validate the number, so that amount can return a specific problem code.
func (m *measure) UnmarshalJSON(b []byte) error {
	m.text = ""
	if string(b) == "null" {
		return nil
	}
	if b[0] == '"' {
		if err := json.Unmarshal(b, &m.text); err != nil {
			return err
		}
		m.text = strings.TrimSpace(m.text)
		return nil
	}
	m.text = string(b)
	return nil
}

// amount returns the amount, nil if nothing was measured, or a problem code.
func (m measure) amount() (a *Amount, code string) {
	if m.text == "" {
		return nil, ""
	}
	n, err := ParseAmount(m.text)
	switch err {
	case nil:
		return &n, ""
	case errDecimals:
		return nil, codeDecimals
	case errNegative:
		return nil, codeNegative
	}
	return nil, codeNumber
}

// integer returns the value as an integer, or fallback if it is empty.
func (m measure) integer(fallback int) (n int, ok bool) {
	if m.text == "" {
		return fallback, true
	}
	n, err := strconv.Atoi(m.text)
	return n, err == nil
}

// recordError is the field and the problem code of an invalid record.
type recordError struct{ field, code string }

// registerFields are the names of the registers in a record, in their order.
var registerFields = [registers]string{"normal", "low", "feedin_normal", "feedin_low", "consumption"}

// hasRegister reports whether a commodity has a register: gas has only consumption, electricity the other four.
func hasRegister(c Commodity, register int) bool { return (register == regGas) == (c == Gas) }

// intervalRecord is one interval of one connection (kind interval).
type intervalRecord struct {
	EANCode      string  `json:"ean_code"`
	Start        string  `json:"start"`
	Seconds      measure `json:"seconds"`
	Normal       measure `json:"normal"`
	Low          measure `json:"low"`
	FeedinNormal measure `json:"feedin_normal"`
	FeedinLow    measure `json:"feedin_low"`
	Consumption  measure `json:"consumption"`
}

// interval is a parsed intervalRecord: one slot of a day.
type interval struct {
	day     value.Day
	seconds int
	slot    int
	amounts [registers]*Amount
}

// parse validates and parses a record of a connection.
func (r *intervalRecord) parse(c Connection, today value.Day, loc *time.Location) (i interval, wrong *recordError) {
	var ok bool
	if i.seconds, wrong = parseSeconds(r.Seconds); wrong != nil {
		return i, wrong
	}
	if r.Start == "" {
		return i, &recordError{"start", problem.CodeRequired}
	}
	at, code := parseInstant(r.Start, loc)
	if code != "" && i.seconds == daySeconds {
		var d value.Day
		if d, code = parseDate(r.Start, loc); code == "" {
			at = d.In(loc)
		}
	}
	if code != "" {
		return i, &recordError{"start", code}
	}
	if i.day, i.slot, ok = findSlot(at, i.seconds, loc); !ok {
		return i, &recordError{"start", codeAligned}
	}
	if i.day.After(today.AddDays(1)) {
		return i, &recordError{"start", codeFuture}
	}
	hasAmount := false
	for register, m := range [registers]measure{r.Normal, r.Low, r.FeedinNormal, r.FeedinLow, r.Consumption} {
		if i.amounts[register], code = m.amount(); code != "" {
			return i, &recordError{registerFields[register], code}
		}
		if i.amounts[register] != nil {
			if hasAmount = true; !hasRegister(c.Commodity, register) {
				return i, &recordError{registerFields[register], codeRegister}
			}
		}
	}
	if !hasAmount {
		return i, &recordError{"", codeNothing}
	}
	return i, nil
}

func parseSeconds(m measure) (int, *recordError) {
	n, ok := m.integer(hourSeconds)
	if !ok || n != quarterSeconds && n != hourSeconds && n != daySeconds {
		return 0, &recordError{"seconds", codeSeconds}
	}
	return n, nil
}

// intervalDayRecord is a day of intervals of one connection (kind interval_day). Each list has one element per interval of the day.
type intervalDayRecord struct {
	EANCode      string    `json:"ean_code"`
	Day          string    `json:"day"`
	Seconds      measure   `json:"seconds"`
	Normal       []measure `json:"normal"`
	Low          []measure `json:"low"`
	FeedinNormal []measure `json:"feedin_normal"`
	FeedinLow    []measure `json:"feedin_low"`
	Consumption  []measure `json:"consumption"`
}

// parse validates and parses a record of a connection.
func (r *intervalDayRecord) parse(c Connection, today value.Day, loc *time.Location) (d value.Day, p Profile, wrong *recordError) {
	seconds, wrong := parseSeconds(r.Seconds)
	if wrong != nil {
		return d, p, wrong
	}
	if r.Day == "" {
		return d, p, &recordError{"day", problem.CodeRequired}
	}
	d, err := value.ParseDay(r.Day)
	if err != nil {
		return d, p, &recordError{"day", codeTime}
	}
	if d.After(today.AddDays(1)) {
		return d, p, &recordError{"day", codeFuture}
	}
	p = newProfile(seconds, slotCount(d, seconds, loc))
	for register, list := range [registers][]measure{r.Normal, r.Low, r.FeedinNormal, r.FeedinLow, r.Consumption} {
		if list == nil {
			continue
		}
		if !hasRegister(c.Commodity, register) {
			return d, p, &recordError{registerFields[register], codeRegister}
		}
		if len(list) != p.Slots {
			return d, p, &recordError{registerFields[register], codeDayLength}
		}
		for slot, m := range list {
			a, code := m.amount()
			if code != "" {
				return d, p, &recordError{registerFields[register], code}
			}
			if a != nil {
				p.set(register, slot, *a)
			}
		}
	}
	if p.lastSlot() < 0 {
		return d, p, &recordError{"", codeNothing}
	}
	return d, p, nil
}
