package usage

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
)

// Latest is the newest measurement of a connection: its last whole day, or what was taken between its last two readings.
type Latest struct {
	EANCode     string     `json:"ean_code"`
	Commodity   Commodity  `json:"commodity" enum:"GAS,ELECTRICITY"`
	From        module.Day `json:"from" doc:"First day of what was measured"`
	Measured    module.Day `json:"measured" doc:"Its last day"`
	Consumption *Amount    `json:"consumption" nullable:"true"`
	Feedin      *Amount    `json:"feedin" nullable:"true" doc:"Null where nothing is fed in"`
	Unit        Unit       `json:"unit" enum:"KWH,KWT,MTQ,M3N"`
	Previous    *Amount    `json:"previous" nullable:"true" doc:"Consumption of the period before, where it is as long"`
}

// Summary is the usage of the current month: electricity, or gas of a relation that has nothing else.
type Summary struct {
	Month             string    `json:"month" doc:"2026-11"`
	Commodity         Commodity `json:"commodity" enum:"GAS,ELECTRICITY"`
	Unit              Unit      `json:"unit" enum:"KWH,KWT,MTQ,M3N"`
	Consumption       *Amount   `json:"consumption" nullable:"true" doc:"So far; null without measurements"`
	SameMonthLastYear *Amount   `json:"same_month_last_year" nullable:"true" doc:"Of the same days a year ago; null when one of them was not measured"`
	Days              Gappy     `json:"days" nullable:"false" doc:"One for each day of the month; null is a gap, or still to come"`
}

// Gappy is a row of amounts in which null is a gap.
type Gappy []*Amount

// Schema describes a row to OpenAPI.
func (Gappy) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeNumber, Nullable: true}}
}
