package account

import (
	"cmp"
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// hit is a relation that was found and its place in the order.
type hit struct {
	row relationRow
	at  Cursor
}

// beyond is greater than every text that begins with s: both engines compare these columns byte by byte.
func beyond(s string) string { return s + "\U0010FFFF" }

// findRelations are the relations that are wanted, ordered by name, from the one after a place on. logins are those whose account
// has the wanted e-mail address. Every part is answered by one index and ends at the limit.
func findRelations(ctx context.Context, db module.Querier, w Wanted, logins []string, after Cursor, limit int) ([]hit, error) {
	part := func(column string, narrow func(*bun.SelectQuery) *bun.SelectQuery) ([]hit, error) {
		var rows []relationRow
		q := narrow(module.Label(ctx, "staff search among all customers").Select(db, &rows)).
			OrderExpr("?, relation_id", bun.Ident(column)).Limit(int64(limit))
		if after != (Cursor{}) {
			q = q.Where("(?, relation_id) > (?, ?)", bun.Ident(column), after.Key, after.Relation)
		}
		if err := q.Scan(ctx); err != nil {
			return nil, err
		}
		hits := make([]hit, len(rows))
		for i, r := range rows {
			hits[i] = hit{r, Cursor{r.SearchName, r.RelationID}}
			if column == searchFirm {
				hits[i].at.Key = r.SearchFirm
			}
		}
		return hits, nil
	}
	if w.Email != "" {
		return part(searchName, func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
				q = q.Where("lower(email) = ?", w.Email)
				if len(logins) > 0 {
					q = q.WhereOr("relation_id IN ?", bun.Tuple(logins))
				}
				return q
			})
		})
	}
	if len(w.Debtor) == 0 {
		return nil, nil
	}
	if after == (Cursor{}) { // a number means its owner and nobody else
		found, err := part(searchName, func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("debtor_number IN ?", bun.Tuple(w.Debtor))
		})
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	var all []hit
	for _, name := range w.Names {
		found, err := part(searchName, func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("search_name >= ? AND search_name < ?", name, beyond(name))
		})
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	found, err := part(searchFirm, func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.Where("search_firm <> '' AND search_firm >= ? AND search_firm < ?", w.Firm, beyond(w.Firm))
		for _, name := range w.Names { // found by its contact already
			q = q.Where("NOT (search_name >= ? AND search_name < ?)", name, beyond(name))
		}
		return q
	})
	if err != nil {
		return nil, err
	}
	all = append(all, found...)
	slices.SortFunc(all, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.at.Key, b.at.Key), cmp.Compare(a.at.Relation, b.at.Relation))
	})
	return all[:min(limit, len(all))], nil
}

// relationsOf are some relations of the label, in no order.
func relationsOf(ctx context.Context, db module.Querier, ids []string) ([]relationRow, error) {
	all := module.Label(ctx, "staff and siblings look up relations that they name")
	rows := []relationRow{}
	if len(ids) == 0 {
		return rows, nil
	}
	err := all.Select(db, &rows).Where("relation_id IN ?", bun.Tuple(ids)).Scan(ctx)
	return rows, err
}
