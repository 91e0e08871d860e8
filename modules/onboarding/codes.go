package onboarding

// Error codes, which are also the ids of their texts in the browser.
const (
	codeClosed         = "onboarding.registration_closed"
	codeName           = "onboarding.name_invalid"
	codeGender         = "onboarding.gender_invalid"
	codePhone          = "onboarding.phone_invalid"
	codeEmail          = "onboarding.email_invalid"
	codeZipCode        = "onboarding.zip_code_invalid"
	codeIBAN           = "onboarding.iban_invalid"
	codeBirthDate      = "onboarding.birth_date_invalid"
	codeTooYoung       = "onboarding.too_young"
	codeAddressUnknown = "onboarding.address_unknown"

	codeProofNeeded  = "onboarding.proof_needed"  // 428: request a challenge and solve it
	codeProofInvalid = "onboarding.proof_invalid" // 400: not solved, expired, used or of another label

	codeTokenInvalid = "onboarding.token_invalid"       // 410: expired or unknown
	codeReactivated  = "onboarding.already_reactivated" // 412
)
