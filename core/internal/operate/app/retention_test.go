package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/value"
)

// A portal applies the retention periods of its configuration, and cleans its data folder when it starts.
func TestRetention(t *testing.T) {
	t.Parallel()
	t.Run("11-retention-settings,11-retention-job", func(t *testing.T) {
		keep := config.DefaultKeep()
		keep.Messages, keep.DeadLetters, keep.Mailbox, keep.Logs = 40, 50, 3, 4
		keep.Sessions, keep.Impersonations, keep.Tokens = 5, 6, 7
		a := apptest.New(t, apptest.Options{Config: config.Config{Keep: keep, Plugins: plugins(t)}})
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
		logged := filepath.Join(a.Config.Data, "plugin-logs", "gone.log")
		require.NoError(t, os.MkdirAll(filepath.Dir(logged), 0o700))
		line := func(age time.Duration, text string) string { // according to the clock of the machine
			return fmt.Sprintf(`{"time":%q,"level":"INFO","msg":%q}`+"\n", time.Now().Add(-age).UTC().Format(time.RFC3339), text)
		}
		require.NoError(t, os.WriteFile(logged, []byte(line(5*day, "old")+line(3*day, "young")), 0o600))
		s := apptest.Serve(t, a)
		require.Eventually(t, func() bool {
			_, err := os.Stat(old)
			text, _ := os.ReadFile(logged)
			return os.IsNotExist(err) && !strings.Contains(string(text), "old")
		}, patience, 10*time.Millisecond)
		require.FileExists(t, young)
		text, err := os.ReadFile(logged)
		require.NoError(t, err)
		require.Contains(t, string(text), "young")

		s.Customer("alpha", "r1")
		one := func(query string) (n int) {
			require.NoError(t, a.Store.Read().NewRaw(query).Scan(t.Context(), &n))
			return n
		}
		require.Equal(t, 5, one("SELECT CAST(round(julianday(ends_at) - julianday(created_at)) AS integer) FROM identity_sessions LIMIT 1"))
		for table, row := range map[string]string{
			"identity_impersonations": "(label_key, hash, expires_at, id, account_id, actor_id, tool, key_name, created_at) VALUES ('alpha', ?1, ?0, ?1, 'a', 'b', false, '', ?0)",
			"token_tokens":            "(label_key, hash, module, purpose, key, data, expires_at) VALUES ('alpha', ?1, 'account', 'p', ?1, '{}', ?0)",
		} {
			kept := map[string]int{"identity_impersonations": keep.Impersonations, "token_tokens": keep.Tokens}[table]
			for _, days := range []int{kept - 1, kept + 1} {
				_, err := a.Store.DB().NewRaw("INSERT INTO "+table+" "+row, a.Clock.Now().AddDate(0, 0, -days), fmt.Sprint(days)).Exec(t.Context())
				require.NoError(t, err)
			}
			require.NoError(t, a.Jobs.RunDue(t.Context()))
			require.Equal(t, kept-1, one("SELECT CAST(max(hash) AS integer) FROM "+table), table)
			require.Equal(t, 1, one("SELECT count(*) FROM "+table), table)
		}
	})
}
