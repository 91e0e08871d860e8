package address

// Problem codes of this module. They begin with "move", because module move looked up addresses before: clients, labels with their own
// texts and the texts of the browser rely on them (docs/decisions/0036).
const (
	codeRequired     = "move.required"
	codeUnknown      = "move.address_unknown"
	codeRegisterDown = "move.register_down"
)
