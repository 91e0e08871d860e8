package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
)

// Sizes of a replica's connection pools.
const (
	maxWriters = 16
	maxReaders = 16
	maxDirect  = 4 // connections to the server itself, when the pools use a pooler
)

// directIdle is how long an idle connection to the server itself is kept open. It is used at the start and rarely later.
const directIdle = 10 * time.Second

// setUp adds the settings of every connection to the server.
func (s *links) setUp(conf *pgx.ConnConfig) {
	conf.RuntimeParams["timezone"] = "UTC"
	conf.DialFunc = s.dial
	if conf.ConnectTimeout == 0 {
		conf.ConnectTimeout = connectTimeout
	}
}

func openPostgres(ctx context.Context, c Config, l *links) (write, read *bun.DB, err error) {
	conf, err := pgx.ParseConfig(c.URL)
	if err != nil {
		return nil, nil, err
	}
	l.setUp(conf)
	if conf.RuntimeParams["application_name"] == "" {
		conf.RuntimeParams["application_name"] = "wattle"
	}
	if c.Schema != "" && c.isPooled() {
		return nil, nil, errors.New("a schema needs a session: not behind a pooler")
	}
	if c.Schema != "" {
		if err := makeSchema(ctx, conf, c.Schema); err != nil {
			return nil, nil, err
		}
		conf.RuntimeParams["search_path"] = pgx.Identifier{c.Schema}.Sanitize()
	}
	// bun writes arguments into the statement, so a statement cache would only fill up (in a measurement, exec mode halved the time of a
	// read).
	conf.DefaultQueryExecMode = pgx.QueryExecModeExec
	open := func(readOnly bool, size int) *bun.DB {
		own := conf.Copy()
		ready := l.afterConnect
		switch {
		case !readOnly || c.isPooled(): // poolers refuse the parameter, and others would use the same session
		case own.ValidateConnect == nil:
			own.RuntimeParams["default_transaction_read_only"] = "on"
		default: // target_session_attrs=read-write is checked first, and refuses a read-only session
			ready = func(ctx context.Context, conn *pgx.Conn) error {
				if _, err := conn.Exec(ctx, "SET default_transaction_read_only = on"); err != nil {
					return err
				}
				return l.afterConnect(ctx, conn)
			}
		}
		db := stdlib.OpenDB(*own, stdlib.OptionAfterConnect(ready),
			stdlib.OptionShouldPing(func(context.Context, stdlib.ShouldPingParams) bool { return false }), // that ping has no timeout
			stdlib.OptionResetSession(func(ctx context.Context, conn *pgx.Conn) error {
				if !l.isAlive(ctx, conn) {
					return driver.ErrBadConn
				}
				return nil
			}))
		db.SetMaxOpenConns(size)
		db.SetMaxIdleConns(size)
		db.SetConnMaxIdleTime(5 * time.Minute)
		db.SetConnMaxLifetime(maxConnLifetime)
		return bun.NewDB(db, pgdialect.New())
	}
	write = open(false, maxWriters)
	if err := write.PingContext(ctx); err != nil {
		write.Close()
		return nil, nil, connecting(conf, err)
	}
	return write, open(true, maxReaders), nil
}

// openDirect connects to the server behind a pooler, for statements that need a session.
func openDirect(ctx context.Context, c Config, l *links) (*sql.DB, error) {
	conf, err := pgx.ParseConfig(c.Direct)
	if err != nil {
		return nil, err
	}
	l.setUp(conf)
	conf.RuntimeParams["application_name"] = "wattle direct"
	conf.DefaultQueryExecMode = pgx.QueryExecModeExec
	db := stdlib.OpenDB(*conf, stdlib.OptionAfterConnect(l.afterConnect))
	db.SetMaxOpenConns(maxDirect)
	db.SetMaxIdleConns(2) // for the migrations of all modules at the start
	db.SetConnMaxIdleTime(directIdle)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(connecting(conf, err), db.Close())
	}
	return db, nil
}

// scanUTC returns times in UTC, as SQLite does, whatever the time zone of the machine.
func scanUTC(conn *pgx.Conn) {
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID,
		Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC}})
}

func makeSchema(ctx context.Context, conf *pgx.ConnConfig, schema string) error {
	conn, err := pgx.ConnectConfig(ctx, conf)
	if err != nil {
		return connecting(conf, err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	// Checked first: a role that owns its schema may lack the right to create one.
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)", schema).Scan(&exists); err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+pgx.Identifier{schema}.Sanitize())
	return err
}

// lockPostgres takes the advisory lock for migrations. The returned function releases it.
func lockPostgres(ctx context.Context, db *sql.DB) (func(), error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(hashtext('wattle'), hashtext(current_schema()))"); err != nil {
		conn.Close()
		return nil, err
	}
	return func() {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(hashtext('wattle'), hashtext(current_schema()))")
		conn.Close() // if the unlock failed, the connection is broken and the server releases the lock
	}, nil
}
