// Package bun contains the parts of bun that the test needs.
package bun

import "context"

type BaseModel struct{}

type IDB interface {
	NewSelect() *SelectQuery
	NewRaw(query string, args ...any) *RawQuery
}

type DB struct{}

func (*DB) NewSelect() *SelectQuery { return nil }

type SelectQuery struct{}

func (q *SelectQuery) NewSelect() *SelectQuery            { return q }
func (q *SelectQuery) DB() *DB                            { return nil }
func (q *SelectQuery) Conn(any) *SelectQuery              { return q }
func (q *SelectQuery) Where(string, ...any) *SelectQuery  { return q }
func (q *SelectQuery) Scan(context.Context, ...any) error { return nil }

type RawQuery struct{}

func (q *RawQuery) Scan(context.Context, ...any) error { return nil }
