package store

import (
	"context"
	"fmt"
	"time"
)

// Importing is the database while an import writes to it.
type Importing struct {
	store *Store
	known bool
	file  int64 // data_version of the file when it was last read
	own   int64 // transactions of others in this process until then
}

// bulkPages is the length of the write-ahead log, in pages of 4 KiB, at which a bulk import copies it into the database: most pages are
// then copied once, instead of after each transaction that writes them. With the pause it stays as short as SQLite keeps it for others (4
// MB), whose commits would wait while a long log is copied (docs/decisions/0008).
const bulkPages = 10_000

// Importing prepares the writing connection for an import, which changes pages of every index in each statement. SQLite keeps 64 MB of
// pages in memory instead of 20 MB, what a statement that fails would undo in memory instead of a file, and the write-ahead log of a bulk
// import until it has bulkPages. Transactions whose context has a Hold are those of the import.
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
// PostgreSQL, where writers do not wait for each other and nothing cheap reports them.
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

// PollGap returns how long the writer must be free after it was held for a time, so that another process that began to wait meanwhile finds
// it free: SQLite does not wake a process that waits, which looks again after times that grow while it waits.
func PollGap(held time.Duration) time.Duration {
	const slack = 2 * time.Millisecond // a sleep takes a little longer
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
