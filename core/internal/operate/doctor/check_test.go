package doctor

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These are states that the test servers cannot be put into.
func TestJudge(t *testing.T) {
	t.Run("11-doctor-database", func(t *testing.T) {
		good := server{version: 170002, shown: "17.2", encoding: "UTF8", canCreate: true, canCreateSchema: true, used: 10, slots: 100}
		for want, change := range map[string]func(*server){
			"db: PostgreSQL 13.9 is too old":                  func(s *server) { s.version, s.shown = 130009, "13.9" },
			"db: the server is a standby":                     func(s *server) { s.isStandby, s.isReadOnly = true, true },
			"db: the encoding of the database is SQL_ASCII":   func(s *server) { s.encoding = "SQL_ASCII" },
			"db: the role wattle may not create tables":       func(s *server) { s.canCreate = false },
			"db: transactions are read-only by default":       func(s *server) { s.isReadOnly = true },
			"db: 70 of 100 connections are in use":            func(s *server) { s.used = 70 },
			"db: the role wattle is a superuser":              func(s *server) { s.isSuper = true },
			"db: PostgreSQL 17.2, 10 of 100 connections in":   func(*server) {},
			"db: PostgreSQL 14.0, 10 of 100 connections in u": func(s *server) { s.version, s.shown = 140000, "14.0" },
		} {
			d, s := &doctor{}, good
			change(&s)
			isUsable := d.check("db", "wattle", "portal", s)
			require.Len(t, d.found, 1, want)
			assert.Contains(t, d.found[0].Detail, want)
			assert.Equal(t, d.found[0].State != Problem, isUsable, want)
			assert.Equal(t, d.found[0].State != OK, d.found[0].Do != "", want)
		}
		for code, want := range map[string]string{ // the test servers require no password
			"28P01": "db: wrong password for the user wattle, or no such user", "28000": "db: the server refuses the user wattle: no", "3D000": "db: no", "53300": "db: no (53300)",
		} {
			d, conf := &doctor{}, &pgx.ConnConfig{Config: pgconn.Config{User: "wattle", Password: "hunter2", Database: "portal"}}
			d.unreachable("db", conf, fmt.Errorf("hunter2: %w", &pgconn.PgError{Code: code, Message: "no"}))
			require.Len(t, d.found, 1, code)
			assert.Equal(t, []string{want, string(Problem)}, []string{d.found[0].Detail, string(d.found[0].State)})
			assert.NotEmpty(t, d.found[0].Do, code)
		}
	})
}
