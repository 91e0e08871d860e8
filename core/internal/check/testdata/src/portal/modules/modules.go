// Package modules lists them, and may.
package modules

import "portal/modules/billing"

var All = []string{billing.Key}
