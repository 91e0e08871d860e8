package archive_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/label/archive"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

func TestArchive(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		s, err := store.Open(t.Context(), c)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		require.NoError(t, s.Migrate(t.Context(), archive.Migrations))
		storetest.RequireLabelKeys(t, s)
		now := time.Date(2026, 11, 20, 10, 0, 0, 123456789, time.UTC)
		a := archive.New(s, func() time.Time { now = now.Add(time.Second); return now })
		files := label.Files{"label.cue": []byte("label_key: \"acme\""), "assets/f.woff2": {0, 255, 39, 92}}
		keep := func(key, schema, revision string) {
			t.Helper()
			require.NoError(t, a.Keep(t.Context(), []label.Version{{Label: key, Schema: schema, Revision: revision, Files: files}}))
		}
		list := func() (out []string) {
			t.Helper()
			versions, err := a.Versions(t.Context())
			require.NoError(t, err)
			for _, v := range versions {
				require.Nil(t, v.Files)
				require.False(t, v.At.IsZero())
				out = append(out, v.Label+" "+v.Schema+" "+v.Revision)
			}
			return out
		}
		t.Run("9-label-schema-version", func(t *testing.T) {
			require.Empty(t, list())
			keep("acme", "s1", "r1")
			keep("b", "s1", "r1")
			keep("acme", "s1", "r2")
			require.Equal(t, []string{"acme s1 r2", "b s1 r1"}, list(), "one version of a label and schema")
			keep("acme", "s2", "r3")
			keep("acme", "s3", "r3")
			require.Equal(t, []string{"acme s3 r3", "acme s2 r3", "acme s1 r2", "b s1 r1"}, list(), "three are kept")
			keep("acme", "s4", "r3")
			require.Equal(t, []string{"acme s4 r3", "acme s3 r3", "acme s2 r3", "b s1 r1"}, list(), "the newest three schemas, newest first")
		})

		of := []label.Version{{Label: "b", Schema: "s1"}, {Label: "acme", Schema: "s4"}, {Label: "acme", Schema: "s1"}}
		require.NoError(t, a.Fill(t.Context(), of))
		require.Equal(t, files, of[0].Files)
		require.Equal(t, files, of[1].Files)
		require.Nil(t, of[2].Files, "not kept any more")
		require.NoError(t, a.Fill(t.Context(), nil))

		require.NoError(t, a.Retire(t.Context(), "acme"))
		require.NoError(t, a.Retire(t.Context(), "acme"), "again changes nothing")
		retired, err := a.Retired(t.Context())
		require.NoError(t, err)
		require.Equal(t, map[string]bool{"acme": true}, retired)
		require.Len(t, list(), 4, "what is kept of it stays")
		was, err := a.Return(t.Context(), "acme")
		require.NoError(t, err)
		require.True(t, was)
		was, err = a.Return(t.Context(), "acme")
		require.NoError(t, err)
		require.False(t, was)
	})
}
