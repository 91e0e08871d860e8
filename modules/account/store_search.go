package account

import (
	"cmp"
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// hit is a relation that matches a search, with its cursor.
type hit struct {
	row    relationRow
	cursor Cursor
}

// prefixEnd returns a string greater than all strings that begin with s. Both engines compare the search columns byte by byte.
func prefixEnd(s string) string { return s + "\U0010FFFF" }

// findRelations returns the relations that match a query, sorted by name, or by address if the query has one, starting after a cursor.
// logins are relations whose account has the email address of the query. Each part of the query uses one index and reads at most limit
// rows.
func findRelations(ctx context.Context, db module.Querier, query Query, logins []string, after Cursor, limit int) ([]hit, error) {
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
			switch column {
			case searchFirm:
				hits[i].cursor.Key = r.SearchFirm
			case searchPlace:
				hits[i].cursor.Key = r.SearchPlace
			}
		}
		return hits, nil
	}
	if query.Email != "" {
		return part(searchName, func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
				q = q.Where("lower(email) = ?", query.Email)
				if len(logins) > 0 {
					q = q.WhereOr("relation_id IN ?", bun.Tuple(logins))
				}
				return q
			})
		})
	}
	if len(query.DebtorNumbers) == 0 {
		return nil, nil
	}
	if after == (Cursor{}) { // a debtor number matches at most one relation, so only on the first page
		found, err := part(searchName, func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("debtor_number IN ?", bun.Tuple(query.DebtorNumbers))
		})
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	if query.Place != "" {
		return part(searchPlace, func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("search_place >= ? AND search_place < ?", query.Place, prefixEnd(query.Place))
		})
	}
	var all []hit
	for _, name := range query.Names {
		found, err := part(searchName, func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("search_name >= ? AND search_name < ?", name, prefixEnd(name))
		})
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	found, err := part(searchFirm, func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.Where("search_firm <> '' AND search_firm >= ? AND search_firm < ?", query.Company, prefixEnd(query.Company))
		for _, name := range query.Names { // exclude companies already found by the name of their contact person
			q = q.Where("NOT (search_name >= ? AND search_name < ?)", name, prefixEnd(name))
		}
		return q
	})
	if err != nil {
		return nil, err
	}
	all = append(all, found...)
	slices.SortFunc(all, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.cursor.Key, b.cursor.Key), cmp.Compare(a.cursor.Relation, b.cursor.Relation))
	})
	return all[:min(limit, len(all))], nil
}

// relationsByID returns the relations of the label with the given ids, unsorted. Unknown ids are left out.
func relationsByID(ctx context.Context, db module.Querier, ids []string) ([]relationRow, error) {
	all := module.Label(ctx, "staff and siblings may read any relation")
	rows := []relationRow{}
	if len(ids) == 0 {
		return rows, nil
	}
	err := all.Select(db, &rows).Where("relation_id IN ?", bun.Tuple(ids)).Scan(ctx)
	return rows, err
}
