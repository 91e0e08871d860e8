package offer

import (
	"github.com/wattle-portal/wattle/core/value"
)

// OfferSetting says between which prices members may offer from a day on, and whether they may sell (3-project-offer-settings).
type OfferSetting struct {
	From         value.Day   `json:"from_date"`
	Min          value.Cents `json:"min_price"`
	Max          value.Cents `json:"max_price"`
	AllowSelling bool        `json:"allow_selling"`
}

// latest is the setting that holds on a day: the highest from_date not after it, of two of one day the later one
// (3-project-latest-setting). nil: none does yet, and nothing can be sold.
func latest(settings []OfferSetting, on value.Day) (best *OfferSetting) {
	for i, s := range settings {
		if !s.From.After(on) && (best == nil || !s.From.Before(best.From)) {
			best = &settings[i]
		}
	}
	return best
}

// Selling reports whether members may sell on a day (5.7-offer-allow-selling).
func Selling(settings []OfferSetting, on value.Day) bool {
	s := latest(settings, on)
	return s != nil && s.AllowSelling
}
