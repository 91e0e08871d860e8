package outbox

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

// BenchmarkDeliveries relays and delivers 2,000 events of one label or of 100 labels, with a handler that returns at once or stores that it
// was called.
func BenchmarkDeliveries(b *testing.B) {
	const events = 2000
	for engine, config := range map[string]func() store.Config{
		"sqlite":   func() store.Config { c := storetest.SQLiteConfig(b); c.Unsafe = false; return c },
		"postgres": func() store.Config { return storetest.DurablePostgresConfig(b) },
	} {
		for _, labels := range []int{1, 100} {
			for _, writes := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/labels=%d/writes=%v", engine, labels, writes), func(b *testing.B) {
					w := newWorld(b, storetest.Open(b, config()))
					w.on("acme.made", "billing", func(ctx context.Context, e module.Event) error {
						if !writes {
							return nil
						}
						return w.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
							_, err := tx.Once(ctx, e)
							return err
						})
					})
					for b.Loop() {
						b.StopTimer()
						for l := range labels {
							ctx := scope.With(context.Background(), scope.Scope{Label: fmt.Sprint("l", l)}, nil)
							if err := w.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
								for range events / labels {
									if err := tx.Publish(ctx, module.Event{Type: "acme.made"}); err != nil {
										return err
									}
								}
								return nil
							}); err != nil {
								b.Fatal(err)
							}
						}
						b.StartTimer()
						ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
						if err := w.DeliverDue(ctx); err != nil {
							b.Fatal(err)
						}
						cancel()
					}
					b.ReportMetric(events*float64(b.N)/b.Elapsed().Seconds(), "events/s")
				})
			}
		}
	}
}

// BenchmarkCode measures how long an email with a code takes in one label while 600 emails of another label wait for a server that needs
// 200 ms for each.
func BenchmarkCode(b *testing.B) {
	w := newWorld(b, storetest.Open(b, storetest.SQLiteConfig(b)))
	sent := make(chan struct{}, 1)
	w.Outbox.Mail = func(_ context.Context, _, _ string, m module.Mail) error {
		time.Sleep(200 * time.Millisecond)
		if m.Security {
			sent <- struct{}{}
		}
		return nil
	}
	queue := func(label string, n int, security bool) {
		ctx := scope.With(context.Background(), scope.Scope{Label: label}, nil)
		if err := w.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
			for i := range n {
				if err := tx.Mail(ctx, module.Mail{To: fmt.Sprint(i, "@b.example"), Subject: "Hoi", Security: security}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	queue("a", 600, false)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	for b.Loop() {
		queue("b", 1, true)
		<-sent
	}
	stop()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
}
