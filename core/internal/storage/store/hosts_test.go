package store_test

import (
	"net/url"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// An address may name several servers, of which the one that takes writes is used, also by what only reads.
func TestSeveralServers(t *testing.T) {
	t.Run("11-cluster-hosts", func(t *testing.T) {
		c := storetest.PostgresConfig(t)
		for _, role := range []string{"read-write", "primary"} {
			u, err := url.Parse(c.URL)
			require.NoError(t, err)
			q := u.Query()
			q.Set("host", filepath.Join(t.TempDir(), "gone")+","+q.Get("host"))
			q.Set("target_session_attrs", role)
			u.RawQuery = q.Encode()
			several := c
			several.URL = u.String()
			s := storetest.Open(t, several)
			require.NoError(t, s.Ping(t.Context()), role)
			_, err = s.Read().ExecContext(t.Context(), "CREATE TABLE x (a integer)")
			assert.ErrorContains(t, err, "read-only", role)
			_, err = s.DB().ExecContext(t.Context(), "CREATE TABLE IF NOT EXISTS y (a integer)")
			assert.NoError(t, err, role)
		}
	})
}
