// {change}

package mykey

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
)

// kindRemoval is the kind of a change request of a customer who wants all notes to be removed.
const kindRemoval = "mykey.removal"

// Removal is a request to remove all notes.
type Removal struct {
	Pending bool `json:"pending" doc:"Whether a request waits for a decision"`
}

type removalOutput struct{ Body Removal }

func (s *service) removal(ctx context.Context, _ *struct{}) (*removalOutput, error) {
	if _, err := module.Mine(ctx); err != nil {
		return nil, err
	}
	pending, err := s.host.DB.Pending(ctx, kindRemoval)
	return &removalOutput{Removal{len(pending) > 0}}, err
}

func (s *service) requestRemoval(ctx context.Context, _ *struct{}) (*removalOutput, error) {
	if _, err := module.Mine(ctx); err != nil {
		return nil, err
	}
	return &removalOutput{Removal{true}}, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := tx.File(ctx, module.Change{Kind: kindRemoval, Data: []byte("{}")})
		return err
	})
}

// decided removes the notes of the customer if staff or the back office have processed the request.
func (s *service) decided(ctx context.Context, tx module.Tx, c module.Change) error {
	if c.State != module.Processed {
		return nil
	}
	rows := module.Label(ctx, "the request of a customer is decided by others")
	_, err := rows.Delete(tx, (*noteRow)(nil)).Where("relation_id = ?", c.Relation).Exec(ctx)
	return err
}

// {/change}
