package pluginhost_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// A plugin starts with the role that docs/operations.md creates for an installation, which is not a superuser.
func TestRoleOfAnInstallation(t *testing.T) {
	t.Run("9-plugin-role", func(t *testing.T) {
		base := storetest.PostgresConfig(t).URL
		ctx := t.Context()
		admin, err := pgx.Connect(ctx, base)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, admin.Close(context.Background())) })
		id := strings.ToLower(value.NewID())
		id = "r" + strings.ReplaceAll(id, "-", "")[:12] // roles belong to the whole server, which other tests also use
		role, key := "wattle_"+id, id
		own := "wattle_plugin_" + key
		exec := func(sql string) {
			t.Helper()
			_, err := admin.Exec(ctx, sql)
			require.NoError(t, err, sql)
		}
		// As in docs/operations.md, "SQLite or PostgreSQL".
		exec("CREATE ROLE " + role + " LOGIN CREATEROLE PASSWORD 'secret'")
		exec("CREATE DATABASE " + role + " OWNER " + role)
		t.Cleanup(func() {
			for _, sql := range []string{"DROP DATABASE " + role + " WITH (FORCE)", "DROP ROLE IF EXISTS " + own, "DROP ROLE " + role} {
				_, err := admin.Exec(context.Background(), sql)
				require.NoError(t, err, sql)
			}
		})
		u, err := url.Parse(base)
		require.NoError(t, err)
		u.User, u.Path = url.UserPassword(role, "secret"), "/"+role
		q := u.Query()
		q.Del("user")
		u.RawQuery = q.Encode()
		core := storetest.Open(t, store.Config{Dir: t.TempDir(), URL: u.String()})
		require.NoError(t, core.MigrateModule(ctx, module.Manifest{Key: "account"}), "core's own tables")

		for _, start := range []string{"first", "second"} { // the second is a restart or another replica
			place, schema, err := pluginhost.Database(ctx, key, u.String())
			require.NoError(t, err, start)
			require.Equal(t, own, schema)
			plugin, err := store.Open(ctx, store.Config{Dir: t.TempDir(), URL: place, Schema: schema})
			require.NoError(t, err, start)
			require.NoError(t, plugin.MigrateModule(ctx, fixture.Module.Manifest), start)
			_, err = plugin.DB().ExecContext(ctx, "SELECT * FROM public.account_outbox")
			require.ErrorContains(t, err, "permission denied")
			require.NoError(t, plugin.Close())
		}
		var powers string
		require.NoError(t, admin.QueryRow(ctx, "SELECT concat(rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, rolcanlogin) "+
			"FROM pg_roles WHERE rolname = $1", own).Scan(&powers))
		require.Equal(t, "ffffft", powers, "it may log in and nothing else")

		t.Run("10-plugin-remove-data", func(t *testing.T) { // with the rights of the portal, which is not a superuser
			if testing.Short() {
				t.Skip("make test-all: waits for the end of a process")
			}
			data := t.TempDir()
			place, schema, err := pluginhost.Database(ctx, key, u.String())
			require.NoError(t, err)
			plugin, err := store.Open(ctx, store.Config{Dir: t.TempDir(), URL: place, Schema: schema})
			require.NoError(t, err)
			require.NoError(t, plugin.DB().PingContext(ctx))
			ended := make(chan time.Time, 1)
			time.AfterFunc(1500*time.Millisecond, func() { ended <- time.Now(); _ = plugin.Close() }) // of a process that has nothing to do
			found, err := pluginhost.RemoveData(ctx, data, u.String(), key)
			require.NoError(t, err)
			require.True(t, found)
			require.Greater(t, time.Since(<-ended), time.Second, "it had ended for a while")
			found, err = pluginhost.RemoveData(ctx, data, u.String(), key)
			require.NoError(t, err)
			require.False(t, found, "there is nothing any more")
			var left int
			require.NoError(t, admin.QueryRow(ctx, "SELECT count(*) FROM pg_roles WHERE rolname = $1", own).Scan(&left))
			require.Zero(t, left)
			in, err := pgx.Connect(ctx, u.String())
			require.NoError(t, err)
			require.NoError(t, in.QueryRow(ctx, "SELECT count(*) FROM pg_namespace WHERE nspname = $1", own).Scan(&left))
			require.Zero(t, left, "its schema")
			require.NoError(t, in.Close(ctx))
			_, _, err = pluginhost.Database(ctx, key, u.String())
			require.NoError(t, err, "it can be installed again")
		})

		// A role of that name with more rights is not used for a plugin.
		exec("ALTER ROLE " + own + " CREATEDB")
		_, _, err = pluginhost.Database(ctx, key, u.String())
		require.ErrorContains(t, err, "may do more than a plugin")
	})
}
