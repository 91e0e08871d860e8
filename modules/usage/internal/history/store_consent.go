package history

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/usageapi"
)

// consentRow is a stored decision about consent.
type consentRow struct {
	bun.BaseModel `bun:"table:usage_consents,alias:c"`
	LabelKey      string `bun:",pk"`
	ID            string `bun:",pk"`
	RelationID    string
	Subject       string
	Decision
}

// LatestDecisions returns the latest decisions of a relation by EAN code.
func LatestDecisions(ctx context.Context, db module.Querier, rows module.Rows, relation string) (map[string]Decision, error) {
	var found []consentRow
	if err := rows.Select(db, &found).Where("c.relation_id = ?", relation).
		OrderExpr("c.at, c.id").Scan(ctx); err != nil {
		return nil, err
	}
	out := map[string]Decision{}
	for _, r := range found {
		out[r.EANCode] = r.Decision
	}
	return out, nil
}

// InsertDecision stores a decision and publishes its event.
func InsertDecision(ctx context.Context, tx module.Tx, rows module.Rows, d Decision) error {
	subject := module.ScopeOf(ctx).Subject
	row := consentRow{LabelKey: rows.Key(), ID: value.NewID(), RelationID: rows.Relation(), Subject: subject, Decision: d}
	if _, err := rows.Insert(tx, &row).Exec(ctx); err != nil {
		return err
	}
	kind := usageapi.EventConsentRevoked
	if d.Given {
		kind = usageapi.EventConsentGiven
	}
	return module.Publish(ctx, tx, kind, d.EANCode, usageapi.ConsentChanged{Relation: rows.Relation(), Account: subject, EANCode: d.EANCode,
		TextVersion: d.TextVersion})
}
