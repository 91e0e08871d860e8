package reading

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// readingRow is a stored reading.
type readingRow struct {
	bun.BaseModel `bun:"table:usage_readings,alias:r"`
	LabelKey      string `bun:",pk"`
	Stored
}

// Readings belong to an EAN code, not to a relation. Callers must first find the connection among those of the relation, and query only the
// span in which the relation was supplied there. Therefore these queries are limited only to the label.

// Find returns the readings of a connection, oldest first. They include the reading on the day after the span, which ends the last day.
func Find(ctx context.Context, db module.DB, ean string, s meter.Span) ([]Stored, error) {
	rows := module.Label(ctx, "readings have no relation; their connection belongs to the caller")
	var found []readingRow
	err := db.Find(ctx, rows, &found, "AND r.ean_code = ? AND r.day >= ? AND r.day <= ? ORDER BY r.day, r.meter_number",
		ean, s.From.String(), s.End().String())
	out := make([]Stored, 0, len(found))
	for _, r := range found {
		if !s.IsInGap(r.Day) || !s.IsInGap(r.Day.AddDays(-1)) { // a reading on the first day of a gap completes the day before
			out = append(out, r.Stored)
		}
	}
	return out, err
}

// FindAround returns the readings of a connection between two days and the readings directly before and after them, in a transaction. New
// readings are validated against them.
func FindAround(ctx context.Context, tx module.Tx, ean string, first, last value.Day) ([]Stored, error) {
	var found []readingRow
	rows := module.Label(ctx, "readings have no relation; their connection was checked before")
	near := func(edge string) *bun.SelectQuery {
		return rows.Select(tx, (*readingRow)(nil)).ColumnExpr("? (r.day)", bun.Safe(edge)).
			Where("r.ean_code = ?", ean)
	}
	err := rows.Select(tx, &found).Where("r.ean_code = ?", ean).
		Where("r.day >= COALESCE((?), ?)", near("MAX").Where("r.day < ?", first), first).
		Where("r.day <= COALESCE((?), ?)", near("MIN").Where("r.day > ?", last), last).Scan(ctx)
	out := make([]Stored, len(found))
	for i, r := range found {
		out[i] = r.Stored
	}
	return out, err
}

// Upsert stores readings; each day of a meter may occur once.
func Upsert(ctx context.Context, tx module.Tx, rows module.Rows, all []Stored) error {
	batch := make([]readingRow, len(all))
	for i, r := range all {
		batch[i] = readingRow{LabelKey: rows.Key(), Stored: r}
	}
	return meter.Upsert(ctx, tx, rows, &batch, "label_key, ean_code, day, meter_number", "normal", "low", "feedin_normal", "feedin_low")
}
