package account

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// searchRoutes adds the operations that let other modules find any relation of the label. The calling module checks who may search.
func (s *service) searchRoutes() {
	search := op(http.MethodPost, "/relations/search", "searchRelations", "Search relations by number, e-mail address, name or address",
		"For siblings, which check who may search. Sorted by name. Problem: 400 for an invalid cursor.")
	module.Route(s.API, search, module.Sibling, module.Read, s.search)
	lookup := op(http.MethodPost, "/relations/lookup", "lookUpRelations", "List relations by id",
		"For siblings, which check who may search. Unknown ids are left out; the result is unsorted.")
	module.Route(s.API, lookup, module.Sibling, module.Read, s.lookup)
	record := op(http.MethodGet, "/relations/{relation}/record", "recordOfRelation", "Get a relation with all its data",
		"For siblings, which check who may read it. Problem: 404 for an unknown relation.")
	module.Route(s.API, record, module.Sibling, module.Read, s.record)
}

type searchInput struct {
	Body struct {
		Q         string   `json:"q" minLength:"1" maxLength:"200" doc:"Debtor number, e-mail address, postal code with or without a house number, or beginning of a name"`
		Relations []string `json:"relations,omitempty" maxItems:"100" doc:"Ids of relations with an account that has this e-mail address"`
		After     string   `json:"after,omitempty" maxLength:"2000" doc:"The value of next on the previous page"`
		Limit     int      `json:"limit" minimum:"1" maximum:"100" doc:"Maximum number of relations"`
	}
}

type searchAnswer struct {
	Body struct {
		Kind  string  `json:"kind" enum:"email,address,number,name" doc:"What was searched for"`
		Items []Found `json:"items" nullable:"false" doc:"Relations found, in the order of their names, or of their addresses"`
		Next  string  `json:"next,omitempty" doc:"Value of after for the next page; absent on the last page"`
	}
}

func (s *service) search(ctx context.Context, in *searchInput) (*searchAnswer, error) {
	after, err := ParseCursor(in.Body.After)
	if err != nil {
		return nil, err
	}
	query := ParseQuery(in.Body.Q)
	hits, err := findRelations(ctx, s.host.DB, query, in.Body.Relations, after, in.Body.Limit+1)
	if err != nil {
		return nil, err
	}
	out := &searchAnswer{}
	out.Body.Kind = query.Kind()
	if len(hits) > in.Body.Limit {
		hits = hits[:in.Body.Limit]
		out.Body.Next = hits[len(hits)-1].cursor.String()
	}
	out.Body.Items = make([]Found, len(hits))
	for i, h := range hits {
		out.Body.Items[i] = h.row.Found(h.row.RelationID)
	}
	return out, nil
}

type lookupInput struct {
	Body struct {
		Relations []string `json:"relations" maxItems:"200" nullable:"false" doc:"Ids of relations"`
	}
}

type lookupAnswer struct {
	Body []Found `nullable:"false"`
}

func (s *service) lookup(ctx context.Context, in *lookupInput) (*lookupAnswer, error) {
	rows, err := relationsByID(ctx, s.host.DB, in.Body.Relations)
	out := &lookupAnswer{Body: make([]Found, len(rows))}
	for i, r := range rows {
		out.Body[i] = r.Found(r.RelationID)
	}
	return out, err
}

func (s *service) record(ctx context.Context, in *relationInput) (*relationAnswer, error) {
	rows, err := relationsByID(ctx, s.host.DB, []string{in.Relation})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, problem.ErrNotFound
	}
	return &relationAnswer{&rows[0].Relation}, nil
}
