package pluginhost_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// A plugin has its own database, and can neither read nor write core's.
func TestOwnDatabase(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		w := moduletest.Open(t, fixture.Module, moduletest.Options{Main: main, Data: c.Dir, Database: c.URL, Siblings: []module.Module{
			moduletest.Fake("account", func(huma.API) {})}}, true)
		status, body := w.Do(t.Context(), moduletest.Call{Method: http.MethodPut, Path: "/fixture/notes/kept", Body: `{"text":"own"}`})
		require.Equal(t, http.StatusOK, status, string(body))
		if c.URL == "" {
			require.FileExists(t, filepath.Join(c.Dir, "plugins", "fixture", "wattle.db"))
			info, err := os.Stat(filepath.Join(c.Dir, "plugins", "fixture"))
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
		} else {
			own := "wattle_plugin_fixture"
			admin, err := pgx.Connect(t.Context(), c.URL)
			require.NoError(t, err)
			defer func() { require.NoError(t, admin.Close(t.Context())) }()
			var text string
			require.NoError(t, admin.QueryRow(t.Context(), "SELECT text FROM "+own+".fixture_notes").Scan(&text))
			require.Equal(t, "own", text)
			u, err := url.Parse(c.URL)
			require.NoError(t, err)
			u.User = url.UserPassword(own, "")
			q := u.Query()
			q.Del("user")
			u.RawQuery = q.Encode()
			plugin, err := pgx.Connect(t.Context(), u.String())
			if err == nil { // this server does not check passwords
				defer func() { require.NoError(t, plugin.Close(t.Context())) }()
				var who string
				require.NoError(t, plugin.QueryRow(t.Context(), "SELECT tableowner FROM pg_tables WHERE tablename = 'fixture_notes'").Scan(&who))
				require.Equal(t, own, who, "the plugin works as somebody else")
				_, err = plugin.Exec(t.Context(), "SELECT * FROM public.account_outbox")
				require.ErrorContains(t, err, "permission denied")
				_, err = plugin.Exec(t.Context(), "CREATE TABLE public.mine (id int)")
				require.ErrorContains(t, err, "permission denied")
			}
		}
		// A second start uses the same database.
		p := w.Plugins.Plugins()[0]
		require.NoError(t, syscall.Kill(p.PID(), syscall.SIGKILL))
		require.Eventually(t, func() bool {
			status, body = w.Do(t.Context(), moduletest.Call{Path: "/fixture/notes"})
			return status == http.StatusOK && p.Restarts() == 1
		}, 20*time.Second, 10*time.Millisecond)
		require.Contains(t, string(body), "own")
	})
}
