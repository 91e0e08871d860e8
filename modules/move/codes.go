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

// problems contains the English sentences of the codes, for callers of the API and operators.
var problems = map[string]string{
	codeRequired:             "the field is required",
	codeDateFormat:           "it is not a date",
	codeNoPastDate:           "the date has passed",
	codeMinTwoDays:           "the date is the day after tomorrow or later",
	codeStartBeforeStop:      "the end at the old address is before the start at the new one",
	codeAddressUnknown:       "the address does not exist",
	codeMultipleAddresses:    "several addresses have this house number; the extension is required",
	codeMultipleConnections:  "the new address has several connections for the same commodity",
	codeDifferentConnections: "the new address has other commodities than the old one",
	codeExistingAgreement:    "the customer already has an agreement at the new address",
	codeAgreementUnknown:     "the customer has no such agreement at the old address",
	codeAgreementEnded:       "the agreement has ended",
	codeAgreementDaughter:    "the agreement is with another company",
	codeBadSituation:         "the agreement has several delivery addresses",
	codeRegisterDown:         "the register of addresses does not respond",
	codeKeyReused:            "the idempotency key belongs to another request",
}
