package account

// Problem codes, which are also the ids of their texts in the browser.
const (
	codePhoneInvalid     = "account.phone_invalid"
	codeEmailInvalid     = "account.email_invalid"
	codeUsernameTooShort = "account.username_too_short"
	codeUsernameTaken    = "account.username_taken"
	codePasswordRule     = "account.password_rule"
	codeUnchanged        = "account.unchanged"
)
