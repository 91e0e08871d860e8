package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// maxPrepared is the maximum number of prepared statements of a store. More are an error, because their text is probably not constant.
const maxPrepared = 500

// prepared contains the prepared statements of Find. database/sql prepares a statement on every connection that uses it.
type prepared struct {
	mu sync.RWMutex
	by map[statement]*sql.Stmt
}

type statement struct {
	model reflect.Type
	mine  bool // also restricted to a relation
	more  string
}

// Find implements module.DB.
func (d *moduleDB) Find(ctx context.Context, rows module.Rows, dest any, more string, args ...any) error {
	return d.store.find(ctx, rows, dest, more, args)
}

func (s *Store) find(ctx context.Context, narrow module.Rows, dest any, more string, args []any) error {
	model := reflect.TypeOf(dest)
	if model.Kind() != reflect.Pointer {
		return fmt.Errorf("store: find into %T, which is not a pointer", dest)
	}
	model = model.Elem()
	many := model.Kind() == reflect.Slice
	if many {
		model = model.Elem()
	}
	all := make([]any, 0, 2+len(args))
	all = append(all, narrow.Key())
	if narrow.Relation() != "" {
		all = append(all, narrow.Relation())
	}
	for _, a := range args {
		if at, ok := a.(time.Time); ok && s.engine == SQLite { // the format in which bun stores times
			a = at.UTC().Format("2006-01-02 15:04:05.999999-07:00")
		}
		all = append(all, a)
	}
	found, err := s.query(ctx, statement{model, narrow.Relation() != "", more}, all)
	if err != nil {
		return err
	}
	defer found.Close()
	if many {
		return s.read.ScanRows(ctx, found, dest)
	}
	if !found.Next() {
		if err := found.Err(); err != nil {
			return fmt.Errorf("store: find: %w", err)
		}
		return sql.ErrNoRows
	}
	if err := s.read.ScanRow(ctx, found, dest); err != nil {
		return fmt.Errorf("store: find: %w", err)
	}
	return found.Err()
}

// query runs the prepared statement. If the server has lost the statement (because of a pooler or a failover), or a migration of another
// process has made its plan outdated, query discards it and prepares it once more.
func (s *Store) query(ctx context.Context, what statement, args []any) (*sql.Rows, error) {
	if s.config.isPooled() { // the next statement may run in another session
		found, err := s.read.DB.QueryContext(ctx, s.text(what), args...)
		if err != nil {
			return nil, fmt.Errorf("store: find: %w", err)
		}
		return found, nil
	}
	for last := false; ; last = true {
		stmt, err := s.prepare(ctx, what)
		if err != nil {
			return nil, err
		}
		found, err := stmt.QueryContext(ctx, args...)
		if err == nil {
			return found, nil
		}
		if last || !isOutdated(err) {
			return nil, fmt.Errorf("store: find: %w", err)
		}
		s.discard(what, stmt)
	}
}

// isOutdated reports whether a prepared statement must be prepared again.
func isOutdated(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	// invalid_sql_statement_name, duplicate_prepared_statement, cached plan must not change result type
	return ok && (e.Code == "26000" || e.Code == "42P05" || e.Code == "0A000" && strings.Contains(e.Message, "cached plan"))
}

// discard closes a prepared statement on all connections. Rows that are still being read from it remain readable.
func (s *Store) discard(what statement, stmt *sql.Stmt) {
	p := &s.prepared
	p.mu.Lock()
	if p.by[what] == stmt {
		delete(p.by, what)
	}
	p.mu.Unlock()
	_ = stmt.Close() // closing may fail on a broken connection; the statement is prepared again anyway
}

// prepare returns the prepared statement. It prepares the statement at its first use.
func (s *Store) prepare(ctx context.Context, what statement) (*sql.Stmt, error) {
	p := &s.prepared
	p.mu.RLock()
	stmt, n := p.by[what], len(p.by)
	p.mu.RUnlock()
	if stmt != nil {
		return stmt, nil
	}
	if n >= maxPrepared {
		return nil, fmt.Errorf("store: %d statements are prepared: those of Find are not constants", maxPrepared)
	}
	if what.model.Kind() != reflect.Struct {
		return nil, fmt.Errorf("store: find into %s, which is not a model", what.model)
	}
	stmt, err := s.read.DB.PrepareContext(ctx, s.text(what)) // unlocked, so that a slow server does not block other calls
	if err != nil {
		return nil, fmt.Errorf("store: find: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if first := p.by[what]; first != nil {
		_ = stmt.Close()
		return first, nil
	}
	if p.by == nil {
		p.by = map[statement]*sql.Stmt{}
	}
	p.by[what] = stmt
	return stmt, nil
}

// text returns the SQL of a statement.
func (s *Store) text(what statement) string {
	text := selection(s.read, what)
	if s.engine == Postgres {
		text = numberPlaceholders(text)
	}
	return text
}

func selection(db *bun.DB, what statement) string {
	t := db.Table(what.model)
	columns := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		columns[i] = string(t.SQLAlias) + "." + string(f.SQLName)
	}
	text := "SELECT " + strings.Join(columns, ", ") + " FROM " + string(t.SQLNameForSelects) + " AS " + string(t.SQLAlias) +
		" WHERE " + string(t.SQLAlias) + ".label_key = ?"
	if what.mine {
		text += " AND " + string(t.SQLAlias) + ".relation_id = ?"
	}
	return text + " " + what.more
}

// numberPlaceholders replaces ? by $1, $2, … for PostgreSQL.
func numberPlaceholders(text string) string {
	var b strings.Builder
	n := 0
	for part := range strings.SplitSeq(text, "?") {
		if n > 0 {
			b.WriteString("$" + strconv.Itoa(n))
		}
		b.WriteString(part)
		n++
	}
	return b.String()
}
