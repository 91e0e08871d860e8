package identity

// Roles of an account.
const (
	Customer             = "customer"
	Staff                = "staff"
	ImpersonatorRole     = "impersonator" // is_impersonator true: may look along through a support tool, never sign in (6-impersonator-attribute)
	ImpersonatorUsername = "impersonator_"
)

// Account is a login of a label.
type Account struct {
	ID        string
	Label     string
	Relation  string // of a customer
	Username  string // trimmed and lower case
	Reserved  string // username asked for, not yet processed
	Email     string
	Name      string
	Locale    string // nl or en
	Role      string // Customer, Staff or ImpersonatorRole
	Temporary bool   // the password must be changed at the next sign-in
}
