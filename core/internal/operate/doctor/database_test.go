package doctor_test

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/doctor"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/value"
)

func TestDatabase(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		t.Run("11-doctor-database", func(t *testing.T) {
			s := portal(t, &c, nil)
			exec := func(sql string) {
				t.Helper()
				_, err := s.Store.DB().ExecContext(t.Context(), sql)
				require.NoError(t, err, sql)
			}
			states := func() (out []doctor.State, all string) {
				for _, f := range of(t, patient(s.Config), "database") {
					out, all = append(out, f.State), all+f.Detail+"\n"
				}
				return out, all
			}
			exec("DELETE FROM goose_core_identity WHERE version_id = (SELECT max(version_id) FROM goose_core_identity)")
			got, text := states()
			assert.Contains(t, got, doctor.Warning)
			assert.Contains(t, text, "1 part is to be migrated, such as 00001_identity of core.identity")
			exec("INSERT INTO goose_core_identity (version_id, is_applied) VALUES (99, true)")
			got, text = states()
			assert.Contains(t, got, doctor.Problem)
			assert.Contains(t, text, "a newer release has migrated this database: 99 of core.identity")
		})
	})
	t.Run("11-doctor-database", func(t *testing.T) {
		c := config.Default()
		c.Data, c.Labels = t.TempDir(), t.TempDir()
		finds(t, patient(c), "database", doctor.Warning, "there is no ")
		require.NoFileExists(t, filepath.Join(c.Data, "wattle.db"), "it is not made")
		require.NoError(t, os.WriteFile(filepath.Join(c.Data, "wattle.db"),
			[]byte("this is no database, and has some length to be read as one........"), 0o600))
		finds(t, patient(c), "database", doctor.Problem, "not a database")
	})
}

func TestPostgres(t *testing.T) {
	t.Run("11-doctor-database", func(t *testing.T) {
		base := storetest.PostgresConfig(t)
		conn, err := pgx.Connect(t.Context(), base.URL)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close(t.Context()) })
		exec := func(sql string) {
			t.Helper()
			_, err := conn.Exec(t.Context(), sql)
			require.NoError(t, err, sql)
		}
		c := config.Default()
		c.Data, c.Labels = t.TempDir(), t.TempDir()
		at := func(change func(*url.URL)) config.Config {
			u, err := url.Parse(base.URL)
			require.NoError(t, err)
			change(u)
			c := c
			c.Database = u.String()
			return c
		}
		role := "doctor_" + value.NewID()[:12]
		exec(`CREATE ROLE "` + role + `" LOGIN`)
		t.Cleanup(func() { _, _ = conn.Exec(t.Context(), `DROP ROLE "`+role+`"`) })
		with := func(user string) config.Config {
			return at(func(u *url.URL) {
				q := u.Query()
				q.Set("user", user)
				q.Set("password", "hunter2")
				u.User, u.RawQuery = nil, q.Encode()
			})
		}
		as := with(role)

		finds(t, patient(as), "database", doctor.Problem, "may not create tables")
		exec(`GRANT ALL ON SCHEMA public TO "` + role + `"`)
		as.Plugins = t.TempDir()
		finds(t, patient(as), "database", doctor.Problem, "may not create a role and a schema for each plugin")
		as.Plugins = ""
		exec(`ALTER ROLE "` + role + `" SET default_transaction_read_only = on`)
		finds(t, patient(as), "database", doctor.Problem, "transactions are read-only")
		exec(`DROP OWNED BY "` + role + `"`)

		finds(t, patient(with("nobody_at_all")), "database", doctor.Problem, "refuses the user nobody_at_all")
		assert.Contains(t, finds(t, patient(at(func(u *url.URL) { u.Path = "/nowhere_at_all" })), "database", doctor.Problem,
			"nowhere_at_all").Do, "CREATE DATABASE")
		c.Database = "postgres://u:hunter2@127.0.0.1:1/wattle"
		assert.Contains(t, finds(t, patient(c), "database", doctor.Problem, "postgres 127.0.0.1:1/wattle does not answer").Do, "pg_isready")
		t.Run("11-database-direct", func(t *testing.T) { // the doctor connects to the server itself
			behind := c
			behind.Database, behind.Direct = base.URL, c.Database
			finds(t, patient(behind), "database", doctor.Problem, "postgres 127.0.0.1:1/wattle does not answer")
		})
		t.Run("11-database-password", func(t *testing.T) {
			refused := c
			refused.Database = storetest.Refusing(t, "28P01", `password authentication failed for user "anna"`)
			where := store.Describe(refused.Database)
			f := finds(t, patient(refused), "database", doctor.Problem, where+": wrong password for the user anna, or no such user")
			assert.NotContains(t, f.Detail, "TLS", "the attempts before it say nothing")
			assert.Contains(t, f.Do, "--database-file")
			behind := c
			behind.Database, behind.Direct = refused.Database, base.URL
			found := of(t, patient(behind), "database")
			f = found[len(found)-1] // after a warning about the superuser of the tests
			assert.Equal(t, where+": wrong password for the user anna, or no such user", f.Detail)
			assert.Contains(t, f.Do, "correct the address in --database")
		})
		c.Database = "postgres://u:hunter2@[/wattle"
		finds(t, patient(c), "database", doctor.Problem, "the address of the database cannot be read")
	})
}
