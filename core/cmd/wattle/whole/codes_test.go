package whole_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/modules"
)

// withoutText lists the codes that are shown in no form: those of imports, of calls that the remotes do not make, and of the weather, whose
// failures have one text.
var withoutText = strings.Fields(`billing.decimals
	marketplace.owner_differs marketplace.project_differs marketplace.project_unknown marketplace.reason_unknown marketplace.shares_differ
	marketplace.sort_unknown
	production.aligned production.day_length production.future production.implausible production.negative production.nothing
	production.number production.too_old production.unknown_project production.weather_down
	usage.backwards usage.coarser usage.day_length usage.decimals usage.duplicate usage.ean usage.in_future usage.negative
	usage.no_such_time usage.not_aligned usage.number usage.offset_needed usage.range usage.range_too_long usage.register usage.seconds
	usage.time usage.unknown_ean`)

func TestCodesOfModulesHaveTexts(t *testing.T) {
	t.Run("8-error-body", func(t *testing.T) {
		files, err := filepath.Glob("../../../../remotes/*/src/messages/*.json")
		require.NoError(t, err)
		texts := map[string]int{} // the number of languages of each message
		for _, file := range files {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			var messages map[string]string
			require.NoError(t, json.Unmarshal(raw, &messages), file)
			for id := range messages {
				texts[id]++
			}
		}
		codes := 0
		for _, m := range modules.All {
			for code := range m.Problems {
				want := 2
				if slices.Contains(withoutText, code) {
					want = 0
				}
				assert.Equal(t, want, texts[code], "texts of %s", code)
				codes++
			}
		}
		require.Greater(t, codes, 80)
	})
}
