package history

// Problem codes of historical meter data, which are also the ids of their texts in the browser.
const (
	CodeConsentNeeded = "usage.consent_needed" // no consent for historical meter data
	CodeNotSupported  = "usage.not_supported"  // the meter is not smart
	CodeSource        = "usage.source"         // the source of meter data failed repeatedly
)
