package address

// Problem codes of this module. They begin with "move", because module move looked up addresses before; clients rely on them.
const (
	codeRequired     = "move.required"
	codeUnknown      = "move.address_unknown"
	codeRegisterDown = "move.register_down"
)
