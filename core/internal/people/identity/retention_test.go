package identity_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

const day = 24 * time.Hour

func TestRetention(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		w.deps.KeepSessions, w.deps.KeepImpersonations = 10*day, 20*day
		w.serve()
		w.account(identity.Account{Label: "1024", Username: "anna"}, strongPassword, false)
		w.account(identity.Account{Label: "1024", Username: "berta"}, strongPassword, false)
		rows := func(table string) int {
			t.Helper()
			require.NoError(t, w.Sweep(t.Context()))
			n, err := w.db.Read().NewSelect().TableExpr(table).Count(t.Context())
			require.NoError(t, err)
			return int(n)
		}
		t.Run("11-retention-sessions", func(t *testing.T) {
			used, left := w.browser("1024"), w.browser("1024")
			used.signIn("anna", strongPassword).ok(t)
			left.signIn("berta", strongPassword).ok(t)
			require.NoError(t, w.db.Tx(system(t.Context(), "1024"), func(ctx context.Context, tx store.Tx) error {
				_, err := tx.NewRaw("INSERT INTO identity_impersonations (label_key, hash, expires_at, id, account_id, actor_id, tool, created_at, key_name) VALUES ('1024', 'h', ?, 'i', 'a', 'b', ?, ?, '')",
					w.clock.Now(), false, w.clock.Now()).Exec(ctx)
				return err
			}))
			w.clock.Advance(9 * day)
			require.Equal(t, 2, rows("identity_sessions"))
			used.refresh().ok(t)
			w.clock.Advance(2 * day)
			left.refresh().want(t, 401, identity.CodeSessionExpired) // the session has ended before the job deletes it
			require.Equal(t, 1, rows("identity_sessions"), "the session that was used stays")
			used.refresh().ok(t)
			w.clock.Advance(8 * day) // 19 days after the impersonation
			require.Equal(t, 1, rows("identity_impersonations"))
			require.Equal(t, 1, rows("identity_sessions"))
			w.clock.Advance(2 * day)
			require.Zero(t, rows("identity_impersonations"))
			require.Zero(t, rows("identity_sessions"))
		})
	})
}
