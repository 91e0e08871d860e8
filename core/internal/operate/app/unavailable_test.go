package app_test

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

// outage makes a database refuse writes, and accept them again.
type outage struct {
	state      string
	begin, end string
}

// Not every test environment has a full or read-only file system. Therefore SQLite gets a maximum size or a read-only mode. PostgreSQL
// raises the same error for every statement that needs space, or starts every transaction read-only.
var outages = map[store.Engine][]outage{
	store.SQLite: {
		{"full", "PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1073741823"},
		{"read_only", "PRAGMA query_only = 1", "PRAGMA query_only = 0"},
	},
	store.Postgres: {
		{"full", `CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
			CREATE FUNCTION no_space_ddl() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN IF tg_tag LIKE 'CREATE TABLE%' THEN
				RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END IF; END $$;
			DO $$ DECLARE t regclass; BEGIN FOR t IN SELECT c.oid::regclass FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
				EXECUTE format('CREATE TRIGGER no_space BEFORE INSERT OR UPDATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION no_space()', t); END LOOP; END $$;
			CREATE EVENT TRIGGER no_space ON ddl_command_start EXECUTE FUNCTION no_space_ddl();`,
			"DROP EVENT TRIGGER no_space; DROP FUNCTION no_space CASCADE; DROP FUNCTION no_space_ddl"},
		{"read_only", `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$;
			SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
			`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$;
			SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`},
	},
}

func TestWritesThatCannotBe(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		if testing.Short() && c.URL != "" {
			t.Skip("make test-all: a full and a read-only PostgreSQL take longer than SQLite")
		}
		s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Store: &c})
		anna := s.Customer("alpha", "anna")
		add := func() apptest.Answer {
			return s.Do(apptest.Call{Method: "POST", Path: "/probe/items", Bearer: anna,
				Body: map[string]string{"name": strings.Repeat("mine ", 2000)}})
		}
		a := add()
		require.Equal(t, 200, a.Status, string(a.Body))
		var item struct{ ID string }
		a.JSON(t, &item)
		signedIn := s.Do(apptest.Call{Method: "POST", Path: "/auth/sign-in",
			Body: map[string]string{"username": "anna@klant.example", "password": apptest.Password}})
		cookie := cookieOf(t, signedIn)

		for _, o := range outages[s.Store.Engine()] {
			leaving := cookieOf(t, s.Do(apptest.Call{Method: "POST", Path: "/auth/sign-in",
				Body: map[string]string{"username": "anna@klant.example", "password": apptest.Password}}))
			administer(t, s, o.begin)

			t.Run(o.state+"/9-database-unavailable", func(t *testing.T) {
				var a apptest.Answer
				until(t, "a write fails", func() bool { a = add(); return a.Status != 200 }) // a write may succeed while there is a free page
				require.Equal(t, []any{503, "unavailable"}, []any{a.Status, a.Code()}, string(a.Body))
				require.NotEmpty(t, a.Header.Get("Retry-After"))
				until(t, "reads go on", func() bool {
					return s.Do(apptest.Call{Path: "/probe/items/" + item.ID, Bearer: anna}).Status == 200
				})
				a = s.Do(apptest.Call{Path: "/portal", Bearer: anna})
				require.Equal(t, 200, a.Status, string(a.Body))
				until(t, "a page that is opened now still finds its session, and its cookie stays as it is", func() bool {
					a = s.Do(apptest.Call{Method: "POST", Path: "/auth/refresh", Header: map[string]string{"Cookie": cookie}})
					if a.Header.Get("Set-Cookie") != "" { // a full database may still have room to update a row
						cookie = cookieOf(t, a)
					}
					require.NotEqual(t, 401, a.Status)
					return a.Status == 200 && strings.Contains(string(a.Body), "id_token") && (o.state == "full" || a.Header.Get("Set-Cookie") == "")
				})
				a = s.Do(apptest.Call{Method: "POST", Path: "/auth/sign-in", Body: map[string]string{"username": "anna@klant.example",
					"password": apptest.Password}})
				if o.state == "read_only" || a.Status != 200 {
					require.Equal(t, []any{503, "unavailable"}, []any{a.Status, a.Code()})
				}
			})
			t.Run(o.state+"/7.7-sign-out-effect", func(t *testing.T) {
				signOut(t, s, leaving, o.state == "read_only")
			})
			t.Run(o.state+"/9-readiness-named", func(t *testing.T) {
				until(t, "it is named", func() bool {
					add()
					status, a := readiness(t, s)
					require.Equal(t, http.StatusOK, status, "what can be read is served")
					return stateOf(a, "database").State == o.state && a.Database == o.state
				})
				require.True(t, hasCheck(t, s, "database", o.state), "and in the metrics")

				administer(t, s, o.end)
				took := until(t, "its end is noticed without a write of anybody", func() bool {
					_, a := readiness(t, s)
					return stateOf(a, "database").State == health.OK
				})
				t.Logf("%s: end noticed after %v", o.state, took)
				require.Less(t, took, recovery)
				require.Equal(t, 200, add().Status)
			})
		}
	})
}

// Another process holds the lock for writing on SQLite longer than the portal waits for it.
func TestSQLiteIsLocked(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}})
	anna := s.Customer("alpha", "anna")
	add := func() apptest.Answer {
		return s.Do(apptest.Call{Method: "POST", Path: "/probe/items", Bearer: anna, Body: map[string]string{"name": "mine"}})
	}
	a := add()
	require.Equal(t, 200, a.Status, string(a.Body))
	var item struct{ ID string }
	a.JSON(t, &item)
	administer(t, s, "PRAGMA busy_timeout = 1")
	other, err := sql.Open("sqlite", filepath.Join(s.Config.Data, "wattle.db"))
	require.NoError(t, err)
	other.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, other.Close()) })
	statement := func(text string) {
		_, err := other.ExecContext(t.Context(), text)
		require.NoError(t, err)
	}
	t.Run("9-database-unavailable", func(t *testing.T) {
		statement("PRAGMA busy_timeout = 20000")
		statement("BEGIN IMMEDIATE")
		a := add()
		require.Equal(t, []any{503, "unavailable"}, []any{a.Status, a.Code()}, "too busy: %s", a.Body)
		require.NotEmpty(t, a.Header.Get("Retry-After"))
		require.Equal(t, 200, s.Do(apptest.Call{Path: "/probe/items/" + item.ID, Bearer: anna}).Status, "reads go on")
		statement("ROLLBACK")
		require.Equal(t, 200, add().Status)
	})
}

// The server refuses connections because it is shut down, is starting, or has too many connections.
func TestPostgresRefuses(t *testing.T) {
	c, proxy := storetest.FaultyPostgres(t)
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Store: &c})
	anna := s.Customer("alpha", "anna")
	leaving := cookieOf(t, s.Do(apptest.Call{Method: "POST", Path: "/auth/sign-in",
		Body: map[string]string{"username": "anna@klant.example", "password": apptest.Password}}))
	for _, sqlstate := range []string{"57P01", "57P03", "53300"} { // admin_shutdown, cannot_connect_now, too_many_connections
		t.Run(sqlstate+"/9-database-unavailable", func(t *testing.T) {
			proxy.Refuse(sqlstate)
			a := s.Do(apptest.Call{Path: "/probe/items/x", Bearer: anna})
			require.Equal(t, []any{503, "unavailable"}, []any{a.Status, a.Code()})
			require.NotEmpty(t, a.Header.Get("Retry-After"))
			signOut(t, s, leaving, true)
			proxy.Refuse("")
			until(t, "served again", func() bool { return s.Do(apptest.Call{Path: "/probe/items/x", Bearer: anna}).Status == 404 })
		})
	}
}

// signOut checks that the browser loses its cookie, and whether the response reports that the session could not be ended.
func signOut(t *testing.T, s *apptest.Server, cookie string, fails bool) {
	t.Helper()
	a := s.Do(apptest.Call{Method: "POST", Path: "/auth/sign-out", Header: map[string]string{"Cookie": cookie}})
	r := http.Response{Header: a.Header}
	require.NotEmpty(t, r.Cookies(), "%d %s", a.Status, a.Body)
	for _, c := range r.Cookies() {
		require.True(t, c.Value == "" && c.MaxAge < 0, "%+v", c)
	}
	if fails {
		require.Equal(t, []any{503, "unavailable"}, []any{a.Status, a.Code()})
		require.NotEmpty(t, a.Header.Get("Retry-After"))
	}
}

// hasCheck reports whether the metrics have a check in a state.
func hasCheck(t *testing.T, s *apptest.Server, check, state string) bool {
	t.Helper()
	metrics, err := s.Metrics.Gather()
	require.NoError(t, err)
	for _, f := range metrics {
		for _, m := range f.Metric {
			if f.GetName() == "wattle_check" && m.Label[0].GetValue() == check && m.Label[1].GetValue() == state {
				return true
			}
		}
	}
	return false
}

// administer runs statements on the portal's only write connection (SQLite) or on an administrator's connection.
func administer(t *testing.T, s *apptest.Server, statements string) {
	t.Helper()
	if s.Store.Engine() == store.SQLite {
		_, err := s.Store.DB().ExecContext(t.Context(), statements)
		require.NoError(t, err)
		return
	}
	c, err := pgx.ParseConfig(s.Config.Database)
	require.NoError(t, err)
	c.RuntimeParams["default_transaction_read_only"] = "off"
	conn, err := pgx.ConnectConfig(t.Context(), c)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), statements)
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
}

func cookieOf(t *testing.T, a apptest.Answer) string {
	t.Helper()
	r := http.Response{Header: a.Header}
	for _, c := range r.Cookies() {
		if strings.HasSuffix(c.Name, identity.CookieName) {
			return c.Name + "=" + c.Value
		}
	}
	t.Fatalf("no session cookie: %s", a.Body)
	return ""
}
