package doctor

import (
	"fmt"
	"testing"
	"time"

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

func TestNearlyFull(t *testing.T) {
	t.Run("11-doctor-files", func(t *testing.T) {
		for _, c := range []struct {
			free, total uint64
			want        bool
		}{
			{1<<30 - 1, 10 << 30, true}, {1 << 30, 10 << 30, false}, // 1 GiB of a small disk
			{5<<30 - 1, 100 << 30, true}, {5 << 30, 100 << 30, false}, // a twentieth of a large disk
		} {
			assert.Equal(t, c.want, isNearlyFull(c.free, c.total), "%d of %d", c.free, c.total)
		}
		free, total, known := freeSpace(t.TempDir())
		assert.LessOrEqual(t, free, total)
		assert.Equal(t, known, total > 0)
		_, _, known = freeSpace(t.TempDir() + "/nowhere")
		assert.False(t, known)
	})
}

func TestClockSkew(t *testing.T) {
	t.Run("11-doctor-clock", func(t *testing.T) {
		began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		for _, c := range []struct {
			took, ahead time.Duration // of the local clock, compared with the middle of the query
			want        bool
		}{
			{0, 1999 * time.Millisecond, false}, {0, 2 * time.Second, false}, {0, 2001 * time.Millisecond, true},
			{0, -2 * time.Second, false}, {0, -2001 * time.Millisecond, true},
			{time.Second, 2500 * time.Millisecond, false}, {time.Second, 2501 * time.Millisecond, true}, // a slow query
		} {
			skew, isTooLarge := clockSkew(began, began.Add(c.took), began.Add(c.took/2-c.ahead))
			assert.Equal(t, c.want, isTooLarge, "%v", c)
			assert.Equal(t, c.ahead.Abs(), skew, "%v", c)
		}
	})
}
