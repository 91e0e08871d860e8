package outbox

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

var acme = module.Manifest{Key: "acme", Changes: []string{"acme.phone"}}

// world is an outbox whose dependencies are fakes.
type world struct {
	*Outbox
	t     testing.TB
	db    module.DB
	clock *clock.Clock

	mu       sync.Mutex
	handlers map[string][]Subscriber
	off      map[string]bool // label key + module key: the label does not have the module
	mails    []module.Mail
	mailIDs  []string // ids of all attempts
	onMail   func()   // nil: nothing
	mailErr  error
	queue    map[string]module.Change
}

func (w *world) Handlers(_, t string) []Subscriber {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.handlers[t]
}

func (w *world) Apply(_ context.Context, _ bun.IDB, _ string, c module.Change) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if old, exists := w.queue[c.ID]; !exists || old.State == module.Pending {
		w.queue[c.ID] = c
	}
	return nil
}

func newWorld(t testing.TB, s *store.Store) *world {
	t.Helper()
	w := &world{t: t, clock: &clock.Clock{}, handlers: map[string][]Subscriber{}, off: map[string]bool{}, queue: map[string]module.Change{}}
	w.clock.Set(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	if err := s.Migrate(context.Background(), Migrations); err != nil {
		t.Fatal(err)
	}
	key, err := masterkey.Load(strings.Repeat("outbox ", 5), "")
	if err != nil {
		t.Fatal(err)
	}
	w.Outbox = New(Deps{Store: s, Key: key, Clock: w.clock, Subscriptions: w, Changes: w,
		ScopeFor: func(l, m string) (context.Context, bool) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return scope.With(context.Background(), scope.Scope{Label: l, Role: scope.RoleSystem, Caller: m}, nil), !w.off[l+m]
		},
		Mail: func(_ context.Context, _, id string, m module.Mail) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.mailErr == nil {
				w.mails = append(w.mails, m)
			}
			w.mailIDs = append(w.mailIDs, id)
			if w.onMail != nil {
				w.onMail()
			}
			return w.mailErr
		}})
	if err := s.MigrateModule(context.Background(), acme); err != nil {
		t.Fatal(err)
	}
	w.db = s.Module(acme, w.clock, w.Wake)
	return w
}

func (w *world) on(eventType, subscriber string, f func(context.Context, module.Event) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.handlers[eventType] = append(w.handlers[eventType], Subscriber{subscriber, f})
}

func (w *world) tx(f func(context.Context, module.Tx) error) {
	w.t.Helper()
	if err := w.db.Tx(scope.With(context.Background(), scope.Scope{Label: "a", Relation: "r1", Locale: "nl"}, nil), f); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) publish(e module.Event) {
	w.t.Helper()
	w.tx(func(ctx context.Context, tx module.Tx) error { return tx.Publish(ctx, e) })
}

func (w *world) work() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := w.DeliverDue(ctx); err != nil {
		w.t.Fatal(err)
	}
}

// deliveries returns the deliveries in a state, with the label in scope.
func (w *world) deliveries(state string) []Delivery {
	w.t.Helper()
	in := &deliveriesInput{State: state}
	in.Limit = 200
	out, err := w.listDeliveries(scope.With(context.Background(), scope.Scope{Label: "a"}, nil), in)
	if err != nil {
		w.t.Fatal(err)
	}
	return out.Body.Items
}

func each(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) { f(t, newWorld(t, s)) })
}
