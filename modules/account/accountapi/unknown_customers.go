package accountapi

import (
	"context"
	"maps"
	"slices"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// maxLookup is the maximum number of relations in one lookup.
const maxLookup = 200

// WarnUnknownCustomers adds a warning to each imported record whose customer is unknown (11-import-warnings). field is the field with the
// customer's number; lines contains the line numbers by relation id. These records are still stored, because a back office may send its
// customers later.
func (c Client) WarnUnknownCustomers(ctx context.Context, field string, lines map[string][]int) {
	known := map[string]bool{}
	for relations := range slices.Chunk(slices.Sorted(maps.Keys(lines)), maxLookup) {
		found, err := c.LookUpRelations(ctx, LookupInputBody{Relations: relations})
		if err != nil {
			return // the import itself does not depend on it
		}
		for _, f := range found {
			known[f.Relation] = true
		}
	}
	for relation, of := range lines {
		for _, line := range of {
			if !known[relation] {
				record.Warn(ctx, line, field, problem.CodeNotFound)
			}
		}
	}
}
