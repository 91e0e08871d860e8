package pluginhost_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

func TestSentencesOfPlugin(t *testing.T) {
	t.Parallel()
	t.Run("11-import-sentences", func(t *testing.T) {
		internal := problem.Sentence(problem.CodeInternal)
		h := openPortal(t, pluginhost.Options{})
		file := filepath.Join(t.TempDir(), "knot.ndjson")
		require.NoError(t, os.WriteFile(file, []byte("{\"ends\":3}\n"), 0o600))
		ctx := h.Hub.Enter(t.Context(), scope.Scope{Label: moduletest.LabelOne, Role: scope.RoleSystem}, "unruly")
		report, err := imports.Run(ctx, imports.Options{Files: []string{file}, Order: []string{"knot"}, NoFiles: true},
			func(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error) {
				return h.plugin.Running().Instance.(module.Importer).Import(ctx, kind, rows)
			})
		require.NoError(t, err)
		require.Equal(t, []string{"1 × ends: unruly.tangled, first in line 1: the knot cannot be untied"}, report.Reasons)
		require.Equal(t, internal, problem.Sentence(problem.CodeInternal), "a code of core")
		for code, what := range map[string]string{"other.gone": "a code of another module", "unruly.long": "a long sentence",
			"unruly.lines": "characters that move the cursor"} {
			require.Empty(t, problem.Sentence(code), what)
		}
	})
}
