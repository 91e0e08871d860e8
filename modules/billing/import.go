package billing

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

const (
	kindAgreement = "agreement"
	kindInvoice   = "invoice"
)

// Import stores agreements and invoices. The last of several rows with the same natural key is stored.
func (s *service) Import(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error) {
	switch kind {
	case kindAgreement:
		return s.importAgreements(ctx, rows)
	case kindInvoice:
		return s.importInvoices(ctx, rows)
	}
	return nil, fmt.Errorf("billing: unknown kind of record %q", kind)
}

func (s *service) importAgreements(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	label := module.ScopeOf(ctx).Label
	batch, index := make([]agreementRow, 0, len(rows)), make(map[agreementKey]int, len(rows))
	lines := make(map[string][]int, len(rows)) // by relation
	for _, row := range rows {
		debtor, a, refusals := parseAgreement(row)
		if refusals != nil {
			refused = append(refused, refusals...)
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
		lines[stored.RelationID] = append(lines[stored.RelationID], row.Line)
		batch = appendUnique(batch, index, agreementKey{stored.RelationID, stored.Agreement}, stored)
	}
	if len(batch) == 0 {
		return refused, nil
	}
	accountapi.New(s.host.Client).WarnUnknownCustomers(ctx, "debtor_number", lines)
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
	type parsedInvoice struct {
		line int
		invoiceRow
	}
	parsed := make([]parsedInvoice, 0, len(rows))
	keys := make([]agreementKey, 0, len(rows))
	for _, row := range rows {
		debtor, i, file, refusals := parseInvoice(row)
		if refusals != nil {
			refused = append(refused, refusals...)
			continue
		}
		document, err := json.Marshal(i)
		if err != nil {
			return nil, fmt.Errorf("billing: %w", err)
		}
		stored := invoiceRow{LabelKey: label, InvoiceID: i.ID, RelationID: relationID(label, debtor), Agreement: i.Agreement, DueDate: i.DueDate,
			Amount: i.Amount, Balance: i.Balance, File: file, Document: string(document)}
		parsed, keys = append(parsed, parsedInvoice{row.Line, stored}), append(keys, agreementKey{stored.RelationID, stored.Agreement})
	}
	if len(parsed) == 0 {
		return refused, nil
	}
	known, err := existingAgreements(ctx, s.host.DB, keys) // agreements are never deleted, so this check needs no transaction
	if err != nil {
		return nil, err
	}
	batch, index := make([]invoiceRow, 0, len(parsed)), make(map[string]int, len(parsed))
	for n, i := range parsed {
		if !known[keys[n]] {
			refused = append(refused, record.Refusal{Line: i.line, Field: "agreement_identifier_with_sequence", Code: codeUnknownAgreement})
			continue
		}
		batch = appendUnique(batch, index, i.InvoiceID, i.invoiceRow)
	}
	if len(batch) == 0 {
		return refused, nil
	}
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return storeInvoices(ctx, tx, batch)
	})
}

// appendUnique appends a row to a batch, or replaces the row with the same key: a statement cannot write one row twice.
func appendUnique[K comparable, R any](batch []R, index map[K]int, key K, row R) []R {
	if at, found := index[key]; found {
		batch[at] = row
		return batch
	}
	index[key] = len(batch)
	return append(batch, row)
}

// relationID returns the id that module account assigns to the relation with a debtor number.
func relationID(label, debtor string) string { return value.StableID(label, "relation", debtor) }
