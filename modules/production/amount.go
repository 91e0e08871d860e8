package production

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// amount is energy in Wh.
type amount int64

// maxAmount is more than any project can produce in an hour, in Wh: a thousand GWh.
const maxAmount = 1_000_000_000_000

// measure is a number of kWh in a record: a JSON number, or a string that contains a number. Null and "" mean not measured.
type measure struct{ text string }

// UnmarshalJSON accepts any value. The method number validates the text later, so that the refusal can name the field.
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

// number parses the text as a decimal number; ok is false for any other text.
func (m measure) number() (n float64, ok bool) {
	n, err := strconv.ParseFloat(m.text, 64)
	return n, err == nil && strings.Trim(m.text, "+-.eE0123456789") == "" // ParseFloat also accepts hexadecimals, Inf and NaN
}

// amount returns the energy rounded to whole Wh, nil if nothing was measured, or an error code: production.number or production.negative.
func (m measure) amount() (*amount, string) {
	if m.text == "" {
		return nil, ""
	}
	kwh, ok := m.number()
	switch {
	case !ok || math.Abs(kwh) > maxAmount/1000:
		return nil, codeNumber
	case kwh < 0:
		return nil, codeNegative
	}
	return new(amount(math.Round(kwh * 1000))), ""
}
