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

// agreementRow is a stored agreement. The term amount has its own column, because decisions change only this field.
type agreementRow struct {
	bun.BaseModel `bun:"table:billing_agreements,alias:a"`
	LabelKey      string       `bun:",pk"`
	RelationID    string       `bun:",pk"`
	Agreement     string       `bun:",pk"`
	CurrentAmount *value.Cents `bun:"current_amount"`
	Document      string
}

// storedAgreement is the stored document of an agreement: the back-office record, including the fields that the API does not return.
type storedAgreement struct {
	Agreement
	Files          map[string]string `json:"files,omitempty"` // names of tariff sheets in the file store, by retrieval_id
	Products       []Product         `json:"products,omitempty"`
	NextCollection value.Day         `json:"next_collection,omitzero"`
	YearEnd        *YearEnd          `json:"year_end,omitempty"`
}

// findAgreements returns the agreements of the call's relation as of a day, latest start first.
func findAgreements(ctx context.Context, db module.DB, rows module.Rows, today value.Day) ([]*storedAgreement, error) {
	var found []agreementRow
	if err := db.Find(ctx, rows, &found, ""); err != nil {
		return nil, err
	}
	return decodeAgreements(found, today)
}

// findAgreementsOfRelation returns the agreements of any relation of the label, for siblings.
func findAgreementsOfRelation(ctx context.Context, db module.DB, relation string, today value.Day) ([]*storedAgreement, error) {
	rows := module.Label(ctx, "siblings may read the agreements of any relation")
	var found []agreementRow
	if err := db.Find(ctx, rows, &found, "AND a.relation_id = ?", relation); err != nil {
		return nil, err
	}
	return decodeAgreements(found, today)
}

func decodeAgreements(found []agreementRow, today value.Day) ([]*storedAgreement, error) {
	out := make([]*storedAgreement, len(found))
	for i, row := range found {
		a := &storedAgreement{}
		if err := json.Unmarshal([]byte(row.Document), a); err != nil {
			return nil, fmt.Errorf("billing: document of an agreement: %w", err)
		}
		if a.Periodical != nil && row.CurrentAmount != nil {
			a.Periodical.Details.Current = *row.CurrentAmount
		}
		if a.Periodical != nil {
			if y := a.yearEnd(today, today); y != nil {
				a.Periodical.Details.Proposed = y.Advice(a.Periodical.Details)
			}
		}
		a.Current, a.Invoices = a.isCurrent(today), []Invoice{}
		out[i] = a
	}
	slices.SortFunc(out, func(a, b *storedAgreement) int { return newestFirst(&a.Agreement, &b.Agreement) })
	return out, nil
}

// requireAgreement returns ErrNotFound if the relation has no such agreement.
func requireAgreement(ctx context.Context, db module.DB, rows module.Rows, agreement string) error {
	err := db.Find(ctx, rows, &agreementRow{}, "AND a.agreement = ?", agreement)
	if errors.Is(err, sql.ErrNoRows) {
		return problem.ErrNotFound
	}
	return err
}

// setTermAmount stores the requested amount as the current one, for any relation of the label, because decisions are made by staff or by a
// job.
func setTermAmount(ctx context.Context, tx module.Tx, relation string, w amountChange) error {
	_, err := module.Label(ctx, "staff or a job decide changes of any relation").Update(tx, (*agreementRow)(nil)).
		Where("relation_id = ? AND agreement = ?", relation, w.Agreement).Set("current_amount = ?", w.Amount).Exec(ctx)
	return err
}

// upsertAgreements prepares the statement that writes a batch, in which each agreement may occur once. The statement is encoded before the
// transaction begins, so that the write lock of SQLite is held for a shorter time.
func upsertAgreements(ctx context.Context, db module.DB, batch []agreementRow) (module.Insertion, error) {
	all := module.Label(ctx, "an import contains agreements of the whole label")
	return all.PrepareInsert(db, &batch, func(insert *bun.InsertQuery) {
		insert.On("CONFLICT (label_key, relation_id, agreement) DO UPDATE").
			Set("current_amount = EXCLUDED.current_amount").Set("document = EXCLUDED.document")
	})
}

// agreementKey identifies an agreement of a relation.
type agreementKey struct{ relation, agreement string }

// existingAgreements returns which of the agreements exist in the label.
func existingAgreements(ctx context.Context, db module.Querier, keys []agreementKey) (map[agreementKey]bool, error) {
	relations := make([]string, len(keys))
	for i, k := range keys {
		relations[i] = k.relation
	}
	slices.Sort(relations)
	var found []agreementRow
	err := module.Label(ctx, "an import contains invoices of the whole label").Select(db, &found).Column("relation_id", "agreement").
		Where("relation_id IN (?)", bun.List(slices.Compact(relations))).Scan(ctx)
	known := make(map[agreementKey]bool, len(found))
	for _, row := range found {
		known[agreementKey{row.RelationID, row.Agreement}] = true
	}
	return known, err
}
