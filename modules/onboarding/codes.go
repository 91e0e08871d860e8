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

// problems contains the English sentences of the codes, for callers of the API and operators.
var problems = map[string]string{
	codeClosed:         "the label does not accept registrations",
	codeName:           "a name has letters and digits, no spaces, and begins and ends with a letter",
	codeGender:         "it is none of the genders of the label",
	codePhone:          "it is not a phone number",
	codeEmail:          "it is not an email address",
	codeZipCode:        "a postal code has six characters",
	codeIBAN:           "it is not a valid IBAN",
	codeBirthDate:      "it is not a date of birth",
	codeTooYoung:       "the person is younger than 18",
	codeAddressUnknown: "the address does not exist",
	codeProofNeeded:    "a proof of work is required: request a challenge and solve it",
	codeProofInvalid:   "the proof of work is wrong, expired, used, or of another label",
	codeTokenInvalid:   "the token is unknown or has expired",
	codeReactivated:    "the account has been reactivated before",
}
