package acme

import (
	"context"
	"encoding/json"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// Import stores notes of another system. A repeated import changes nothing.
func (s *service) Import(ctx context.Context, _ string, rows []record.Row) (refused []record.Refusal, err error) {
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		refused = nil // the transaction may run again
		all := module.Label(ctx, "records are of every customer")
		for _, r := range rows {
			var in struct{ Relation, ID, Text string }
			if err := json.Unmarshal(r.Data, &in); err != nil || in.Relation == "" || in.ID == "" {
				refused = append(refused, record.Refusal{Line: r.Line, Field: "id", Code: problem.CodeRequired})
				continue
			}
			if err := store(ctx, tx, all, note{Label: all.Key(), Relation: in.Relation, ID: in.ID, Text: in.Text}); err != nil {
				return err
			}
		}
		return nil
	})
	return refused, err
}
