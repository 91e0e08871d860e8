package onboarding

import (
	"github.com/wattle-portal/wattle/core/value"
)

const (
	minBirthYear = 1900 // earliest year of birth (5.9-birth-range)
	minAge       = 18   // minimum age in years (5.9-age)
)

// CheckBirthDate validates a date of birth YYYY-MM-DD: between the year 1900 and today (5.9-birth-range), and at least 18 years ago
// (5.9-age). It returns error codes. today is the day in the label's zone.
func CheckBirthDate(entered string, today value.Day) []string {
	born, err := value.ParseDay(entered)
	if err != nil || born.Year < minBirthYear || born.After(today) {
		return []string{codeBirthDate}
	}
	if Age(born, today) < minAge {
		return []string{codeTooYoung}
	}
	return nil
}

// Age returns the number of whole years since a date of birth. A person who was born on 29 February is a year older on 1 March of years
// without that day.
func Age(born, today value.Day) int {
	years := today.Year - born.Year
	if today.Month < born.Month || today.Month == born.Month && today.Day < born.Day {
		years--
	}
	return years
}
