// Package project contains the projects of a label, which the back office sends: their data, price ranges and administration costs.
package project

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/production/productionapi"
)

// Project is a wind or solar project with the caller's participations (3-project-fields, 7.6-projects-array).
type Project struct {
	Record
	EndDate         *value.Day                    `json:"project_end_date" nullable:"true" doc:"Last day of the project; null: unknown"`
	StartDate       *value.Day                    `json:"project_start_date" nullable:"true" doc:"First day of the project; null: unknown"`
	Production      Production                    `json:"production" doc:"Current and past production of the project"`
	CurrentPower    *float64                      `json:"current_power" doc:"kW; same as in production, for clients that read it here"`
	PowerPercentage *float64                      `json:"power_percentage" doc:"Current power in percent of the rated power; null: unknown"`
	Today           *float64                      `json:"todays_production" doc:"kWh measured today; same as in production"`
	Total           *float64                      `json:"total_production" doc:"kWh measured in total; same as in production"`
	MeasuredAt      *time.Time                    `json:"measured_at" doc:"Time of the last measurement"`
	OfferCount      int                           `json:"offer_count" doc:"Number of offers of other members that can be bought"`
	Participations  []participation.Participation `json:"participations" nullable:"false" doc:"Participations of the caller"`
}

// Record is a project as the back office sends it, and as it is stored.
type Record struct {
	Code            string         `json:"project_code" doc:"Code of the project"`
	Name            string         `json:"project_name" doc:"Name of the project"`
	Type            string         `json:"project_type" doc:"WIND is a wind project, any other a solar one"`
	Place           string         `json:"place" doc:"Place of the project"`
	EAN             string         `json:"project_ean_number" doc:"EAN code of the connection of the project"`
	Unit            string         `json:"unit_of_measurement" doc:"Unit of what the project produces, such as kWh"`
	Supplier        string         `json:"energy_supplier" doc:"Supplier that takes the energy of the project"`
	Statutes        string         `json:"statutes_location" doc:"Link to the statutes"`
	MemberAgreement string         `json:"member_agreement_location" doc:"Link to the member agreement"`
	Report          bool           `json:"report" doc:"Whether there is a report to download"`
	Settings        []OfferSetting `json:"member_offer_settings" nullable:"false" doc:"Price ranges of member offers, each from a day on; the latest that has begun applies"`
	Costs           []Cost         `json:"administration_costs" nullable:"false" doc:"Costs of an order of its shares from a day on"`
}

// Production is the current and past production of a project, from module production (3-project-production). Its numbers are null if
// nothing was ever measured.
type Production struct {
	CurrentPower *float64 `json:"current_power" doc:"kW; same as in production, for clients that read it here"`
	Total        *float64 `json:"total_production" doc:"kWh measured in total"`
	Today        *float64 `json:"todays_production" doc:"kWh measured today"`
}

// setMeasured sets the fields with the measured production.
func (p *Project) setMeasured(m productionapi.Measured) {
	p.Production = Production{m.CurrentPower, m.TotalProduction, m.TodaysProduction}
	p.CurrentPower, p.PowerPercentage, p.Today, p.Total, p.MeasuredAt = m.CurrentPower, m.PowerPercentage, m.TodaysProduction,
		m.TotalProduction, m.MeasuredAt
}

// Document is the stored form of a project.
type Document struct {
	Record
	Start value.Day `json:"project_start_date,omitzero"`
	End   value.Day `json:"project_end_date,omitzero"`
	Owner string    `json:"owner,omitempty"` // relation of the cooperative or company that the project belongs to
}
