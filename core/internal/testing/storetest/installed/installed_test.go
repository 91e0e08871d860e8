package installed

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The last line that wattle modules test prints.
func TestEngines(t *testing.T) {
	t.Setenv(Env, "postgres://there")
	require.Equal(t, "The tests of Go ran on SQLite and on PostgreSQL.", Engines())
	t.Setenv(Env, "")
	t.Setenv("PATH", "")
	if _, err := Binaries(); err != nil {
		require.ErrorIs(t, err, ErrMissing)
		require.Contains(t, Engines(), "ran on SQLite only: PostgreSQL is not installed")
	} else {
		require.Equal(t, "The tests of Go ran on SQLite and on PostgreSQL.", Engines())
	}
}
