package billing

import "github.com/wattle-portal/wattle/core/module"

// Product is what a relation takes under an agreement (7.1-product-fields).
type Product struct {
	Code      string      `json:"product_code"`
	Name      string      `json:"name"`
	Commodity string      `json:"commodity,omitempty" enum:"ELECTRICITY,GAS"`
	Start     module.Day  `json:"start_date"`
	End       *module.Day `json:"end_date" nullable:"true" doc:"Last day; null while no end is known"`
	Agreement string      `json:"agreement_identifier"`
}
