package usage

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
)

func TestOpenAPI(t *testing.T) {
	moduletest.OpenAPI(t, "../../schemas/openapi/usage.json", newService(module.Host{}).OpenAPI())
}

func TestAsyncAPI(t *testing.T) {
	moduletest.AsyncAPI(t, "../../schemas/asyncapi/usage.json", manifest)
}

// 3-enum-unit: every unit in the schema allows exactly these four values.
func TestUnits(t *testing.T) {
	t.Run("3-enum-unit", func(t *testing.T) {
		doc, err := json.Marshal(newService(module.Host{}).OpenAPI())
		require.NoError(t, err)
		var api struct {
			Components struct {
				Schemas map[string]struct {
					Properties map[string]struct{ Enum []string }
				}
			}
		}
		require.NoError(t, json.Unmarshal(doc, &api))
		for schema, field := range map[string]string{"Reading": "unit", "Series": "unit_of_measurement", "Latest": "unit", "Summary": "unit",
			"ConnectionHistory": "unit"} {
			assert.Equal(t, []string{"KWH", "KWT", "MTQ", "M3N"}, api.Components.Schemas[schema].Properties[field].Enum, schema)
		}
	})
}
