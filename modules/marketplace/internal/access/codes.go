package access

// Codes of access.
const (
	codePending  = "marketplace.access_pending"  // 403: the market is not open to this member yet
	codeApproved = "marketplace.access_approved" // 409: the member has access already
)
