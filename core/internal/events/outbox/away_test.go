package outbox

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

// The database is unreachable for a moment while an email is sent. The result is stored when the database is back, so the email is not sent
// again.
func TestDatabaseAwayAfterAMail(t *testing.T) {
	t.Run("11-cluster-mail-once", func(t *testing.T) {
		c, proxy := storetest.FaultyPostgres(t)
		w := newWorld(t, storetest.Open(t, c))
		w.lease = 4 * time.Second
		w.onMail = func() {
			proxy.Refuse("57P03") // the server is starting up
			time.AfterFunc(time.Second, func() { proxy.Refuse("") })
		}
		w.tx(func(ctx context.Context, tx module.Tx) error {
			return tx.Mail(ctx, module.Mail{To: "a@b.example", Subject: "Hoi"})
		})
		w.work()
		w.onMail = nil
		<-time.After(w.lease) // waits until the lease has expired
		w.clock.Advance(time.Hour)
		w.work()
		require.Len(t, w.mails, 1)
	})
	t.Run("9-database-unavailable", func(t *testing.T) {
		for code, retried := range map[string]bool{"08006": true, "57P03": true, "53300": true, "53100": true, "25006": true, "55P03": true,
			"23505": false} { // the last code is a duplicate key, which a later attempt cannot fix
			w := newWorld(t, storetest.SQLite(t))
			var failure error = &pgconn.PgError{Code: code}
			w.on("acme.made", "billing", func(context.Context, module.Event) error { return failure })
			w.publish(module.Event{Type: "acme.made"})
			w.work()
			want := map[bool][]int{true: {1, 0}, false: {0, 1}}[retried]
			require.Equal(t, want, []int{len(w.deliveries(waiting)), len(w.deliveries(dead))}, code)
			failure = nil // the database is back
			w.clock.Advance(time.Hour)
			w.work()
			require.Equal(t, want, []int{len(w.deliveries(done)), len(w.deliveries(dead))}, code)
		}
	})
	t.Run("11-cluster-mail-id", func(t *testing.T) {
		w := newWorld(t, storetest.SQLite(t))
		w.mailErr = context.DeadlineExceeded
		w.tx(func(ctx context.Context, tx module.Tx) error {
			return tx.Mail(ctx, module.Mail{To: "a@b.example", Subject: "Hoi"})
		})
		w.work()
		w.mailErr = nil
		w.clock.Advance(time.Hour)
		w.work()
		require.Len(t, w.mailIDs, 2)
		require.NotEmpty(t, w.mailIDs[0])
		require.Equal(t, w.mailIDs[0], w.mailIDs[1], "a repeated mail is recognized by it")
		w.tx(func(ctx context.Context, tx module.Tx) error {
			return tx.Mail(ctx, module.Mail{To: "a@b.example", Subject: "Hoi"})
		})
		w.work()
		require.Len(t, w.mailIDs, 3)
		require.NotEqual(t, w.mailIDs[0], w.mailIDs[2], "another mail with the same text")
	})
}
