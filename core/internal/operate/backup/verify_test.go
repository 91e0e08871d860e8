package backup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/backup"
)

func TestVerify(t *testing.T) {
	t.Run("11-backup-verified,11-restore-root", func(t *testing.T) {
		s, _, _ := installation(t)
		file := filepath.Join(t.TempDir(), "b.tar.zst")
		wrote, err := backup.Write(t.Context(), file, s)
		require.NoError(t, err)
		read, err := backup.Verify(file)
		require.NoError(t, err)
		assert.Equal(t, wrote.Entries, read.Entries)

		whole, err := os.ReadFile(file)
		require.NoError(t, err)
		for name, damaged := range map[string][]byte{"half": whole[:len(whole)/2], "no end": whole[:len(whole)-20], "empty": {},
			"text":   []byte("no backup"),
			"a byte": append(append(append([]byte{}, whole[:len(whole)/2]...), whole[len(whole)/2]^1), whole[len(whole)/2+1:]...)} {
			bad := filepath.Join(t.TempDir(), "bad")
			require.NoError(t, os.WriteFile(bad, damaged, 0o600))
			_, err := backup.Verify(bad)
			require.ErrorIs(t, err, backup.ErrDamaged, name)
		}

		_, found, err := backup.Last(s.Data)
		require.NoError(t, err)
		require.False(t, found)
		require.NoError(t, backup.Note(s.Data, backup.Record{At: began, File: file}))
		require.NoError(t, backup.Note(s.Data, backup.Record{At: began.Add(time.Hour), File: file}))
		last, found, err := backup.Last(s.Data)
		require.NoError(t, err)
		require.True(t, found)
		assert.Equal(t, backup.Record{At: began.Add(time.Hour), File: file}, last)

		if os.Getuid() == 0 {
			require.NoError(t, os.Chown(s.Data, 12345, 12345))
			require.NoError(t, backup.Note(s.Data, last))
			out, err := exec.Command("stat", "-c", "%u:%g", filepath.Join(s.Data, "backup.json")).Output()
			require.NoError(t, err)
			assert.Equal(t, "12345:12345\n", string(out), "the service reads what root has recorded")
		}

		dump := filepath.Join(t.TempDir(), "d.dump")
		for _, text := range []string{"", "PG", "-- PostgreSQL database dump", "PGDMP and no more"} {
			require.NoError(t, os.WriteFile(dump, []byte(text), 0o600))
			if err := backup.VerifyDump(t.Context(), dump); text != "PGDMP and no more" {
				require.ErrorIs(t, err, backup.ErrDamaged, text)
			}
		}
		require.Error(t, backup.VerifyDump(t.Context(), dump+"x"))
	})
}
