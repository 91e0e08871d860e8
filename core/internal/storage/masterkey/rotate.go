package masterkey

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

// Errors of Finish.
var (
	ErrNotRotating = errors.New("there is nothing to finish: only one identity key is accepted")
	ErrNotNewest   = errors.New("this is the previous identity key. Put the new one in its place first: `wattle identity rotate` prints it again")
)

// Resealer seals stored values again with the newest key. It must be idempotent.
type Resealer func(ctx context.Context, k *Key) error

// Rotate creates a new key, which seals from now on, and seals all stored values with it. All processes accept the previous key until
// Finish. If the key is in a file, Rotate replaces the file; otherwise the caller must set the secret to the returned string. If it is
// called again before Finish, Rotate returns the same key.
func (k *Key) Rotate(ctx context.Context, resealers ...Resealer) (next string, err error) {
	all := k.acceptedKeys(0)
	if len(all) == 1 {
		all = [][]byte{[]byte(Generate()), k.own}
		rows := []row{newRow(all[0], all), newRow(k.own, all)}
		err := k.store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
			if _, err := tx.NewDelete().Model((*row)(nil)).Where("label_key = ''").Exec(ctx); err != nil {
				return err
			}
			_, err := tx.NewInsert().Model(&rows).Exec(ctx)
			return err
		})
		if err != nil {
			return "", fmt.Errorf("identity: %w", err)
		}
		all = k.acceptedKeys(0)
	}
	if err := k.resealAll(ctx, resealers); err != nil {
		return "", err
	}
	if k.file == "" || bytes.Equal(k.own, all[0]) {
		return string(all[0]), nil
	}
	return string(all[0]), k.replace(all[0])
}

// Finish ends a rotation: from now on only the newest key is accepted, and this process must have it. A process that uses the previous key
// continues until it stops, but cannot start again.
func (k *Key) Finish(ctx context.Context, resealers ...Resealer) error {
	all := k.acceptedKeys(0)
	switch {
	case len(all) == 1:
		return ErrNotRotating
	case !bytes.Equal(k.own, all[0]):
		return ErrNotNewest
	}
	if err := k.resealAll(ctx, resealers); err != nil {
		return err
	}
	only := newRow(k.own, all[:1])
	err := k.store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewDelete().Model((*row)(nil)).Where("label_key = ''").Exec(ctx); err != nil {
			return err
		}
		_, err := tx.NewInsert().Model(&only).Exec(ctx)
		return err
	})
	k.acceptedKeys(0)
	return err
}

func (k *Key) resealAll(ctx context.Context, all []Resealer) error {
	for _, f := range all {
		if err := f(ctx, k); err != nil {
			return fmt.Errorf("identity: sealing again: %w", err)
		}
	}
	return nil
}

// Discard replaces all keys in the database by this one within a transaction. Values that were sealed with the old keys must be deleted or
// replaced in the same transaction. Keep must have been called before.
func (k *Key) Discard(ctx context.Context, tx bun.IDB) error {
	if _, err := tx.NewDelete().Model((*row)(nil)).Where("label_key = ''").Exec(ctx); err != nil {
		return err
	}
	only := newRow(k.own, [][]byte{k.own})
	_, err := tx.NewInsert().Model(&only).Exec(ctx)
	return err
}
