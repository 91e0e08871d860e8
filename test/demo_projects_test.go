package test_test

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/modules/production"
)

// The settings of the demo projects are consistent in all labels of this repository.
func TestProjectsOfTheDemo(t *testing.T) {
	loc, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	files, err := filepath.Glob("../labels/*/demo/production.json")
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, file := range files {
		now := time.Date(2026, 11, 20, 11, 3, 0, 0, loc)
		folder := os.DirFS(filepath.Dir(file))
		functions := production.Module.Demo.Functions(folder, now)
		made := func(p string) (sum float64) { // kWh for all shares of a project in the last calendar year
			for _, part := range []string{"peak", "offpeak"} {
				text, err := functions[part].(func(string, int, int) (string, error))(p, 1, 1)
				require.NoError(t, err)
				kWh, err := strconv.ParseFloat(text, 64)
				require.NoError(t, err)
				sum += kWh
			}
			return sum
		}
		all, err := demodata.Descriptions[production.DemoProject](folder, "production")
		require.NoError(t, err)
		t.Run("9-production-demo", func(t *testing.T) {
			text, err := fs.ReadFile(folder, "participation.ndjson")
			require.NoError(t, err)
			text, err = demodata.NewTexts(now, "").WithFuncs(functions).Execute("participation", string(text))
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
				perShare := made(r.Project) / shares[r.Project]
				assert.Greater(t, perShare, 10.0, r.Project)
				assert.Less(t, perShare, 300.0, r.Project)
				if r.Production == nil { // the cooperative's own shares
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
		t.Run("9-production-demo", func(t *testing.T) { // the live production continues as the clock advances
			for range 3 {
				for _, p := range all {
					var got []map[string]any
					for m := range p.Measured(now.Add(-2*time.Hour), now) {
						require.Equal(t, "measurement", m.Kind)
						var r map[string]any
						require.NoError(t, json.Unmarshal(m.Data, &r))
						got = append(got, r)
					}
					require.Len(t, got, 24, p.Code)
					at, err := time.Parse(time.RFC3339, got[23]["at"].(string))
					require.NoError(t, err)
					assert.Less(t, now.Sub(at), 5*time.Minute)
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
