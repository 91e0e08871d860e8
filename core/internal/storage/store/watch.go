package store

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// watchTimeout is the timeout of one check of the server, including a new connection.
const watchTimeout = 1500 * time.Millisecond

// watch checks a PostgreSQL server over its own connection: whether the server responds, whether it accepts writes, and whether it still
// works on the statements that pool connections wait for. A connection is dead if the server does not work on its statement, whatever the
// state of the network. It is then closed, so that its caller gets an error at once instead of after a timeout.
type watch struct {
	config *pgx.ConnConfig
	links  *links

	conn     *pgx.Conn
	answered time.Time // last response of the server, which may be an error
}

// newWatch returns the watch of a store; the watch connects at its first check.
func newWatch(c Config, l *links) (*watch, error) {
	conf, err := pgx.ParseConfig(c.Server())
	if err != nil {
		return nil, err
	}
	l.setUp(conf)
	conf.DialFunc = l.dialAlways
	conf.RuntimeParams["application_name"] = "wattle watch"
	return &watch{config: conf, links: l, answered: time.Now()}, nil
}

// check checks the server once. While the server does not respond at all, reap cannot find dead statements. check then closes the waiting
// connections after silenceTimeout, so that callers get an error and a shutdown ends in time.
func (w *watch) check(life context.Context) (readOnly bool, err error) {
	readOnly, err = w.queryTwice(life)
	if _, refused := errors.AsType[*pgconn.PgError](err); err == nil || refused {
		w.answered = time.Now()
	} else if time.Since(w.answered) >= silenceTimeout {
		w.links.closeSilent(deadAfter)
	}
	return readOnly, err
}

// queryTwice queries the server. It replaces a connection that does not respond and tries again, because a dead connection does not mean a
// dead server.
func (w *watch) queryTwice(life context.Context) (readOnly bool, err error) {
	for range 2 {
		ctx, cancel := context.WithTimeout(life, watchTimeout)
		fresh := w.conn == nil
		readOnly, err = w.query(ctx)
		cancel()
		if life.Err() != nil || readOnly && err == nil { // the next check must use the server that new connections reach
			w.drop()
		}
		if life.Err() != nil || err == nil {
			return readOnly, err
		}
		w.drop()
		if fresh {
			return false, err
		}
		w.links.invalidate()
	}
	return false, err
}

func (w *watch) query(ctx context.Context) (readOnly bool, err error) {
	if w.conn == nil {
		if w.conn, err = pgx.ConnectConfig(ctx, w.config); err != nil {
			return false, err
		}
	}
	if err := w.conn.QueryRow(ctx, "SELECT current_setting('transaction_read_only')::bool",
		pgx.QueryExecModeExec).Scan(&readOnly); err != nil {
		return false, err
	}
	return readOnly, w.reap(ctx)
}

// reap closes connections that wait for a statement on which the server does not work. It also ends the server process of such a
// connection, because it may hold locks.
func (w *watch) reap(ctx context.Context) error {
	stuck := w.links.stuck()
	if len(stuck) == 0 {
		return nil
	}
	// All states except the idle ones count as work (active, disabled, not visible to this role). The result of a statement that ended less
	// than a second ago may still be in transit.
	rows, err := w.conn.Query(ctx, "SELECT pid FROM pg_stat_activity WHERE pid = ANY($1::int[]) AND "+
		"(state IS NULL OR state NOT LIKE 'idle%' OR clock_timestamp() - state_change < interval '1 second')", pgx.QueryExecModeExec,
		slices.Collect(maps.Keys(stuck)))
	if err != nil {
		return err
	}
	working, err := pgx.CollectRows(rows, pgx.RowTo[uint32])
	if err != nil {
		return err
	}
	for _, pid := range working {
		delete(stuck, pid)
	}
	if len(stuck) == 0 {
		return nil
	}
	w.links.invalidate()
	for _, l := range stuck {
		_ = l.Close()
	}
	_, err = w.conn.Exec(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY($1::int[]) AND state LIKE 'idle%' AND usename = current_user AND datname = current_database()",
		pgx.QueryExecModeExec, slices.Collect(maps.Keys(stuck)))
	return err
}

// drop closes the connection without waiting for the server.
func (w *watch) drop() {
	if w.conn == nil {
		return
	}
	if l := linkOf(w.conn); l != nil {
		_ = l.Close()
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	_ = w.conn.Close(gone)
	w.conn = nil
}
