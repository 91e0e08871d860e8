// Package modules lists the modules that run inside the program.
package modules

import (
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/address"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/modules/move"
	"github.com/wattle-portal/wattle/modules/notifications"
	"github.com/wattle-portal/wattle/modules/onboarding"
	"github.com/wattle-portal/wattle/modules/production"
	"github.com/wattle-portal/wattle/modules/staff"
	"github.com/wattle-portal/wattle/modules/usage"
)

// All contains the modules that run inside the program, one per line.
var All = []module.Module{
	account.Module,
	address.Module,
	billing.Module,
	marketplace.Module,
	move.Module,
	notifications.Module,
	onboarding.Module,
	production.Module,
	staff.Module,
	usage.Module,
}
