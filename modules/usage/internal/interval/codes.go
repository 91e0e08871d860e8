package interval

// Problem codes of intervals only, in the report of an import.
const (
	codeAligned   = "usage.not_aligned" // the interval does not begin at a multiple of its length
	codeDayLength = "usage.day_length"  // not the number of intervals of the day
)
