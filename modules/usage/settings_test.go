package usage

import (
	"encoding/json"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
)

// A label can reduce the number of months of history, but cannot exceed the number that consent covers.
func TestSettings(t *testing.T) {
	c := cuecontext.New()
	schema := c.CompileString(settings).LookupPath(cue.ParsePath("#Settings"))
	var defaults Settings
	raw, err := schema.MarshalJSON()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &defaults))
	assert.Equal(t, Settings{"2026-02", 24, history.ByConsent, value.Day{Year: 2026, Month: 12, Day: 31}, 21}, defaults)
	t.Run("9-historical-span", func(t *testing.T) {
		for months, fine := range map[string]bool{"24": true, "1": true, "25": false, "0": false} {
			err := schema.Unify(c.CompileString("{history_months: " + months + "}")).Validate(cue.Concrete(true))
			assert.Equal(t, fine, err == nil, "%s: %v", months, err)
		}
		assert.Equal(t, 24, defaults.HistoryMonths)
	})
	t.Run("9-usage-intervals-basis", func(t *testing.T) {
		for basis, fine := range map[string]bool{`"consent"`: true, `"contract"`: true, `"law"`: false, "true": false} {
			err := schema.Unify(c.CompileString("{intervals: " + basis + "}")).Validate(cue.Concrete(true))
			assert.Equal(t, fine, err == nil, "%s: %v", basis, err)
		}
		assert.Equal(t, history.ByConsent, defaults.Intervals)
	})
	for day, fine := range map[string]bool{"2026-12-31": true, "2024-02-29": true, "2026-02-29": false, "2026-13-01": false, "": false,
		"31-12-2026": false} {
		err := schema.Unify(c.CompileString(`{net_metering_until: "` + day + `"}`)).Validate(cue.Concrete(true))
		assert.Equal(t, fine, err == nil, "%s: %v", day, err)
	}
	for percent, fine := range map[string]bool{"0": true, "9": true, "100": true, "101": false, "-1": false, "0.21": false} {
		err := schema.Unify(c.CompileString("{vat_percent: " + percent + "}")).Validate(cue.Concrete(true))
		assert.Equal(t, fine, err == nil, "%s: %v", percent, err)
	}
}
