package check_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/wattle-portal/wattle/core/internal/teams/check"
)

// The rules report everything that is marked in testdata, and nothing else.
func TestAnalyzer(t *testing.T) {
	t.Run("9-module-check", func(t *testing.T) {
		require.NoError(t, check.Analyzer.Flags.Set("labels", filepath.Join(analysistest.TestData(), "labels")))
		analysistest.Run(t, analysistest.TestData(), check.Analyzer, "portal/modules/acme", "portal/modules", "outside")
	})
}
