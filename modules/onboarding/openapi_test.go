package onboarding

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
)

var update = flag.Bool("update", false, "write schemas/openapi/onboarding.json")

// The document of the module is committed: api.gen.ts is made from it, and a change of the API shows in the diff.
// `go generate ./modules/onboarding` writes it.
func TestOpenAPI(t *testing.T) {
	doc, err := json.MarshalIndent(newService(module.Host{}).OpenAPI(), "", "  ")
	require.NoError(t, err)
	doc = append(doc, '\n')
	golden := filepath.Join("..", "..", "schemas", "openapi", "onboarding.json")
	if *update {
		require.NoError(t, os.WriteFile(golden, doc, 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(doc), "run: go generate ./modules/onboarding")
}
