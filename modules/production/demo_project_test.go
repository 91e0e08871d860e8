package production

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/value"
)

// A year of a mill and of panels is what they make in the Netherlands, day by day with the hours that the day has.
func TestDemoProjects(t *testing.T) {
	loc := amsterdam(t)
	until := time.Date(2026, 1, 1, 10, 30, 0, 0, loc)
	for kind, full := range map[string][2]float64{"WIND": {1700, 3100}, "SOLAR": {750, 1050}} { // kWh of a kW
		var sum float64
		days, lengths, last := 0, map[int]int{}, 0
		for raw := range (DemoProject{Code: "X-" + kind, Type: kind, Power: 1000}).Produced(value.Day{Year: 2025, Month: 1, Day: 1}, until) {
			var r struct {
				Project string     `json:"project_code"`
				Day     value.Day  `json:"day"`
				Hours   []*float64 `json:"hours"`
			}
			require.NoError(t, json.Unmarshal(raw, &r), string(raw))
			lengths[len(r.Hours)]++
			days++
			known := 0
			for _, h := range r.Hours {
				if h != nil {
					assert.LessOrEqual(t, *h, 1000.0)
					sum, known = sum+*h, known+1
				}
			}
			if r.Day.Year == 2026 {
				last = known
			}
		}
		assert.Greater(t, sum/1000, full[0], kind)
		assert.Less(t, sum/1000, full[1], kind)
		assert.InDelta(t, 365, days, 2)
		assert.Equal(t, []int{1, 1}, []int{lengths[23], lengths[25]})
		assert.InDelta(t, 10, last, 3, "%s: of today what is over", kind)
		t.Log(kind, sum/1000)
	}
}

// What the demo says of its projects fits together.
func TestProjectsOfTheDemo(t *testing.T) {
	loc := amsterdam(t)
	files, err := filepath.Glob("../../labels/*/demo/production.json")
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, file := range files {
		now := time.Date(2026, 11, 20, 11, 3, 0, 0, loc)
		folder := os.DirFS(filepath.Dir(file))
		all, err := demodata.Descriptions[DemoProject](folder, projectFile)
		require.NoError(t, err)
		t.Run("9-production-demo", func(t *testing.T) {
			text, err := fs.ReadFile(folder, "participation.ndjson")
			require.NoError(t, err)
			text, err = demodata.NewTexts(now, "").With(yields(folder, now)).Expand("participation", string(text))
			require.NoError(t, err)
			type participation struct {
				Debtor     string `json:"debtor_number"`
				Project    string `json:"project_code"`
				Share      float64
				Production *struct {
					Start   string  `json:"period_start_date"`
					End     string  `json:"period_end_date"`
					Peak    float64 `json:"peak"`
					OffPeak float64 `json:"off_peak"`
				}
			}
			var rows []participation
			shares, yearly := map[string]float64{}, map[string]float64{}
			for line := range strings.Lines(string(text)) {
				var r participation
				require.NoError(t, json.Unmarshal([]byte(line), &r), line)
				rows, shares[r.Project] = append(rows, r), shares[r.Project]+r.Share
			}
			for _, r := range rows {
				p := all[slices.IndexFunc(all, func(p DemoProject) bool { return p.Code == r.Project })]
				made := p.year(2025, loc)
				perShare := (made[0] + made[1]) / shares[r.Project]
				assert.Greater(t, perShare, 10.0, r.Project)
				assert.Less(t, perShare, 300.0, r.Project)
				if r.Production == nil { // the cooperative's own
					continue
				}
				yearly[r.Debtor] += perShare * r.Share
				assert.Equal(t, []string{"2025-01-01", "2025-12-31"}, []string{r.Production.Start, r.Production.End})
				assert.InDelta(t, perShare*r.Share, r.Production.Peak+r.Production.OffPeak, 0.02, "as its shares are")
				assert.Greater(t, r.Production.Peak, 0.3*perShare*r.Share)
			}
			assert.GreaterOrEqual(t, len(yearly), 3)
			for debtor, kWh := range yearly {
				assert.Less(t, kWh, 10_000.0, debtor)
				t.Log(debtor, math.Round(kWh))
			}
		})
		t.Run("9-production-demo", func(t *testing.T) { // live, and going on with the clock
			for range 3 {
				for _, p := range all {
					var got []map[string]any
					for m := range p.Measured(now.Add(-2*time.Hour), now) {
						require.Equal(t, kindMeasurement, m.Kind)
						var r map[string]any
						require.NoError(t, json.Unmarshal(m.Data, &r))
						got = append(got, r)
					}
					require.Len(t, got, 24, p.Code)
					at, err := time.Parse(time.RFC3339, got[23]["at"].(string))
					require.NoError(t, err)
					assert.Less(t, now.Sub(at), measureEvery)
					assert.False(t, at.After(now))
					for i := 1; i < len(got); i++ {
						rise := got[i]["counter"].(float64) - got[i-1]["counter"].(float64)
						assert.True(t, rise >= 0 && rise <= p.Power/12+0.002, "%s: %v", p.Code, rise)
						assert.LessOrEqual(t, got[i]["power"].(float64), p.Power)
					}
				}
				now = now.Add(7*24*time.Hour + 13*time.Hour + 17*time.Minute)
			}
		})
	}
}
