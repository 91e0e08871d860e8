// Package modules lists the modules of a program, and may import them.
package modules

import "portal/modules/billing"

var All = []string{billing.Key}
