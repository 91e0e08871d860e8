package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// 11-start-line
func TestTheStartIsLogged(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		t.Run("11-start-line", func(t *testing.T) {
			log := &log{}
			s := apptest.Start(t, apptest.Options{Store: &c, Log: log, Config: config.Config{File: "/etc/wattle/wattle.cue"}})
			var found []map[string]any
			for _, line := range strings.Split(log.String(), "\n") {
				var x map[string]any
				if json.Unmarshal([]byte(line), &x) == nil && x["msg"] == "the portal serves" {
					found = append(found, x)
				}
			}
			require.Len(t, found, 1)
			assert.Equal(t, app.Version, found[0]["version"])
			assert.Equal(t, s.Addr().String(), found[0]["address"])
			assert.EqualValues(t, 2, found[0]["labels"])
			assert.EqualValues(t, 0, found[0]["plugins"])
			assert.Equal(t, "/etc/wattle/wattle.cue", found[0]["config"])
			database, kind := found[0]["database"].(string), "sqlite"
			if c.URL != "" {
				kind = "postgres"
				name, _, _ := strings.Cut(c.URL[strings.Index(c.URL, "wattle_test_"):], "?")
				assert.True(t, strings.HasSuffix(database, "/"+name), database)
			} else {
				assert.True(t, strings.HasSuffix(database, "wattle.db"), database)
			}
			assert.True(t, strings.HasPrefix(database, kind+" "), database)
		})
	})
	t.Run("11-start-line", func(t *testing.T) {
		assert.Equal(t, "postgres db.example:5433/portal",
			store.Describe("postgres://db.example:5433/portal?user=wattle&password=hunter2"))
		assert.Equal(t, "postgres db.example:5433/portal", store.Describe("postgres://wattle:hunter2@db.example:5433/portal?sslmode=require"))
	})
}
