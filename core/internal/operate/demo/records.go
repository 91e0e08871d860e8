package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

// Record is a record in the format of `wattle import`.
type Record struct {
	Kind string         `json:"kind" doc:"Kind of record: agreement, invoice, connection …"`
	Data map[string]any `json:"data" doc:"Its strings may contain {{debtor}}, {{id}}, {{ean 1}}, {{day -30}}, {{month -1}}, {{year 0}} and {{at -2 \"14:30\"}}"`
}

// refusal returns the error for a record that a module has refused.
func refusal(kind string, rows []record.Row, r record.Refusal) error {
	i := slices.IndexFunc(rows, func(row record.Row) bool { return row.Line == r.Line })
	text := ""
	if i >= 0 {
		text = string(rows[i].Data[:min(len(rows[i].Data), 300)])
	}
	return fmt.Errorf("%s, line %d, was refused: %s %s: %s", kind, r.Line, r.Field, r.Code, text)
}

// take passes records to their module in batches. A refused record is an error, because the demo is part of the product.
func take(ctx context.Context, target imports.Target, kind string, records iter.Seq2[record.Row, error]) error {
	var batch []record.Row
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		refused, err := target(ctx, kind, batch)
		if err == nil && len(refused) > 0 {
			err = refusal(kind, batch, refused[0])
		}
		batch, size = batch[:0:0], 0
		return err
	}
	for row, err := range records {
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		batch, size = append(batch, row), size+len(row.Data)
		if len(batch) == imports.BatchRows || size >= imports.BatchBytes {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// lines parses NDJSON.
func lines(text []byte) iter.Seq2[record.Row, error] {
	return func(yield func(record.Row, error) bool) {
		r := imports.NewReader(bytes.NewReader(text), imports.NDJSON)
		for {
			row, err := r.Next()
			if errors.Is(err, io.EOF) || !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// without excludes the records of some relations.
func without(records iter.Seq2[record.Row, error], labelKey string, relations map[string]bool) iter.Seq2[record.Row, error] {
	return func(yield func(record.Row, error) bool) {
		for row, err := range records {
			var of struct {
				Debtor string `json:"debtor_number"`
			}
			if err == nil && json.Unmarshal(row.Data, &of) == nil && relations[value.StableID(labelKey, "relation", of.Debtor)] {
				continue
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// numbered converts generated records, which come from no file, to numbered rows.
func numbered(records iter.Seq[json.RawMessage]) iter.Seq2[record.Row, error] {
	return func(yield func(record.Row, error) bool) {
		line := 0
		for data := range records {
			if line++; !yield(record.Row{Line: line, Data: data}, nil) {
				return
			}
		}
	}
}
