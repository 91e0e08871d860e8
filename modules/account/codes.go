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

// problems contains the English sentences of the codes, for callers of the API and operators.
var problems = map[string]string{
	codePhoneInvalid:     "it is not a Dutch phone number, or an international one that begins with +",
	codeEmailInvalid:     "it is not an email address",
	codeUsernameTooShort: "a username has at least 6 characters",
	codeUsernameTaken:    "another account has this username",
	codePasswordRule:     "a password has 6 to 50 characters, with a digit, a lowercase letter and an uppercase letter",
	codeUnchanged:        "it is the same as the present value",
}
