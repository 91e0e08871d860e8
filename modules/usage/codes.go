package usage

// problems contains the English sentences of the codes, for callers of the API and operators.
var problems = map[string]string{
	"usage.range":          "the range ends before it begins",
	"usage.range_too_long": "the range has more periods than a response can have",
	"usage.consent_needed": "the customer has not consented to historical meter data",
	"usage.not_supported":  "the meter is not a smart meter",
	"usage.source":         "the source of meter data failed repeatedly",
	"usage.unknown_ean":    "no connection has this EAN; import connections before their readings and intervals",
	"usage.duplicate":      "the same time or day comes twice, with different values",
	"usage.in_future":      "the time is after tomorrow",
	"usage.time":           "it is not a time such as 2026-01-15T10:00:00+01:00, or a day such as 2026-01-15",
	"usage.register":       "gas has only consumption; electricity has consumption and feed-in, normal and low",
	"usage.nothing":        "the record has no measured value",
	"usage.seconds":        "an interval is 900, 3600 or 86400 seconds long",
	"usage.coarser":        "the day is already stored in shorter intervals",
	"usage.not_aligned":    "the interval does not begin at a multiple of its length",
	"usage.day_length":     "the list does not have as many values as the day has intervals",
	"usage.ean":            "an EAN has 18 digits",
	"usage.offset_needed":  "the time comes twice when the clock goes back; it needs an offset",
	"usage.no_such_time":   "the time is skipped when the clock goes forward",
	"usage.number":         "it is not a number",
	"usage.decimals":       "the number has at most three decimals",
	"usage.negative":       "the number is below zero",
	"usage.backwards":      "the reading is lower than an earlier one of this meter, or higher than a later one",
}
