package moduletest

import (
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/handle"
	"github.com/wattle-portal/wattle/core/module"
)

// Raw returns the database handle of a module.DB or a module.Tx without a scope, for tests that prepare or inspect rows of any label. The
// handle of a DB is read-only.
func Raw(q module.Querier) bun.IDB { return handle.DB(q.Handle()) }
