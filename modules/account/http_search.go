package account

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// searchRoutes are how modules of staff and of members find relations that are not the call's own. Who may ask is theirs to guard.
func (s *service) searchRoutes() {
	search := op(http.MethodPost, "/relations/search", "searchRelations", "Relations by debtor number, e-mail address or name")
	module.Route(s.API, search, module.Sibling, module.Read, s.search)
	lookup := op(http.MethodPost, "/relations/lookup", "lookUpRelations", "Who some relations are; those that are not there are left out")
	module.Route(s.API, lookup, module.Sibling, module.Read, s.lookup)
	record := huma.Operation{Method: http.MethodGet, Path: "/relations/{relation}/record", OperationID: "recordOfRelation", Summary: "One relation, whole"}
	module.Route(s.API, record, module.Sibling, module.Read, s.record)
}

type searchInput struct {
	Body struct {
		Q         string   `json:"q" minLength:"1" maxLength:"200"`
		Relations []string `json:"relations,omitempty" maxItems:"100" doc:"With an e-mail address: those whose login has it"`
		After     string   `json:"after,omitempty" maxLength:"2000" doc:"The next of the page before"`
		Limit     int      `json:"limit" minimum:"1" maximum:"100"`
	}
}

type searchAnswer struct {
	Body struct {
		Items []Found `json:"items" nullable:"false"`
		Next  string  `json:"next,omitempty"`
	}
}

func (s *service) search(ctx context.Context, in *searchInput) (*searchAnswer, error) {
	after, err := ReadCursor(in.Body.After)
	if err != nil {
		return nil, err
	}
	hits, err := findRelations(ctx, s.host.DB, ReadWanted(in.Body.Q), in.Body.Relations, after, in.Body.Limit+1)
	if err != nil {
		return nil, err
	}
	out := &searchAnswer{}
	if len(hits) > in.Body.Limit {
		hits = hits[:in.Body.Limit]
		out.Body.Next = hits[len(hits)-1].at.String()
	}
	out.Body.Items = make([]Found, len(hits))
	for i, h := range hits {
		out.Body.Items[i] = h.row.Found(h.row.RelationID)
	}
	return out, nil
}

type lookupInput struct {
	Body struct {
		Relations []string `json:"relations" maxItems:"200" nullable:"false"`
	}
}

type lookupAnswer struct {
	Body []Found `nullable:"false"`
}

func (s *service) lookup(ctx context.Context, in *lookupInput) (*lookupAnswer, error) {
	rows, err := relationsOf(ctx, s.host.DB, in.Body.Relations)
	out := &lookupAnswer{Body: make([]Found, len(rows))}
	for i, r := range rows {
		out.Body[i] = r.Found(r.RelationID)
	}
	return out, err
}

func (s *service) record(ctx context.Context, in *relationInput) (*relationAnswer, error) {
	rows, err := relationsOf(ctx, s.host.DB, []string{in.Relation})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, problem.ErrNotFound
	}
	return &relationAnswer{&rows[0].Relation}, nil
}
