package whole_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/modules"
)

// Two demo servers start at the same time on one empty database. They have separate data folders, unless the database is in the data
// folder.
func TestTwoDemosAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole demos")
	}
	storetest.EachConfig(t, func(t *testing.T, db store.Config) {
		t.Run("9-demo-lock", func(t *testing.T) {
			t.Setenv("WATTLE_IDENTITY_KEY", strings.Repeat("k", 32)) // replicas share the key
			c := config.Config{Demo: true}
			o := apptest.Options{Modules: modules.All, LabelsDir: shippedLabels, Config: c, Store: &db}
			both := []*app.App{apptest.New(t, o), apptest.New(t, o)}
			failed := make(chan error)
			for _, a := range both {
				go func() { failed <- a.Serve(t.Context()) }()
			}
			for range both {
				require.NoError(t, <-failed)
			}
			var people, different int
			require.NoError(t, both[0].Store.Read().QueryRow("SELECT count(*), count(DISTINCT label_key || '/' || username) FROM identity_usernames").Scan(&people, &different))
			require.Positive(t, people)
			require.Equal(t, different, people, "loaded once")
			for _, a := range both {
				require.NoError(t, a.Stop(t.Context()))
			}
		})
	})
}
