package usage

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// measure is a quantity in a record: a number or a text that holds one. Null and "" say that it was not measured.
type measure struct{ text string }

// UnmarshalJSON implements json.Unmarshaler; whether it is a number is asked later, so that the refusal can say what it is not.
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

// amount is nil when nothing was measured.
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

// whole is a whole number, or what it is without one.
func (m measure) whole(without int) (n int, ok bool) {
	if m.text == "" {
		return without, true
	}
	n, err := strconv.Atoi(m.text)
	return n, err == nil
}

// fault is what is wrong with a record.
type fault struct{ field, code string }

// registerFields name the registers of a record, in their order.
var registerFields = [registers]string{"normal", "low", "feedin_normal", "feedin_low", "consumption"}

// fits reports whether a connection has a register: gas has one, of consumption; electricity has the other four.
func fits(c Commodity, register int) bool { return (register == regGas) == (c == Gas) }

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

// interval is what a record said: one slot of a day.
type interval struct {
	day     value.Day
	seconds int
	slot    int
	amounts [registers]*Amount
}

// read checks a record of a connection.
func (r *intervalRecord) read(c Connection, today value.Day, loc *time.Location) (i interval, wrong *fault) {
	var ok bool
	if i.seconds, wrong = secondsOf(r.Seconds); wrong != nil {
		return i, wrong
	}
	if r.Start == "" {
		return i, &fault{"start", problem.CodeRequired}
	}
	at, code := parseInstant(r.Start, loc)
	if code != "" && i.seconds == daySeconds {
		var d value.Day
		if d, code = parseDate(r.Start, loc); code == "" {
			at = d.In(loc)
		}
	}
	if code != "" {
		return i, &fault{"start", code}
	}
	if i.day, i.slot, ok = slotOf(at, i.seconds, loc); !ok {
		return i, &fault{"start", codeAligned}
	}
	if i.day.After(today.AddDays(1)) {
		return i, &fault{"start", codeFuture}
	}
	some := false
	for register, m := range [registers]measure{r.Normal, r.Low, r.FeedinNormal, r.FeedinLow, r.Consumption} {
		if i.amounts[register], code = m.amount(); code != "" {
			return i, &fault{registerFields[register], code}
		}
		if i.amounts[register] != nil {
			if some = true; !fits(c.Commodity, register) {
				return i, &fault{registerFields[register], codeRegister}
			}
		}
	}
	if !some {
		return i, &fault{"", codeNothing}
	}
	return i, nil
}

func secondsOf(m measure) (int, *fault) {
	n, ok := m.whole(hourSeconds)
	if !ok || n != quarterSeconds && n != hourSeconds && n != daySeconds {
		return 0, &fault{"seconds", codeSeconds}
	}
	return n, nil
}

// intervalDayRecord is a day of intervals of one connection (kind interval_day): as many in every list as the day has.
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

// read checks a record of a connection.
func (r *intervalDayRecord) read(c Connection, today value.Day, loc *time.Location) (d value.Day, p Profile, wrong *fault) {
	seconds, wrong := secondsOf(r.Seconds)
	if wrong != nil {
		return d, p, wrong
	}
	if r.Day == "" {
		return d, p, &fault{"day", problem.CodeRequired}
	}
	d, err := value.ParseDay(r.Day)
	if err != nil {
		return d, p, &fault{"day", codeTime}
	}
	if d.After(today.AddDays(1)) {
		return d, p, &fault{"day", codeFuture}
	}
	p = newProfile(seconds, slotsOf(d, seconds, loc))
	for register, list := range [registers][]measure{r.Normal, r.Low, r.FeedinNormal, r.FeedinLow, r.Consumption} {
		if list == nil {
			continue
		}
		if !fits(c.Commodity, register) {
			return d, p, &fault{registerFields[register], codeRegister}
		}
		if len(list) != p.Slots {
			return d, p, &fault{registerFields[register], codeDayLength}
		}
		for slot, m := range list {
			a, code := m.amount()
			if code != "" {
				return d, p, &fault{registerFields[register], code}
			}
			if a != nil {
				p.set(register, slot, *a)
			}
		}
	}
	if p.lastSlot() < 0 {
		return d, p, &fault{"", codeNothing}
	}
	return d, p, nil
}
