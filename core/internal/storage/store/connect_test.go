package store_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/storage/fault"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// A connection that is refused says why in one line.
func TestRefusedConnection(t *testing.T) {
	t.Run("11-database-password", func(t *testing.T) {
		for code, want := range map[string]string{
			"28P01": "wrong password for the user anna, or no such user",
			"28000": "the server refuses the user anna: no entry",
			"3D000": "no entry",
			"53300": "no entry (53300)",
		} {
			url := storetest.Refusing(t, code, "no entry")
			_, err := store.Open(t.Context(), store.Config{URL: url})
			require.EqualError(t, err, "store: "+store.Describe(url)+": "+want, code)
			assert.NotEqual(t, fault.None, fault.Of(err), "%s: the cause is kept", code)
		}
		_, err := store.Open(t.Context(), store.Config{URL: "postgres://anna:hunter2@127.0.0.1:1/wattle"})
		require.ErrorContains(t, err, "store: postgres 127.0.0.1:1/wattle: 127.0.0.1:1 (127.0.0.1): ")
		assert.Equal(t, 1, strings.Count(err.Error(), "connection refused"), "%s: the attempts with and without TLS fail alike", err)
		assert.NotContains(t, err.Error(), "\n")
		assert.NotContains(t, err.Error(), "hunter2")
	})
}
