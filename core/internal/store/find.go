package store

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// maxPrepared bounds how many statements a store keeps prepared. More of them than that are not constants, and an error.
const maxPrepared = 500

// prepared are the statements of Find, by what they are made of. database/sql prepares each on every connection that needs it.
type prepared struct {
	mu sync.RWMutex
	by map[statement]*sql.Stmt
}

type statement struct {
	model reflect.Type
	mine  bool // narrowed to a relation too
	more  string
}

// Find implements module.DB.
func (d *moduleDB) Find(ctx context.Context, rows module.Rows, dest any, more string, args ...any) error {
	return d.store.find(ctx, rows, dest, more, args)
}

func (s *Store) find(ctx context.Context, narrow module.Rows, dest any, more string, args []any) error {
	model := reflect.TypeOf(dest)
	if model.Kind() != reflect.Pointer {
		return fmt.Errorf("store: find into %T, which is no pointer", dest)
	}
	model = model.Elem()
	many := model.Kind() == reflect.Slice
	if many {
		model = model.Elem()
	}
	stmt, err := s.prepare(ctx, statement{model, narrow.Relation() != "", more})
	if err != nil {
		return err
	}
	all := make([]any, 0, 2+len(args))
	all = append(all, narrow.Key())
	if narrow.Relation() != "" {
		all = append(all, narrow.Relation())
	}
	for _, a := range args {
		if at, ok := a.(time.Time); ok && s.engine == SQLite { // as bun writes it
			a = at.UTC().Format("2006-01-02 15:04:05.999999-07:00")
		}
		all = append(all, a)
	}
	found, err := stmt.QueryContext(ctx, all...)
	if err != nil {
		return fmt.Errorf("store: find: %w", err)
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

// prepare gives the prepared statement, made at its first use.
func (s *Store) prepare(ctx context.Context, what statement) (*sql.Stmt, error) {
	p := &s.prepared
	p.mu.RLock()
	stmt := p.by[what]
	p.mu.RUnlock()
	if stmt != nil {
		return stmt, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if stmt := p.by[what]; stmt != nil {
		return stmt, nil
	}
	if len(p.by) == maxPrepared {
		return nil, fmt.Errorf("store: %d statements are prepared: those of Find are not constants", maxPrepared)
	}
	if what.model.Kind() != reflect.Struct {
		return nil, fmt.Errorf("store: find into %s, which is no model", what.model)
	}
	text := selection(s.read, what)
	if s.engine == Postgres {
		text = numbered(text)
	}
	stmt, err := s.read.DB.PrepareContext(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("store: find: %w", err)
	}
	if p.by == nil {
		p.by = map[statement]*sql.Stmt{}
	}
	p.by[what] = stmt
	return stmt, nil
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

// numbered writes ? as $1, $2, … for PostgreSQL.
func numbered(text string) string {
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
