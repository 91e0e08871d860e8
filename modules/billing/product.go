package billing

import (
	"github.com/wattle-portal/wattle/core/value"
)

// Product is a product under an agreement of a relation (7.1-product-fields).
type Product struct {
	Code      string     `json:"product_code"`
	Name      string     `json:"name"`
	Commodity string     `json:"commodity,omitempty" enum:"ELECTRICITY,GAS"`
	Start     value.Day  `json:"start_date"`
	End       *value.Day `json:"end_date" nullable:"true" doc:"Last day; null: no end is known"`
	Agreement string     `json:"agreement_identifier" doc:"Identifier of the agreement"`
}
