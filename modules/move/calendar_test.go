package move

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/emersion/go-ical"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/module"
)

func testMove(t testing.TB) Filed {
	stop := day(t, "2026-12-31")
	return Filed{ID: "01abc", State: module.Pending, Filed: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), Move: Move{
		Old:   Address{"Burgemeester van Nispen van Sevenaerstraat", "18", "bis", "9861GT", "Grootegast"},
		New:   Address{"Lindelaan; de, oude\nweg", "7", "", "9731AB", "'s-Gravenhage é"},
		Start: day(t, "2026-12-31"), Stop: &stop}}
}

func TestCalendar(t *testing.T) {
	t.Run("the file can be decoded", func(t *testing.T) {
		data, err := Calendar(testMove(t), "nl")
		require.NoError(t, err)
		c, err := ical.NewDecoder(bytes.NewReader(data)).Decode()
		require.NoError(t, err)
		require.Len(t, c.Events(), 2)
		require.Nil(t, c.Props.Get(ical.PropMethod), "an invitation needs an organizer")
		first := c.Events()[0].Props
		for name, want := range map[string]string{ical.PropSummary: "Verhuizing: Lindelaan; de, oude weg 7, 9731AB 's-Gravenhage é",
			ical.PropUID:      "01abc-start@move.wattle",
			ical.PropLocation: "Lindelaan; de, oude weg 7, 9731AB 's-Gravenhage é"} {
			got, err := first.Text(name)
			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
		assert.Equal(t, "20261231", first.Get(ical.PropDateTimeStart).Value, "an all-day event")
		assert.Equal(t, "DATE", first.Get(ical.PropDateTimeStart).Params.Get(ical.ParamValue))
		assert.Equal(t, "20270101", first.Get(ical.PropDateTimeEnd).Value)
		assert.Equal(t, "TENTATIVE", first.Get(ical.PropStatus).Value)
		assert.Equal(t, "20261120T100000Z", first.Get(ical.PropDateTimeStamp).Value)
		last := c.Events()[1].Props
		assert.Equal(t, "01abc-stop@move.wattle", last.Get(ical.PropUID).Value)
		assert.Equal(t, "20261231", last.Get(ical.PropDateTimeStart).Value)
	})
	t.Run("the UIDs stay the same after the decision", func(t *testing.T) {
		f := testMove(t)
		f.Stop = nil
		at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		f.State, f.Decided = module.Processed, &at
		data, err := Calendar(f, "en")
		require.NoError(t, err)
		text := string(data)
		assert.Contains(t, text, "UID:01abc-start@move.wattle\r\n")
		assert.Contains(t, text, "STATUS:CONFIRMED\r\n")
		assert.Contains(t, text, "DTSTAMP:20261121T090000Z\r\n")
		assert.Contains(t, text, "SUMMARY:Moving: Lindelaan\\; de\\, oude weg 7\\, 9731AB 's-Gravenhage é")
		assert.Equal(t, 1, strings.Count(text, "BEGIN:VEVENT"))
	})
	t.Run("lines are never folded inside a character", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			f := testMove(t)
			f.New.Street = rapid.StringN(0, 80, 300).Draw(rt, "street")
			f.New.City = strings.Repeat("é", rapid.IntRange(0, 80).Draw(rt, "city"))
			f.New = mustManual(f.New)
			data, err := Calendar(f, "nl")
			if err != nil {
				rt.Fatal(err)
			}
			for line := range strings.SplitSeq(strings.TrimSuffix(string(data), "\r\n"), "\r\n") {
				if len(line) > 75 || !utf8.ValidString(line) || strings.ContainsAny(line, "\r\n") || line == "" {
					rt.Fatalf("%q", line)
				}
			}
			c, err := ical.NewDecoder(bytes.NewReader(data)).Decode()
			if err != nil {
				rt.Fatal(err)
			}
			if got, err := c.Events()[0].Props.Text(ical.PropLocation); err != nil || got != f.New.line() {
				rt.Fatalf("%q, not %q: %v", got, f.New.line(), err)
			}
		})
	})
}

// mustManual returns an address as it is stored.
func mustManual(a Address) Address {
	a, _ = CheckManual(a)
	return a
}

func TestMails(t *testing.T) {
	f := testMove(t)
	f.New = Address{"Lindelaan", "7", "A", "9731AB", "Groningen"}
	f.Unchecked = true
	for _, locale := range []string{"nl", "en"} {
		for name, write := range map[string]mailFunc{"asked": mailRequested, "processed": mailProcessed, "rejected": mailRejected} {
			m := write(locale, f.Move, "De sleutel is er nog niet.")
			text := strings.Join(append(append([]string{m.Subject, m.Title}, m.Lines...), m.After...), "\n")
			assert.Contains(t, text, "Lindelaan 7 A, 9731AB Groningen", name)
			assert.Contains(t, text, "31-12-2026", name)
			assert.Equal(t, name == "rejected", strings.Contains(text, "sleutel"), name)
			assert.NotEmpty(t, m.Button.Text)
			assert.True(t, strings.HasPrefix(m.Button.Path, "/"))
		}
	}
	assert.Contains(t, strings.Join(mailRequested("nl", f.Move, "").Lines, " "), "nog niet controleren")
}
