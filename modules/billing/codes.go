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

// problems contains the English sentences of the codes, for callers of the API and operators.
var problems = map[string]string{
	codeIBANRequired:     "the IBAN is required",
	codeIBANNotValid:     "it is not a valid IBAN, or it is the present one",
	codeNameRequired:     "the name has at least 3 characters",
	codeNameTooLong:      "the name has at most 255 characters",
	codeDateRequired:     "the date is required",
	codeDateTooEarly:     "the date is tomorrow or later",
	codeAmountRequired:   "the amount is required",
	codeAmountDecimals:   "the amount has at most two decimals",
	codeAmountRange:      "the amount is below the minimum or above the maximum of the agreement",
	codeAmountUnchanged:  "it is the present amount",
	codeWhichAgreement:   "the customer has several agreements, so the agreement is required",
	codeUnknownAgreement: "the customer has no agreement with this identifier; import agreements before their invoices",
	codeDecimals:         "the amount has at most two decimals",
	codeFileMissing:      "the file of the invoice is not in the file store",
	codeTermPending:      "an earlier change of the term amount is still being processed",
	codeTermEnded:        "the agreement has ended",
	codeTermFixed:        "the agreement has a fixed term amount",
}
