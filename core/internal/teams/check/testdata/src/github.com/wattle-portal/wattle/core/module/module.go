// Package module contains the parts of core/module that the test needs.
package module

import (
	"context"

	"github.com/uptrace/bun"
)

type Rows struct{}

func Mine(context.Context) (Rows, error)           { return Rows{}, nil }
func Label(context.Context, string) Rows           { return Rows{} }
func (Rows) Select(any, any) *bun.SelectQuery      { return nil }
func (Rows) Raw(any, string, ...any) *bun.RawQuery { return nil }
