package marketplace

import (
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

// Codes that this module's rules give. A code is the id of the text that the browser shows.
const (
	codeTransition  = "marketplace.transition" // 409: the state machine has no such transition
	codeSharesGone  = ledger.CodeShares        // 409: not that many shares
	codeUnavailable = "marketplace.offer_unavailable"

	codeRequired      = "marketplace.required"
	codeNotEnough     = "marketplace.not_enough_shares"
	codeMaxPrice      = "marketplace.max_price"
	codeMinPrice      = "marketplace.min_price"
	codeDateRange     = "marketplace.date_range"
	codeSelling       = "marketplace.selling_not_allowed"
	codeSharesRange   = "marketplace.shares_range"
	codeProject       = "marketplace.project_unknown"
	codeReasonUnknown = "marketplace.reason_unknown"
	codeSort          = "marketplace.sort_unknown"
	codeOtherProject  = "marketplace.project_differs"
	codeImportLast    = "marketplace.shares_differ" // of a record: its history does not end at its share
	codeOwnerDiffers  = "marketplace.owner_differs" // of a record: somebody else has the participation
)
