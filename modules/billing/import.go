package billing

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	kindAgreement = "agreement"
	kindInvoice   = "invoice"
)

// Import stores agreements and invoices. Of two rows with the same natural key the later holds.
func (s *service) Import(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error) {
	switch kind {
	case kindAgreement:
		return s.importAgreements(ctx, rows)
	case kindInvoice:
		return s.importInvoices(ctx, rows)
	}
	return nil, fmt.Errorf("billing: does not import %q", kind)
}

func (s *service) importAgreements(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	label := module.ScopeOf(ctx).Label
	batch, place := make([]agreementRow, 0, len(rows)), make(map[agreementKey]int, len(rows))
	for _, row := range rows {
		debtor, a, wrong := readAgreement(row)
		if wrong != nil {
			refused = append(refused, wrong...)
			continue
		}
		stored := agreementRow{LabelKey: label, RelationID: relationID(label, debtor), Agreement: a.ID}
		if a.Periodical != nil {
			stored.CurrentAmount = &a.Periodical.Details.Current
		}
		document, err := json.Marshal(a)
		if err != nil {
			return nil, fmt.Errorf("billing: %w", err)
		}
		stored.Document = string(document)
		batch = upserted(batch, place, agreementKey{stored.RelationID, stored.Agreement}, stored)
	}
	if len(batch) == 0 {
		return refused, nil
	}
	upsert, err := upsertAgreements(ctx, s.host.DB, batch)
	if err != nil {
		return nil, err
	}
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := upsert.Exec(ctx, tx)
		return err
	})
}

func (s *service) importInvoices(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	label := module.ScopeOf(ctx).Label
	type read struct {
		line int
		invoiceRow
	}
	taken := make([]read, 0, len(rows))
	keys := make([]agreementKey, 0, len(rows))
	for _, row := range rows {
		debtor, i, file, wrong := readInvoice(row)
		if wrong != nil {
			refused = append(refused, wrong...)
			continue
		}
		document, err := json.Marshal(i)
		if err != nil {
			return nil, fmt.Errorf("billing: %w", err)
		}
		stored := invoiceRow{LabelKey: label, InvoiceID: i.ID, RelationID: relationID(label, debtor), Agreement: i.Agreement, DueDate: i.DueDate,
			Amount: i.Amount, Balance: i.Balance, File: file, Document: string(document)}
		taken, keys = append(taken, read{row.Line, stored}), append(keys, agreementKey{stored.RelationID, stored.Agreement})
	}
	if len(taken) == 0 {
		return refused, nil
	}
	known, err := knownAgreements(ctx, s.host.DB, keys) // no agreement ever goes, so this may be asked before the transaction
	if err != nil {
		return nil, err
	}
	batch, place := make([]invoiceRow, 0, len(taken)), make(map[string]int, len(taken))
	for n, i := range taken {
		if !known[keys[n]] {
			refused = append(refused, record.Refusal{Line: i.line, Field: "agreement_identifier_with_sequence", Code: codeUnknownAgreement})
			continue
		}
		batch = upserted(batch, place, i.InvoiceID, i.invoiceRow)
	}
	if len(batch) == 0 {
		return refused, nil
	}
	upsert, err := upsertInvoices(ctx, s.host.DB, batch)
	if err != nil {
		return nil, err
	}
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return storeInvoices(ctx, tx, batch, upsert)
	})
}

// upserted puts a row into a batch in which no key may occur twice: a statement cannot write one row two times.
func upserted[K comparable, R any](batch []R, place map[K]int, key K, row R) []R {
	if at, twice := place[key]; twice {
		batch[at] = row
		return batch
	}
	place[key] = len(batch)
	return append(batch, row)
}

// relationID is the id that module account gives the relation with a debtor number.
func relationID(label, debtor string) string { return value.StableID(label, "relation", debtor) }
