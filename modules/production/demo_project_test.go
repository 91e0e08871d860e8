package production

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
)

// The yearly production of a demo turbine and of demo panels is realistic for the Netherlands; each day has 23, 24 or 25 hours.
func TestDemoProjects(t *testing.T) {
	loc := amsterdam(t)
	until := time.Date(2026, 1, 1, 10, 30, 0, 0, loc)
	for kind, full := range map[string][2]float64{"WIND": {1700, 3100}, "SOLAR": {750, 1050}} { // kWh per kW of rated power
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
		assert.InDelta(t, 10, last, 3, "%s: today has only past hours", kind)
		t.Log(kind, sum/1000)
	}
}
