package account

// Codes that this module's rules give. A code is the id of the text that the browser shows.
const (
	codePhoneInvalid     = "account.phone_invalid"
	codeEmailInvalid     = "account.email_invalid"
	codeUsernameTooShort = "account.username_too_short"
	codeUsernameTaken    = "account.username_taken"
	codePasswordRule     = "account.password_rule"
	codeUnchanged        = "account.unchanged"
)
