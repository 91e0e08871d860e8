package address

// Codes that this module gives. They were those of module move when it looked addresses up, and stay: clients know them.
const (
	codeRequired     = "move.required"
	codeUnknown      = "move.address_unknown"
	codeRegisterDown = "move.register_down"
)
