package interval

// Problem codes that apply only to intervals, in the report of an import.
const (
	codeAligned   = "usage.not_aligned" // the interval does not begin at a multiple of its length
	codeDayLength = "usage.day_length"  // the list does not have one element per interval of the day
)
