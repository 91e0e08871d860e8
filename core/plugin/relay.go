package plugin

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// relay sends the rows of the plugin's outbox to core, and deletes those that core has stored. Core ignores rows that it already has, so a
// row may be sent twice, and several replicas of a plugin may send the same rows.
type relay struct {
	store  *store.Store
	table  bun.Ident
	host   wire.HostClient
	log    *slog.Logger
	awake  chan struct{}
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}

	interval time.Duration
}

// Batch limits, and intervals of the relay.
const (
	relayRows     = 100
	relayBytes    = wire.MaxMessage / 4
	relayInterval = 5 * time.Second // for rows that another replica or version has not sent
	retryDelay    = 30 * time.Second
)

func newRelay(s *store.Store, key string, h wire.HostClient, log *slog.Logger) *relay {
	r := &relay{store: s, table: bun.Ident(key + "_outbox"), host: h, log: log, awake: make(chan struct{}, 1), done: make(chan struct{}),
		interval: relayInterval}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// wake makes the relay send new rows; it is called after a commit.
func (r *relay) wake() {
	select {
	case r.awake <- struct{}{}:
	default: // a wake is pending already
	}
}

func (r *relay) stop() {
	r.cancel()
	<-r.done
}

func (r *relay) run() {
	defer close(r.done)
	delay := 100 * time.Millisecond
	for r.ctx.Err() == nil {
		seen := r.store.Mark()
		more, err := r.send(r.ctx)
		if err != nil && r.ctx.Err() == nil {
			r.log.Warn("outbox could not be sent to core", "error", err, "again_in", delay)
			r.wait(delay, nil)
			delay = min(2*delay, retryDelay)
			continue
		}
		delay = 100 * time.Millisecond
		if !more {
			r.idle(seen)
		}
	}
}

// idle returns when there may be new rows: after a commit of this process, or when another process may have written since seen. While
// nobody writes, it runs no SQL, so that the SQL code does not have to be in memory.
func (r *relay) idle(seen store.Mark) {
	for !r.wait(r.interval, r.awake) && !r.store.MayHaveChanged(seen) {
	}
}

// wait waits for d. It returns true earlier if there is something to do or the relay is stopped.
func (r *relay) wait(d time.Duration, awake <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return false
	case <-awake:
	case <-r.ctx.Done():
	}
	return true
}

// send sends one batch to core. more is true if there may be another batch.
func (r *relay) send(ctx context.Context) (more bool, err error) {
	var rows []store.Row
	err = r.store.Read().NewSelect().Model(&rows).ModelTableExpr("? AS o", r.table).OrderExpr("at, seq, id").Limit(relayRows).Scan(ctx)
	if err != nil || len(rows) == 0 {
		return false, err
	}
	in, size := &wire.RelayRequest{}, 0
	for i := range rows {
		b, err := json.Marshal(&rows[i])
		if err != nil {
			return false, err
		}
		if size += len(b); size > relayBytes && i > 0 {
			rows = rows[:i]
			break
		}
		in.Rows = append(in.Rows, b)
	}
	if _, err := r.host.Relay(ctx, in); err != nil {
		return false, err
	}
	err = r.store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		for _, row := range rows {
			if _, err := tx.NewRaw("DELETE FROM ? WHERE label_key = ? AND id = ?", r.table, row.Label, row.ID).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return true, err
}
