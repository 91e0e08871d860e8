package notifications

// Problem codes, which are also the ids of their texts in the browser.
const (
	codeUnknownProject  = "notifications.unknown_project"
	codeUnknownCustomer = "notifications.unknown_customer"
	codeNoRecipients    = "notifications.no_recipients"
	codeManyRecipients  = "notifications.too_many_recipients" // in a selection
	codeMessageTooLong  = "notifications.message_too_long"
	codeMessageEmpty    = "notifications.message_empty" // after sanitizing
	codeDatePassed      = "notifications.date_passed"
	codeSentAlready     = "notifications.sent_already"
	codeKindFixed       = "notifications.kind_fixed"
	codeLinkUnknown     = "notifications.link_unknown"
	codeKeyReused       = "notifications.key_reused" // 422: the id belongs to another notification
)
