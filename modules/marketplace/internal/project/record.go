package project

import (
	"fmt"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/fields"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

// ImportKind is the kind of a project record.
const ImportKind = "project"

// RecordKind describes the project records.
var RecordKind = record.Kind{
	Name: ImportKind, Doc: "A wind or solar project. The natural key is project_code.",
	Fields: projectFields{}, Required: []string{"project_code", "project_name", "project_type", "member_offer_settings.0.from_date",
		"member_offer_settings.0.min_price",
		"member_offer_settings.0.max_price", "administration_costs.0.from_date", "administration_costs.0.amount"},
	Values: map[string][]string{"member_offer_settings.0.allow_selling": fields.Bools, "report": fields.Bools},
	Example: `{"project_code":"WND-01","project_name":"Windmolen De Grutto","project_type":"WIND","place":"Delfzijl","project_start_date":"2015-01-01","unit_of_measurement":"KWH",
		"member_offer_settings":[{"from_date":"2020-01-01","min_price":"100.00","max_price":"300.00","allow_selling":"true"}]}`,
}

// projectFields are the fields of a project, as the back office sends them.
type projectFields struct {
	Code            record.Loose    `json:"project_code"`
	Name            record.Loose    `json:"project_name"`
	Type            record.Loose    `json:"project_type"`
	Place           record.Loose    `json:"place"`
	EAN             record.Loose    `json:"project_ean_number"`
	Start           record.Loose    `json:"project_start_date"`
	End             record.Loose    `json:"project_end_date"`
	Unit            record.Loose    `json:"unit_of_measurement"`
	Supplier        record.Loose    `json:"energy_supplier"`
	Statutes        record.Loose    `json:"statutes_location"`
	MemberAgreement record.Loose    `json:"member_agreement_location"`
	Report          record.Loose    `json:"report"`
	Owner           record.Loose    `json:"owner_debtor_number"` // owning cooperative or company (9-offer-seller)
	Settings        []settingFields `json:"member_offer_settings"`
	Costs           []costFields    `json:"administration_costs"`
}

type settingFields struct {
	From  record.Loose `json:"from_date"`
	Min   record.Loose `json:"min_price"`
	Max   record.Loose `json:"max_price"`
	Allow record.Loose `json:"allow_selling"`
}

type costFields struct {
	From   record.Loose `json:"from_date"`
	Amount record.Loose `json:"amount"`
}

// readProject reads a project of a label from a record; wrong contains all errors that prevent it from being stored.
func readProject(label string, row record.Row) (*Document, []record.Refusal) {
	var in projectFields
	c, ok := fields.Read(row, &in)
	if !ok {
		return nil, c.Refusals()
	}
	d := &Document{Record: Record{Code: c.ID("project_code", in.Code), Name: c.Required("project_name", in.Name),
		Type: c.Required("project_type", in.Type), Place: in.Place.Text(), EAN: in.EAN.Text(), Unit: in.Unit.Text(),
		Supplier: in.Supplier.Text(), Statutes: c.Link("statutes_location", in.Statutes),
		MemberAgreement: c.Link("member_agreement_location", in.MemberAgreement), Report: c.Bool("report", in.Report),
		Settings: []OfferSetting{}, Costs: []Cost{}}, Start: c.OptionalDay("project_start_date", in.Start),
		End: c.OptionalDay("project_end_date", in.End)}
	if debtor := in.Owner.Text(); debtor != "" {
		d.Owner = sibling.RelationID(label, debtor)
	}
	for n, x := range in.Settings {
		at := fmt.Sprintf("member_offer_settings.%d.", n)
		s := OfferSetting{From: c.Day(at+"from_date", x.From), Min: c.Cents(at+"min_price", x.Min), Max: c.Cents(at+"max_price", x.Max),
			AllowSelling: c.Bool(at+"allow_selling", x.Allow)}
		if s.Min > s.Max {
			c.Refuse(at+"max_price", problem.CodeInvalid)
		}
		d.Settings = append(d.Settings, s)
	}
	for n, x := range in.Costs {
		at := fmt.Sprintf("administration_costs.%d.", n)
		d.Costs = append(d.Costs, Cost{From: c.Day(at+"from_date", x.From), Amount: c.Cents(at+"amount", x.Amount)})
	}
	return d, c.Refusals()
}
