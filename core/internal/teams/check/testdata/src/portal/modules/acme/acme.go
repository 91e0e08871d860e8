package acme

import (
	"context"
	"time"

	"github.com/uptrace/bun"
	"github.com/wattle-portal/wattle/core/module"

	"portal/modules/billing" // want `a module imports of a sibling only billingapi`
	"portal/modules/billing/billingapi"
)

var _, _ = billing.Key, billingapi.Key

type note struct {
	bun.BaseModel `bun:"table:acme_notes,alias:n"`
	LabelKey      string `bun:",pk"`
	ID            string `bun:",pk"`
}

type line struct {
	bun.BaseModel `bun:"table:acme_lines"`
	Label         string `bun:"label_key,pk"`
}

type country struct {
	bun.BaseModel `bun:"table:acme_countries"`
	Code          string
}

const brand, other = "brand", "no brand" // want `"brand" is the key of a label`

func clocks(now func() time.Time) time.Duration {
	_ = time.Now()        // want `time.Now: the time of a module is Host.Now`
	later := time.Until   // want `time.Until: the time of a module is Host.Now`
	_ = time.Since(now()) // want `time.Since: the time of a module is Host.Now`
	_ = later
	return now().Sub(time.Unix(0, 0))
}

const why = "staff read the notes of all customers"

func reasons(ctx context.Context) {
	_ = module.Label(ctx, "staff read the notes of all customers")
	_ = module.Label(ctx, "")   // want `the reason of module.Label is a text literal`
	_ = module.Label(ctx, "  ") // want `the reason of module.Label is a text literal`
	_ = module.Label(ctx, why)  // want `the reason of module.Label is a text literal`
}

func queries(ctx context.Context, rows module.Rows, db bun.IDB) {
	q := rows.Select(nil, (*note)(nil)).Where("label_key = ?", "a")
	_ = q.NewSelect()         // want `NewSelect leads past the scope`
	_ = q.DB().NewSelect()    // want `DB leads past the scope` `NewSelect leads past the scope`
	_ = q.Conn(nil)           // want `Conn leads past the scope`
	_ = db.NewRaw("SELECT 1") // want `NewRaw leads past the scope`
}

func texts(ctx context.Context, rows module.Rows) {
	_ = rows.Raw(nil, "SELECT id FROM acme_notes WHERE label_key = ?")
	_ = rows.Raw(nil, "SELECT id FROM acme_notes WHERE id = ?")                                             // want `a table with label_key is used in SQL without a condition`
	_ = rows.Raw(nil, "SELECT id FROM acme_notes n JOIN acme_lines l ON l.id = n.id WHERE n.label_key = ?") // want `a table with label_key is used in SQL`
	_ = rows.Raw(nil, "SELECT id FROM acme_notes n JOIN acme_lines l ON l.label_key = n.label_key WHERE n.label_key = ?")
	_ = rows.Raw(nil, "update "+ // want `a table with label_key is used in SQL`
		"acme_lines SET a = 1")
	_ = rows.Raw(nil, "DELETE "+"FROM acme_lines "+"WHERE label_key = ?")
	_ = rows.Raw(nil, "INSERT INTO acme_notes (id) VALUES (?)") // want `a table with label_key is used in SQL`
	_ = rows.Raw(nil, "SELECT code FROM acme_countries")
	_ = rows.Raw(nil, "SELECT id FROM acme_notes_of_others")
	_ = rows.Select(nil, (*note)(nil)).Where("EXISTS (SELECT 1 FROM acme_lines WHERE id = n.id)") // want `a table with label_key is used in SQL`
}
