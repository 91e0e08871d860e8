package app_test

import (
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/portaltest"
)

// Two portals that share a database behind PgBouncer in transaction mode start, migrate, sign people in, and read each other's writes.
func TestPortalsBehindAPooler(t *testing.T) {
	c := storetest.PooledConfig(t)
	one := apptest.Serve(t, apptest.New(t, apptest.Options{Store: &c}))
	two := apptest.Serve(t, apptest.New(t, apptest.Options{Store: &c}))
	t.Run("11-database-pooler", func(t *testing.T) {
		p, q := portaltest.Of(t, one.App), portaltest.Of(t, two.App)
		customer := q.Customer("alpha", "r1") // its clock was set later, so a token from p would be issued in the future
		for _, at := range []*portaltest.Portal{p, q} {
			for range 20 {
				a := at.As("alpha", customer.Bearer).Do(http.MethodGet, "/auth/sessions", nil)
				require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			}
			ready := at.Do(portaltest.Call{Path: "//readyz"})
			assert.Equal(t, http.StatusOK, ready.Status, string(ready.Body))
		}
	})
}

// The role of a plugin is made at the server itself, and the plugin connects to that.
func TestAPluginBehindAPooler(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds a plugin")
	}
	c := storetest.PooledConfig(t)
	dir := moduletest.PluginsDir(t, "fixture", "github.com/wattle-portal/wattle/test/plugin/fixture/plugin")
	t.Run("11-database-direct", func(t *testing.T) {
		s := apptest.Start(t, apptest.Options{Store: &c, Config: config.Config{Plugins: dir},
			Labels: []apptest.Label{{Key: "alpha", CUE: "modules: fixture: {}"}}})
		saved := s.Do(apptest.Call{Method: http.MethodPut, Path: "/fixture/notes/one", Bearer: s.Customer("alpha", "anna"),
			Body: map[string]string{"text": "mine"}})
		require.Equal(t, http.StatusOK, saved.Status, string(saved.Body))
		conn, err := pgx.Connect(t.Context(), c.Direct)
		require.NoError(t, err)
		var direct, all int
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*) FILTER (WHERE usename = 'wattle_plugin_fixture'), count(*) "+
			"FROM pg_stat_activity WHERE datname = current_database()").Scan(&direct, &all))
		require.Positive(t, direct, "of %d sessions", all)
		require.NoError(t, conn.Close(t.Context()))
	})
}
