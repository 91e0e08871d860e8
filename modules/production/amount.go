package production

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// amount is energy in Wh.
type amount int64

// amountMax is a bound that no hour of any park reaches: a thousand GWh.
const amountMax = 1_000_000_000_000

// measure is a number of kWh in a record: a number or a text that holds one. Null and "" say that it was not measured.
type measure struct{ text string }

// UnmarshalJSON takes any value; whether it is a number is asked later, so that the refusal can say where it stands.
func (m *measure) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		m.text = ""
	case b[0] == '"':
		if err := json.Unmarshal(b, &m.text); err != nil {
			return err
		}
		m.text = strings.TrimSpace(m.text)
	default:
		m.text = string(b)
	}
	return nil
}

// number is what the text says in decimals; ok is false for any other text.
func (m measure) number() (n float64, ok bool) {
	n, err := strconv.ParseFloat(m.text, 64)
	return n, err == nil && strings.Trim(m.text, "+-.eE0123456789") == "" // ParseFloat takes hexadecimals, Inf and NaN too
}

// amount is nil when nothing was measured. A part of a Wh is rounded. Code: production.number, production.negative.
func (m measure) amount() (*amount, string) {
	if m.text == "" {
		return nil, ""
	}
	kwh, ok := m.number()
	switch {
	case !ok || math.Abs(kwh) > amountMax/1000:
		return nil, codeNumber
	case kwh < 0:
		return nil, codeNegative
	}
	return new(amount(math.Round(kwh * 1000))), ""
}
