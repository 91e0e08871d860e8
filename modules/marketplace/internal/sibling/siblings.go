// Package sibling contains calls to core and module account that several packages need.
package sibling

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// RelationID returns the id that module account assigns to the relation with a debtor number.
func RelationID(label, debtor string) string { return value.StableID(label, "relation", debtor) }

// WarnUnknownCustomers warns about records whose customer is unknown. of returns the debtor number of a record, which may be empty, and its
// line.
func WarnUnknownCustomers[T any](ctx context.Context, client *http.Client, field string, records []T,
	of func(T) (debtor string, line int)) {
	lines := make(map[string][]int, len(records)) // by relation
	for _, r := range records {
		if debtor, line := of(r); debtor != "" {
			relation := RelationID(module.ScopeOf(ctx).Label, debtor)
			lines[relation] = append(lines[relation], line)
		}
	}
	accountapi.New(client).WarnUnknownCustomers(ctx, field, lines)
}

// MapNotFound converts a sibling's 404 to ErrNotFound.
func MapNotFound(err error) error {
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Status == http.StatusNotFound {
		return problem.ErrNotFound
	}
	return err
}

// Retry makes the error of an unavailable sibling retryable.
func Retry(err error) error {
	if errors.Is(err, problem.ErrUnavailable) {
		return fmt.Errorf("%w: %w", problem.ErrRetry, err)
	}
	return err
}

// People reads relations in one call; relations that module account does not have are absent.
func People(ctx context.Context, client *http.Client, relations []string) (map[string]accountapi.Found, error) {
	out := map[string]accountapi.Found{}
	if relations = slices.Compact(slices.Sorted(slices.Values(relations))); len(relations) == 0 {
		return out, nil
	}
	all, err := accountapi.New(client).LookUpRelations(ctx, accountapi.LookupInputBody{Relations: relations})
	for _, p := range all {
		out[p.Relation] = p
	}
	return out, err
}

// LogAccess records in core's audit log, which the member can read, what staff or a back office read or changed. If it fails, the caller
// must not show or change anything.
func LogAccess(ctx context.Context, client *http.Client, action, relation, target string) error {
	return coreapi.New(client).WriteAudit(ctx, coreapi.NoteInputBody{Action: action, Relation: relation, Target: target})
}

// LabelName returns the name of the label.
func LabelName(ctx context.Context, client *http.Client) (string, error) {
	info, err := coreapi.New(client).LabelInfo(ctx, module.ScopeOf(ctx).Label)
	return info.Name, err
}

// tryWindow is the time window of CountAttempt.
const tryWindow = time.Hour

// CountAttempt counts an attempt of the calling account. It returns 429 too_many_calls above limit attempts in an hour.
func CountAttempt(ctx context.Context, client *http.Client, what string, limit int) error {
	return module.Limit{Key: what + ":" + module.ScopeOf(ctx).Subject, Max: limit, Window: tryWindow}.Try(ctx, client)
}
