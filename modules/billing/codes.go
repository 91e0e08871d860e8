package billing

// Problem codes, which are also the ids of their texts in the browser.
const (
	codeIBANRequired     = "billing.ibanRequired"
	codeIBANNotValid     = "billing.ibanNotValid"
	codeNameRequired     = "billing.bankAccountNameRequired"
	codeNameTooLong      = "billing.bankAccountNameToLong" // spelled as in the specification
	codeDateRequired     = "billing.startDateRequired"
	codeDateTooEarly     = "billing.startDateMessage"
	codeAmountRequired   = "billing.amount_required"
	codeAmountDecimals   = "billing.amount_decimals"
	codeAmountRange      = "billing.amount_range"
	codeAmountUnchanged  = "billing.amount_unchanged"
	codeWhichAgreement   = "billing.agreement_required"
	codeUnknownAgreement = "billing.agreement_unknown"
	codeDecimals         = "billing.decimals"
	codeFileMissing      = "billing.file_missing"

	// Reasons why a term amount cannot be changed.
	codeTermPending = "billing.term_amount_pending"
	codeTermEnded   = "billing.term_amount_ended"
	codeTermFixed   = "billing.term_amount_fixed"
)
