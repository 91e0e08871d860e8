package module

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
	"github.com/uptrace/bun/schema"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/handle"
	"github.com/wattle-portal/wattle/core/problem"
)

// Rows selects the rows that a call may read and write. Every query of a module starts with Rows from Mine or Label.
type Rows struct{ label, relation string }

// Mine returns the rows of the call's label and relation (6-customer-own-data, 6-customer-own-data-status). It returns a 403 for a
// call without a relation.
func Mine(ctx context.Context) (Rows, error) {
	s := scope.Of(ctx)
	if s.Label == "" || s.Relation == "" {
		return Rows{}, problem.Fail(403, problem.CodeNoRelation)
	}
	return Rows{s.Label, s.Relation}, nil
}

// Label returns the rows of the call's label. The reason is a string literal that says why the query needs rows of other relations, or that
// the table has no relations. The test TestLabelWide in core/internal/testing/arch lists all reasons.
func Label(ctx context.Context, reason string) Rows {
	s := scope.Of(ctx)
	if s.Label == "" {
		panic("module: a query without a label: " + reason)
	}
	return Rows{label: s.Label}
}

// Key returns the label_key of the rows.
func (r Rows) Key() string { return r.label }

// Relation returns the relation_id of the rows; empty for the rows of a whole label.
func (r Rows) Relation() string { return r.relation }

// Select returns a query on the table of model, a pointer to a bun model or to a slice of one. The table must have a label_key column and,
// for Mine, a relation_id column. A joined table needs a condition on its own label_key.
func (r Rows) Select(q Querier, model any) *bun.SelectQuery {
	return handle.DB(q.Handle()).NewSelect().Model(model).ApplyQueryBuilder(r.narrow)
}

// SelectForUpdate is like Select, and locks the selected rows until the transaction ends. SQLite has one writer and needs no row locks.
func (r Rows) SelectForUpdate(tx Tx, model any) *bun.SelectQuery {
	q := r.Select(tx, model)
	if q.Dialect().Name() == dialect.PG {
		q = q.For("UPDATE")
	}
	return q
}

// Update returns a query that updates rows of the table of model.
func (r Rows) Update(tx Tx, model any) *bun.UpdateQuery {
	return handle.DB(tx.Handle()).NewUpdate().Model(model).ApplyQueryBuilder(r.narrow)
}

// Delete returns a query that deletes rows of the table of model.
func (r Rows) Delete(tx Tx, model any) *bun.DeleteQuery {
	return handle.DB(tx.Handle()).NewDelete().Model(model).ApplyQueryBuilder(r.narrow)
}

// Insert returns a query that inserts model, a pointer to a bun model or to a slice of them. The query fails if a row belongs to another
// label or, with Mine, to another relation.
func (r Rows) Insert(tx Tx, model any) *bun.InsertQuery { return r.insert(tx, model) }

func (r Rows) insert(q Querier, model any) *bun.InsertQuery {
	db := handle.DB(q.Handle())
	insert := db.NewInsert().Model(model)
	if err := r.owns(db.Dialect().Tables(), reflect.ValueOf(model)); err != nil {
		insert = insert.Err(err)
	}
	return insert
}

// Raw returns a query in SQL. The label and, with Mine, the relation are its first arguments: the SQL refers to them as ?0 and ?1, or
// starts its conditions with label_key = ? AND relation_id = ?.
func (r Rows) Raw(q Querier, query string, args ...any) *bun.RawQuery {
	all := make([]any, 0, 2+len(args))
	all = append(all, r.label)
	if r.relation != "" {
		all = append(all, r.relation)
	}
	raw := handle.DB(q.Handle()).NewRaw(query, append(all, args...)...)
	if r.label == "" {
		raw = raw.Err(errNoRows)
	}
	return raw
}

// Insertion is an encoded insert; see PrepareInsert.
type Insertion struct{ text string }

// PrepareInsert encodes an insert before its transaction starts, because encoding many rows takes time, and during a transaction nothing
// else can write to SQLite. extend adds clauses after the values; it may be nil.
func (r Rows) PrepareInsert(db DB, model any, extend func(*bun.InsertQuery)) (Insertion, error) {
	insert := r.insert(db, model)
	if extend != nil {
		extend(insert)
	}
	text, err := insert.AppendQuery(insert.DB().QueryGen(), nil)
	if err != nil {
		return Insertion{}, fmt.Errorf("module: an insert: %w", err)
	}
	return Insertion{string(text)}, nil
}

// Exec runs the insert.
func (i Insertion) Exec(ctx context.Context, tx Tx) (sql.Result, error) {
	return handle.DB(tx.Handle()).ExecContext(ctx, i.text)
}

// SelectFrom returns a query that selects from the result of q, a query of Rows, as a table with the given name.
func SelectFrom(q *bun.SelectQuery, name string) *bun.SelectQuery {
	return q.NewSelect().TableExpr("(?) AS ?", q, bun.Ident(name))
}

// Each calls f with every row of a query, without keeping the rows in memory. The row is reused: f must not keep a pointer to it.
func Each[T any](ctx context.Context, q *bun.SelectQuery, f func(*T) error) error {
	rows, err := q.Rows(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for row := new(T); rows.Next(); *row = *new(T) {
		if err := q.DB().ScanRow(ctx, rows, row); err != nil {
			return err
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

var errNoRows = errors.New("module: a query with the zero Rows; use Mine or Label")

func (r Rows) narrow(q bun.QueryBuilder) bun.QueryBuilder {
	q = q.Where("?TableAlias.label_key = ?", r.label)
	if r.relation != "" {
		q = q.Where("?TableAlias.relation_id = ?", r.relation)
	}
	return q
}

// owns returns an error for a model whose label or relation differs from that of the rows.
func (r Rows) owns(tables *schema.Tables, model reflect.Value) error {
	if r.label == "" {
		return errNoRows
	}
	for model.Kind() == reflect.Pointer && !model.IsNil() {
		model = model.Elem()
	}
	switch model.Kind() {
	case reflect.Slice:
		for i := range model.Len() {
			if err := r.owns(tables, model.Index(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Struct:
	default:
		return fmt.Errorf("module: an insert of %s, which is neither a model nor a slice of models", model.Type())
	}
	table := tables.Get(model.Type())
	label, ok := table.FieldMap["label_key"]
	if !ok {
		return fmt.Errorf("module: %s has no column label_key", table.TypeName)
	}
	if got := label.Value(model).String(); got != r.label {
		return fmt.Errorf("module: a row of %s for label %q, inserted by label %q", table.Name, got, r.label)
	}
	if r.relation == "" {
		return nil
	}
	relation, ok := table.FieldMap["relation_id"]
	if !ok {
		return fmt.Errorf("module: %s has no column relation_id", table.TypeName)
	}
	if got := relation.Value(model).String(); got != r.relation {
		return fmt.Errorf("module: a row of %s for another relation than the call's", table.Name)
	}
	return nil
}
