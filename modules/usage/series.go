package usage

import (
	"strconv"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Series is usage by period, for a chart.
type Series struct {
	EANCode           string     `json:"ean_code" doc:"EAN code of the connection"`
	Commodity         Commodity  `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	UnitOfMeasurement Unit       `json:"unit_of_measurement" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the usage: KWH is kWh, M3N is normal cubic meter"`
	Unit              Period     `json:"unit" enum:"hour,day,week,month,year" doc:"Length of a period"`
	Zone              string     `json:"zone" doc:"Time zone of the label, in which days and hours are counted"`
	From              value.Day  `json:"from" doc:"First day of the first period"`
	To                value.Day  `json:"to" doc:"Day after the last period"`
	Updated           *time.Time `json:"updated" nullable:"true" doc:"End of the last measurement of the connection; null: none"`
	Complete          bool       `json:"complete" doc:"Whether all periods were measured completely"`
	Total             Amounts    `json:"total" doc:"Sum of the points"`

	Points Points `json:"points" nullable:"false" doc:"One point per period; a day has 23 or 25 hours when the clock changes"`
}

// Points are the periods of a series. They are encoded without reflection, which otherwise takes most of the time of a chart.
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

func (p *Point) append(out []byte) []byte {
	out = p.Start.AppendFormat(append(out, `{"start":"`...), time.RFC3339)
	out = append(out, '"')
	if !p.Day.IsZero() {
		out = append(append(append(out, `,"day":"`...), p.Day.String()...), '"')
	}
	for _, f := range [...]struct {
		name  string
		value *Amount
	}{{`,"normal":`, p.Normal}, {`,"low":`, p.Low}, {`,"feedin_normal":`, p.FeedinNormal}, {`,"feedin_low":`, p.FeedinLow}, {`,"consumption":`, p.Consumption}} {
		out = append(out, f.name...)
		if f.value == nil {
			out = append(out, "null"...)
		} else {
			out = f.value.append(out)
		}
	}
	out = strconv.AppendBool(append(out, `,"missing":`...), p.Missing)
	return append(strconv.AppendBool(append(out, `,"partial":`...), p.Partial), '}')
}

// Point is one period of a series.
type Point struct {
	Start time.Time `json:"start" doc:"Start of the period, with the offset of the label's time zone"`
	Day   value.Day `json:"day,omitzero" doc:"First day of the period; absent for hours"`
	Amounts
	Missing bool `json:"missing" doc:"Whether nothing was measured: a gap, not zero"`
	Partial bool `json:"partial" doc:"Whether part of the period was not measured"`
}

// Period is the length of the periods of a series.
type Period string

// Lengths of periods.
const (
	Hourly  Period = "hour"
	Daily   Period = "day"
	Weekly  Period = "week" // weeks begin on Monday
	Monthly Period = "month"
	Yearly  Period = "year"
)

// maxDays is the maximum number of days of a range by period.
var maxDays = map[Period]int{Hourly: 62, Daily: 1100, Weekly: 3700, Monthly: 3700, Yearly: 36600}

// checkRange validates a range of days. It returns the invalid field and the problem code.
func checkRange(p Period, from, to value.Day) (field, code string) {
	switch {
	case !from.Before(to):
		return "to", codeRange
	case to.DaysSince(from) > maxDays[p]:
		return "to", codeRangeTooLong
	}
	return "", ""
}

// newSeries returns a series of a connection without points.
func newSeries(c Connection, p Period, s span, loc *time.Location) Series {
	return Series{EANCode: c.EANCode, Commodity: c.Commodity, UnitOfMeasurement: UnitOf(c.Commodity), Unit: p, Zone: loc.String(),
		From: s.from, To: s.until, Complete: true, Points: Points{}}
}

// add appends a point to the series and adds its amounts to the total.
func (s *Series) add(p Point) {
	p.Missing = p.isEmpty()
	p.Partial = p.Partial && !p.Missing
	s.Complete = s.Complete && !p.Missing && !p.Partial
	s.Total.add(p.Amounts)
	s.Points = append(s.Points, p)
}

// fillFromDays fills a series of days or longer periods from totals of days, which are sorted, oldest first. A missing day is a gap.
func (s *Series) fillFromDays(days []dayTotals, loc *time.Location) {
	for _, begin := range periodStarts(s.Unit, span{from: s.From, until: s.To}, loc) {
		point := Point{Start: begin.at, Day: begin.day}
		end, measured := s.Unit.next(begin.day), 0
		for ; len(days) > 0 && days[0].Day.Before(end); days = days[1:] {
			point.add(days[0].amounts())
			point.Partial = point.Partial || days[0].Missing > 0
			measured++
		}
		point.Partial = point.Partial || measured < end.DaysSince(begin.day)
		s.add(point)
	}
}

// fillFromProfiles fills a series of hours. The hours of a day that was measured as a whole are gaps.
func (s *Series) fillFromProfiles(profiles map[value.Day]Profile, loc *time.Location) {
	slot, day := 0, value.Day{}
	for _, begin := range periodStarts(Hourly, span{from: s.From, until: s.To}, loc) {
		if begin.day != day {
			slot, day = 0, begin.day
		}
		point := Point{Start: begin.at}
		if p, ok := profiles[day]; ok && p.Seconds <= hourSeconds {
			for range hourSeconds / p.Seconds {
				if slot < p.Slots {
					one := p.at(slot)
					point.add(one)
					point.Partial = point.Partial || one.isEmpty()
				}
				slot++
			}
		}
		s.add(point)
	}
}

// measuredUntil returns the end of the last measured interval in days sorted newest first, or nil.
func measuredUntil(days []measuredDay, loc *time.Location) *time.Time {
	for _, d := range days {
		if slot := d.profile.lastSlot(); slot >= 0 {
			end := slotEnd(d.day, d.profile.Seconds, slot, loc)
			return &end
		}
	}
	return nil
}
