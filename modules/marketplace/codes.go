package marketplace

import (
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

// Codes of the basket.
const (
	codeOwnOffer        = "marketplace.own_offer"
	codeAddressRequired = "marketplace.address_required"
)

// Codes of the module's rules. A code is the id of the text that the browser shows.
const (
	codeSharesGone   = ledger.CodeShares // 409: not that many shares
	codeSharesRange  = "marketplace.shares_range"
	codeProject      = "marketplace.project_unknown"
	codeSort         = "marketplace.sort_unknown"
	codeOtherProject = "marketplace.project_differs"
	codeImportLast   = "marketplace.shares_differ" // of a record: its history does not end at its share
	codeOwnerDiffers = "marketplace.owner_differs" // of a record: somebody else has the participation
)
