package address

// Problem codes of this module. They begin with "move", because module move used to look up addresses: clients, labels with custom texts
// and the browser's texts depend on these codes (docs/decisions/0036).
const (
	codeRequired     = "move.required"
	codeUnknown      = "move.address_unknown"
	codeRegisterDown = "move.register_down"
)
