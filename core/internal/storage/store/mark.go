package store

import (
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Mark is the state of the files of an SQLite database at a time. Comparing marks needs two stat calls and no SQL.
type Mark struct {
	taken time.Time
	files [2]mark // the database and its write-ahead log
}

type mark struct {
	size     int64
	modified time.Time
}

// settled is how old a change must be for a later change to have another time: file systems have a resolution of up to two seconds.
const settled = 3 * time.Second

// Mark returns the current mark.
func (s *Store) Mark() Mark {
	m := Mark{taken: time.Now()}
	if s.engine != SQLite {
		return m
	}
	file := filepath.Join(s.config.Dir, sqliteFile)
	for i, name := range []string{file, file + "-wal"} {
		if f, err := os.Stat(name); err == nil { // SQLite creates the log at its first write
			m.files[i] = mark{f.Size(), f.ModTime()}
		}
	}
	return m
}

// MayHaveChanged reports whether any process may have written to the database since the mark. It also returns true when this cannot be
// determined: on PostgreSQL, on Windows, which updates the time of a change only when the file is closed, and shortly after a change.
func (s *Store) MayHaveChanged(since Mark) bool {
	if s.engine != SQLite || runtime.GOOS == "windows" {
		return true
	}
	now := s.Mark()
	for i, f := range since.files {
		if f.size != now.files[i].size || !f.modified.Equal(now.files[i].modified) || since.taken.Sub(f.modified) < settled {
			return true
		}
	}
	return false
}
