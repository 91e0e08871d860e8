package mail

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRetention(t *testing.T) {
	now := time.Date(2026, 11, 24, 2, 0, 0, 0, time.UTC)
	m := boxed(t, Config{Now: func() time.Time { return now }})
	t.Run("11-retention-mailbox", func(t *testing.T) {
		const keep = 90 * 24 * time.Hour
		require.NoError(t, m.Purge(keep), "there is no folder yet")
		send(t, m, "1042", hello)
		now = now.Add(24 * time.Hour)
		send(t, m, "1042", hello)
		other := filepath.Join(m.box.dir, "notes.json")
		require.NoError(t, os.WriteFile(other, nil, 0o600))
		left := func() int {
			t.Helper()
			require.NoError(t, m.Purge(keep))
			list, err := m.List(t.Context())
			require.NoError(t, err)
			return len(list)
		}
		now = now.Add(keep - 24*time.Hour - time.Second)
		require.Equal(t, 2, left())
		now = now.Add(2 * time.Second)
		require.Equal(t, 1, left())
		now = now.Add(24 * time.Hour)
		require.Zero(t, left())
		require.FileExists(t, other, "only mails are deleted")
	})
}
