package production

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
)

func amsterdam(t testing.TB) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(dutch)
	require.NoError(t, err)
	return loc
}

func day(t testing.TB, text string) value.Day {
	t.Helper()
	d, err := value.ParseDay(text)
	require.NoError(t, err)
	return d
}

// viewed returns the labels and starts of the periods of a view, and the end of the last one.
func viewed(t *testing.T, view Timeframe, offset int, today string) (labels []string, begins []string, until string) {
	t.Helper()
	all := periods(view, offset, day(t, today), amsterdam(t))
	require.NotEmpty(t, all)
	for i, p := range all {
		if view != Hours && i > 0 {
			assert.Equal(t, all[i-1].until, p.day, "each period begins where the previous one ends")
		}
		l := p.labels(view)
		text := ""
		for name, n := range map[string]*int{"year": l.Year, "month": l.Month, "week": l.Week, "day": l.Day, "hour": l.Hour} {
			if n != nil {
				text += fmt.Sprint(name, " ", *n)
			}
		}
		labels, begins = append(labels, text), append(begins, fmt.Sprintf("%04d-%02d-%02d", l.Date.Year, l.Date.Month, l.Date.Day))
	}
	return labels, begins, all[len(all)-1].until.String()
}

func TestPeriods(t *testing.T) {
	t.Run("4-production-types,7.6-production-array", func(t *testing.T) {
		for _, c := range []struct {
			view                      Timeframe
			offset, n                 int
			today                     string
			first, last, begin, until string
		}{
			{Years, 0, 3, "2026-11-20", "year 2024", "year 2026", "2024-01-01", "2027-01-01"},
			{Years, -1, 3, "2026-11-20", "year 2021", "year 2023", "2021-01-01", "2024-01-01"},
			{Years, -2, 3, "2026-01-01", "year 2018", "year 2020", "2018-01-01", "2021-01-01"},
			{Months, 0, 12, "2026-11-20", "month 1", "month 12", "2026-01-01", "2027-01-01"},
			{Months, -2, 12, "2026-11-20", "month 1", "month 12", "2024-01-01", "2025-01-01"},
			{Weeks, 0, 4, "2026-11-20", "week 44", "week 47", "2026-10-26", "2026-11-23"},
			{Weeks, -1, 4, "2026-11-20", "week 40", "week 43", "2026-09-28", "2026-10-26"},
			{Weeks, -2, 4, "2026-11-20", "week 36", "week 39", "2026-08-31", "2026-09-28"},
			{Weeks, 0, 4, "2027-01-03", "week 50", "week 53", "2026-12-07", "2027-01-04"}, // a Sunday, in the last week of 2026
			{Weeks, 0, 4, "2027-01-04", "week 51", "week 1", "2026-12-14", "2027-01-11"},
			{Days, 0, 30, "2026-11-20", "day 1", "day 30", "2026-11-01", "2026-12-01"},
			{Days, -1, 31, "2026-11-30", "day 1", "day 31", "2026-10-01", "2026-11-01"},
			{Days, -9, 28, "2026-11-30", "day 1", "day 28", "2026-02-01", "2026-03-01"},
			{Days, -33, 29, "2026-11-30", "day 1", "day 29", "2024-02-01", "2024-03-01"},
			{Hours, 0, 24, "2026-11-20", "hour 0", "hour 23", "2026-11-20", "2026-11-21"},
			{Hours, -2, 24, "2026-03-01", "hour 0", "hour 23", "2026-02-27", "2026-02-28"},
		} {
			labels, begins, until := viewed(t, c.view, c.offset, c.today)
			assert.Len(t, labels, c.n)
			assert.Equal(t, []string{c.first, c.last, c.begin, c.until}, []string{labels[0], labels[len(labels)-1], begins[0], until}, "%s %d on %s",
				c.view, c.offset, c.today)
		}
		_, begins, _ := viewed(t, Weeks, 0, "2026-11-20")
		assert.Equal(t, []string{"2026-10-26", "2026-11-02", "2026-11-09", "2026-11-16"}, begins)
		_, begins, _ = viewed(t, Years, 0, "2026-11-20")
		assert.Equal(t, []string{"2024-01-01", "2025-01-01", "2026-01-01"}, begins)
	})
	t.Run("a week begins on Monday", func(t *testing.T) {
		for d := 16; d <= 22; d++ {
			_, begins, until := viewed(t, Weeks, 0, fmt.Sprintf("2026-11-%02d", d))
			assert.Equal(t, []string{"2026-11-16", "2026-11-23"}, []string{begins[3], until}, "on the %dth", d)
		}
	})
	t.Run("when the clock changes, an hour occurs twice or not at all", func(t *testing.T) {
		spring, _, _ := viewed(t, Hours, -1, "2026-03-30")
		assert.Len(t, spring, 23)
		assert.Equal(t, []string{"hour 1", "hour 3", "hour 4"}, spring[1:4])
		autumn, _, _ := viewed(t, Hours, 0, "2026-10-25")
		assert.Len(t, autumn, 25)
		assert.Equal(t, []string{"hour 1", "hour 2", "hour 2", "hour 3"}, autumn[1:5])
		for slot, p := range periods(Hours, 0, day(t, "2026-10-25"), amsterdam(t)) {
			assert.Equal(t, []any{slot, day(t, "2026-10-25"), day(t, "2026-10-26")}, []any{p.slot, p.day, p.until}, "an hour belongs to one day")
		}
	})
	t.Run("only a day has hours", func(t *testing.T) {
		for _, view := range []Timeframe{Years, Months, Weeks, Days} {
			for _, p := range periods(view, 0, day(t, "2026-11-20"), amsterdam(t)) {
				assert.Equal(t, -1, p.slot, view)
			}
		}
	})
}
