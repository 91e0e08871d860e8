package acme

import (
	"context"
	"encoding/json"

	"github.com/wattle-portal/wattle/core/module"
)

type limitInput struct {
	Body struct {
		Amount int `json:"amount" minimum:"1" maximum:"100"`
	}
}

// askLimit files a change request that the back office decides.
func (s *service) askLimit(ctx context.Context, in *limitInput) (*struct{}, error) {
	data, err := json.Marshal(in.Body)
	if err != nil {
		return nil, err
	}
	who := module.ScopeOf(ctx)
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := tx.File(ctx, module.Change{Relation: who.Relation, Subject: who.Subject, Kind: "acme.limit", Data: data})
		return err
	})
}

// apply applies a decided change request; here it stores a note.
func (s *service) apply(ctx context.Context, tx module.Tx, c module.Change) error {
	rows := module.Label(ctx, "the change names its relation")
	return store(ctx, tx, rows, note{Label: rows.Key(), Relation: c.Relation, ID: "limit", Text: c.State})
}
