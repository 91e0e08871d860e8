package value

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestIBAN(t *testing.T) {
	t.Run("9-iban-registry", func(t *testing.T) {
		data, err := os.ReadFile("../../schemas/rules/9-iban-registry.json")
		require.NoError(t, err)
		var file struct {
			Cases []struct {
				Given string
				Want  []string
			}
		}
		require.NoError(t, json.Unmarshal(data, &file))
		tried := map[string]bool{}
		for _, c := range file.Cases {
			valid := len(c.Want) == 0
			assert.Equal(t, valid, ValidIBAN(c.Given), c.Given)
			if valid {
				tried[c.Given[:2]] = true
			}
		}
		for country := range bbans {
			assert.True(t, tried[country], "no valid number of %s among the vectors", country)
		}
		browser, err := os.ReadFile("../../shell/ui/src/iban.gen.ts")
		require.NoError(t, err)
		same := map[string]string{}
		for _, entry := range regexp.MustCompile(`\b([A-Z]{2}):([0-9nac]+)`).FindAllStringSubmatch(string(browser), -1) {
			same[entry[1]] = entry[2]
		}
		require.Equal(t, bbans, same, "Go and the browser have one table")
		require.Greater(t, len(bbans), 80)
	})
}
