package project

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/value"
)

func TestCostOn(t *testing.T) {
	day := func(d int) value.Day { return value.Day{Year: 2026, Month: 1, Day: d} }
	costs := []Cost{{day(5), 500}, {day(3), 300}, {day(3), 301}, {day(7), 700}}
	for on, want := range map[int]value.Cents{2: 0, 3: 301, 4: 301, 5: 500, 6: 500, 7: 700, 8: 700} {
		assert.Equal(t, want, CostOn(costs, day(on)), "day %d", on)
	}
	assert.Zero(t, CostOn(nil, day(5)))
}

func TestSelling(t *testing.T) {
	day := func(d int) value.Day { return value.Day{Year: 2026, Month: 1, Day: d} }
	settings := []OfferSetting{{From: day(3), AllowSelling: true}, {From: day(5)}}
	for on, want := range map[int]bool{2: false, 3: true, 4: true, 5: false} {
		assert.Equal(t, want, Selling(settings, day(on)), "day %d", on)
	}
}
