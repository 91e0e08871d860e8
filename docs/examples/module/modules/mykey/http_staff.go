// {staff}

package mykey

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// StaffNote is a note for staff.
type StaffNote struct {
	Customer string `json:"customer" doc:"Name of the customer; empty: not known"`
	SavedNote
}

type listAllOutput struct {
	Body struct {
		Items []StaffNote `json:"items" nullable:"false" doc:"Newest first"`
	}
}

func (s *service) listAll(ctx context.Context, _ *struct{}) (*listAllOutput, error) {
	var found []noteRow
	rows := module.Label(ctx, "staff read the notes of all customers")
	if err := rows.Select(s.host.DB, &found).Order("day DESC", "relation_id", "id").Limit(50).Scan(ctx); err != nil {
		return nil, err
	}
	names, err := s.names(ctx, found)
	if err != nil {
		return nil, err
	}
	out := new(listAllOutput)
	out.Body.Items = []StaffNote{}
	for _, n := range found {
		out.Body.Items = append(out.Body.Items, StaffNote{names[n.Relation], SavedNote{n.ID, n.Day, n.Note}})
	}
	return out, nil
}

// names returns the names of the customers, by relation.
func (s *service) names(ctx context.Context, notes []noteRow) (map[string]string, error) {
	out := map[string]string{}
	if len(notes) == 0 {
		return out, nil
	}
	var relations []string
	for _, n := range notes {
		relations = append(relations, n.Relation)
	}
	found, err := accountapi.New(s.host.Client).LookUpRelations(ctx, accountapi.LookupInputBody{Relations: relations})
	for _, f := range found {
		out[f.Relation] = f.Name
	}
	return out, err
}

// {/staff}
