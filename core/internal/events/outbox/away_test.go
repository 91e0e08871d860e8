package outbox

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

// The database goes away while a mail is sent, and comes back: that the mail was sent is stored then, so it is not sent again.
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
		<-time.After(w.lease) // nobody else has it any more
		w.clock.Advance(time.Hour)
		w.work()
		require.Len(t, w.mails, 1)
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
	})
}
