package value

import (
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Day is a civil date in the label's time zone, not an instant. The zero Day is "no day": JSON null or "", SQL NULL.
type Day struct {
	Year  int
	Month time.Month
	Day   int
}

// DayOf returns the civil date of t in t's own location.
func DayOf(t time.Time) Day {
	y, m, d := t.Date()
	return Day{y, m, d}
}

// ParseDay parses YYYY-MM-DD. A date that does not exist, such as 2026-02-29, is an error.
func ParseDay(s string) (Day, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Day{}, fmt.Errorf("value: not a day: %w", err)
	}
	return DayOf(t), nil
}

func (d Day) utc() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// In returns the instant at which the day begins in loc: midnight, or the time of the clock change if that skips midnight.
func (d Day) In(loc *time.Location) time.Time {
	t := time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, loc)
	if DayOf(t) == d.AddDays(-1) { // midnight does not exist: before the clock change it is still the previous day
		_, t = t.ZoneBounds()
	}
	return t
}

// IsZero reports whether d is "no day".
func (d Day) IsZero() bool { return d == Day{} }

// String returns YYYY-MM-DD, or "" for no day.
func (d Day) String() string {
	if d.IsZero() {
		return ""
	}
	return d.utc().Format(time.DateOnly)
}

// AddDays returns the day n days later; n may be negative.
func (d Day) AddDays(n int) Day { return DayOf(d.utc().AddDate(0, 0, n)) }

// AddMonths returns the same day n months later, or the last day of that month if the day does not exist in it.
func (d Day) AddMonths(n int) Day {
	first := time.Date(d.Year, d.Month+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return Day{first.Year(), first.Month(), min(d.Day, last)}
}

// Before reports whether d is before o.
func (d Day) Before(o Day) bool { return d.utc().Before(o.utc()) }

// After reports whether d is after o.
func (d Day) After(o Day) bool { return o.Before(d) }

// DaysSince returns the number of days from o to d.
func (d Day) DaysSince(o Day) int { return int(d.utc().Sub(o.utc()) / (24 * time.Hour)) }

// MarshalText encodes the day as YYYY-MM-DD.
func (d Day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses YYYY-MM-DD; the empty string is the zero day.
func (d *Day) UnmarshalText(b []byte) (err error) {
	if len(b) == 0 {
		*d = Day{}
		return nil
	}
	*d, err = ParseDay(string(b))
	return err
}

// Value stores a day as text, which sorts in calendar order on both databases.
func (d Day) Value() (driver.Value, error) {
	if d.IsZero() {
		return nil, nil
	}
	return d.String(), nil
}

// Scan reads what Value stored.
func (d *Day) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*d = Day{}
		return nil
	case string:
		return d.UnmarshalText([]byte(v))
	case []byte:
		return d.UnmarshalText(v)
	case time.Time:
		*d = DayOf(v)
		return nil
	}
	return fmt.Errorf("value: cannot scan %T into a day", v)
}

// Schema returns the OpenAPI schema of a day.
func (Day) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date", Description: "Civil date in the label's time zone"}
}
