// Package outbox delivers the messages that modules queued in their transactions: events to the modules that handle them and, signed, to
// the webhooks of back offices; change requests to their queue; emails to the mail server. Each subscriber gets its own delivery, at least
// once and in no guaranteed order. A failed delivery is retried with back-off and finally becomes a dead letter that staff can replay.
package outbox

import (
	"context"
	"embed"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

//go:embed migrations
var migrations embed.FS

// Migrations creates the tables of this package.
var Migrations = store.Migrations{Name: "outbox", FS: migrations}

// Row is a row of a module's outbox.
type Row = store.Row

// Subscriber is a module that handles an event type.
type Subscriber struct {
	Module string
	Handle func(context.Context, module.Event) error
}

// Subscriptions returns the modules that handle an event type in a label; each module is included once, in one version.
type Subscriptions interface {
	Handlers(labelKey, eventType string) []Subscriber
}

// ScopeFor returns the system scope of a label with the settings of a module, and false when the label does not exist or does not have the
// module. For the module "core" it returns false only when the label does not exist.
type ScopeFor func(labelKey, moduleKey string) (context.Context, bool)

// MailSink sends one email. Every error is retried, with the same id.
type MailSink func(ctx context.Context, labelKey, id string, m module.Mail) error

// ChangeQueue stores change requests in the relay's transaction. It is idempotent and accepts them in any order.
type ChangeQueue interface {
	Apply(ctx context.Context, tx bun.IDB, moduleKey string, c module.Change) error
}

// Deps contains the dependencies of an Outbox.
type Deps struct {
	Store         *store.Store
	Clock         *clock.Clock
	Log           *slog.Logger
	Subscriptions Subscriptions
	ScopeFor      ScopeFor
	Mail          MailSink
	Changes       ChangeQueue
	Key           *masterkey.Key // seals the secrets of webhooks
	// Web sends webhooks. It must refuse private addresses.
	Web *http.Client
	// PlainWebhooks allows webhooks with http:// URLs, for demos and tests.
	PlainWebhooks bool
	// KeepMessages is how long delivered messages are stored (0: 30 days). KeepDead is how long dead letters are stored (0: a year).
	KeepMessages, KeepDead time.Duration
}

// Outbox relays and delivers queued messages.
type Outbox struct {
	Deps
	wake          chan struct{}
	reclaimOnce   sync.Once     // releases the leases of a process that died
	lease         time.Duration // how long a worker may keep a delivery
	finishTimeout time.Duration // limits an attempt to store the results of deliveries
	quickAttempt  time.Duration

	mu    sync.Mutex
	lanes map[string]*lane // running lanes of Run, by subscriber
}

// New returns an Outbox; Run starts its work.
func New(d Deps) *Outbox {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Outbox{Deps: d, wake: make(chan struct{}, 1), lease: handlingTimeout + 15*time.Second, finishTimeout: finishTimeout,
		quickAttempt: quickAttempt, lanes: map[string]*lane{}}
}

// Wake makes Run check for work at once. It never blocks.
func (o *Outbox) Wake() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

const (
	pollInterval    = time.Second      // interval between checks for deliveries that have become due or that another process queued
	handlingTimeout = 30 * time.Second // limits one delivery
	shutdownTimeout = 10 * time.Second // limits the deliveries that are in progress when Run ends
)

// Run relays and delivers until ctx ends. It runs after Wake and, for rows that became due or were written by another process, every
// second. Every subscriber has its own lane, in which labels take turns, so that no subscriber and no label delays another. At its end Run
// waits for current deliveries for at most shutdownTimeout, then cancels them; they are retried later.
func (o *Outbox) Run(ctx context.Context) error {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(shutdownTimeout, cancel) })()
	var running sync.WaitGroup
	defer running.Wait()
	relayed := make(chan struct{}, 1)
	running.Go(func() { o.relayLoop(ctx, relayed) })
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		began := time.Now()
		due, err := o.due(ctx)
		if err != nil && ctx.Err() == nil {
			o.Log.Error("outbox: looking for what is due", "error", err)
		}
		for subscriber, labels := range bySubscriber(due) {
			o.offer(subscriber, labels, func(l *lane) {
				running.Go(func() {
					if _, err := l.run(ctx, work); err != nil && ctx.Err() == nil {
						o.Log.Error("outbox: deliver", "subscriber", subscriber, "error", err)
					}
				})
			})
		}
		// The query reads everything that is due. With a long queue it takes at most a fifth of the time.
		if pause := time.NewTimer(min(4*time.Since(began), pollInterval)); !waitFor(ctx, pause.C, nil) || !waitFor(ctx, tick.C, relayed) {
			return nil
		}
	}
}

// waitFor returns true after a tick or a signal, and false when ctx ends.
func waitFor(ctx context.Context, tick <-chan time.Time, signal <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-tick:
	case <-signal:
	}
	return true
}

// relayLoop relays after Wake and every second. It relays a batch of each module in turn, and sends to relayed after each round.
func (o *Outbox) relayLoop(ctx context.Context, relayed chan<- struct{}) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		moved, err := o.relayAll(ctx)
		if err != nil && ctx.Err() == nil {
			o.Log.Error("outbox: relay", "error", err)
		}
		select {
		case relayed <- struct{}{}:
		default:
		}
		if moved && err == nil && ctx.Err() == nil {
			continue
		}
		if !waitFor(ctx, tick.C, o.wake) {
			return
		}
	}
}

// DeliverDue delivers everything that is due now, including messages that deliveries publish. It returns when nothing is left or when ctx
// ends.
func (o *Outbox) DeliverDue(ctx context.Context) error {
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
		served, free := 0, bySubscriber(due)
		for _, subscriber := range slices.Sorted(maps.Keys(free)) {
			n, err := o.newLane(subscriber, free[subscriber]).run(ctx, ctx)
			if err != nil {
				return err
			}
			served += n
		}
		if !moved && served == 0 { // other workers have claimed them
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
}

func (o *Outbox) now() time.Time { return o.Clock.Now().Truncate(time.Microsecond) }
