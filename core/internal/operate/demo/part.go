package demo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/uptrace/bun"
)

// part is a part of a label's demo that has been loaded: a file, or a call by one of its people.
type part struct {
	bun.BaseModel `bun:"table:demo_parts"`
	Label         string    `bun:"label_key,pk"`
	Name          string    `bun:"name,pk"`
	Sum           string    `bun:"sum"` // checksum of the loaded content
	At            time.Time `bun:"at"`
}

// parts contains the parts of one label by name.
type parts map[string]part

func sum(content []byte) string {
	s := sha256.Sum256(content)
	return hex.EncodeToString(s[:])
}

// isNew reports whether a part was never loaded or had a different checksum.
func (p parts) isNew(name, sum string) bool { return p[name].Sum != sum }

func (s *Service) loaded(ctx context.Context) (map[string]parts, error) {
	var rows []part
	if err := s.Store.Read().NewSelect().Model(&rows).Scan(ctx); err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	out := map[string]parts{}
	for _, r := range rows {
		if out[r.Label] == nil {
			out[r.Label] = parts{}
		}
		out[r.Label][r.Name] = r
	}
	return out, nil
}

// remember records which parts have been loaded. The caller loads them first.
func (s *Service) remember(ctx context.Context, done []part) error {
	if len(done) == 0 {
		return nil
	}
	return s.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&done).On("CONFLICT (label_key, name) DO UPDATE").Set("sum = EXCLUDED.sum").
			Set("at = EXCLUDED.at").Exec(ctx)
		return err
	})
}
