package app_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/portaltest"
)

// Two portals that share a database behind PgBouncer in transaction mode start, migrate, sign people in, and read each other's writes.
func TestPortalsBehindAPooler(t *testing.T) {
	c := storetest.PooledConfig(t)
	one := apptest.Serve(t, apptest.New(t, apptest.Options{Store: &c}))
	two := apptest.Serve(t, apptest.New(t, apptest.Options{Store: &c}))
	t.Run("11-database-pooler", func(t *testing.T) {
		p, q := portaltest.Of(t, one.App), portaltest.Of(t, two.App)
		customer := q.Customer("alpha", "r1") // its clock was set later, so a token from p would be issued in the future
		for _, at := range []*portaltest.Portal{p, q} {
			for range 20 {
				a := at.As("alpha", customer.Bearer).Do(http.MethodGet, "/auth/sessions", nil)
				require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			}
			ready := at.Do(portaltest.Call{Path: "//readyz"})
			assert.Equal(t, http.StatusOK, ready.Status, string(ready.Body))
		}
	})
}
