// Package history manages historical meter data of a connection: the consent and the legal basis for showing daily values, usage by month,
// files for download, and retrievals with their source.
package history

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Start returns the first day of historical meter data: months before today, or the start of the contract if that is later
// (9-historical-span).
func Start(contractStart, today value.Day, months int) value.Day {
	start := today.AddMonths(-months)
	if contractStart.After(start) {
		return contractStart
	}
	return start
}

// History is the historical usage of an agreement.
type History struct {
	AgreementIdentifier string     `json:"agreement_identifier" doc:"Id of the agreement, without sequence"`
	From                value.Day  `json:"from" doc:"First day of historical data"`
	LastRetrieval       *time.Time `json:"last_retrieval" nullable:"true" doc:"Time of the last successful retrieval; null: none"`
	Retrieval           Retrieval  `json:"retrieval" doc:"State of the last retrieval"`

	Connections []ConnectionHistory `json:"connections" nullable:"false" doc:"Connections whose daily values may be shown"`
}

// ConnectionHistory is the historical usage of one connection by month.
type ConnectionHistory struct {
	EANCode   string          `json:"ean_code" doc:"EAN code of the connection"`
	Commodity meter.Commodity `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	Unit      meter.Unit      `json:"unit" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the usage: KWH is kWh, M3N is normal cubic meter"`
	From      value.Day       `json:"from" doc:"First day of the data"`
	Until     value.Day       `json:"until,omitzero" doc:"Last day with measurements; absent: none"`

	Months []Month `json:"months" nullable:"false" doc:"Usage by month, oldest first; months without measurements are left out"`
}

// Month is the usage of a month.
type Month struct {
	Month string `json:"month" doc:"Month as YYYY-MM"`
	meter.Amounts
	Partial bool `json:"partial" doc:"Whether part of the month was not measured"`
}

// Months adds up days by month. Days are sorted, oldest first; months without measurements are left out.
func Months(days []interval.Totals) []Month {
	out, measured := []Month{}, 0
	for i, d := range days {
		begin := meter.Monthly.Begin(d.Day)
		if i == 0 || begin != meter.Monthly.Begin(days[i-1].Day) {
			out, measured = append(out, Month{Month: begin.String()[:7]}), 0
		}
		m := &out[len(out)-1]
		m.Add(d.Amounts())
		m.Partial = m.Partial || d.Missing > 0
		measured++
		if i+1 == len(days) || begin != meter.Monthly.Begin(days[i+1].Day) {
			m.Partial = m.Partial || measured < meter.Monthly.Next(begin).DaysSince(begin)
		}
	}
	return out
}
