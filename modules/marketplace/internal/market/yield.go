package market

import (
	"math"
	"sync"
	"time"
)

// ShareYield is the yield of one share of a project in a calendar year.
type ShareYield struct {
	Year   int     `json:"year" doc:"Calendar year"`
	Energy float64 `json:"energy" doc:"kWh, with one decimal"`
}

// yieldLife is how long a yield is cached. A yield changes once a year, and when measurements of that year are corrected.
const yieldLife = time.Hour

// yieldPause is how long production is not called after a failure, so that the market does not wait for it on every visit and project.
const yieldPause = 30 * time.Second

// yields caches the yields of projects, because every visit to the market needs all of them.
type yields struct {
	mu     sync.Mutex
	cached map[string]knownYield // key: label, project and year; a key with only a label: production has failed
}

type knownYield struct {
	yield *ShareYield
	until time.Time
}

// get returns a yield if it is still cached at a time.
func (y *yields) get(key string, now time.Time) (yield *ShareYield, ok bool) {
	y.mu.Lock()
	defer y.mu.Unlock()
	k, ok := y.cached[key]
	return k.yield, ok && now.Before(k.until)
}

func (y *yields) put(key string, yield *ShareYield, until time.Time) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.cached == nil {
		y.cached = map[string]knownYield{}
	}
	y.cached[key] = knownYield{yield, until}
}

// yieldOf returns the yield of one of a number of shares, given the production of the project in each month of a year (9-offer-project).
// It is nil when a month was not measured or there are no shares: a partial year says nothing about the whole year.
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
