package marketplace

import (
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/access"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
)

// accessFields is who may trade, as the back office sends it.
type accessFields struct {
	Debtor loose `json:"debtor_number"`
	State  loose `json:"state"`
}

var truths = []string{"true", "false"}

// recordKinds describes the records of an import.
var recordKinds = []record.Kind{{
	Name: importProject, Doc: "A wind or solar project. The natural key is project_code.",
	Fields: projectFields{}, Required: []string{"project_code", "project_name", "project_type", "member_offer_settings.0.from_date", "member_offer_settings.0.min_price",
		"member_offer_settings.0.max_price", "administration_costs.0.from_date", "administration_costs.0.amount"},
	Values: map[string][]string{"member_offer_settings.0.allow_selling": truths, "report": truths},
	Example: `{"project_code":"WND-01","project_name":"Windmolen De Grutto","project_type":"WIND","place":"Delfzijl","project_start_date":"2015-01-01","unit_of_measurement":"KWH",
		"member_offer_settings":[{"from_date":"2020-01-01","min_price":"100.00","max_price":"300.00","allow_selling":"true"}]}`,
}, {
	Name: importParticipation, Doc: "The shares of a customer in a project. The natural key is participation_identifier.",
	Fields: participationFields{}, Required: []string{"debtor_number", "participation_identifier", "project_code", "share", "address", "address.street_name", "address.house_number",
		"address.postal_code", "address.city", "shares.0.from_date", "shares.0.share"},
	Example: `{"debtor_number":"10001","participation_identifier":"P-10001","project_code":"WND-01","share":"20","address":{"street_name":"Molenweg","house_number":"12",
		"postal_code":"1234AB","city":"Delft"}}`,
}, {
	Name: importOffer, Doc: "An offer of shares that was made before the portal. The natural key is identifier.",
	Fields: offerFields{}, Required: []string{"identifier", "debtor_number", "date", "price_per_share", "shares"},
	Values: map[string][]string{"offer_publication_type": {offer.Public, offer.Direct}, "status": record.Texts(offerStatuses)},
	Example: `{"identifier":"offer-1","debtor_number":"10001","participation_identifier":"P-10001","project_code":"WND-01","offer_publication_type":"PUBLIC","status":"SOLD",
		"date":"2026-02-01","price_per_share":"200.00","shares":"5"}`,
}, {
	Name: importOrder, Doc: "An order of an imported offer that ended before the portal. The natural key is identifier.",
	Fields: orderFields{}, Required: []string{"identifier", "debtor_number", "offer", "shares", "status", "placed", "transfer_date", "address", "address.street_name",
		"address.house_number", "address.postal_code", "address.city"},
	Values: map[string][]string{"status": record.Texts(orderEnds)},
	Example: `{"identifier":"order-1","debtor_number":"10002","offer":"offer-1","shares":"5","status":"COMPLETED","placed":"2026-02-03T10:00:00Z","paid":"2026-02-04T10:00:00Z",
		"ended":"2026-02-05T10:00:00Z","transfer_date":"2026-03-01","address":{"street_name":"Dorpsstraat","house_number":"3","postal_code":"1234AC","city":"Delft"}}`,
}, {
	Name: importAccess, Doc: "Whether a customer may trade. The natural key is debtor_number.",
	Fields: accessFields{}, Required: []string{"debtor_number", "state"},
	Values:  map[string][]string{"state": {string(access.Approved), string(access.Rejected)}},
	Example: `{"debtor_number":"10001","state":"APPROVED"}`,
}}
