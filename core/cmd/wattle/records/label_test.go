package records_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/modules"
)

// A label that does not compile is reported with its problem, and not as a label that does not exist.
func TestBrokenLabel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, key := range []string{"alpha", "beta"} {
		apptest.WriteLabel(t, dir, apptest.Label{Key: key}, modules.All)
	}
	cue := filepath.Join(dir, "beta", "label.cue")
	b, err := os.ReadFile(cue)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(cue, append(b, "\nzones: \"Europe/Amsterdam\"\n"...), 0o600))
	s := apptest.Start(t, apptest.Options{Modules: modules.All, LabelsDir: dir})
	t.Run("11-import-broken-label", func(t *testing.T) {
		_, _, err := s.Importer("beta")
		require.ErrorContains(t, err, fmt.Sprintf("the label beta is broken, so nothing can be imported into it: beta/label.cue:%d:",
			bytes.Count(b, []byte("\n"))+2))
		_, _, err = s.Importer("gamma")
		require.EqualError(t, err, "there is no label gamma; see wattle labels list")
		_, _, err = s.Importer("alpha")
		require.NoError(t, err)
	})
}
