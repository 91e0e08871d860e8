package usage_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/test/fixture"
)

// realReadings is a folder with readings of real households, which is stored next to the workspace on some machines.
const realReadings = "../../../shared/data/readings"

// realMappings contains import mappings in a label's settings, as in docs/labels.md and modules/usage/README.md.
const realMappings = `
imports: dsmr: {
	kind: "interval"
	records: [
		{fields: {
			ean_code: set: "electricity"
			start: column: "Hour Start"
			low: {column: "Electricity 1 (Dutch Users: Low Tariff)", number: "."}
			normal: {column: "Electricity 2 (Dutch Users: Normal Tariff)", number: "."}
			feedin_low: {column: "Electricity 1 Returned (Dutch Users: Low Tariff)", number: "."}
			feedin_normal: {column: "Electricity 2 Returned (Dutch Users: Normal Tariff)", number: "."}
		}},
		{fields: {
			ean_code: set: "gas"
			start: column: "Hour Start"
			consumption: {column: "Gas", number: "."}
		}},
	]
}
imports: "meter-positions": {
	kind:  "reading"
	comma: ";"
	records: [{fields: {
		ean_code: set: "electricity"
		measurement_date: {column: "OpnameDatum", date: "YYYY-MM-DD"}
		consumption_normal: {column: "StandNormaal", number: "."}
		consumption_low: {column: "StandDal", number: "."}
		feedin_normal: {column: "TerugleveringNormaal", number: "."}
		feedin_low: {column: "TerugleveringDal", number: "."}
	}}]
}`

// realFile reads a file of the folder, or skips the test.
func realFile(t *testing.T, name string, comma rune) (path string, lines [][]string) {
	t.Helper()
	path = filepath.Join(realReadings, name)
	in, err := os.Open(path)
	if err != nil {
		t.Skip("the shared readings are not on this machine")
	}
	defer func() { _ = in.Close() }()
	r := csv.NewReader(in)
	r.Comma = comma
	lines, err = r.ReadAll()
	require.NoError(t, err)
	return path, lines[1:]
}

// thousandths parses a number of the file and returns it in Wh or dm³.
func thousandths(t *testing.T, s string) int {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	require.NoError(t, err)
	return int(math.Round(f * 1000))
}

// months requests the months of a year and returns them in Wh or dm³ by register; -1 means not measured.
func (h household) months(t *testing.T, ean, from, to string) map[string][5]int {
	t.Helper()
	var s struct {
		Points []struct {
			Day          string
			Normal       *float64 `json:"normal"`
			Low          *float64 `json:"low"`
			FeedinNormal *float64 `json:"feedin_normal"`
			FeedinLow    *float64 `json:"feedin_low"`
			Consumption  *float64 `json:"consumption"`
		}
	}
	a := h.Do(http.MethodGet, "/usage/"+ean+"/series?unit=month&from="+from+"&to="+to, nil)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, &s)
	out := map[string][5]int{}
	for _, p := range s.Points {
		var m [5]int
		for i, v := range []*float64{p.Normal, p.Low, p.FeedinNormal, p.FeedinLow, p.Consumption} {
			if m[i] = -1; v != nil {
				m[i] = int(math.Round(*v * 1000))
			}
		}
		if m != [5]int{-1, -1, -1, -1, -1} {
			out[p.Day[:7]] = m
		}
	}
	return out
}

// realHousehold creates a household with consent and an agreement that starts before the files.
func realHousehold(t *testing.T, s *portaltest.Portal) household {
	h := newHousehold((&fixture.Customers{Portal: s, T: t}), t)
	load(t, s, "agreement", fmt.Sprintf(`{"debtor_number":%q,"agreement_identifier":%q,"agreement_identifier_with_sequence":"%[2]s-1",
		"name":"Groen","period":{"from":"2020-01-01","to":null},"product_category":"ENERGY","status":"ACTIVE"}`, h.Debtor, h.agreement))
	h.Get(t, consentPath+"?consentGiven=true")
	return h
}

// The monthly totals of a real household equal those of a file with a year of hours, including both clock changes.
func TestRealHours(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: a year of hours")
	}
	t.Parallel()
	path, lines := realFile(t, "dsmr-reader-2024-hourly.csv", ',')
	portaltest.Each(t, portaltest.Options{Modules: withUsage,
		Labels: []portaltest.Label{{Key: "alpha", CUE: realMappings}}}, func(t *testing.T, s *portaltest.Portal) {
		h := realHousehold(t, s)
		began := time.Now()
		out := fixture.Command(t, s, "import", "--label", "alpha", "--mapping", "dsmr", "--set", "electricity="+h.power, "--set", "gas="+h.gas,
			path)
		assert.Contains(t, out, " 0 refused", "%s", out)
		t.Logf("%d lines in %s", len(lines), time.Since(began).Round(time.Millisecond))

		want, gas := map[string][5]int{}, map[string]int{}
		for _, l := range lines {
			m := want[l[0][:7]] // the file has local times
			low, normal, feedLow, feedNormal := thousandths(t, l[1]), thousandths(t, l[2]), thousandths(t, l[3]), thousandths(t, l[4])
			want[l[0][:7]] = [5]int{m[0] + normal, m[1] + low, m[2] + feedNormal, m[3] + feedLow, m[4] + normal + low}
			gas[l[0][:7]] += thousandths(t, l[5])
		}
		require.Len(t, want, 12)
		got, gotGas := h.months(t, h.power, "2024-01-01", "2025-01-01"), h.months(t, h.gas, "2024-01-01", "2025-01-01")
		assert.Equal(t, want, got)
		for month, dm3 := range gas {
			assert.Equal(t, dm3, gotGas[month][4], month)
		}
		t.Log("month     normal      low  feed-in n  feed-in l   gas m³")
		for _, month := range slices.Sorted(maps.Keys(want)) {
			m := want[month]
			t.Logf("%s %8.3f %8.3f   %8.3f   %8.3f %8.3f", month, float64(m[0])/1000, float64(m[1])/1000, float64(m[2])/1000, float64(m[3])/1000,
				float64(gas[month])/1000)
		}

		for _, c := range []struct {
			day, next string
			hours     int
		}{{"2024-03-31", "2024-04-01", 23}, {"2024-10-27", "2024-10-28", 25}} {
			s := h.series(t, h.power, "unit=hour&from="+c.day+"&to="+c.next)
			require.Len(t, s.Points, c.hours)
			i := slices.IndexFunc(lines, func(l []string) bool { return strings.HasPrefix(l[0], c.day) })
			for n, p := range s.Points {
				assert.Equal(t, lines[i+n][0], p.Start)
				assert.InDelta(t, float64(thousandths(t, lines[i+n][1])), *p.Low*1000, 0.5, p.Start)
			}
			assert.True(t, s.Complete)
		}
		gap := h.series(t, h.power, "unit=hour&from=2024-03-16&to=2024-03-18")
		missing := 0
		for _, p := range gap.Points {
			if p.Missing {
				missing++
			}
		}
		assert.Equal(t, 48-13-6, missing, "missing hours are gaps")
	})
}

// Real daily readings, newest first: the usage of a day is the difference of two readings, and a gap in the file stays a gap.
func TestRealReadings(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: a year of hours")
	}
	t.Parallel()
	path, lines := realFile(t, "daily-with-feed-in-2023.csv", ';')
	portaltest.Each(t, portaltest.Options{Modules: withUsage,
		Labels: []portaltest.Label{{Key: "alpha", CUE: realMappings}}}, func(t *testing.T, s *portaltest.Portal) {
		h := realHousehold(t, s)
		out := fixture.Command(t, s, "import", "--label", "alpha", "--mapping", "meter-positions", "--set", "electricity="+h.power, path)
		assert.Contains(t, out, " 0 refused", "%s", out)

		at := map[string][]string{}
		for _, l := range lines {
			at[l[0]] = l
		}
		want := map[string][5]int{}
		for on, l := range at {
			d, err := time.Parse(time.DateOnly, on)
			require.NoError(t, err)
			next, ok := at[d.AddDate(0, 0, 1).Format(time.DateOnly)]
			if !ok {
				continue
			}
			m := want[on[:7]]
			for i, column := range []int{1, 2, 3, 4} {
				m[i] += thousandths(t, next[column]) - thousandths(t, l[column])
			}
			m[4] = m[0] + m[1]
			want[on[:7]] = m
		}
		assert.Equal(t, want, h.months(t, h.power, "2023-01-01", "2024-01-01"))
		for month, m := range want {
			t.Logf("%s taken %d + %d kWh, fed in %d + %d kWh", month, m[0]/1000, m[1]/1000, m[2]/1000, m[3]/1000)
		}
		list := h.list(t, "/readings/"+h.agreement+"/L-"+h.Debtor+"/"+h.power)
		require.Len(t, list, len(at))
		assert.Equal(t, lines[0][0], list[0]["measurement_date"], "newest first")
		total := 0.0
		for _, r := range list {
			if r["consumption"] != nil {
				total += r["consumption"].(float64)
			}
		}
		first, last := at[slices.Min(slices.Collect(maps.Keys(at)))], lines[0]
		assert.InDelta(t, float64(thousandths(t, last[1])+thousandths(t, last[2])-thousandths(t, first[1])-thousandths(t, first[2]))/1000, total,
			1e-6)
	})
}
