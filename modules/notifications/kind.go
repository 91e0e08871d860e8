package notifications

import "slices"

// Kind is the subject of a notification. Customers can choose whether and how they receive the optional kinds.
type Kind string

// Kinds. The first three are fixed: customers cannot switch them off.
const (
	Security Kind = "security"
	Contract Kind = "contract"
	Payment  Kind = "payment"
	Project  Kind = "project"
	News     Kind = "news"
	Market   Kind = "market"
)

// kinds are all kinds, in the order of the preferences page.
var kinds = []Kind{Project, News, Market, Security, Contract, Payment}

// isFixed reports whether a customer cannot switch the kind off.
func (k Kind) isFixed() bool { return k == Security || k == Contract || k == Payment }

func (k Kind) isKnown() bool { return slices.Contains(kinds, k) }
