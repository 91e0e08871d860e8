package project

import (
	"github.com/wattle-portal/wattle/core/value"
)

// OfferSetting is the price range of offers from a day on, and whether members may sell (3-project-offer-settings).
type OfferSetting struct {
	From         value.Day   `json:"from_date" doc:"First day on which it applies"`
	Min          value.Cents `json:"min_price" doc:"Lowest price of a share in euros"`
	Max          value.Cents `json:"max_price" doc:"Highest price of a share in euros"`
	AllowSelling bool        `json:"allow_selling" doc:"Whether members may sell shares of the project"`
}

// Latest returns the setting for a day: the one with the latest from_date that is not after the day, and of several with that date the
// last listed (3-project-latest-setting). nil: there is none yet, and nothing can be sold.
func Latest(settings []OfferSetting, on value.Day) (best *OfferSetting) {
	for i, s := range settings {
		if !s.From.After(on) && (best == nil || !s.From.Before(best.From)) {
			best = &settings[i]
		}
	}
	return best
}

// Selling reports whether members may sell on a day (5.7-offer-allow-selling).
func Selling(settings []OfferSetting, on value.Day) bool {
	s := Latest(settings, on)
	return s != nil && s.AllowSelling
}
