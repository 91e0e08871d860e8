package meter

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// OwnedConnection is a connection with the id of its relation.
type OwnedConnection struct {
	RelationID string
	Connection
}

// connectionRow is a stored connection.
type connectionRow struct {
	bun.BaseModel `bun:"table:usage_connections,alias:c"`
	LabelKey      string `bun:",pk"`
	OwnedConnection
}

// FindConnections returns the connections of the call's relation.
func FindConnections(ctx context.Context, db module.DB, rows module.Rows) ([]Connection, error) {
	var found []connectionRow
	if err := db.Find(ctx, rows, &found, "ORDER BY c.commodity, c.ean_code"); err != nil {
		return nil, err
	}
	out := make([]Connection, len(found))
	for i, r := range found {
		out[i] = r.Connection
	}
	return out, nil
}

// ConnectionsByEAN returns the label's connections with the given EAN codes. It is used by imports and jobs.
func ConnectionsByEAN(ctx context.Context, db module.Querier, eans []string) (map[string]Connection, error) {
	var found []connectionRow
	if len(eans) == 0 {
		return nil, nil
	}
	if err := module.Label(ctx, "imports and jobs use connections of the whole label").Select(db, &found).Where("c.ean_code IN ?",
		bun.Tuple(eans)).
		Scan(ctx); err != nil {
		return nil, err
	}
	out := make(map[string]Connection, len(found))
	for _, r := range found {
		out[r.EANCode] = r.Connection
	}
	return out, nil
}

// UpsertConnections stores connections; each EAN code may occur once.
func UpsertConnections(ctx context.Context, tx module.Tx, rows module.Rows, all []OwnedConnection) error {
	batch := make([]connectionRow, len(all))
	for i, c := range all {
		batch[i] = connectionRow{LabelKey: rows.Key(), OwnedConnection: c}
	}
	return Upsert(ctx, tx, rows, &batch, "label_key, ean_code", "relation_id", "commodity", "ean_group_number", "location_id",
		"meter_type", "meter_number", "capacity", "address", "agreement_identifier", "delivery")
}
