// Package series calculates usage by period for charts, and the newest usage of a connection and of a month.
package series

import (
	"strconv"
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
)

// Series is usage by period, for a chart.
type Series struct {
	EANCode           string          `json:"ean_code" doc:"EAN code of the connection"`
	Commodity         meter.Commodity `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	UnitOfMeasurement meter.Unit      `json:"unit_of_measurement" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the usage: KWH is kWh, M3N is normal cubic meter"`
	Unit              meter.Period    `json:"unit" enum:"hour,day,week,month,year" doc:"Length of a period"`
	Zone              string          `json:"zone" doc:"Time zone of the label, in which days and hours are counted"`
	From              value.Day       `json:"from" doc:"First day of the first period"`
	To                value.Day       `json:"to" doc:"Day after the last period"`
	Updated           *time.Time      `json:"updated" nullable:"true" doc:"End of the last measurement of the connection; null: none"`
	Complete          bool            `json:"complete" doc:"Whether all periods were measured completely"`
	Total             meter.Amounts   `json:"total" doc:"Sum of the points"`

	Points Points `json:"points" nullable:"false" doc:"One point per period; a day has 23 or 25 hours when the clock changes"`
}

// Points contains the periods of a series. They are encoded without reflection, which would take most of the time of a chart request.
type Points []Point

// MarshalJSON implements json.Marshaler.
func (p Points) MarshalJSON() ([]byte, error) {
	out := make([]byte, 1, 2+len(p)*220)
	out[0] = '['
	for i := range p {
		if i > 0 {
			out = append(out, ',')
		}
		out = p[i].append(out)
	}
	return append(out, ']'), nil
}

// append appends the point as JSON.
func (p *Point) append(out []byte) []byte {
	out = p.Start.AppendFormat(append(out, `{"start":"`...), time.RFC3339)
	out = append(out, '"')
	if !p.Day.IsZero() {
		out = append(append(append(out, `,"day":"`...), p.Day.String()...), '"')
	}
	for _, f := range [...]struct {
		name  string
		value *meter.Amount
	}{{`,"normal":`, p.Normal}, {`,"low":`, p.Low}, {`,"feedin_normal":`, p.FeedinNormal}, {`,"feedin_low":`, p.FeedinLow},
		{`,"consumption":`, p.Consumption}} {
		out = append(out, f.name...)
		if f.value == nil {
			out = append(out, "null"...)
		} else {
			out = f.value.Append(out)
		}
	}
	out = strconv.AppendBool(append(out, `,"missing":`...), p.Missing)
	return append(strconv.AppendBool(append(out, `,"partial":`...), p.Partial), '}')
}

// Point is one period of a series.
type Point struct {
	Start time.Time `json:"start" doc:"Start of the period, with the offset of the label's time zone"`
	Day   value.Day `json:"day,omitzero" doc:"First day of the period; absent for hours"`
	meter.Amounts
	Missing bool `json:"missing" doc:"Whether nothing was measured: a gap, not zero"`
	Partial bool `json:"partial" doc:"Whether part of the period was not measured"`
}

// maxDays contains the maximum number of days of a range, by period.
var maxDays = map[meter.Period]int{meter.Hourly: 62, meter.Daily: 1100, meter.Weekly: 3700, meter.Monthly: 3700, meter.Yearly: 36600}

// CheckRange validates a range of days. It returns the invalid field and the problem code.
func CheckRange(p meter.Period, from, to value.Day) (field, code string) {
	switch {
	case !from.Before(to):
		return "to", CodeRange
	case to.DaysSince(from) > maxDays[p]:
		return "to", codeRangeTooLong
	}
	return "", ""
}

// New returns a series of a connection without points.
func New(c meter.Connection, p meter.Period, s meter.Span, loc *time.Location) Series {
	return Series{EANCode: c.EANCode, Commodity: c.Commodity, UnitOfMeasurement: meter.UnitOf(c.Commodity), Unit: p, Zone: loc.String(),
		From: s.From, To: s.Until, Complete: true, Points: Points{}}
}

// add appends a point to the series and adds its amounts to the total.
func (s *Series) add(p Point) {
	p.Missing = p.IsEmpty()
	p.Partial = p.Partial && !p.Missing
	s.Complete = s.Complete && !p.Missing && !p.Partial
	s.Total.Add(p.Amounts)
	s.Points = append(s.Points, p)
}

// FillFromDays fills a series of days or longer periods from totals of days, which are sorted, oldest first. A missing day is a gap.
func (s *Series) FillFromDays(days []interval.Totals, loc *time.Location) {
	for _, begin := range meter.PeriodStarts(s.Unit, meter.Span{From: s.From, Until: s.To}, loc) {
		point := Point{Start: begin.At, Day: begin.Day}
		end, measured := s.Unit.Next(begin.Day), 0
		for ; len(days) > 0 && days[0].Day.Before(end); days = days[1:] {
			point.Add(days[0].Amounts())
			point.Partial = point.Partial || days[0].Missing > 0
			measured++
		}
		point.Partial = point.Partial || measured < end.DaysSince(begin.Day)
		s.add(point)
	}
}

// FillFromProfiles fills a series of hours. The hours of a day that was measured as a whole are gaps.
func (s *Series) FillFromProfiles(profiles map[value.Day]interval.Profile, loc *time.Location) {
	slot, day := 0, value.Day{}
	for _, begin := range meter.PeriodStarts(meter.Hourly, meter.Span{From: s.From, Until: s.To}, loc) {
		if begin.Day != day {
			slot, day = 0, begin.Day
		}
		point := Point{Start: begin.At}
		if p, ok := profiles[day]; ok && p.Seconds <= interval.HourSeconds {
			for range interval.HourSeconds / p.Seconds {
				if slot < p.Slots {
					one := p.At(slot)
					point.Add(one)
					point.Partial = point.Partial || one.IsEmpty()
				}
				slot++
			}
		}
		s.add(point)
	}
}

// FillFromReadings fills a series of months or years with differences of readings, which are sorted, oldest first; t is the span in which
// the relation was supplied (9-usage-month-readings). A period without both readings is a gap; a year without both readings is the partial
// sum of its months that have both.
func (s *Series) FillFromReadings(readings []reading.Stored, t meter.Span, loc *time.Location) {
	between := func(p meter.Span) (meter.Amounts, bool) {
		if !t.Contains(p) {
			return meter.Amounts{}, false
		}
		return reading.Between(readings, p, s.Commodity)
	}
	for _, begin := range meter.PeriodStarts(s.Unit, meter.Span{From: s.From, Until: s.To}, loc) {
		point := Point{Start: begin.At, Day: begin.Day}
		end := s.Unit.Next(begin.Day)
		a, ok := between(meter.Span{From: begin.Day, Until: end})
		point.Amounts = a
		for month := begin.Day; !ok && s.Unit == meter.Yearly && month.Before(end); month = meter.Monthly.Next(month) {
			if a, ok := between(meter.Span{From: month, Until: meter.Monthly.Next(month)}); ok {
				point.Add(a)
			}
			point.Partial = true
		}
		s.add(point)
	}
}

// MeasuredUntil returns the end of the last measured interval in days sorted newest first, or nil.
func MeasuredUntil(days []interval.Measured, loc *time.Location) *time.Time {
	for _, d := range days {
		if slot := d.Profile.LastSlot(); slot >= 0 {
			end := interval.SlotEnd(d.Day, d.Profile.Seconds, slot, loc)
			return &end
		}
	}
	return nil
}
