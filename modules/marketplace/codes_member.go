package marketplace

// Codes of transfers, activation, moves of shares and access.
const (
	codeMemberUnknown   = "marketplace.member_unknown"        // 404: no member, or several, with that e-mail address
	codeReceiver        = "marketplace.receiver_contract"     // 409: no active contract for electricity
	codeReceiverSelf    = "marketplace.receiver_self"         // 400: the receiver is the member
	codeSharesOffered   = "marketplace.shares_offered"        // 409: a move would leave fewer shares than are offered
	codeSameAddress     = "marketplace.same_address"          // 400: the shares are at that address already
	codeParticipation   = "marketplace.participation_unknown" // 400: not a participation of the member
	codeMoveDatePast    = "marketplace.date_past"             // 5.8-date-min
	codeMoveDateInvalid = "marketplace.date_invalid"
	codeAccessPending   = "marketplace.access_pending"  // 403: the market is not open to this member yet
	codeAccessApproved  = "marketplace.access_approved" // 409: the member has access already
)
