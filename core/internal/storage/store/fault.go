package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/wattle-portal/wattle/core/internal/storage/fault"
	"github.com/wattle-portal/wattle/core/problem"
)

func init() {
	fault.Register(faultOf)
	problem.ReadDatabaseErrors(Transient)
}

// faultOf classifies an error of either engine or of the network (9-database-unavailable).
func faultOf(err error) fault.Kind {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return postgresFault(e.Code)
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return sqliteFault(e.Code())
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fault.Busy
	}
	for _, gone := range []error{driver.ErrBadConn, sql.ErrConnDone, net.ErrClosed, io.ErrUnexpectedEOF} {
		if errors.Is(err, gone) {
			return fault.Down
		}
	}
	if errors.Is(err, context.Canceled) { // the caller has canceled
		return fault.None
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return fault.Down
	}
	if _, ok := errors.AsType[net.Error](err); ok || pgconn.SafeToRetry(err) {
		return fault.Down
	}
	return fault.None
}

// postgresFault classifies a SQLSTATE (PostgreSQL manual, appendix A).
func postgresFault(code string) fault.Kind {
	switch code {
	case "25006": // read_only_sql_transaction
		return fault.ReadOnly
	case "53100": // disk_full
		return fault.Full
	case "57014", "55P03", "40001", "40P01", "25P03", "25P04": // timeout, lock not available, conflict after all retries
		return fault.Busy
	case "58030", "28000", "28P01", "3D000": // I/O error; the server does not accept the role or database, or no longer
		return fault.Down
	}
	if len(code) == 5 {
		switch code[:2] {
		case "53": // insufficient resources
			return fault.Busy
		case "08", "57": // connection exception, operator intervention
			return fault.Down
		}
	}
	return fault.None
}

// sqliteFault classifies a result code; its lowest byte is the primary code (sqlite.org/rescode.html).
func sqliteFault(code int) fault.Kind {
	switch code & 0xff {
	case sqlite3.SQLITE_READONLY:
		return fault.ReadOnly
	case sqlite3.SQLITE_FULL:
		return fault.Full
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fault.Busy
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fault.Down
	}
	return fault.None
}

// isConflict reports whether a transaction failed because of a concurrent one and may be retried.
func isConflict(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code == "40001" || e.Code == "40P01" // serialization_failure, deadlock_detected
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		primary := e.Code() & 0xff
		return primary == sqlite3.SQLITE_BUSY || primary == sqlite3.SQLITE_LOCKED
	}
	return false
}

// Transient reports whether an error means that the database was unreachable, too busy, full or read-only, so that a retry may succeed.
func Transient(err error) bool { return fault.Of(err) != fault.None }
