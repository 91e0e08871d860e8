package move

// Codes that this module's rules give. A code is the id of the text that the browser shows.
const (
	codeRequired        = "move.required"
	codeDateFormat      = "move.dateFormat"
	codeNoPastDate      = "move.noPastDate"
	codeMinTwoDays      = "move.minTwoDays"
	codeStartBeforeStop = "move.startBeforeStop"

	codeAddressUnknown       = "move.address_unknown"
	codeMultipleAddresses    = "move.multiple_addresses"
	codeMultipleConnections  = "move.multiple_connections"
	codeDifferentConnections = "move.different_connections"
	codeExistingAgreement    = "move.existing_agreement"

	codeAgreementUnknown  = "move.agreement_unknown"
	codeAgreementEnded    = "move.agreement_ended"
	codeAgreementDaughter = "move.agreement_daughter"
	codeBadSituation      = "move.bad_situation" // an agreement with several addresses

	codeRegisterDown = "move.register_down"
	codeKeyReused    = "move.key_reused"
)
