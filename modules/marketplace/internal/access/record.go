package access

import (
	"github.com/wattle-portal/wattle/core/record"
)

// ImportKind is the kind of an access record: {"debtor_number", "state": "APPROVED" or "REJECTED"}.
const ImportKind = "market_access"

// RecordKind describes the access records.
var RecordKind = record.Kind{
	Name: ImportKind, Doc: "Whether a customer may trade. The natural key is debtor_number.",
	Fields: accessFields{}, Required: []string{"debtor_number", "state"},
	Values:  map[string][]string{"state": {string(Approved), string(Rejected)}},
	Example: `{"debtor_number":"10001","state":"APPROVED"}`,
}

// accessFields are the fields of an access record, as the back office sends them.
type accessFields struct {
	Debtor record.Loose `json:"debtor_number"`
	State  record.Loose `json:"state"`
}
