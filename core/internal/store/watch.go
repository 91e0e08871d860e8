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

// watchTimeout bounds one look at the server, a new connection included.
const watchTimeout = 1500 * time.Millisecond

// watch looks at a PostgreSQL server over a connection of its own: whether it answers, whether it takes writes, and whether it still
// works on the statements that connections of the pools wait for. A connection whose statement the server is not working on is dead,
// whatever the network says, and is closed: its caller gets an error at once instead of at the end of its patience.
type watch struct {
	config *pgx.ConnConfig
	links  *links

	conn     *pgx.Conn
	answered time.Time // when the server last answered, also with an error
}

// newWatch makes the watch of a store; it connects at its first look.
func newWatch(c Config, l *links) (*watch, error) {
	conf, err := pgx.ParseConfig(c.URL)
	if err != nil {
		return nil, err
	}
	l.setUp(conf)
	conf.DialFunc = l.dialAnyway
	conf.RuntimeParams["application_name"] = "wattle watch"
	return &watch{config: conf, links: l, answered: time.Now()}, nil
}

// look checks the server once. While the server answers nothing at all, no statement can be found dead by asking it; after
// silenceTimeout those that wait are given up, so that callers get an error and a stop ends in time.
func (w *watch) look(life context.Context) (readOnly bool, err error) {
	readOnly, err = w.askTwice(life)
	if _, refused := errors.AsType[*pgconn.PgError](err); err == nil || refused {
		w.answered = time.Now()
	} else if time.Since(w.answered) >= silenceTimeout {
		w.links.closeSilent(deadAfter)
	}
	return readOnly, err
}

// askTwice asks the server. A connection that does not answer is replaced at once: a dead connection is not a dead server.
func (w *watch) askTwice(life context.Context) (readOnly bool, err error) {
	for range 2 {
		ctx, cancel := context.WithTimeout(life, watchTimeout)
		fresh := w.conn == nil
		readOnly, err = w.ask(ctx)
		cancel()
		if life.Err() != nil || readOnly && err == nil { // the next look is at the server that new connections find
			w.drop()
		}
		if life.Err() != nil || err == nil {
			return readOnly, err
		}
		w.drop()
		if fresh {
			return false, err
		}
		w.links.condemn()
	}
	return false, err
}

func (w *watch) ask(ctx context.Context) (readOnly bool, err error) {
	if w.conn == nil {
		if w.conn, err = pgx.ConnectConfig(ctx, w.config); err != nil {
			return false, err
		}
	}
	if err := w.conn.QueryRow(ctx, "SELECT current_setting('transaction_read_only')::bool", pgx.QueryExecModeExec).Scan(&readOnly); err != nil {
		return false, err
	}
	return readOnly, w.reap(ctx)
}

// reap closes connections that wait for an answer which the server does not work on. Its process for such a connection, which may
// hold locks, is ended too.
func (w *watch) reap(ctx context.Context) error {
	stuck := w.links.stuck()
	if len(stuck) == 0 {
		return nil
	}
	// A state that is none of the idle ones (active, disabled, not ours to see) is work; one that has just ended may be on its way.
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
	w.links.condemn()
	for _, l := range stuck {
		_ = l.Close()
	}
	_, err = w.conn.Exec(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY($1::int[]) AND state LIKE 'idle%' AND usename = current_user AND datname = current_database()",
		pgx.QueryExecModeExec, slices.Collect(maps.Keys(stuck)))
	return err
}

// drop closes the connection without waiting for a server that may be gone.
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
