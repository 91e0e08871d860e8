package production

// problems contains the English sentences of the codes, for callers of the API and operators.
var problems = map[string]string{
	codeNumber:         "it is not a number, or is too large",
	codeNegative:       "the number is below zero",
	codeDayLength:      "the list does not have as many values as the day has hours",
	codeAligned:        "the time is not a whole hour",
	codeFuture:         "the time is in the future",
	codeNothing:        "the record has no measured value",
	codeUnknownProject: "there is no project with this code; import projects first",
	codeTooOld:         "the measurement is more than 35 days old",
	codeImplausible:    "the value is impossible for this project",
	codeWeatherDown:    "the weather feed does not respond",
}
