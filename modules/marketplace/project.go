package marketplace

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/production/productionapi"
)

// Project is a wind or solar project with the caller's participations (3-project-fields, 7.6-projects-array).
type Project struct {
	ProjectRecord
	EndDate         *value.Day                    `json:"project_end_date" nullable:"true"`
	StartDate       *value.Day                    `json:"project_start_date" nullable:"true"`
	Production      Production                    `json:"production"`
	CurrentPower    *float64                      `json:"current_power" doc:"kW; same as in production, for clients that read it here"`
	PowerPercentage *float64                      `json:"power_percentage"`
	Today           *float64                      `json:"todays_production"`
	Total           *float64                      `json:"total_production"`
	MeasuredAt      *time.Time                    `json:"measured_at" doc:"Time of the last measurement"`
	OfferCount      int                           `json:"offer_count" doc:"Number of offers of other members that can be bought"`
	Participations  []participation.Participation `json:"participations" nullable:"false" doc:"Participations of the caller"`
}

// ProjectRecord is a project as the back office sends it and as it is stored.
type ProjectRecord struct {
	Code            string               `json:"project_code"`
	Name            string               `json:"project_name"`
	Type            string               `json:"project_type" doc:"WIND is a wind project, any other a solar one"`
	Place           string               `json:"place"`
	EAN             string               `json:"project_ean_number"`
	Unit            string               `json:"unit_of_measurement"`
	Supplier        string               `json:"energy_supplier"`
	Statutes        string               `json:"statutes_location" doc:"Link to the statutes"`
	MemberAgreement string               `json:"member_agreement_location" doc:"Link to the member agreement"`
	Report          bool                 `json:"report" doc:"Whether there is a report to download"`
	Settings        []offer.OfferSetting `json:"member_offer_settings" nullable:"false"`
	Costs           []order.Cost         `json:"administration_costs" nullable:"false"`
}

// Production is what a project produces now and has produced, from module production (3-project-production). Its numbers are null where
// nothing was ever measured.
type Production struct {
	CurrentPower *float64 `json:"current_power" doc:"kW; same as in production, for clients that read it here"`
	Total        *float64 `json:"total_production" doc:"kWh; all that was measured"`
	Today        *float64 `json:"todays_production" doc:"kWh measured today"`
}

// measured sets what was measured.
func (p *Project) measured(m productionapi.Measured) {
	p.Production = Production{m.CurrentPower, m.TotalProduction, m.TodaysProduction}
	p.CurrentPower, p.PowerPercentage, p.Today, p.Total, p.MeasuredAt = m.CurrentPower, m.PowerPercentage, m.TodaysProduction, m.TotalProduction, m.MeasuredAt
}

// projectDocument is what is stored of a project.
type projectDocument struct {
	ProjectRecord
	Start value.Day `json:"project_start_date,omitzero"`
	End   value.Day `json:"project_end_date,omitzero"`
}
