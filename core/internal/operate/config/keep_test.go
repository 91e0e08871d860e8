package config

import (
	"fmt"
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
		var args []string
		for i, f := range c.Keep.flags() {
			least, last := 1, 36525
			if f.name == "keep-messages-days" {
				least = 30 // a plugin may resend a row for that long
			}
			for _, invalid := range []int{-1, 0, least - 1, last + 1} {
				_, err := parse(t, nil, fmt.Sprintf("--%s=%d", f.name, invalid))
				require.ErrorContains(t, err, fmt.Sprintf("%s: must be a number of days from %d to %d, and is %d", f.name, least, last, invalid))
			}
			for _, right := range []int{least, last} {
				_, err := parse(t, nil, fmt.Sprintf("--%s=%d", f.name, right))
				require.NoError(t, err)
			}
			args = append(args, fmt.Sprintf("--%s=%d", f.name, 101+i))
		}
		c, err = parse(t, nil, args...)
		require.NoError(t, err)
		require.Equal(t, Keep{Sessions: 101, Impersonations: 102, Tokens: 103, Messages: 104, DeadLetters: 105, Mailbox: 106, Logs: 107}, c.Keep)
	})
}
