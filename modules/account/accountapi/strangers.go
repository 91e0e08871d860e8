package accountapi

import (
	"context"
	"maps"
	"slices"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// maxLookup is the most relations of one lookup.
const maxLookup = 200

// WarnOfStrangers warns of records of an import whose customer the module does not know (11-import-warnings). field has the customer's
// number, and lines the lines by the id of the relation. Such records are stored, because a back office may send its customers later.
func (c Client) WarnOfStrangers(ctx context.Context, field string, lines map[string][]int) {
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
