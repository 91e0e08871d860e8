package usage

// Codes that this module gives. A code is the id of the text that the browser shows; those of records stand in the import's report.
const (
	codeConsentNeeded = "usage.consent_needed" // no consent for historical meter data
	codeNotSupported  = "usage.not_supported"  // no meter that can be read from afar
	codeRange         = "usage.range"          // from is not before to
	codeRangeTooLong  = "usage.range_too_long" // more points than a chart can show
	codeSource        = "usage.source"         // the source of meter data failed, again and again

	codeEAN        = "usage.ean"           // not 18 digits
	codeUnknownEAN = "usage.unknown_ean"   // no such connection; connections come in first
	codeBackwards  = "usage.backwards"     // a standing below an earlier one, or above a later one, of the same meter
	codeDuplicate  = "usage.duplicate"     // twice the same moment
	codeOffset     = "usage.offset_needed" // a time without offset in the hour that comes twice
	codeNoSuchTime = "usage.no_such_time"  // a time without offset in the hour that is skipped
	codeTime       = "usage.time"          // not a time
	codeFuture     = "usage.in_future"     // after tomorrow
	codeSeconds    = "usage.seconds"       // an interval of other than 900, 3600 or 86400 seconds
	codeAligned    = "usage.not_aligned"   // does not begin at a multiple of its length
	codeDayLength  = "usage.day_length"    // not as many intervals as the day has
	codeCoarser    = "usage.coarser"       // the day is known in shorter intervals
	codeNumber     = "usage.number"        // not a number
	codeDecimals   = "usage.decimals"      // more than three decimals
	codeNegative   = "usage.negative"      // below zero
	codeRegister   = "usage.register"      // gas has consumption only, electricity normal, low and feed-in
	codeNothing    = "usage.nothing"       // nothing was measured
)
