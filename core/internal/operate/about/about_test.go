package about

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

func TestProgram(t *testing.T) {
	t.Run("11-version-json", func(t *testing.T) {
		file := &fstest.MapFile{}
		core := []store.Migrations{
			{Name: "identity", FS: fstest.MapFS{"migrations/00001_identity.sql": file, "migrations/00010_email.sql": file,
				"migrations/00009_keyring.sql": file}},
			{Name: "audit", FS: fstest.MapFS{"migrations/00001_audit.sql": file, "migrations/postgres/00002_partitions.sql": file}},
		}
		with := func(key, version string, m module.Manifest) module.Module {
			m.Key, m.Version = key, version
			return module.New(m, func(module.Host) module.Instance { return nil })
		}
		p, err := Of("1.2.3", core, []module.Module{with("billing", "2.0.1", module.Manifest{Migrations: fstest.MapFS{"00003_price.sql": file}}),
			with("move", "1.0.0", module.Manifest{})})
		require.NoError(t, err)
		p.read([]debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time", Value: "2026-11-23T22:00:00Z"},
			{Key: "vcs.modified", Value: "true"}})
		text, err := json.Marshal(p)
		require.NoError(t, err)
		var got map[string]any
		require.NoError(t, json.Unmarshal(text, &got))
		assert.Equal(t, map[string]any{"version": "1.2.3", "commit": "0123456789abcdef", "commit_time": "2026-11-23T22:00:00Z", "modified": true,
			"go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "contract": float64(wire.Version), "upgrades_from": UpgradesFrom,
			"schema":  map[string]any{"core.identity": "00010_email", "core.audit": "00002_partitions", "billing": "00003_price"},
			"modules": []any{map[string]any{"key": "billing", "version": "2.0.1"}, map[string]any{"key": "move", "version": "1.0.0"}}}, got)
		assert.Equal(t, "wattle 1.2.3 0123456789ab "+runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH, p.String())
	})
}
