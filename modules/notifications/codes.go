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

// problems contains the English sentences of the codes, for callers of the API and operators.
var problems = map[string]string{
	codeUnknownProject:  "there is no project with this code",
	codeUnknownCustomer: "there is no customer with this number",
	codeNoRecipients:    "no customer would receive the notification",
	codeManyRecipients:  "a selection has at most 5,000 customers",
	codeMessageTooLong:  "the message is too long",
	codeMessageEmpty:    "the message is empty without the HTML that is not allowed",
	codeDatePassed:      "the time has passed",
	codeSentAlready:     "the notification has been sent",
	codeKindFixed:       "notifications of this kind cannot be switched off",
	codeLinkUnknown:     "the link is wrong or has expired",
	codeKeyReused:       "the id belongs to another notification",
}
