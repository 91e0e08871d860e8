package outbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// States of a delivery.
const (
	waiting = "WAITING"
	done    = "DONE"
	dead    = "DEAD"
)

const (
	mailLane    = "mail"
	webhookLane = "webhook:" // before the webhook's id
	workers     = 4          // for each lane
	maxAttempts = 16         // about fifteen hours
	maxBackOff  = 6 * time.Hour
	maxError    = 500 // characters of an error that are stored

	finishInterval = 500 * time.Millisecond // between attempts to store how deliveries ended
)

type delivery struct {
	bun.BaseModel `bun:"table:outbox_deliveries,alias:d"`

	Label      string    `bun:"label_key,pk"`
	ID         string    `bun:"id,pk"`
	Module     string    `bun:"module"`
	MessageID  string    `bun:"message_id"`
	Subscriber string    `bun:"subscriber"`
	State      string    `bun:"state"`
	Due        time.Time `bun:"due_at"`
	Leased     time.Time `bun:"leased_until,nullzero"`
	Attempts   int       `bun:"attempts"`
	Error      string    `bun:"error"`
	Created    time.Time `bun:"created_at"`
	Ended      time.Time `bun:"ended_at,nullzero"`

	message message
}

func (o *Outbox) insert(ctx context.Context, tx bun.Tx, m message, subscriber, state string, due time.Time, reason string) error {
	d := delivery{Label: m.Label, ID: value.NewID(), Module: m.Module, MessageID: m.ID, Subscriber: subscriber, State: state, Due: due,
		Error: reason, Created: o.now()}
	if state == dead {
		d.Ended = d.Created
	}
	_, err := tx.NewInsert().Model(&d).On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}

// due returns the subscribers that have deliveries due.
func (o *Outbox) due(ctx context.Context) (subscribers []string, err error) {
	o.reclaimOnce.Do(func() {
		if o.Store.Engine() == store.SQLite { // only one process serves, so every stored lease is of a dead process
			_, err = o.Store.DB().NewUpdate().Model((*delivery)(nil)).Set("leased_until = NULL").Where("leased_until IS NOT NULL").Exec(ctx)
		}
	})
	if err != nil {
		return nil, err
	}
	err = o.Store.Read().NewSelect().Model((*delivery)(nil)).ColumnExpr("DISTINCT subscriber").
		Where("state = ? AND due_at <= ?", waiting, o.now()).OrderExpr("subscriber").Scan(ctx, &subscribers)
	return subscribers, err
}

// serve delivers what is due to a subscriber. It claims nothing more when stop ends, and cancels running attempts when ctx ends.
func (o *Outbox) serve(stop, ctx context.Context, subscriber string) (n int, err error) {
	for stop.Err() == nil {
		batch, err := o.claim(ctx, subscriber)
		if err != nil || len(batch) == 0 {
			return n, err
		}
		n += len(batch)
		queue := make(chan delivery, len(batch))
		for _, d := range batch {
			queue <- d
		}
		close(queue)
		ended := make(chan outcome, len(batch))
		var wg sync.WaitGroup
		for range min(workers, len(batch)) {
			wg.Go(func() {
				for d := range queue {
					ended <- outcome{d, o.attempt(ctx, d)}
				}
			})
		}
		go func() {
			wg.Wait()
			close(ended)
		}()
		var errs []error
		for first := range ended { // attempts that end during a write are stored together: one commit for all
			all := []outcome{first}
			for range len(ended) {
				all = append(all, <-ended)
			}
			errs = append(errs, o.finish(ctx, all))
		}
		if err := errors.Join(errs...); err != nil {
			return n, err
		}
	}
	return n, nil
}

// outcome is a delivery with the error of its attempt, nil for success.
type outcome struct {
	delivery
	failure error
}

// claim leases the oldest due deliveries of a subscriber, by the wall clock, so that no other worker takes them meanwhile.
func (o *Outbox) claim(ctx context.Context, subscriber string) ([]delivery, error) {
	var out []delivery
	wall := time.Now().UTC().Truncate(time.Microsecond)
	err := o.Store.Tx(store.Later(ctx), func(ctx context.Context, tx bun.Tx) error {
		out = nil
		pick := tx.NewSelect().Model((*delivery)(nil)).Column("label_key", "id").
			Where("subscriber = ? AND state = ? AND due_at <= ?", subscriber, waiting, o.now()).
			Where("leased_until IS NULL OR leased_until < ?", wall).OrderExpr("due_at").Limit(4 * workers)
		if o.Store.Engine() == store.Postgres {
			pick = pick.For("UPDATE SKIP LOCKED")
		}
		err := tx.NewUpdate().Model(&out).ModelTableExpr("outbox_deliveries AS d").
			Set("leased_until = ?", wall.Add(o.lease)).Set("attempts = attempts + 1").
			Where("(label_key, id) IN (?)", pick).Returning("*").Scan(ctx)
		if err != nil || len(out) == 0 {
			return err
		}
		keys := make([][]string, len(out))
		for i, d := range out {
			keys[i] = []string{d.Label, d.Module, d.MessageID}
		}
		var messages []message
		if err := tx.NewSelect().Model(&messages).Where("(label_key, module, id) IN ?", bun.Tuple(keys)).Scan(ctx); err != nil {
			return err
		}
		for i := range out {
			for _, m := range messages {
				if m.Label == out[i].Label && m.Module == out[i].Module && m.ID == out[i].MessageID {
					out[i].message = m
				}
			}
		}
		return nil
	})
	return out, err
}

// attempt makes one delivery. It returns an error for a panic.
func (o *Outbox) attempt(ctx context.Context, d delivery) (err error) {
	if d.Attempts > maxAttempts { // none of its attempts ended: the delivery may crash the process
		return errors.New("too many attempts without an end")
	}
	defer func() {
		if p := recover(); p != nil {
			o.Log.Error("outbox: panic in a handler", "subscriber", d.Subscriber, "type", d.message.Type, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, handlingTimeout)
	defer cancel()
	if d.Subscriber == mailLane {
		var m module.Mail
		if err := json.Unmarshal(d.message.Payload, &m); err != nil {
			return err
		}
		return retry(o.Mail(ctx, d.Label, d.ID, m))
	}
	var e module.Event
	if err := json.Unmarshal(d.message.Payload, &e); err != nil {
		return err
	}
	if id, ok := strings.CutPrefix(d.Subscriber, webhookLane); ok {
		return o.post(ctx, id, d.Module, e)
	}
	for _, s := range o.Subscriptions.Handlers(d.Label, e.Type) {
		if s.Module != d.Subscriber {
			continue
		}
		own, on := o.ScopeFor(d.Label, s.Module)
		if !on {
			return retry(fmt.Errorf("label %s lacks %s", d.Label, s.Module))
		}
		own, end := context.WithTimeout(own, handlingTimeout)
		defer end()
		defer context.AfterFunc(ctx, end)()
		return s.Handle(store.Later(own), e)
	}
	return retry(fmt.Errorf("%s does not handle %s now", d.Subscriber, e.Type))
}

// finish stores how the attempts of one claim ended. While the database is away it tries again until the lease ends: what is not stored is
// delivered once more.
func (o *Outbox) finish(ctx context.Context, all []outcome) error {
	for {
		err := o.storeEnds(ctx, all)
		if !store.Transient(err) || !time.Now().Before(all[0].Leased) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(finishInterval):
		}
	}
}

// storeEnds stores nothing for a lease that was lost, because another worker has it now.
func (o *Outbox) storeEnds(ctx context.Context, all []outcome) error {
	var failed []delivery
	var fine, sent [][]string // keys of successful deliveries, and of the mails among their messages
	for _, d := range all {
		if d.failure != nil {
			failed = append(failed, o.failed(d))
			continue
		}
		fine = append(fine, []string{d.Label, d.ID})
		if d.message.Kind == store.RowMail {
			sent = append(sent, []string{d.message.Label, d.message.Module, d.message.ID})
		}
	}
	return o.Store.Tx(store.Later(context.WithoutCancel(ctx)), func(ctx context.Context, tx bun.Tx) error {
		for _, d := range failed {
			_, err := tx.NewUpdate().Model(&d).Column("state", "due_at", "error", "ended_at").Set("leased_until = NULL").
				WherePK().Where("leased_until = ?", d.Leased).Exec(ctx)
			if err != nil {
				return err
			}
		}
		if len(fine) == 0 {
			return nil
		}
		_, err := tx.NewUpdate().Model((*delivery)(nil)).Set("state = ?", done).Set("error = ''").Set("ended_at = ?", o.now()).Set("leased_until = NULL").
			Where("(label_key, id) IN ?", bun.Tuple(fine)).Where("leased_until = ?", all[0].Leased).Exec(ctx)
		if err != nil || len(sent) == 0 {
			return err
		}
		// A sent mail may contain a code, so its content is deleted.
		_, err = tx.NewUpdate().Model((*message)(nil)).Set("payload = '{}'").Where("(label_key, module, id) IN ?", bun.Tuple(sent)).Exec(ctx)
		return err
	})
}

// failed returns a delivery that failed in its next state: due again later, or a dead letter.
func (o *Outbox) failed(of outcome) delivery {
	d := of.delivery
	d.State, d.Error, d.Ended = dead, truncate(of.failure.Error()), o.now()
	if transient(of.failure) && d.Attempts < maxAttempts {
		d.State, d.Due, d.Ended = waiting, o.now().Add(backOff(d.Attempts)), time.Time{}
	}
	level := o.Log.Warn
	if d.State == dead {
		level = o.Log.Error
	}
	level("outbox: delivery failed", "label", d.Label, "delivery", d.ID, "subscriber", d.Subscriber, "type", d.message.Type,
		"attempts", d.Attempts, "state", d.State, "error", d.Error)
	return d
}

// retry marks an error as retryable.
func retry(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", problem.ErrRetry, err)
}

// transient reports whether another attempt may succeed: the handler returned a retryable error, ran out of time or lacked its database,
// or the module or one of its siblings was unavailable.
func transient(err error) bool {
	if errors.Is(err, problem.ErrRetry) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || store.Transient(err) {
		return true
	}
	p, ok := errors.AsType[*problem.Problem](err)
	return ok && (p.Status == http.StatusServiceUnavailable || p.Status == http.StatusTooManyRequests)
}

// backOff returns the pause before the next attempt. It starts at two seconds and doubles, plus or minus a fifth.
func backOff(attempts int) time.Duration {
	d := maxBackOff
	if attempts < 15 { // a larger shift would overflow
		d = min(d, time.Second<<attempts)
	}
	return time.Duration(float64(d) * (.8 + .4*rand.Float64()))
}

func truncate(s string) string {
	if r := []rune(s); len(r) > maxError {
		return string(r[:maxError])
	}
	return s
}

// Replay makes a dead letter due at once, with all of its attempts available again. It returns problem.ErrNotFound when id is not a dead
// letter of the label.
func (o *Outbox) Replay(ctx context.Context, labelKey, id string) error {
	err := o.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewUpdate().Model((*delivery)(nil)).Set("state = ?", waiting).Set("due_at = ?", o.now()).
			Set("attempts = 0").Set("error = ''").Set("ended_at = NULL").
			Where("label_key = ? AND id = ? AND state = ?", labelKey, id, dead).
			// A row that the relay refused cannot be delivered.
			Where("NOT EXISTS (SELECT 1 FROM outbox_messages AS m WHERE m.label_key = d.label_key AND m.module = d.module AND m.id = d.message_id AND m.kind = 'refused')").
			Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(problem.ErrNotFound, err)
		}
		return nil
	})
	if err == nil {
		o.Wake()
	}
	return err
}

// Defaults of Deps.
const (
	messageRetention = 30 * 24 * time.Hour // as long as a plugin may send a row again
	deadRetention    = 365 * 24 * time.Hour
)

// Purge deletes dead letters older than KeepDead, and messages older than KeepMessages of which no delivery is waiting or dead.
func (o *Outbox) Purge(ctx context.Context) error {
	return o.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewDelete().Model((*delivery)(nil)).Where("state = ? AND ended_at < ?", dead, o.now().Add(-cmp.Or(o.KeepDead, deadRetention))).
			Exec(ctx); err != nil {
			return err
		}
		_, err := tx.NewDelete().Model((*message)(nil)).Where("at < ?", o.now().Add(-cmp.Or(o.KeepMessages, messageRetention))).
			Where("NOT EXISTS (SELECT 1 FROM outbox_deliveries AS d WHERE d.label_key = m.label_key AND d.module = m.module AND d.message_id = m.id AND d.state <> ?)", done).
			Exec(ctx)
		return err
	})
}
