package notifications

// Codes of this module's problems, which are the ids of their texts in the browser.
const (
	codeUnknownProject  = "notifications.unknown_project"
	codeUnknownCustomer = "notifications.unknown_customer"
	codeNoRecipients    = "notifications.no_recipients"
	codeManyRecipients  = "notifications.too_many_recipients" // of a selection
	codeMessageTooLong  = "notifications.message_too_long"
	codeMessageEmpty    = "notifications.message_empty" // nothing is left of it
	codeDatePassed      = "notifications.date_passed"
	codeSentAlready     = "notifications.sent_already"
	codeKindFixed       = "notifications.kind_fixed"
	codeLinkUnknown     = "notifications.link_unknown"
	codeKeyReused       = "notifications.key_reused" // 422: another notification under the same id
)
