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
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
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
	maxAttempts = 16 // about fifteen hours
	maxBackOff  = 6 * time.Hour
	maxError    = 500 // maximum number of characters of a stored error

	renewAfter     = 5 * time.Second        // age at which a lease is renewed
	finishInterval = 500 * time.Millisecond // pause between attempts to store results of deliveries
	finishTimeout  = 5 * time.Second        // limits one of these attempts
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

// dueLabel is a label in which a subscriber has due deliveries.
type dueLabel struct {
	Subscriber string `bun:"subscriber"`
	Label      string `bun:"label_key"`
	IsFree     bool   `bun:"is_free"` // whether some of them are not leased by a worker
}

// due returns the labels with due deliveries by subscriber. It locks nothing, because claims are made per label.
func (o *Outbox) due(ctx context.Context) (due []dueLabel, err error) {
	o.reclaimOnce.Do(func() {
		if o.Store.Engine() == store.SQLite { // there is only one serving process, so every stored lease belongs to a dead process
			_, err = o.Store.DB().NewUpdate().Model((*delivery)(nil)).Set("leased_until = NULL").Where("leased_until IS NOT NULL").Exec(ctx)
		}
	})
	if err != nil {
		return nil, err
	}
	err = o.Store.Read().NewSelect().Model((*delivery)(nil)).Column("subscriber", "label_key").
		ColumnExpr("max(CASE WHEN leased_until IS NULL OR leased_until < ? THEN 1 ELSE 0 END) = 1 AS is_free", wallClock()).
		Where("state = ? AND due_at <= ?", waiting, o.now()).GroupExpr("subscriber, label_key").OrderExpr("subscriber, label_key").Scan(ctx, &due)
	return due, err
}

// bySubscriber returns by subscriber the labels in which deliveries can be claimed.
func bySubscriber(due []dueLabel) map[string][]string {
	out := map[string][]string{}
	for _, d := range due {
		if d.IsFree {
			out[d.Subscriber] = append(out[d.Subscriber], d.Label)
		}
	}
	return out
}

// outcome is a delivery with the error of its attempt, which is nil for success.
type outcome struct {
	delivery
	failure error
	took    time.Duration
	lost    bool // another worker has the delivery, so no attempt was made
}

// exchange stores the results of attempts and claims more deliveries, in one transaction.
func (o *Outbox) exchange(ctx context.Context, subscriber string, ended []outcome, want order) (got claimed, err error) {
	failed := make([]delivery, 0, len(ended))
	for _, e := range ended {
		if e.failure != nil {
			failed = append(failed, o.failed(e))
		}
	}
	try := func(ctx context.Context, want order) error {
		return o.Store.Tx(store.Later(ctx), func(ctx context.Context, tx bun.Tx) (err error) {
			if err := o.finish(ctx, tx, failed, ended); err != nil {
				return err
			}
			got, err = o.claim(ctx, tx, subscriber, want)
			return err
		})
	}
	if len(ended) == 0 {
		err = try(ctx, want)
		return got, err
	}
	if err = o.within(ctx, func(ctx context.Context) error { return try(ctx, want) }); err == nil {
		return got, nil
	}
	// While the database is unreachable, storing is retried until the last lease ends, because a delivery without a stored result is
	// repeated. Nothing is claimed during that time, so that only the storing of results can fail.
	last := slices.MaxFunc(ended, func(a, b outcome) int { return a.Leased.Compare(b.Leased) }).Leased
	for {
		err = o.within(ctx, func(ctx context.Context) error { return try(ctx, order{}) })
		if !store.Transient(err) || !time.Now().Before(last) {
			return claimed{}, err
		}
		select {
		case <-ctx.Done():
			return claimed{}, err
		case <-time.After(finishInterval):
		}
	}
}

// within calls f, which stores results, with a context that ends after finishTimeout but not when ctx is canceled.
func (o *Outbox) within(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.finishTimeout)
	defer cancel()
	return f(ctx)
}

// wallClock returns the time of this machine, which determines when leases end.
func wallClock() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// claim leases the oldest due deliveries of a subscriber in the labels of an order, so that no other worker takes them. Each locking SELECT
// is limited to one label. It is not a subquery of the UPDATE, because PostgreSQL may execute a subquery with SKIP LOCKED several times and
// would then exceed its limit.
func (o *Outbox) claim(ctx context.Context, tx bun.Tx, subscriber string, want order) (got claimed, err error) {
	wall := wallClock()
	for i, label := range want.labels {
		n := min(want.maxPerLabel[label], want.maxTotal-len(got.batch))
		if n <= 0 {
			got.unqueried = want.labels[i:]
			break
		}
		var found []delivery
		pick := tx.NewSelect().Model(&found).
			Where("label_key = ? AND subscriber = ? AND state = ? AND due_at <= ?", label, subscriber, waiting, o.now()).
			Where("leased_until IS NULL OR leased_until < ?", wall).OrderExpr("due_at").Limit(int64(n))
		if o.Store.Engine() == store.Postgres {
			pick = pick.For("UPDATE SKIP LOCKED")
		}
		if err := pick.Scan(ctx); err != nil {
			return claimed{}, err
		}
		got.batch = append(got.batch, found...)
		if len(found) == n {
			got.more = append(got.more, label)
		}
	}
	if len(got.batch) == 0 {
		return got, nil
	}
	keys := make([][]string, len(got.batch))
	for i := range got.batch {
		d := &got.batch[i]
		d.Attempts, d.Leased, keys[i] = d.Attempts+1, wall.Add(o.lease), []string{d.Label, d.ID}
	}
	_, err = tx.NewUpdate().Model((*delivery)(nil)).Set("leased_until = ?", wall.Add(o.lease)).Set("attempts = attempts + 1").
		Where("(label_key, id) IN ?", bun.Tuple(keys)).Exec(ctx)
	if err != nil {
		return claimed{}, err
	}
	return got, addMessages(ctx, tx, got.batch)
}

// addMessages reads the messages of deliveries.
func addMessages(ctx context.Context, tx bun.Tx, of []delivery) error {
	keys := make([][]string, len(of))
	for i, d := range of {
		keys[i] = []string{d.Label, d.Module, d.MessageID}
	}
	var messages []message
	if err := tx.NewSelect().Model(&messages).Where("(label_key, module, id) IN ?", bun.Tuple(keys)).Scan(ctx); err != nil {
		return err
	}
	for i := range of {
		for _, m := range messages {
			if m.Label == of[i].Label && m.Module == of[i].Module && m.ID == of[i].MessageID {
				of[i].message = m
			}
		}
	}
	return nil
}

// renew extends a lease that is older than renewAfter before the attempt starts, so that the attempt ends before the lease does. It returns
// false when the lease was lost or when the database does not respond.
func (o *Outbox) renew(ctx context.Context, d *delivery) bool {
	wall := wallClock()
	if d.Leased.Sub(wall) > o.lease-renewAfter {
		return true
	}
	isOurs := false
	err := o.Store.Tx(store.Later(ctx), func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewUpdate().Model((*delivery)(nil)).Set("leased_until = ?", wall.Add(o.lease)).
			Where("label_key = ? AND id = ? AND state = ? AND leased_until = ?", d.Label, d.ID, waiting, d.Leased).Exec(ctx)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		isOurs = n > 0
		return err
	})
	if err != nil {
		o.Log.Warn("outbox: a lease could not be renewed", "label", d.Label, "delivery", d.ID, "error", err)
		return false
	}
	d.Leased = wall.Add(o.lease)
	return isOurs
}

// attempt makes one attempt at a delivery. It returns a panic as an error.
func (o *Outbox) attempt(ctx context.Context, d delivery) (err error) {
	if d.Attempts > maxAttempts { // none of its attempts ended, so the delivery may crash the process
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
	if isMail(d.Subscriber) {
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

// finish stores the results of attempts. It stores nothing when the lease was lost, because another worker now has the delivery.
func (o *Outbox) finish(ctx context.Context, tx bun.Tx, failed []delivery, ended []outcome) error {
	for _, d := range failed {
		_, err := tx.NewUpdate().Model(&d).Column("state", "due_at", "error", "ended_at").Set("leased_until = NULL").
			WherePK().Where("leased_until = ?", d.Leased).Exec(ctx)
		if err != nil {
			return err
		}
	}
	fine := map[time.Time][][]string{} // keys of successful deliveries by lease
	for _, e := range ended {
		if e.failure == nil {
			fine[e.Leased] = append(fine[e.Leased], []string{e.Label, e.ID})
		}
	}
	for lease, keys := range fine {
		var stored []delivery
		err := tx.NewUpdate().Model(&stored).ModelTableExpr("outbox_deliveries AS d").
			Set("state = ?", done).Set("error = ''").Set("ended_at = ?", o.now()).Set("leased_until = NULL").
			Where("(label_key, id) IN ?", bun.Tuple(keys)).Where("leased_until = ?", lease).Returning("*").Scan(ctx)
		if err != nil {
			return err
		}
		if err := empty(ctx, tx, stored); err != nil {
			return err
		}
	}
	return nil
}

// empty deletes the content of sent emails, which may contain a code.
func empty(ctx context.Context, tx bun.Tx, sent []delivery) error {
	keys := map[string][][]string{} // by label
	for _, d := range sent {
		if isMail(d.Subscriber) {
			keys[d.Label] = append(keys[d.Label], []string{d.Module, d.MessageID})
		}
	}
	for label, of := range keys {
		_, err := tx.NewUpdate().Model((*message)(nil)).Set("payload = '{}'").Where("label_key = ? AND (module, id) IN ?", label,
			bun.Tuple(of)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// failed returns a failed delivery in its next state: due again later, or a dead letter.
func (o *Outbox) failed(of outcome) delivery {
	d := of.delivery
	d.State, d.Error, d.Ended = dead, truncate(of.failure.Error()), o.now()
	if isTransient(of.failure) && d.Attempts < maxAttempts {
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

// isTransient reports whether another attempt may succeed: the handler returned a retryable error, timed out or could not use its database,
// or the module or one of its siblings was unavailable.
func isTransient(err error) bool {
	if errors.Is(err, problem.ErrRetry) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		store.Transient(err) {
		return true
	}
	p, ok := errors.AsType[*problem.Problem](err)
	return ok && (p.Status == http.StatusServiceUnavailable || p.Status == http.StatusTooManyRequests)
}

// backOff returns the pause before the next attempt. It starts at two seconds and doubles each time, plus or minus 20%.
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
	messageRetention = 30 * 24 * time.Hour // must be as long as a plugin may send a row again
	deadRetention    = 365 * 24 * time.Hour
)

// Purge deletes dead letters older than KeepDead, and messages older than KeepMessages that have no waiting or dead delivery.
func (o *Outbox) Purge(ctx context.Context) error {
	return o.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewDelete().Model((*delivery)(nil)).Where("state = ? AND ended_at < ?", dead,
			o.now().Add(-cmp.Or(o.KeepDead, deadRetention))).
			Exec(ctx); err != nil {
			return err
		}
		_, err := tx.NewDelete().Model((*message)(nil)).Where("at < ?", o.now().Add(-cmp.Or(o.KeepMessages, messageRetention))).
			Where("NOT EXISTS (SELECT 1 FROM outbox_deliveries AS d WHERE d.label_key = m.label_key AND d.module = m.module AND d.message_id = m.id AND d.state <> ?)", done).
			Exec(ctx)
		return err
	})
}
