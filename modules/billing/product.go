package billing

import (
	"github.com/wattle-portal/wattle/core/value"
)

// Product is a product under an agreement of a relation (7.1-product-fields).
type Product struct {
	Code      string     `json:"product_code" doc:"Code of the product in the back office"`
	Name      string     `json:"name" doc:"Name of the product"`
	Commodity string     `json:"commodity,omitempty" enum:"ELECTRICITY,GAS" doc:"Commodity of the product; absent: none, such as a service"`
	Start     value.Day  `json:"start_date" doc:"First day of the product"`
	End       *value.Day `json:"end_date" nullable:"true" doc:"Last day; null: no end is known"`
	Agreement string     `json:"agreement_identifier" doc:"Identifier of the agreement"`
}
