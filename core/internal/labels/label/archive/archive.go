// Package archive stores the last valid version of every label in the database, and which labels are retired. The portal serves the
// stored version when a label's folder is broken or missing.
package archive

import (
	"context"
	"embed"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

//go:embed migrations
var files embed.FS

// Migrations create the tables of the archive.
var Migrations = store.Migrations{Name: "label", FS: files}

// schemas is the number of schemas for which the archive keeps a version of each label: the current one, and those of earlier releases to
// which an installation may return.
const schemas = 3

// Archive implements label.Archive in the database.
type Archive struct {
	store *store.Store
	now   func() time.Time
}

var _ label.Archive = (*Archive)(nil)

// New returns an archive; now is the injected clock.
func New(s *store.Store, now func() time.Time) *Archive { return &Archive{s, now} }

type version struct {
	bun.BaseModel `bun:"table:label_versions,alias:v"`

	Label    string    `bun:"label_key,pk"`
	Schema   string    `bun:"schema,pk"`
	Revision string    `bun:"revision"`
	At       time.Time `bun:"kept_at"`
	Files    []byte    `bun:"files"`
}

type retirement struct {
	bun.BaseModel `bun:"table:label_retirements,alias:r"`

	Label string    `bun:"label_key,pk"`
	At    time.Time `bun:"retired_at"`
}

// Versions implements label.Archive.
func (a *Archive) Versions(ctx context.Context) ([]label.Version, error) {
	var rows []version
	err := a.store.Read().NewSelect().Model(&rows).Column("label_key", "schema", "revision", "kept_at").
		OrderExpr("label_key, kept_at DESC, schema").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	out := make([]label.Version, len(rows))
	for i, r := range rows {
		out[i] = label.Version{Label: r.Label, Schema: r.Schema, Revision: r.Revision, At: r.At}
	}
	return out, nil
}

// Fill implements label.Archive. It returns no error for a version with damaged files, which gets no files, because other versions of the
// label may be intact.
func (a *Archive) Fill(ctx context.Context, of []label.Version) error {
	keys := make([]string, len(of))
	for i, v := range of {
		keys[i] = v.Label
	}
	if len(keys) == 0 {
		return nil
	}
	var rows []version
	err := a.store.Read().NewSelect().Model(&rows).Where("label_key IN (?)", bun.List(keys)).Scan(ctx)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	packed := map[[2]string][]byte{}
	for _, r := range rows {
		packed[[2]string{r.Label, r.Schema}] = r.Files
	}
	for i, v := range of {
		of[i].Files, _ = label.Unpack(packed[[2]string{v.Label, v.Schema}])
	}
	return nil
}

// Keep implements label.Archive. It runs in the background.
func (a *Archive) Keep(ctx context.Context, versions []label.Version) error {
	rows, at := make([]version, len(versions)), a.now().UTC().Truncate(time.Microsecond)
	for i, v := range versions {
		packed, err := v.Files.Pack()
		if err != nil {
			return err
		}
		rows[i] = version{Label: v.Label, Schema: v.Schema, Revision: v.Revision, At: at, Files: packed}
	}
	err := a.store.Tx(store.Later(ctx), func(ctx context.Context, tx bun.Tx) error {
		for i, r := range rows {
			if _, err := tx.NewInsert().Model(&rows[i]).On("CONFLICT (label_key, schema) DO UPDATE").
				Set("revision = EXCLUDED.revision").Set("kept_at = EXCLUDED.kept_at").Set("files = EXCLUDED.files").Exec(ctx); err != nil {
				return err
			}
			_, err := tx.NewRaw("DELETE FROM label_versions WHERE label_key = ? AND schema NOT IN "+
				"(SELECT schema FROM label_versions WHERE label_key = ? ORDER BY kept_at DESC, schema LIMIT ?)", r.Label, r.Label, schemas).Exec(ctx)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}

// Retired implements label.Archive.
func (a *Archive) Retired(ctx context.Context) (map[string]bool, error) {
	var rows []retirement
	if err := a.store.Read().NewSelect().Model(&rows).Scan(ctx); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	out := map[string]bool{}
	for _, r := range rows {
		out[r.Label] = true
	}
	return out, nil
}

// Retire stops serving a label on every replica, but keeps its records and its stored versions. It is idempotent.
func (a *Archive) Retire(ctx context.Context, labelKey string) error {
	row := retirement{Label: labelKey, At: a.now().UTC().Truncate(time.Microsecond)}
	return a.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&row).On("CONFLICT DO NOTHING").Exec(ctx)
		return err
	})
}

// Return undoes Retire. was reports whether the label was retired.
func (a *Archive) Return(ctx context.Context, labelKey string) (was bool, err error) {
	err = a.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewDelete().Model((*retirement)(nil)).Where("label_key = ?", labelKey).Exec(ctx)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		was = n > 0
		return err
	})
	return was, err
}

func (a *Archive) write(ctx context.Context, fn func(context.Context, bun.Tx) error) error {
	if err := a.store.Tx(ctx, fn); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}
