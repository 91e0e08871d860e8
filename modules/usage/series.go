package usage

import (
	"time"

	"github.com/wattle-portal/wattle/core/module"
)

// Series is usage by period, for a chart.
type Series struct {
	EANCode           string     `json:"ean_code"`
	Commodity         Commodity  `json:"commodity" enum:"GAS,ELECTRICITY"`
	UnitOfMeasurement Unit       `json:"unit_of_measurement" enum:"KWH,KWT,MTQ,M3N"`
	Unit              Period     `json:"unit" enum:"hour,day,week,month,year"`
	Zone              string     `json:"zone" doc:"Of the label: what its days and hours are"`
	From              module.Day `json:"from" doc:"First day: the asked one, or the first of its week, month or year"`
	To                module.Day `json:"to" doc:"Day after the last"`
	Updated           *time.Time `json:"updated" nullable:"true" doc:"Up to when there are measurements of this connection at all"`
	Complete          bool       `json:"complete" doc:"Nothing in the range is missing"`
	Total             Amounts    `json:"total" doc:"Of what was measured: the sum of the points"`

	Points []Point `json:"points" nullable:"false" doc:"One for every period in the range: 23 or 25 hours on the days when the clock changes"`
}

// Point is one period of a series.
type Point struct {
	Start time.Time  `json:"start" doc:"With the offset of the label's zone at that moment"`
	Day   module.Day `json:"day,omitzero" doc:"First day of the period; absent for hours"`
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
