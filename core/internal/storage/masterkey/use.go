package masterkey

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

const (
	refreshInterval = time.Minute     // how long accepted keys are used before they are read again, unless a value cannot be opened
	readTimeout     = 2 * time.Second // limits one read
	checkInterval   = time.Second     // minimum interval between reads by Check
)

// repairHint explains how to fix a wrong key.
const repairHint = "Put the key back that it was written with (" + File + " in the data folder, or " + SecretName +
	" in the secret file or the environment), " +
	"or run `wattle identity reset`, which discards signing keys and sessions, so that everybody signs in again"

// Errors of Use.
var (
	ErrOther = errors.New("the identity key is not the one that this database was written with. " + repairHint)
	ErrLost  = errors.New("the identity key is lost: there is no " + File + " in the data folder and no " + SecretName +
		", but this database was written with one. " + repairHint)
)

// row is one accepted key. Keys contains all accepted keys, the newest first, sealed with this one, so that each key gives access to the
// others.
type row struct {
	bun.BaseModel `bun:"table:identity_keyring,alias:r"`

	Label   string    `bun:"label_key,pk"` // empty: the key belongs to the installation
	ID      string    `bun:"id,pk"`        // fingerprint of the key
	Keys    string    `bun:"keys"`
	Created time.Time `bun:"created_at"`
}

const (
	keyringPurpose     = "keyring"
	fingerprintPurpose = "fingerprint"
)

func fingerprint(root []byte) string { return b64.EncodeToString(derive(root, fingerprintPurpose)) }

func newRow(root []byte, all [][]byte) row {
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // byte slices can always be encoded
	}
	id := fingerprint(root)
	return row{ID: id, Keys: seal(root, keyringPurpose, text, []string{id}), Created: time.Now().UTC().Truncate(time.Microsecond)}
}

// keys decrypts the accepted keys in a row.
func (r row) keys(root []byte) (all [][]byte, err error) {
	text, err := open(root, keyringPurpose, r.Keys, []string{r.ID})
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err == nil && !slices.ContainsFunc(all, func(k []byte) bool { return bytes.Equal(k, root) }) {
		err = errors.New("identity: a damaged row of identity_keyring")
	}
	return all, err
}

func selectRows(ctx context.Context, db bun.IDB) (all []row, err error) {
	err = db.NewSelect().Model(&all).OrderExpr("created_at, id").Scan(ctx)
	return all, err
}

// Use ties the key to a database that has been migrated. It returns ErrOther or ErrLost when the database was written with another key. A
// database without a key is tied to this one.
func (k *Key) Use(ctx context.Context, s *store.Store) error {
	return s.Locked(ctx, func(ctx context.Context) error {
		rows, err := selectRows(ctx, s.Read())
		if err != nil {
			return fmt.Errorf("identity: %w", err)
		}
		if len(rows) == 0 {
			if err := k.claimDatabase(ctx, s); err != nil {
				return err
			}
		} else if k.isNew {
			return ErrLost
		}
		k.mu.Lock()
		k.store, k.readErr = s, errors.New("identity: the accepted keys cannot be read")
		k.mu.Unlock()
		k.reload(ctx)
		k.mu.Lock()
		defer k.mu.Unlock()
		return k.readErr
	})
}

// Compare returns the result of Use, and writes nothing. isKnown is false for a database without a key. Afterwards Check reports an
// unfinished rotation.
func (k *Key) Compare(ctx context.Context, s *store.Store) (isKnown bool, err error) {
	rows, err := selectRows(ctx, s.Read())
	if err != nil || len(rows) == 0 {
		return false, err
	}
	switch known := slices.ContainsFunc(rows, func(r row) bool { return r.ID == fingerprint(k.own) }); {
	case known:
	case k.isNew:
		return true, ErrLost
	default:
		return true, ErrOther
	}
	k.mu.Lock()
	k.store = s
	k.mu.Unlock()
	k.reload(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	return true, k.readErr
}

// claimDatabase records that the database belongs to this key.
func (k *Key) claimDatabase(ctx context.Context, s *store.Store) error {
	if err := k.Keep(); err != nil {
		return err
	}
	first := newRow(k.own, [][]byte{k.own})
	return s.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&first).Exec(ctx)
		return err
	})
}

// acceptedKeys returns the accepted keys, newest first. They were read within the given age unless the database does not respond. While one
// caller reads, the others get the keys known so far; only callers with age 0 wait.
func (k *Key) acceptedKeys(age time.Duration) [][]byte {
	requestedAt := time.Now()
	k.mu.Lock()
	roots, stale := k.roots, k.store != nil && requestedAt.Sub(k.readAt) >= age
	k.mu.Unlock()
	if !stale || age > 0 && !k.readMu.TryLock() {
		return roots
	}
	if age == 0 {
		k.readMu.Lock()
	}
	defer k.readMu.Unlock()
	k.mu.Lock()
	read := k.readAt.After(requestedAt) // whether another caller has read them while this one waited
	k.mu.Unlock()
	if !read {
		ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
		defer cancel()
		k.reload(ctx)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.roots
}

// reload reads the accepted keys. When the database no longer has the key of this process, this process keeps accepting the keys known so
// far.
func (k *Key) reload(ctx context.Context) {
	k.mu.Lock()
	own, db := k.own, k.store.Read()
	k.readAt = time.Now()
	k.mu.Unlock()
	var current row
	err := db.NewSelect().Model(&current).Where("label_key = '' AND id = ?", fingerprint(own)).Limit(1).Scan(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return // the database cannot be read: keep the keys known so far
	}
	var all [][]byte
	if err == nil {
		all, err = current.keys(own)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		k.readErr = ErrOther
		return
	}
	k.roots, k.readErr = all, nil
}

// Check is the readiness check of the key: whether it is accepted, and whether a rotation is unfinished.
func (k *Key) Check(context.Context) (state, detail string) {
	k.acceptedKeys(checkInterval)
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.store == nil:
		return health.OK, ""
	case k.readErr != nil:
		return "other", "The identity key of this process is not accepted any more. Start it with the one that is in use."
	case len(k.roots) > 1 && bytes.Equal(k.own, k.roots[0]):
		return "rotating", "The identity key before is still accepted. When every process was started with the new one, run `wattle identity rotate --finish`."
	case len(k.roots) > 1:
		return "rotating", "This process still has the identity key before. Start it with the new one."
	}
	return health.OK, ""
}
