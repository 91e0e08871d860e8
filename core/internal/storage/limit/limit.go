// Package limit counts attempts in the database, so that every replica sees the same count. A count belongs to a label and a key and ends
// with its window. Only attempts are refused, so a lockout never ends a live session.
package limit

import (
	"context"
	"embed"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

//go:embed migrations/*.sql
var files embed.FS

// Migrations create the table of counts.
var Migrations = store.Migrations{Name: "limit", FS: files}

// Rule allows at most Max attempts in a Window, which begins with the first attempt.
type Rule struct {
	Max    int
	Window time.Duration
}

// Limiter counts attempts per label and key.
type Limiter struct {
	db  store.DB
	now func() time.Time
}

// New returns a limiter on core's database; now is the injected clock.
func New(db store.DB, now func() time.Time) *Limiter { return &Limiter{db, now} }

// Take counts an attempt before it is made and reports whether it is allowed. If not, after is the time until the window ends.
// Because attempts are counted first and refunded later, parallel attempts cannot exceed the rule.
func (l *Limiter) Take(ctx context.Context, labelKey, key string, r Rule) (ok bool, after time.Duration, err error) {
	now := l.now().Truncate(time.Microsecond)
	var tries int
	var ends time.Time
	err = l.tx(ctx, labelKey, func(ctx context.Context, tx store.Tx) error {
		return tx.NewRaw(`INSERT INTO limit_attempts (label_key, name, tries, ends_at) VALUES (?0, ?1, 1, ?2)
			ON CONFLICT (label_key, name) DO UPDATE SET
				tries = CASE WHEN limit_attempts.ends_at <= ?3 THEN 1 ELSE limit_attempts.tries + 1 END,
				ends_at = CASE WHEN limit_attempts.ends_at <= ?3 THEN excluded.ends_at ELSE limit_attempts.ends_at END
			RETURNING tries, ends_at`, labelKey, name(key), now.Add(r.Window), now).Scan(ctx, &tries, &ends)
	})
	if err != nil || tries <= r.Max {
		return err == nil, 0, err
	}
	return false, ends.Sub(now), nil
}

// Refund removes one attempt from the count of a key.
func (l *Limiter) Refund(ctx context.Context, labelKey, key string) error {
	return l.exec(ctx, labelKey, "UPDATE limit_attempts SET tries = tries - 1 WHERE label_key = ? AND name = ? AND tries > 0", labelKey,
		name(key))
}

// Clear deletes the count of a key.
func (l *Limiter) Clear(ctx context.Context, labelKey, key string) error {
	return l.exec(ctx, labelKey, "DELETE FROM limit_attempts WHERE label_key = ? AND name = ?", labelKey, name(key))
}

// Sweep deletes the counts of all labels whose window has ended.
func (l *Limiter) Sweep(ctx context.Context) error {
	return l.exec(ctx, "", "DELETE FROM limit_attempts WHERE ends_at <= ?", l.now().Truncate(time.Microsecond))
}

func (l *Limiter) exec(ctx context.Context, labelKey, query string, args ...any) error {
	return l.tx(ctx, labelKey, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.NewRaw(query, args...).Exec(ctx)
		return err
	})
}

// tx runs fn with a system scope, so that attempts of an impersonator, whose own scope is read-only, are counted too.
func (l *Limiter) tx(ctx context.Context, labelKey string, fn func(context.Context, store.Tx) error) error {
	return l.db.Tx(scope.With(ctx, scope.Scope{Label: labelKey, Role: scope.RoleSystem}, nil), fn)
}

func name(key string) string { return value.StableID("limit", key) }

type takeInput struct {
	Body struct {
		Key    string `json:"key" minLength:"1" maxLength:"300" doc:"What is counted; each module has counts of its own"`
		Max    int    `json:"max" minimum:"1" maximum:"1000000" doc:"Attempts allowed in a window"`
		Window int    `json:"window_seconds" minimum:"1" maximum:"2678400" doc:"Length of a window in seconds; it begins with the first attempt"`
		// A module never receives the address of the caller, so core counts per address.
		PerClient bool `json:"per_client,omitempty" doc:"Count every network address of a caller separately"`
	}
}

type takeOutput struct {
	Body struct {
		Allowed bool `json:"allowed" doc:"Whether the attempt is allowed"`
		After   int  `json:"retry_after_seconds,omitempty" doc:"Seconds until the window ends; absent for an allowed attempt"`
	}
}

// Routes registers the sibling operation POST /limits. Its effect is Read, so that attempts of an impersonator are counted too.
func (l *Limiter) Routes(a huma.API) {
	module.Route(a, huma.Operation{OperationID: "takeLimit", Method: http.MethodPost, Path: "/limits",
		Summary:     "Count an attempt and report whether it is allowed",
		Description: "For modules. Counts the attempt for the calling module, the key and the label of the call. A refused attempt is not an error: the response is 200 with allowed false."}, module.Sibling, module.Read,
		func(ctx context.Context, in *takeInput) (*takeOutput, error) {
			s := module.ScopeOf(ctx)
			if s.Label == "" {
				return nil, errors.New("limit: a call without a label")
			}
			out := &takeOutput{}
			key := "module:" + s.Caller + ":" + in.Body.Key
			if in.Body.PerClient {
				key += ":" + scope.ClientOf(ctx).Network()
			}
			ok, after, err := l.Take(ctx, s.Label, key,
				Rule{Max: in.Body.Max, Window: time.Duration(in.Body.Window) * time.Second})
			out.Body.Allowed = ok
			out.Body.After = int((after + time.Second - 1) / time.Second)
			return out, err
		})
}
