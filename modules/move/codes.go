package move

// Problem codes, which are also the ids of their texts in the browser.
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
	codeBadSituation      = "move.bad_situation" // an agreement with several delivery addresses

	codeRegisterDown = "move.register_down"
	codeKeyReused    = "move.key_reused"
)
