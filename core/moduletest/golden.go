package moduletest

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/asyncapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

var update = flag.Bool("update", false, "write the documents of the module")

// RunCases runs the test cases in a rule's file, {"cases": [{given, today, settings, want}]}, with which the same rule in the browser is
// also tested. Fields that a case omits are zero. A file without cases is an error.
func RunCases[G, S, W any](t *testing.T, file string, judge func(input G, today value.Day, settings S) W) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var rule struct {
		Cases []struct {
			Given    json.RawMessage
			Today    value.Day
			Settings S
			Want     W
		}
	}
	require.NoError(t, json.Unmarshal(data, &rule))
	require.NotEmpty(t, rule.Cases)
	for _, c := range rule.Cases {
		var input G
		require.NoError(t, json.Unmarshal(c.Given, &input), "%s", c.Given)
		assert.Equal(t, c.Want, judge(input, c.Today, c.Settings), "%s on %s", c.Given, c.Today)
	}
}

// OpenAPI compares the document of a module with its committed file. The types for the browser are generated from that file, and a change
// of the API is visible in the diff. `go test -run TestOpenAPI -update`, which go generate runs, writes the file.
func OpenAPI(t *testing.T, file string, of *huma.OpenAPI) {
	t.Helper()
	doc, err := json.MarshalIndent(of, "", "  ")
	require.NoError(t, err)
	golden(t, file, append(doc, '\n'))
}

// AsyncAPI compares the document of a module's events, which is generated from its manifest, with its committed file; see OpenAPI.
func AsyncAPI(t *testing.T, file string, of module.Manifest) {
	t.Helper()
	doc, err := asyncapi.Document(of)
	require.NoError(t, err)
	golden(t, file, doc)
}

func golden(t *testing.T, file string, doc []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, doc, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(doc), "run: make generate, or go test -run 'TestOpenAPI|TestAsyncAPI' -update")
}

// Mails compares the emails of a module, each with a name, with their committed file, so that a changed text is visible in the diff. `go
// test -run TestMail -update` writes the file.
func Mails(t *testing.T, file string, mails map[string]module.Mail) {
	t.Helper()
	for name, m := range mails {
		m.Texts = nil // only the resulting texts are compared
		mails[name] = m
	}
	doc, err := json.MarshalIndent(mails, "", "  ")
	require.NoError(t, err)
	golden(t, file, append(doc, '\n'))
}
