package production

import (
	"math"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Yield is the current and past production of the caller's shares in a project, based on the shares on each day (9-yields). Energy is in
// kWh, or null if nothing was measured while there were shares.
type Yield struct {
	Code         string       `json:"project_code" doc:"Code of the project"`
	Own          int64        `json:"own_shares" doc:"Shares of the caller now"`
	All          int64        `json:"all_shares" doc:"Shares of all members now"`
	Power        *float64     `json:"current_power" doc:"The caller's part of the last measured power in kW; null: unknown"`
	ProjectPower *float64     `json:"project_power" doc:"Last measured power of the project in kW; null: unknown"`
	At           *time.Time   `json:"measured_at" doc:"Time of the last measurement; null: none"`
	Today        *float64     `json:"todays_production" doc:"Production today until now"`
	Year         *float64     `json:"year_production" doc:"Production since 1 January until now"`
	LastYear     *float64     `json:"last_year_production" doc:"Production in the whole of last year"`
	SoFar        *float64     `json:"year_through_yesterday" doc:"Production from 1 January through yesterday, for a comparison with the next field"`
	SameDays     *float64     `json:"same_days_last_year" doc:"Production on the same days of last year"`
	YearValue    *value.Cents `json:"year_value" nullable:"true" doc:"Value of year_production in euro at the prices of the label; null: a price is not known"`
	LastValue    *value.Cents `json:"last_year_value" nullable:"true" doc:"Value of last_year_production in euro; null: a price is not known"`
}

// YieldPrice is the value of a kWh of a share from a day on.
type YieldPrice struct {
	From  value.Day `json:"from"`
	Price float64   `json:"price"` // euro
}

// yieldPrices contains prices, oldest first.
type yieldPrices []YieldPrice

// on returns the price of a day; ok is false for a day before the first one.
func (p yieldPrices) on(day value.Day) (euro float64, ok bool) {
	for _, x := range p {
		if x.From.After(day) {
			break
		}
		euro, ok = x.Price, true
	}
	return euro, ok
}

// sorted returns the prices oldest first.
func sorted(p []YieldPrice) yieldPrices {
	return slices.SortedFunc(slices.Values(p), func(a, b YieldPrice) int { return a.From.DaysSince(b.From) })
}

// yield adds up the member's part of the production on the days between from and until (exclusive): in kWh, rounded to Wh, and in cents,
// rounded once. kWh is nil if nothing was measured while there were shares. cents is also nil if a day with production has no price.
func (s shares) yield(days []dayRow, from, until value.Day, prices yieldPrices) (kWh *float64, cents *value.Cents) {
	wh, euro, measured, priced := 0.0, 0.0, false, true
	for _, d := range days {
		if d.Day.Before(from) || !d.Day.Before(until) {
			continue
		}
		part, ok := s.part(d.Day)
		if !ok {
			continue
		}
		made := part * float64(d.Total)
		wh, measured = wh+made, true
		price, known := prices.on(d.Day)
		euro, priced = euro+made*price/1000, priced && (known || made == 0)
	}
	if !measured {
		return nil, nil
	}
	if priced && len(prices) > 0 {
		cents = new(value.Cents(math.Round(euro * 100)))
	}
	return new(math.Round(wh) / 1000), cents
}

// yieldOf returns the yield of a project on the day today. days are the days since 1 January of last year.
func yieldOf(code string, owned shares, days []dayRow, today value.Day, prices yieldPrices) Yield {
	january := value.Day{Year: today.Year, Month: time.January, Day: 1}
	before := january.AddMonths(-12)
	same := min(today.DaysSince(january), january.DaysSince(before)) // last year may be a day shorter
	y := Yield{Code: code}
	y.Today, _ = owned.yield(days, today, today.AddDays(1), nil)
	y.Year, y.YearValue = owned.yield(days, january, today.AddDays(1), prices)
	y.LastYear, y.LastValue = owned.yield(days, before, january, prices)
	y.SoFar, _ = owned.yield(days, january, january.AddDays(same), nil)
	y.SameDays, _ = owned.yield(days, before, before.AddDays(same), nil)
	return y
}
