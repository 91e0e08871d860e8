package billing

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// agreementRow is an agreement as it is stored. The term amount has a column of its own: it is all that a decision changes.
type agreementRow struct {
	bun.BaseModel `bun:"table:billing_agreements,alias:a"`
	LabelKey      string       `bun:",pk"`
	RelationID    string       `bun:",pk"`
	Agreement     string       `bun:",pk"`
	CurrentAmount *value.Cents `bun:"current_amount"`
	Document      string
}

// agreed is the document of an agreement: what the back office sent, with what no browser sees.
type agreed struct {
	Agreement
	Files          map[string]string `json:"files,omitempty"` // of tariff sheets: retrieval_id -> name in the file store
	Products       []Product         `json:"products,omitempty"`
	NextCollection value.Day         `json:"next_collection,omitzero"`
	YearEnd        *YearEnd          `json:"year_end,omitempty"`
}

// agreementsOf reads the agreements that rows are narrowed to as they are on a day, newest start first.
func agreementsOf(ctx context.Context, db module.DB, rows module.Rows, today value.Day) ([]*agreed, error) {
	var found []agreementRow
	if err := db.Find(ctx, rows, &found, ""); err != nil {
		return nil, err
	}
	return agreementsAsOf(found, today)
}

// agreementsOfRelation are those of a relation that need not be the call's: for siblings.
func agreementsOfRelation(ctx context.Context, db module.DB, relation string, today value.Day) ([]*agreed, error) {
	rows := module.Label(ctx, "siblings ask for the agreements of a relation that they name")
	var found []agreementRow
	if err := db.Find(ctx, rows, &found, "AND a.relation_id = ?", relation); err != nil {
		return nil, err
	}
	return agreementsAsOf(found, today)
}

func agreementsAsOf(found []agreementRow, today value.Day) ([]*agreed, error) {
	out := make([]*agreed, len(found))
	for i, row := range found {
		a := &agreed{}
		if err := json.Unmarshal([]byte(row.Document), a); err != nil {
			return nil, fmt.Errorf("billing: document of an agreement: %w", err)
		}
		if a.Periodical != nil && row.CurrentAmount != nil {
			a.Periodical.Details.Current = *row.CurrentAmount
		}
		if a.Periodical != nil {
			if y := a.yearEnd(today); y != nil {
				a.Periodical.Details.Proposed = y.Advice(a.Periodical.Details)
			}
		}
		a.Current, a.Invoices = a.current(today), []Invoice{}
		out[i] = a
	}
	slices.SortFunc(out, func(a, b *agreed) int { return newestFirst(&a.Agreement, &b.Agreement) })
	return out, nil
}

// hasAgreement refuses an agreement that the relation does not have.
func hasAgreement(ctx context.Context, db module.DB, rows module.Rows, agreement string) error {
	err := db.Find(ctx, rows, &agreementRow{}, "AND a.agreement = ?", agreement)
	if errors.Is(err, sql.ErrNoRows) {
		return problem.ErrNotFound
	}
	return err
}

// setTermAmount makes the amount that was asked for the current one, of a relation that is not the call's own: a decision is taken
// by staff or by a job.
func setTermAmount(ctx context.Context, tx module.Tx, relation string, w wantedAmount) error {
	_, err := module.Label(ctx, "staff or a job decide a change of another's relation").Update(tx, (*agreementRow)(nil)).
		Where("relation_id = ? AND agreement = ?", relation, w.Agreement).Set("current_amount = ?", w.Amount).Exec(ctx)
	return err
}

// upsertAgreements is the statement that writes a batch, in which no agreement occurs twice. It is written out before the
// transaction begins, so that customers who want to write wait for SQLite only and not for our encoding.
func upsertAgreements(ctx context.Context, db module.DB, batch []agreementRow) (module.Insertion, error) {
	all := module.Label(ctx, "an import holds agreements of the whole label")
	return all.WriteOut(db, &batch, func(insert *bun.InsertQuery) {
		insert.On("CONFLICT (label_key, relation_id, agreement) DO UPDATE").
			Set("current_amount = EXCLUDED.current_amount").Set("document = EXCLUDED.document")
	})
}

// agreementKey names an agreement of a relation.
type agreementKey struct{ relation, agreement string }

// knownAgreements are those of the given that the label has.
func knownAgreements(ctx context.Context, db module.Querier, keys []agreementKey) (map[agreementKey]bool, error) {
	relations := make([]string, len(keys))
	for i, k := range keys {
		relations[i] = k.relation
	}
	slices.Sort(relations)
	var found []agreementRow
	err := module.Label(ctx, "an import of invoices looks for agreements of the whole label").Select(db, &found).Column("relation_id", "agreement").
		Where("relation_id IN (?)", bun.List(slices.Compact(relations))).Scan(ctx)
	known := make(map[agreementKey]bool, len(found))
	for _, row := range found {
		known[agreementKey{row.RelationID, row.Agreement}] = true
	}
	return known, err
}
