package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

const kindRelation = "relation"

// Import stores relations with their addresses and company. The natural key is debtor_number; the last of several rows with the same key
// is stored.
func (s *service) Import(ctx context.Context, kind string, rows []record.Row) (refused []record.Refusal, err error) {
	if kind != kindRelation {
		return nil, fmt.Errorf("account: unknown kind of record %q", kind)
	}
	batch, index := make([]Relation, 0, len(rows)), make(map[string]int, len(rows))
	for _, row := range rows {
		r, refusal := parseRelation(row)
		if refusal != nil {
			refused = append(refused, *refusal)
			continue
		}
		r.doubts(func(field, code string) { record.Warn(ctx, row.Line, field, code) })
		if at, found := index[r.DebtorNumber]; found {
			batch[at] = r
			continue
		}
		index[r.DebtorNumber] = len(batch)
		batch = append(batch, r)
	}
	if len(batch) == 0 {
		return refused, nil
	}
	upsert, err := upsertRelations(ctx, s.host.DB, batch)
	if err != nil {
		return nil, err
	}
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := upsert.Exec(ctx, tx)
		return err
	})
}

func parseRelation(row record.Row) (r Relation, refusal *record.Refusal) {
	if err := json.Unmarshal(row.Data, &r); err != nil {
		refusal = &record.Refusal{Line: row.Line, Code: problem.CodeMalformed}
		if typeErr, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			refusal.Field, refusal.Code = typeErr.Field, problem.CodeInvalid
		}
		return r, refusal
	}
	if field, code := r.check(); code != "" {
		return r, &record.Refusal{Line: row.Line, Field: field, Code: code}
	}
	if r.Addresses == nil {
		r.Addresses = []Address{}
	}
	return r, nil
}
