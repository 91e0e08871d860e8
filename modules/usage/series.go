package usage

import (
	"strconv"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Series is usage by period, for a chart.
type Series struct {
	EANCode           string     `json:"ean_code"`
	Commodity         Commodity  `json:"commodity" enum:"GAS,ELECTRICITY"`
	UnitOfMeasurement Unit       `json:"unit_of_measurement" enum:"KWH,KWT,MTQ,M3N"`
	Unit              Period     `json:"unit" enum:"hour,day,week,month,year"`
	Zone              string     `json:"zone" doc:"Of the label: what its days and hours are"`
	From              value.Day  `json:"from" doc:"First day: the asked one, or the first of its week, month or year"`
	To                value.Day  `json:"to" doc:"Day after the last"`
	Updated           *time.Time `json:"updated" nullable:"true" doc:"Up to when there are measurements of this connection at all"`
	Complete          bool       `json:"complete" doc:"Nothing in the range is missing"`
	Total             Amounts    `json:"total" doc:"Of what was measured: the sum of the points"`

	Points Points `json:"points" nullable:"false" doc:"One for every period in the range: 23 or 25 hours on the days when the clock changes"`
}

// Points are the periods of a series. They are written here, without reflection: a year has hundreds, and they are most of what a
// chart costs.
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
	Start time.Time `json:"start" doc:"With the offset of the label's zone at that moment"`
	Day   value.Day `json:"day,omitzero" doc:"First day of the period; absent for hours"`
	Amounts
	Missing bool `json:"missing" doc:"Nothing was measured: a gap, not zero"`
	Partial bool `json:"partial" doc:"Part of the period was not measured"`
}

// Period is what a chart has a bar for.
type Period string

// Periods.
const (
	Hour  Period = "hour"
	Date  Period = "day"
	Week  Period = "week" // begins on Monday
	Mon   Period = "month"
	Years Period = "year"
)

// longest is how many days a range may have, by period: what a chart can show and a customer can mean.
var longest = map[Period]int{Hour: 62, Date: 1100, Week: 3700, Mon: 3700, Years: 36600}

// checkRange says what keeps a range of days from being shown.
func checkRange(p Period, from, to value.Day) (field, code string) {
	switch {
	case !from.Before(to):
		return "to", codeRange
	case to.DaysSince(from) > longest[p]:
		return "to", codeRangeTooLong
	}
	return "", ""
}

// newSeries is a series of a connection without points.
func newSeries(c Connection, p Period, s span, loc *time.Location) Series {
	return Series{EANCode: c.EANCode, Commodity: c.Commodity, UnitOfMeasurement: UnitOf(c.Commodity), Unit: p, Zone: loc.String(),
		From: s.from, To: s.until, Complete: true, Points: Points{}}
}

// add takes a point into the series; its sums add up whatever the clock does.
func (s *Series) add(p Point) {
	p.Missing = p.none()
	p.Partial = p.Partial && !p.Missing
	s.Complete = s.Complete && !p.Missing && !p.Partial
	s.Total.plus(p.Amounts)
	s.Points = append(s.Points, p)
}

// byDays fills a series of days or longer from the totals of its days, oldest first. A day that is not among them is a gap.
func (s *Series) byDays(days []dayTotals, loc *time.Location) {
	for _, begin := range periods(s.Unit, span{from: s.From, until: s.To}, loc) {
		point := Point{Start: begin.at, Day: begin.day}
		end, measured := s.Unit.next(begin.day), 0
		for ; len(days) > 0 && days[0].Day.Before(end); days = days[1:] {
			point.plus(days[0].amounts())
			point.Partial = point.Partial || days[0].Missing > 0
			measured++
		}
		point.Partial = point.Partial || measured < end.DaysSince(begin.day)
		s.add(point)
	}
}

// byHours fills a series of hours. A day that was measured as a whole has no hours to show: they are gaps.
func (s *Series) byHours(profiles map[value.Day]Profile, loc *time.Location) {
	slot, day := 0, value.Day{}
	for _, begin := range periods(Hour, span{from: s.From, until: s.To}, loc) {
		if begin.day != day {
			slot, day = 0, begin.day
		}
		point := Point{Start: begin.at}
		if p, ok := profiles[day]; ok && p.Seconds <= hourSeconds {
			for range hourSeconds / p.Seconds {
				if slot < p.Slots {
					one := p.at(slot)
					point.plus(one)
					point.Partial = point.Partial || one.none()
				}
				slot++
			}
		}
		s.add(point)
	}
}

// reach is the end of the last interval that was measured, out of the last days, newest first; nil without any.
func reach(days []measuredDay, loc *time.Location) *time.Time {
	for _, d := range days {
		if slot := d.profile.lastSlot(); slot >= 0 {
			end := slotEnd(d.day, d.profile.Seconds, slot, loc)
			return &end
		}
	}
	return nil
}
