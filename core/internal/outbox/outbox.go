// Package outbox carries what modules queued in their transactions to where it must go: events to the modules that handle them
// and, signed, to the webhooks of back offices; change requests to the ledger; mails to the mail server. Everything is delivered
// at least once, in no promised order, one delivery per subscriber; what fails is tried again with back-off and ends up as a dead
// letter that staff can replay.
package outbox

import (
	"context"
	"embed"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/clock"
	"github.com/wattle-portal/wattle/core/internal/masterkey"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
)

//go:embed migrations
var migrations embed.FS

// Migrations makes the tables of this package.
var Migrations = store.Migrations{Name: "outbox", FS: migrations}

// Row is a row of a module's outbox.
type Row = store.Row

// Subscriber is a module that handles a type of event.
type Subscriber struct {
	Module string
	Handle func(context.Context, module.Event) error
}

// Subscriptions knows who handles what; the registry does.
type Subscriptions interface {
	Handlers(eventType string) []Subscriber
}

// ScopeFor gives the system scope of a label, with the settings of a module; false when the label is not there or lacks the
// module. For the module "core" it is false only when the label is not there.
type ScopeFor func(labelKey, moduleKey string) (context.Context, bool)

// MailSink sends one mail. Any error is tried again.
type MailSink func(ctx context.Context, labelKey string, m module.Mail) error

// Ledger takes over change requests in the relay's transaction. It is idempotent and does not mind the order.
type Ledger interface {
	Apply(ctx context.Context, tx bun.IDB, moduleKey string, c module.Change) error
}

// Deps is what an Outbox needs.
type Deps struct {
	Store         *store.Store
	Clock         *clock.Clock
	Log           *slog.Logger
	Subscriptions Subscriptions
	ScopeFor      ScopeFor
	Mail          MailSink
	Ledger        Ledger
	Key           *masterkey.Key // seals the secrets of webhooks
	// Web calls webhooks; it must refuse private addresses.
	Web *http.Client
	// PlainWebhooks allows http:// addresses of webhooks: demo and tests.
	PlainWebhooks bool
}

// Outbox relays and delivers.
type Outbox struct {
	Deps
	wake  chan struct{}
	lanes sync.Map      // subscriber -> it is being served
	first sync.Once     // leases of a process that died are taken back
	lease time.Duration // how long a worker may keep a delivery
}

// New makes an Outbox; Run makes it work.
func New(d Deps) *Outbox {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Outbox{Deps: d, wake: make(chan struct{}, 1), lease: handling + 15*time.Second}
}

// Wake makes Run look at once. It never blocks.
func (o *Outbox) Wake() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

const (
	poll     = time.Second      // for what became due or was queued by another process
	handling = 30 * time.Second // for one delivery
	farewell = 10 * time.Second // for the deliveries under way when Run ends
)

// Run relays and delivers until ctx ends: on Wake, and every second for what is due or was written by another process. Every
// subscriber has a lane of its own, so that a slow one holds up no other. Run returns after the deliveries that were under way;
// those that take longer than ten seconds more are cancelled, and made again later.
func (o *Outbox) Run(ctx context.Context) error {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(farewell, cancel) })()
	var lanes sync.WaitGroup
	defer lanes.Wait()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		if _, err := o.relayAll(ctx); err != nil && ctx.Err() == nil {
			o.Log.Error("outbox: relay", "error", err)
		}
		due, err := o.due(ctx)
		if err != nil && ctx.Err() == nil {
			o.Log.Error("outbox: looking for what is due", "error", err)
		}
		for _, subscriber := range due {
			if _, busy := o.lanes.LoadOrStore(subscriber, true); busy {
				continue
			}
			lanes.Go(func() {
				n, err := o.serve(ctx, work, subscriber)
				o.lanes.Delete(subscriber)
				if err != nil && ctx.Err() == nil {
					o.Log.Error("outbox: deliver", "subscriber", subscriber, "error", err)
				}
				if n > 0 {
					o.Wake() // for what came in while the lane ended
				}
			})
		}
		select {
		case <-ctx.Done():
			return nil
		case <-o.wake:
		case <-tick.C:
		}
	}
}

// Work does all that is due now, also what follows from it, and returns when nothing is left, or when ctx ends.
func (o *Outbox) Work(ctx context.Context) error {
	for {
		moved, err := o.relayAll(ctx)
		if err != nil {
			return err
		}
		due, err := o.due(ctx)
		if err != nil {
			return err
		}
		if len(due) == 0 && !moved {
			return nil
		}
		served := 0
		for _, subscriber := range due {
			n, err := o.serve(ctx, ctx, subscriber)
			if err != nil {
				return err
			}
			served += n
		}
		if !moved && served == 0 { // others have them
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
}

func (o *Outbox) now() time.Time { return o.Clock.Now().Truncate(time.Microsecond) }
