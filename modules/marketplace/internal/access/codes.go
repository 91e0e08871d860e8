package access

// Error codes of access.
const (
	codePending  = "marketplace.access_pending"  // 403: the member has no access to the market yet
	codeApproved = "marketplace.access_approved" // 409: the member already has access
)
