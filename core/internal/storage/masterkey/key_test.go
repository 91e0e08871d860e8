package masterkey_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

func load(t *testing.T, secret string) *masterkey.Key {
	t.Helper()
	k, err := masterkey.Load(secret, "")
	require.NoError(t, err)
	return k
}

func requireOpens(t *testing.T, k *masterkey.Key, sealed string) {
	t.Helper()
	plain, err := k.Open("tokens", sealed, "1024", "id")
	require.NoError(t, err)
	require.Equal(t, "secret", string(plain))
}

func sealedBy(k *masterkey.Key) string { return k.Seal("tokens", []byte("secret"), "1024", "id") }

func TestKey(t *testing.T) {
	k, other := load(t, strings.Repeat("k", 32)), load(t, strings.Repeat("l", 32))
	sealed := sealedBy(k)
	requireOpens(t, k, sealed)
	for name, try := range map[string]func() ([]byte, error){
		"purpose":     func() ([]byte, error) { return k.Open("signing", sealed, "1024", "id") },
		"label":       func() ([]byte, error) { return k.Open("tokens", sealed, "1025", "id") },
		"another key": func() ([]byte, error) { return other.Open("tokens", sealed, "1024", "id") },
		"empty":       func() ([]byte, error) { return k.Open("tokens", "", "1024", "id") },
		"no base64":   func() ([]byte, error) { return k.Open("tokens", "?", "1024", "id") },
		"cut off":     func() ([]byte, error) { return k.Open("tokens", sealed[:len(sealed)-4], "1024", "id") },
	} {
		_, err := try()
		assert.Error(t, err, name)
	}
	assert.NotEqual(t, k.MACs("code", "1")[0], other.MACs("code", "1")[0])

	dir := filepath.Join(t.TempDir(), "data")
	one, err := masterkey.Load("", dir)
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(dir, masterkey.File), "a generated key is not stored before it is used")
	first, err := masterkey.Load("", dir)
	require.NoError(t, err)
	require.NoError(t, first.Keep())
	require.NoError(t, one.Keep())
	requireOpens(t, one, sealedBy(first)) // the key that was written first has won
	for name, invalid := range map[string][2]string{"short": {"short", ""}, "none": {"", ""}} {
		_, err := masterkey.Load(invalid[0], invalid[1])
		assert.Error(t, err, name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, masterkey.File), []byte("cut"), 0o600))
	_, err = masterkey.Load("", dir)
	assert.ErrorContains(t, err, "damaged")
}

func TestUse(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		require.NoError(t, s.Migrate(ctx, identity.Migrations))
		secret := strings.Repeat("first ", 6)
		one, running := load(t, secret), load(t, secret)
		before := sealedBy(one)
		require.NoError(t, one.Use(ctx, s))
		require.NoError(t, running.Use(ctx, s))
		dir := t.TempDir()
		lost, err := masterkey.Load("", dir)
		require.NoError(t, err)
		require.ErrorIs(t, lost.Use(ctx, s), masterkey.ErrLost)
		require.NoFileExists(t, filepath.Join(dir, masterkey.File), "no new key is stored")
		require.ErrorIs(t, load(t, strings.Repeat("other ", 6)).Use(ctx, s), masterkey.ErrOther)
		state, _ := one.Check(ctx)
		require.Equal(t, "ok", state)
		require.ErrorIs(t, one.Finish(ctx), masterkey.ErrNotRotating)

		for id, text := range map[string]string{"good": one.Seal("signing", []byte("private"), "1024", "good"), "of no key": "AAAA"} {
			_, err := s.DB().ExecContext(ctx, "INSERT INTO identity_keys VALUES ('1024', ?, ?, '2026-11-20 10:00:00+00:00')", id, text)
			require.NoError(t, err)
		}
		second := masterkey.Column{Table: "identity_keys", Name: "private", Purpose: "signing"}
		reseal := func(ctx context.Context, k *masterkey.Key) error { return second.Reseal(ctx, s, k) }
		stored := func(id string) (text string) {
			require.NoError(t, s.Read().NewSelect().Table("identity_keys").Column("private").Where("id = ?", id).Scan(ctx, &text))
			return text
		}
		code := one.MACs("code", "123456")[0]
		next, err := one.Rotate(ctx, reseal)
		require.NoError(t, err)
		plain, err := load(t, next).Open("signing", stored("good"), "1024", "good")
		require.NoError(t, err, "sealed again with the new key")
		assert.Equal(t, "private", string(plain))
		assert.Equal(t, "AAAA", stored("of no key"))
		renewed := load(t, next)
		require.NoError(t, renewed.Use(ctx, s))
		require.NoError(t, load(t, secret).Use(ctx, s), "a process with the previous key still starts")
		requireOpens(t, renewed, before)
		requireOpens(t, running, sealedBy(renewed))
		requireOpens(t, renewed, sealedBy(running))
		assert.Contains(t, renewed.MACs("code", "123456"), code)
		same, err := running.Rotate(ctx)
		require.NoError(t, err)
		assert.Equal(t, next, same, "until it is finished there is one next key")
		for _, k := range []*masterkey.Key{renewed, running} {
			state, detail := k.Check(ctx)
			assert.Equal(t, "rotating", state, detail)
		}

		require.ErrorIs(t, running.Finish(ctx), masterkey.ErrNotNewest)
		require.NoError(t, renewed.Finish(ctx))
		require.ErrorIs(t, load(t, secret).Use(ctx, s), masterkey.ErrOther)
		require.NoError(t, load(t, next).Use(ctx, s))
		requireOpens(t, running, sealedBy(renewed)) // a process with the previous key serves until it stops
		_, err = load(t, next).Open("tokens", before, "1024", "id")
		assert.Error(t, err, "what was not sealed again is lost")
	})
}

// A rotation replaces the key file, which only its owner can read.
func TestRotationOfAFile(t *testing.T) {
	s, dir := storetest.SQLite(t), t.TempDir()
	require.NoError(t, s.Migrate(t.Context(), identity.Migrations))
	k, err := masterkey.Load("", dir)
	require.NoError(t, err)
	require.NoError(t, k.Use(t.Context(), s))
	old, err := os.ReadFile(filepath.Join(dir, masterkey.File))
	require.NoError(t, err)
	next, err := k.Rotate(t.Context())
	require.NoError(t, err)
	now, err := os.ReadFile(filepath.Join(dir, masterkey.File))
	require.NoError(t, err)
	assert.Equal(t, next, string(now))
	assert.NotEqual(t, string(old), string(now))
	info, err := os.Stat(filepath.Join(dir, masterkey.File))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
