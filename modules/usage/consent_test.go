package usage

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
)

func TestConsent(t *testing.T) {
	one, two := Connection{EANCode: "1", Commodity: Electricity, MeterType: Smart}, Connection{EANCode: "2", Commodity: Gas, MeterType: Smart}
	old := Connection{EANCode: "3", Commodity: Gas, MeterType: Conventional}
	all := []Connection{one, two, old}
	at := func(h int) time.Time { return time.Date(2026, 11, 20, h, 0, 0, 0, time.UTC) }

	t.Run("one decision per smart meter, none for other meters", func(t *testing.T) {
		got := newDecisions(all, nil, true, "", "v1", at(9))
		assert.Equal(t, []decision{{"1", true, at(9), "v1"}, {"2", true, at(9), "v1"}}, got)
		assert.Empty(t, newDecisions(all, nil, true, "3", "v1", at(9)))
		assert.Empty(t, newDecisions(all, nil, false, "", "v1", at(9)), "there is nothing to revoke")
	})
	latest := map[string]decision{"1": {"1", true, at(9), "v1"}, "2": {"2", true, at(10), "v1"}}
	t.Run("only a change or another text adds a decision", func(t *testing.T) {
		assert.Empty(t, newDecisions(all, latest, true, "", "v1", at(11)))
		assert.Len(t, newDecisions(all, latest, true, "1", "v2", at(11)), 1)
		assert.Equal(t, []decision{{"2", false, at(11), "v1"}}, newDecisions(all, latest, false, "2", "v1", at(11)))
	})
	t.Run("the status follows from the latest decisions", func(t *testing.T) {
		c := consentStatus(all, latest, "v2")
		assert.True(t, c.ConsentPresent)
		assert.Equal(t, at(10), *c.ConsentDateTime)
		assert.Nil(t, c.RevokedDateTime)
		assert.Equal(t, "v2", c.TextVersion)
		assert.Equal(t, "v1", c.Connections[0].TextVersion)
		assert.False(t, c.Connections[2].Supported)
		latest["2"] = decision{"2", false, at(12), "v1"}
		c = consentStatus(all, latest, "v2")
		assert.False(t, c.ConsentPresent, "not all connections have consent")
		assert.Nil(t, c.ConsentDateTime)
		assert.Equal(t, at(12), *c.RevokedDateTime)
		assert.True(t, c.Connections[0].ConsentPresent)
		assert.False(t, consentStatus([]Connection{old}, nil, "v1").ConsentPresent, "no smart meter")
	})
}

func TestJob(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	two := []Connection{{EANCode: "1"}, {EANCode: "2"}}
	j := newJob(nil, "r", "A1", two, span{from: day("2026-01-31"), until: day("2026-11-21")}, now)
	require.Equal(t, 4, j.chunkCount())
	require.Equal(t, 8, j.stepCount())
	t.Run("the steps cover the span of every connection once", func(t *testing.T) {
		next := map[string]value.Day{}
		for n := range j.stepCount() {
			ean, s := j.step(n)
			if last, ok := next[ean]; ok {
				assert.Equal(t, last, s.from)
			} else {
				assert.Equal(t, j.FromDay, s.from)
			}
			assert.True(t, s.from.Before(s.until))
			next[ean] = s.until
		}
		assert.Equal(t, map[string]value.Day{"1": j.UntilDay, "2": j.UntilDay}, next)
	})
	t.Run("progress", func(t *testing.T) {
		assert.Equal(t, Retrieval{State: Queued}, j.retrieval())
		run := j
		run.advance(day("2026-03-01"), now)
		assert.Equal(t, Retrieval{State: Running, Progress: 12, Until: day("2026-03-01")}, run.retrieval())
		for run.active() {
			run.advance(value.Day{}, now)
		}
		assert.Equal(t, Retrieval{State: Done, Progress: 100, Until: day("2026-03-01")}, run.retrieval())
		again := newJob(&run, "r", "A1", two, span{from: day("2026-01-31"), until: day("2026-11-21")}, now)
		assert.Equal(t, 2, again.Number)
	})
	t.Run("a failing source is retried with back-off until the attempts are used up", func(t *testing.T) {
		run, waits := j, []time.Duration{}
		for {
			due, again := run.fail(codeSource, true, now)
			if !again {
				break
			}
			waits = append(waits, due.Sub(now))
			assert.Equal(t, Queued, run.State)
		}
		assert.Equal(t, []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute}, waits)
		assert.Equal(t, Retrieval{State: Failed, Code: codeSource}, run.retrieval())
		never := j
		_, again := never.fail(codeConsentNeeded, false, now)
		assert.False(t, again)
		assert.Equal(t, Failed, never.State)
	})
	t.Run("a retrieval without days is done at once", func(t *testing.T) {
		none := newJob(nil, "r", "A1", two, span{from: day("2027-01-01"), until: day("2026-11-21")}, now)
		assert.Equal(t, Retrieval{State: Done, Progress: 100}, none.retrieval())
	})
	t.Run("a job without progress becomes stale", func(t *testing.T) {
		assert.False(t, j.stale(now.Add(time.Hour)))
		assert.True(t, j.stale(now.Add(time.Hour+time.Second)))
	})
}

func TestSupplied(t *testing.T) {
	agreement := func(id, from, to string) Agreement {
		a := Agreement{Identifier: id, WithSequence: id + "-1", From: day(from)}
		if to != "" {
			a.To = day(to)
		}
		return a
	}
	c := Connection{EANCode: "1", AgreementIdentifier: "A1", Delivery: map[string]bool{"A2-1": false}}
	all := []Agreement{agreement("A1", "2025-01-01", ""), agreement("A2", "2023-01-01", "2024-12-31"), agreement("B", "2010-01-01", "")}
	s, ok := supplySpan(c, all)
	assert.True(t, ok)
	assert.Equal(t, span{from: day("2023-01-01")}, s)
	s, _ = supplySpan(c, all[1:])
	assert.Equal(t, span{from: day("2023-01-01"), until: day("2025-01-01")}, s, "until the day after the last")
	_, ok = supplySpan(c, all[2:])
	assert.False(t, ok, "the agreement of another relation gives no access")
	t.Run("the gap between two agreements belongs to another household", func(t *testing.T) {
		s, ok := supplySpan(c, []Agreement{agreement("A1", "2025-06-01", ""), agreement("A2", "2023-01-01", "2023-12-31"), agreement("A2", "2023-06-01", "2024-02-29")})
		assert.True(t, ok)
		assert.Equal(t, span{from: day("2023-01-01"), gaps: []span{{from: day("2024-03-01"), until: day("2025-06-01")}}}, s)
		for d, foreign := range map[string]bool{"2023-12-31": false, "2024-02-29": false, "2024-03-01": true, "2025-05-31": true, "2025-06-01": false} {
			assert.Equal(t, foreign, s.inGap(day(d)), d)
		}
	})
	never := all[0]
	never.Status = cancelled
	assert.Equal(t, span{from: maxDay, until: maxDay}, supplySpanOrEmpty(c, []Agreement{never}))
}

func TestCSV(t *testing.T) {
	loc := amsterdam(t)
	t.Run("less than 80 bytes without measurements", func(t *testing.T) {
		var b bytes.Buffer
		require.NoError(t, writeCSV(&b, power, nil, loc))
		assert.Equal(t, "ean,start,end,normal,low,feedin_normal,feedin_low,consumption,unit\r\n", b.String())
		assert.Less(t, b.Len(), 80)
	})
	t.Run("one line per measured interval", func(t *testing.T) {
		p := newProfile(hourSeconds, 25)
		p.set(regLow, 2, 207)
		p.set(regLow, 3, 515)
		p.set(regFeedinNormal, 3, 0)
		whole := newProfile(daySeconds, 1)
		whole.set(regNormal, 0, 12000)
		var b bytes.Buffer
		require.NoError(t, writeCSV(&b, power, []measuredDay{{day("2024-10-27"), p}, {day("2024-10-28"), whole}}, loc))
		lines, err := csv.NewReader(&b).ReadAll()
		require.NoError(t, err)
		assert.Equal(t, [][]string{csvColumns,
			{power.EANCode, "2024-10-27T02:00:00+02:00", "2024-10-27T02:00:00+01:00", "", "0.207", "", "", "0.207", "KWH"},
			{power.EANCode, "2024-10-27T02:00:00+01:00", "2024-10-27T03:00:00+01:00", "", "0.515", "0.000", "", "0.515", "KWH"},
			{power.EANCode, "2024-10-28T00:00:00+01:00", "2024-10-29T00:00:00+01:00", "12.000", "", "", "", "12.000", "KWH"}}, lines)
	})
	t.Run("version 1, byte for byte", func(t *testing.T) {
		p := newProfile(hourSeconds, 25)
		p.set(regLow, 2, 207)
		p.set(regLow, 3, 1515)
		p.set(regFeedinNormal, 3, 0)
		var b bytes.Buffer
		require.NoError(t, writeCSV(&b, power, []measuredDay{{day("2024-10-27"), p}}, loc))
		assert.Equal(t, "ean,start,end,normal,low,feedin_normal,feedin_low,consumption,unit\r\n"+
			"871600000000000017,2024-10-27T02:00:00+02:00,2024-10-27T02:00:00+01:00,,0.207,,,0.207,KWH\r\n"+
			"871600000000000017,2024-10-27T02:00:00+01:00,2024-10-27T03:00:00+01:00,,1.515,0.000,,1.515,KWH\r\n", b.String())
	})
	t.Run("9-usage-csv-excel", func(t *testing.T) {
		p := newProfile(hourSeconds, 25)
		p.set(regLow, 2, 207)
		p.set(regLow, 3, 1515)
		p.set(regFeedinNormal, 3, 0)
		whole := newProfile(daySeconds, 1)
		whole.set(regLow, 0, 1_234_500)
		var b bytes.Buffer
		require.NoError(t, writeSheet(&b, power, []measuredDay{{day("2024-10-27"), p}, {day("2024-10-28"), whole}}, loc))
		assert.Equal(t, "\xef\xbb\xbfEAN;Begin;Einde;Klok;Dal (kWh);Teruglevering normaal (kWh);Verbruik (kWh)\r\n"+
			"87 1600 0000 0000 0017;27-10-2024 02:00;27-10-2024 02:00;zomertijd;0,207;;0,207\r\n"+
			"87 1600 0000 0000 0017;27-10-2024 02:00;27-10-2024 03:00;wintertijd;1,515;0,000;1,515\r\n"+
			"87 1600 0000 0000 0017;28-10-2024 00:00;29-10-2024 00:00;wintertijd;1234,500;;1234,500\r\n", b.String())
		b.Reset()
		gas := newProfile(hourSeconds, 24)
		gas.set(regGas, 0, 480)
		require.NoError(t, writeSheet(&b, ofGas, []measuredDay{{day("2024-10-28"), gas}}, loc))
		assert.Equal(t, "\xef\xbb\xbfEAN;Begin;Einde;Klok;Verbruik (m³)\r\n87 1600 0000 0000 0024;28-10-2024 00:00;28-10-2024 01:00;wintertijd;0,480\r\n", b.String())
		assert.GreaterOrEqual(t, b.Len(), 80, "the shortest file with a measurement is offered")
		b.Reset()
		require.NoError(t, writeSheet(&b, power, nil, loc))
		assert.Equal(t, "\xef\xbb\xbfEAN;Begin;Einde;Klok\r\n", b.String())
		assert.Less(t, b.Len(), 80, "a file without measurements is not offered")
		assert.Equal(t, "'=cmd", sheetEAN("=cmd"))
		assert.Equal(t, "historical-data-871600000000000017-excel.csv", sheetName(power.EANCode))
	})
	t.Run("texts are never formulas", func(t *testing.T) {
		for text, want := range map[string]string{"=1+1": "'=1+1", "+31": "+31", "-2.5": "-2.5", "@SUM(A1)": "'@SUM(A1)", "\tx": "'\tx", "-x": "'-x", "KWH": "KWH", "": ""} {
			assert.Equal(t, want, escapeCell(text))
		}
		var b bytes.Buffer
		p := newProfile(daySeconds, 1)
		p.set(regNormal, 0, 1)
		require.NoError(t, writeCSV(&b, Connection{EANCode: "=cmd|' /C calc'!A0"}, []measuredDay{{day("2024-10-28"), p}}, loc))
		assert.True(t, strings.Contains(b.String(), "\r\n'=cmd"), b.String())
	})
	t.Run("name", func(t *testing.T) {
		assert.Equal(t, "historical-data-871600000000000017.csv", csvName("871600000000000017"))
	})
}
