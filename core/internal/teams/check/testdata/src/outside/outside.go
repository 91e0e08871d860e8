// Package outside is a module of another team.
package outside

import (
	"portal/modules/billing" // want `a module imports of a sibling only billingapi`
	"portal/modules/billing/billingapi"
)

var _, _ = billing.Key, billingapi.Key
