// {import}

package mykey

import (
	"context"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

// kindNote is the kind of the records with notes from another system.
const kindNote = "mykey_note"

// noteRecord is a line of a CSV file or an object of an NDJSON file.
type noteRecord struct {
	Debtor record.Loose `json:"debtor_number"`
	ID     record.Loose `json:"id"`
	Day    record.Loose `json:"day"`
	Text   record.Loose `json:"text"`
}

const maxText = 500 // as in Note

// Import stores notes by customer and id. A repeated import changes nothing.
func (s *service) Import(ctx context.Context, _ string, records []record.Row) (refused []record.Refusal, err error) {
	rows := module.Label(ctx, "a file has the notes of all customers")
	var read []noteRow
	for _, r := range records {
		n, refusals := readNote(r, rows.Key())
		if refused = append(refused, refusals...); len(refusals) == 0 {
			read = append(read, n)
		}
	}
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		for i := range read {
			_, err := rows.Insert(tx, &read[i]).On("CONFLICT (label_key, relation_id, id) DO UPDATE").Set("day = EXCLUDED.day").
				Set("note = EXCLUDED.note").Exec(ctx)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func readNote(row record.Row, label string) (noteRow, []record.Refusal) {
	var in noteRecord
	r, ok := record.Read(row, &in)
	if !ok {
		return noteRow{}, r.Refusals()
	}
	// the id of a relation follows from the customer number
	n := noteRow{Label: label, Relation: value.StableID(label, "relation", r.Required("debtor_number", in.Debtor)),
		ID: r.Required("id", in.ID), Day: r.Day("day", in.Day), Note: Note{Text: r.Required("text", in.Text)}}
	if utf8.RuneCountInString(n.Note.Text) > maxText {
		r.Refuse("text", problem.CodeTooLong)
	}
	return n, r.Refusals()
}

// {/import}
