package store

import (
	"context"
	"fmt"
	"time"
)

// Importing is a database to which an import writes.
type Importing struct {
	store *Store
	known bool
	file  int64 // data_version of the file when it was last read
	own   int64 // number of other transactions in this process until then
}

// bulkPages is the length of the write-ahead log, in pages of 4 KiB, at which a bulk import copies it into the database: most pages are
// then copied once instead of after each transaction that writes them. Imports with a pause use SQLite's default of 4 MB, because commits
// of others would wait while a long log is copied (docs/decisions/0008).
const bulkPages = 10_000

// Importing prepares the writing connection for an import, which changes pages of every index in each statement. SQLite then caches 64 MB
// of pages instead of 20 MB, keeps the statement journal in memory instead of in a file, and in a bulk import copies the write-ahead log
// only when it has bulkPages. Transactions whose context has a Hold belong to the import.
func (s *Store) Importing(ctx context.Context, bulk bool) (*Importing, error) {
	if s.engine == SQLite {
		pragmas := []string{"cache_size = -64000", "temp_store = MEMORY"}
		if bulk {
			pragmas = append(pragmas, fmt.Sprintf("wal_autocheckpoint = %d", bulkPages))
		}
		for _, pragma := range pragmas {
			if _, err := s.write.ExecContext(ctx, "PRAGMA "+pragma); err != nil {
				return nil, fmt.Errorf("store: %w", err)
			}
		}
	}
	return &Importing{store: s}, nil
}

// WrittenByOthers reports whether others have committed since its last call. The first call returns true, and so does every call on
// PostgreSQL, where writers do not wait for each other and there is no cheap way to detect them.
func (i *Importing) WrittenByOthers(ctx context.Context) (bool, error) {
	if i.store.engine != SQLite {
		return true, nil
	}
	own, file := i.store.commits.Load(), int64(0)
	// The version changes when another connection has committed. All writes of this process go through this one connection.
	if err := i.store.write.QueryRowContext(ctx, "PRAGMA data_version").Scan(&file); err != nil {
		return true, fmt.Errorf("store: %w", err)
	}
	changed := !i.known || file != i.file || own != i.own
	i.known, i.file, i.own = true, file, own
	return changed, nil
}

// polls are the times between two attempts of SQLite's busy handler to get the writer, in milliseconds; the last one is repeated.
var polls = []time.Duration{1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100}

// PollGap returns how long the writer must be free after it was held for the given time, so that a process that started to wait in the
// meantime finds it free. SQLite does not wake a waiting process: the process polls at growing intervals.
func PollGap(held time.Duration) time.Duration {
	const slack = 2 * time.Millisecond // sleeping takes a little longer than requested
	var waited, longest time.Duration
	for _, p := range polls {
		p *= time.Millisecond
		longest = max(longest, p)
		if waited += p; waited > held {
			break
		}
	}
	return longest + slack
}
