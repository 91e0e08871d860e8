package moduletest

import (
	"testing"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// EachEngine runs f on both databases, as subtests "sqlite" and "postgres", with options for Open that have an empty database.
// PostgreSQL is a private cluster; when its programs are not installed, that subtest is skipped, as in core's own tests.
func EachEngine(t *testing.T, o Options, f func(*testing.T, Options)) {
	t.Helper()
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		o := o
		o.Data, o.Database = c.Dir, c.URL
		f(t, o)
	})
}
