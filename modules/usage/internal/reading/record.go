package reading

import (
	"time"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Record is a meter reading (kind reading).
type Record struct {
	EANCode           string       `json:"ean_code"`
	EANNumber         string       `json:"ean_number" doc:"EAN code of the connection"` // alias: the name of this field in the API
	MeasurementDate   string       `json:"measurement_date" doc:"Day of the reading, taken at the start of the day"`
	MeterNumber       string       `json:"meter_number"`
	Consumption       meter.Number `json:"consumption"` // the meter reading of gas
	ConsumptionNormal meter.Number `json:"consumption_normal"`
	ConsumptionLow    meter.Number `json:"consumption_low"`
	FeedinNormal      meter.Number `json:"feedin_normal"`
	FeedinLow         meter.Number `json:"feedin_low"`
	Correction        bool         `json:"correction"` // replaces the stored reading of that day
}

// Parse validates and parses a record of a connection, without comparing other readings.
func (r *Record) Parse(c meter.Connection, today value.Day, loc *time.Location) (s Stored, recordErr *meter.RecordError) {
	s = Stored{EANCode: c.EANCode, MeterNumber: r.MeterNumber}
	if s.MeterNumber == "" {
		s.MeterNumber = c.MeterNumber
	}
	if r.MeasurementDate == "" {
		return s, meter.Invalid("measurement_date", problem.CodeRequired)
	}
	var code string
	if s.Day, code = meter.ParseDate(r.MeasurementDate, loc); code != "" {
		return s, meter.Invalid("measurement_date", code)
	}
	if s.Day.After(today.AddDays(1)) {
		return s, meter.Invalid("measurement_date", meter.CodeFuture)
	}
	measures := [4]meter.Number{r.ConsumptionNormal, r.ConsumptionLow, r.FeedinNormal, r.FeedinLow}
	fields := recordFields
	if c.Commodity == meter.Gas && measures[0].IsEmpty() {
		measures[0], fields[0] = r.Consumption, "consumption"
	}
	targets, hasAmount := [4]**meter.Amount{&s.Normal, &s.Low, &s.FeedinNormal, &s.FeedinLow}, false
	for i, m := range measures {
		a, code := m.Amount()
		if code == "" && a != nil && c.Commodity == meter.Gas && i > 0 {
			code = meter.CodeRegister
		}
		if code != "" {
			return s, meter.Invalid(fields[i], code)
		}
		*targets[i], hasAmount = a, hasAmount || a != nil
	}
	if !hasAmount {
		return s, meter.Invalid("", meter.CodeNothing)
	}
	return s, nil
}
