package meter

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Record kinds, in the order of their import.
const (
	KindConnection  = "connection"   // natural key ean_code
	KindReading     = "reading"      // ean_code, measurement_date and meter_number
	KindInterval    = "interval"     // ean_code and start
	KindIntervalDay = "interval_day" // ean_code and day: a whole day of intervals, for large imports
)

// Number is a quantity in a record: a JSON number or a string with a number. Null and "" mean "not measured".
type Number struct{ text string }

// UnmarshalJSON implements json.Unmarshaler. It does not validate the number, so that Amount can return a specific problem code.
func (m *Number) UnmarshalJSON(b []byte) error {
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

// Amount returns the amount, nil if nothing was measured, or a problem code.
func (m Number) Amount() (a *Amount, code string) {
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

// Integer returns the value as an integer, or fallback if it is empty.
func (m Number) Integer(fallback int) (n int, ok bool) {
	if m.text == "" {
		return fallback, true
	}
	n, err := strconv.Atoi(m.text)
	return n, err == nil
}

// IsEmpty reports whether nothing was measured.
func (m Number) IsEmpty() bool { return m.text == "" }

// RecordError is the field and the problem code of an invalid record.
type RecordError struct{ Field, Code string }

// Invalid returns the error of a record with an invalid field.
func Invalid(field, code string) *RecordError { return &RecordError{field, code} }

// ConnectionRecord is a connection with the debtor number of its relation (kind connection).
type ConnectionRecord struct {
	DebtorNumber string `json:"debtor_number"`
	Connection
}
