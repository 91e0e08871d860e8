package series

// Problem codes for a range of days, which are also the ids of their texts in the browser.
const (
	CodeRange        = "usage.range"          // from is not before to
	codeRangeTooLong = "usage.range_too_long" // more periods than a chart can show
)
