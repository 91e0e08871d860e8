package market

import (
	"math"
	"sync"
	"time"
)

// ShareYield is what one share of a project yielded in a calendar year.
type ShareYield struct {
	Year   int     `json:"year" doc:"Calendar year"`
	Energy float64 `json:"energy" doc:"kWh, with one decimal"`
}

// yieldLife is how long a yield is kept. It changes once a year, and when measurements of that year are corrected.
const yieldLife = time.Hour

// yieldPause is how long production is not asked after it failed, so that the market does not wait for it at every visit and project.
const yieldPause = 30 * time.Second

// yields keeps the yields of projects, because every visit of the market asks for all of them.
type yields struct {
	mu    sync.Mutex
	known map[string]knownYield // key: label, project and year; only a label: production has failed
}

type knownYield struct {
	yield *ShareYield
	until time.Time
}

// get returns a yield that is still known at a time.
func (y *yields) get(key string, now time.Time) (yield *ShareYield, ok bool) {
	y.mu.Lock()
	defer y.mu.Unlock()
	k, ok := y.known[key]
	return k.yield, ok && now.Before(k.until)
}

func (y *yields) put(key string, yield *ShareYield, until time.Time) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.known == nil {
		y.known = map[string]knownYield{}
	}
	y.known[key] = knownYield{yield, until}
}

// yieldOf returns what one share of a project with a number of shares yielded, given what the project produced in each month of a year
// (9-offer-project). It is nil when a month was not measured or there are no shares: a part of a year says nothing about a year.
func yieldOf(year int, months []*float64, shares int64) *ShareYield {
	sum := 0.0
	for _, m := range months {
		if m == nil {
			return nil
		}
		sum += *m
	}
	if len(months) != 12 || shares <= 0 {
		return nil
	}
	return &ShareYield{year, math.Round(sum/float64(shares)*10) / 10}
}
