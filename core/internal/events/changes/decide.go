package changes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

const (
	decisionTimeout = 20 * time.Second // limits the call of the module
	maxAnswer       = 1 << 20          // maximum size of the module's response in bytes
	maxAttempts     = 10               // automatic attempts for a change before it is left to staff
	absentPause     = time.Minute      // pause before a change with a missing label is checked again
	batch           = 50
)

// Decide makes the module decide one of its changes and updates the queue. It returns problem.ErrNotFound, problem.ErrDecided, a 503
// problem when the module is down or the label does not have it, or the module's own refusal.
func (q *Queue) Decide(ctx context.Context, labelKey string, d module.Decision) (module.Change, error) {
	e, err := q.find(ctx, labelKey, d.ID)
	if err != nil {
		return module.Change{}, err
	}
	if e.State != module.Pending {
		return module.Change{}, problem.ErrDecided
	}
	own, on := q.ScopeFor(labelKey, "core")
	if !on {
		return module.Change{}, errUnavailable
	}
	// The call keeps its deadline and its trace, and runs in the system scope of the label: the module may do more than the caller.
	ctx = scope.With(ctx, scope.Of(own), scope.SettingsOf(own))
	if lab := label.Of(own); lab != nil {
		ctx = label.With(ctx, lab)
	}
	ctx, cancel := context.WithTimeout(ctx, decisionTimeout)
	defer cancel()
	c, err := q.call(ctx, e.Module, d)
	if err != nil {
		return c, err
	}
	// The relay applies the decision too; this only makes the result visible at once.
	if err := q.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error { return q.Apply(ctx, tx, e.Module, c) }); err != nil {
		q.Log.Warn("changes: the queue lags behind a decision", "label", labelKey, "change", d.ID, "error", err)
	}
	return c, nil
}

var errUnavailable = problem.Fail(http.StatusServiceUnavailable, problem.CodeUnavailable)

func (q *Queue) call(ctx context.Context, key string, d module.Decision) (c module.Change, err error) {
	body, err := json.Marshal(map[string]string{"state": d.State, "by": d.By, "reason": d.Reason})
	if err != nil {
		return c, err
	}
	address := url.URL{Scheme: "http", Host: key, Path: "/" + key + "/changes/" + d.ID + "/decide"}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address.String(), bytes.NewReader(body))
	if err != nil {
		return c, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := q.Client.Do(req)
	if err != nil {
		q.Log.Warn("changes: module does not answer", "module", key, "change", d.ID, "error", err)
		return c, errUnavailable
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return c, errUnavailable
	}
	if res.StatusCode == http.StatusOK {
		if err := json.Unmarshal(answer, &c); err != nil || c.ID != d.ID {
			return c, fmt.Errorf("changes: %s answered a decision with something else", key)
		}
		return c, nil
	}
	p := &problem.Problem{}
	if json.Unmarshal(answer, p) != nil || p.Code == "" {
		p.Code = problem.CodeUnavailable
	}
	switch {
	case res.StatusCode == http.StatusConflict && p.Code == problem.CodeDecided:
		return c, problem.ErrDecided
	case res.StatusCode == http.StatusNotFound && p.Code == problem.CodeNotFound:
		return c, problem.ErrNotFound
	case res.StatusCode == http.StatusNotFound, res.StatusCode >= 500: // module_not_enabled, or a server error of the module
		q.Log.Warn("changes: module cannot decide", "module", key, "change", d.ID, "status", res.StatusCode, "code", p.Code)
		return c, errUnavailable
	}
	return c, problem.Fail(res.StatusCode, p.Code, p.Errors...)
}

// Auto processes the changes for which the label has configured automatic processing and whose delay has passed. It retries failed and
// refused changes with growing pauses, and finally leaves them to staff.
func (q *Queue) Auto(ctx context.Context) error {
	for {
		var due []entry
		if err := q.Store.Read().NewSelect().Model(&due).Where("due_at <= ?", q.now()).OrderExpr("due_at").Limit(batch).Scan(ctx); err != nil {
			return err
		}
		for _, e := range due {
			if err := q.auto(ctx, e); err != nil {
				return err
			}
		}
		if len(due) < batch {
			return nil
		}
	}
}

func (q *Queue) auto(ctx context.Context, e entry) error {
	if e.State == module.Pending && q.Labels.ByKey(e.Label) == nil { // temporarily missing: its file is being replaced or is broken
		return q.later(ctx, e, q.now().Add(absentPause))
	}
	delay, on := q.delay(e.Label, e.Kind)
	if !on || e.State != module.Pending { // the setting of the label has changed
		return q.later(ctx, e, time.Time{})
	}
	if due := e.Filed.Add(delay); e.Attempts == 0 && due.After(q.now()) { // the change was filed while its label was missing
		return q.later(ctx, e, due)
	}
	// Updating the due time claims the change, so that other replicas skip it and no change is retried forever.
	next := time.Time{}
	if e.Attempts+1 < maxAttempts {
		next = q.now().Add(time.Minute << e.Attempts)
	}
	claimed, err := q.claim(ctx, e, next)
	if err != nil || !claimed {
		return err
	}
	_, err = q.Decide(ctx, e.Label, module.Decision{ID: e.ID, State: module.Processed, By: "auto"})
	switch {
	case err == nil:
		return nil
	case errors.Is(err, problem.ErrDecided), errors.Is(err, problem.ErrNotFound): // the relay stores the state
		return q.later(ctx, e, time.Time{})
	case ctx.Err() != nil:
		return ctx.Err()
	}
	q.Log.Warn("changes: not processed", "label", e.Label, "kind", e.Kind, "change", e.ID, "attempts", e.Attempts+1, "error", err)
	return nil
}

func (q *Queue) claim(ctx context.Context, e entry, next time.Time) (claimed bool, err error) {
	err = q.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		due := e.Due
		e := e
		e.Due, e.Attempts = next, e.Attempts+1
		res, err := tx.NewUpdate().Model(&e).Column("due_at", "attempts").WherePK().Where("due_at = ?", due).Exec(ctx)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		claimed = n == 1
		return err
	})
	return claimed, err
}

func (q *Queue) later(ctx context.Context, e entry, due time.Time) error {
	return q.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		e.Due = due
		_, err := tx.NewUpdate().Model(&e).Column("due_at").WherePK().Exec(ctx)
		return err
	})
}
