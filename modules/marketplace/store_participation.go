package marketplace

import (
	"context"
	"encoding/json"

	"github.com/wattle-portal/wattle/core/module"
)

// openParticipation finds the participation of a relation in a project at an address, or makes one without shares.
func openParticipation(ctx context.Context, tx module.Tx, relation, project string, at Address) (string, error) {
	rows := module.Label(ctx)
	document, err := json.Marshal(participationDocument{Address: at})
	if err != nil {
		return "", err
	}
	row := &participationRow{LabelKey: rows.Key(), ID: module.StableID(rows.Key(), "participation", relation, project, at.Key()), RelationID: relation,
		ProjectCode: project, AddressKey: at.Key(), Document: string(document)}
	row.ParticipationIdentifier = "P-" + row.ID[:10]
	if _, err := tx.NewInsert().Model(row).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
		return "", err
	}
	var id string
	err = tx.NewSelect().Model((*participationRow)(nil)).Column("id").ApplyQueryBuilder(rows.Where).
		Where("relation_id = ? AND project_code = ? AND address_key = ?", relation, project, at.Key()).Scan(ctx, &id)
	return id, err
}
