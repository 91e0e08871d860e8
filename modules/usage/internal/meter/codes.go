package meter

// Problem codes that apply to several record kinds, in the report of an import.
const (
	CodeUnknownEAN = "usage.unknown_ean" // unknown connection; connections must be imported first
	CodeDuplicate  = "usage.duplicate"   // the same time or day occurs twice
	CodeFuture     = "usage.in_future"   // after tomorrow
	CodeTime       = "usage.time"        // not a valid time
	CodeRegister   = "usage.register"    // gas has consumption only, electricity normal, low and feed-in
	CodeNothing    = "usage.nothing"     // nothing was measured
	CodeSeconds    = "usage.seconds"     // the interval is not 900, 3600 or 86400 seconds long
	CodeCoarser    = "usage.coarser"     // the day is already stored in shorter intervals
)

// Problem codes that only Check, ParseInstant and Number return.
const (
	codeEAN        = "usage.ean"           // not 18 digits
	codeOffset     = "usage.offset_needed" // a time without offset in the hour that is repeated when the clock is set back
	codeNoSuchTime = "usage.no_such_time"  // a time without offset in the hour that is skipped when the clock is set forward
	codeNumber     = "usage.number"        // not a number
	codeDecimals   = "usage.decimals"      // more than three decimals
	codeNegative   = "usage.negative"      // below zero
)
