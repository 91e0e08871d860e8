package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/value"
)

// A portal uses the retention of its configuration, and cleans its data folder when it starts.
func TestRetention(t *testing.T) {
	t.Parallel()
	t.Run("11-retention-settings,11-retention-job", func(t *testing.T) {
		keep := config.DefaultKeep()
		keep.Messages, keep.DeadLetters, keep.Mailbox = 40, 50, 3
		a := apptest.New(t, apptest.Options{Config: config.Config{Keep: keep}})
		day := 24 * time.Hour
		assert.Equal(t, 40*day, a.Outbox.KeepMessages)
		assert.Equal(t, 50*day, a.Outbox.KeepDead)
		box := filepath.Join(a.Config.Data, "mailbox")
		require.NoError(t, os.MkdirAll(box, 0o700))
		mail := func(age time.Duration) string {
			name := filepath.Join(box, fmt.Sprintf("%016d-%s.json", apptest.Now.Add(-age).UnixMicro(), value.NewID()))
			require.NoError(t, os.WriteFile(name, []byte("{}"), 0o600))
			return name
		}
		young, old := mail(2*day), mail(4*day)
		apptest.Serve(t, a)
		require.Eventually(t, func() bool {
			_, err := os.Stat(old)
			return os.IsNotExist(err)
		}, patience, 10*time.Millisecond)
		require.FileExists(t, young)
	})
}
