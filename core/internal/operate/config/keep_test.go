package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeep(t *testing.T) {
	t.Run("11-retention-settings", func(t *testing.T) {
		c, err := parse(t, map[string]string{"WATTLE_KEEP_TOKENS_DAYS": "7"}, "--keep-messages-days", "30")
		require.NoError(t, err)
		want := DefaultKeep()
		want.Tokens = 7
		require.Equal(t, want, c.Keep)
		for _, f := range c.Keep.flags() {
			for _, wrong := range []string{"0", "-1", "36526"} {
				_, err := parse(t, nil, "--"+f.name, wrong)
				require.ErrorContains(t, err, f.name)
				require.ErrorContains(t, err, "must be a number of days from")
			}
		}
		_, err = parse(t, nil, "--keep-messages-days", "29")
		require.ErrorContains(t, err, "from 30 to 36525, and is 29")
	})
}
