package notifications

import "slices"

// Kind says what a notification is about. Customers choose of some kinds whether and how they get them.
type Kind string

// Kinds. The first three are fixed: what a customer must know cannot be switched off.
const (
	Security Kind = "security"
	Contract Kind = "contract"
	Payment  Kind = "payment"
	Project  Kind = "project"
	News     Kind = "news"
	Market   Kind = "market"
)

// kinds are all of them, as a customer sees them.
var kinds = []Kind{Project, News, Market, Security, Contract, Payment}

// fixed reports whether a kind cannot be switched off.
func (k Kind) fixed() bool { return k == Security || k == Contract || k == Payment }

func (k Kind) known() bool { return slices.Contains(kinds, k) }
