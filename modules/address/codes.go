package address

// Problem codes of this module. They begin with "move", because module move used to look up addresses: clients, labels with custom texts
// and the browser's texts depend on these codes (docs/decisions/0036).
const (
	codeRequired     = "move.required"
	codeUnknown      = "move.address_unknown"
	codeRegisterDown = "move.register_down"
)

// problems contains the English sentences of the codes, for callers of the API and operators.
var problems = map[string]string{
	codeRequired:     "the field is required",
	codeUnknown:      "the address does not exist",
	codeRegisterDown: "the register of addresses does not respond",
}
