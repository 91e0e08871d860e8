package usage

// Problem codes, which are also the ids of their texts in the browser; those of records are in the report of an import.
const (
	codeConsentNeeded = "usage.consent_needed" // no consent for historical meter data
	codeNotSupported  = "usage.not_supported"  // the meter is not smart
	codeRange         = "usage.range"          // from is not before to
	codeRangeTooLong  = "usage.range_too_long" // more periods than a chart can show
	codeSource        = "usage.source"         // the source of meter data failed repeatedly

	codeEAN        = "usage.ean"           // not 18 digits
	codeUnknownEAN = "usage.unknown_ean"   // unknown connection; connections must be imported first
	codeBackwards  = "usage.backwards"     // lower than an earlier or higher than a later reading of the same meter
	codeDuplicate  = "usage.duplicate"     // the same time or day occurs twice
	codeOffset     = "usage.offset_needed" // a time without offset in the hour that is repeated when the clock is set back
	codeNoSuchTime = "usage.no_such_time"  // a time without offset in the hour that is skipped when the clock is set forward
	codeTime       = "usage.time"          // not a valid time
	codeFuture     = "usage.in_future"     // after tomorrow
	codeSeconds    = "usage.seconds"       // the interval is not 900, 3600 or 86400 seconds long
	codeAligned    = "usage.not_aligned"   // the interval does not begin at a multiple of its length
	codeDayLength  = "usage.day_length"    // not the number of intervals of the day
	codeCoarser    = "usage.coarser"       // the day is already stored in shorter intervals
	codeNumber     = "usage.number"        // not a number
	codeDecimals   = "usage.decimals"      // more than three decimals
	codeNegative   = "usage.negative"      // below zero
	codeRegister   = "usage.register"      // gas has consumption only, electricity normal, low and feed-in
	codeNothing    = "usage.nothing"       // nothing was measured
)
