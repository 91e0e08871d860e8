package value

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDay(t *testing.T) {
	amsterdam, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("a late evening in UTC is the next day in Amsterdam", func(t *testing.T) {
		if got := DayOf(time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC).In(amsterdam)).String(); got != "2026-11-21" {
			t.Errorf("got %s", got)
		}
	})
	for _, bad := range []string{"2026-02-29", "20-11-2026", "2026-11-31", "2026-11-20T00:00:00Z", "x"} {
		if d, err := ParseDay(bad); err == nil {
			t.Errorf("%q was read as %s", bad, d)
		}
	}
	t.Run("the end of January plus a month", func(t *testing.T) {
		d, _ := ParseDay("2026-01-31")
		if got := d.AddMonths(1).String(); got != "2026-02-28" {
			t.Errorf("got %s", got)
		}
		if got := d.AddMonths(-2).String(); got != "2025-11-30" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("no day is empty in JSON and NULL in the database", func(t *testing.T) {
		b, err := json.Marshal(struct{ On Day }{})
		if err != nil || string(b) != `{"On":""}` {
			t.Errorf("got %s, %v", b, err)
		}
		if v, err := (Day{}).Value(); v != nil || err != nil {
			t.Errorf("got %v, %v", v, err)
		}
	})
}

func TestDayArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Day{rapid.IntRange(1900, 2200).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")),
			rapid.IntRange(1, 28).Draw(t, "day")}
		n := rapid.IntRange(-40000, 40000).Draw(t, "days")
		if got := d.AddDays(n).DaysSince(d); got != n {
			t.Fatalf("%s plus %d days is %d days later", d, n, got)
		}
		if back, err := ParseDay(d.String()); err != nil || back != d {
			t.Fatalf("%s was read back as %s, %v", d, back, err)
		}
		if n > 0 && (!d.Before(d.AddDays(n)) || !d.AddDays(n).After(d)) {
			t.Fatalf("%s is not before %s", d, d.AddDays(n))
		}
	})
}

// A day begins when the previous day ends, even if the clock change skips midnight.
func TestDayBegins(t *testing.T) {
	for zone, d := range map[string]string{"Atlantic/Azores": "2024-03-31", "America/Santiago": "2024-09-08", "Asia/Beirut": "2024-03-31",
		"Europe/Amsterdam": "2024-03-31", "UTC": "2024-02-29"} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		day, err := ParseDay(d)
		if err != nil {
			t.Fatal(err)
		}
		at := day.In(loc)
		if DayOf(at) != day || DayOf(at.Add(-time.Nanosecond)) != day.AddDays(-1) {
			t.Errorf("%s begins at %s", d, at)
		}
	}
}
