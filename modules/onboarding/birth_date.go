package onboarding

import (
	"github.com/wattle-portal/wattle/core/value"
)

const (
	birthFrom = 1900 // the first year of birth that is taken (5.9-birth-range)
	adult     = 18   // years (5.9-age)
)

// CheckBirthDate judges a day of birth as YYYY-MM-DD: between the year 1900 and today (5.9-birth-range), of somebody who is 18 or
// older (5.9-age). Today is the civil day in the label's zone.
func CheckBirthDate(entered string, today value.Day) []string {
	born, err := value.ParseDay(entered)
	if err != nil || born.Year < birthFrom || born.After(today) {
		return []string{codeBirthDate}
	}
	if Age(born, today) < adult {
		return []string{codeTooYoung}
	}
	return nil
}

// Age is the number of whole years since a birth. Who was born on 29 February is a year older on 1 March of a year without that day:
// only then has the year passed.
func Age(born, today value.Day) int {
	years := today.Year - born.Year
	if today.Month < born.Month || today.Month == born.Month && today.Day < born.Day {
		years--
	}
	return years
}
