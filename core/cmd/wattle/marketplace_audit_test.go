package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules"
)

// ledger imports one participation of label alpha, with an offer, and returns `wattle marketplace audit`.
func ledger(t *testing.T, c store.Config, more ...string) (audit func(args ...string) (string, error)) {
	t.Helper()
	labels := t.TempDir()
	apptest.WriteLabel(t, labels, apptest.Label{Key: "gamma"}, nil)
	for _, key := range []string{"alpha", "beta"} {
		apptest.WriteLabel(t, labels, apptest.Label{Key: key, Kind: portaltest.Participants}, modules.All)
	}
	place := flagsOf(config.Config{Data: c.Dir, Labels: labels, Database: c.URL})
	load := func(kind, record string) {
		file := filepath.Join(t.TempDir(), "01-"+kind+".ndjson")
		require.NoError(t, os.WriteFile(file, []byte(record+"\n"), 0o600))
		command := slices.Concat([]string{"import", "--label", "alpha", "--kind", kind, file}, more, place)
		require.Contains(t, must(t, command...), "1 record, 0 refused")
	}
	load("project", `{"project_code":"WP","project_name":"Windpark","project_type":"WIND","member_offer_settings":[{"from_date":"2020-01-01","min_price":1,"max_price":900,"allow_selling":true}]}`)
	load("participation", `{"debtor_number":"1","participation_identifier":"P1","project_code":"WP","share":20,"shares":[{"from_date":"2021-01-01","share":12},{"from_date":"2023-01-01","share":20}],`+
		`"address":{"street_name":"Molenweg","house_number":"1","postal_code":"9861GT","city":"Grootegast"}}`)
	load("market_offer", `{"identifier":"A1","debtor_number":"1","participation_identifier":"P1","status":"ACTIVE","date":"2024-01-01","price_per_share":100,"shares":5}`)
	return func(args ...string) (string, error) {
		return run(t, slices.Concat([]string{"marketplace", "audit"}, args, place)...)
	}
}

const audited = "alpha: 1 participation, 20 shares, 3 entries, 1 offer, 0 findings\n"

// The operator audits the share ledger with and without a running portal.
func TestMarketplaceAudit(t *testing.T) {
	t.Parallel()
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		audit := ledger(t, c)
		t.Run("9-module-commands", func(t *testing.T) {
			out, err := audit()
			require.NoError(t, err, out)
			require.Contains(t, out, audited)
			require.Contains(t, out, "beta: 0 participations")
			require.NotContains(t, out, "gamma")
			_, err = audit("--label", "gamma")
			require.ErrorContains(t, err, "label gamma has no market")
			_, err = audit("--label", "nix")
			require.ErrorContains(t, err, "there is no label nix")

			st := storetest.Open(t, c)
			require.NoError(t, st.Tx(t.Context(), func(ctx context.Context, tx bun.Tx) error {
				_, err := tx.NewRaw("UPDATE marketplace_participations SET share = 21, offered = 4").Exec(ctx)
				return err
			}))
			out, err = audit("--label", "alpha")
			var status exitStatus
			require.ErrorAs(t, err, &status, out)
			require.Equal(t, exitStatus(1), status)
			require.Contains(t, out, "3 findings") // the balance, the shares in its offers, and the shares issued for the project
			require.Contains(t, out, "\n  project WP: has 21 shares, 20 were issued\n")
		})
	})
}

// The commands of a module run in the plugin that has taken its place, with what that keeps.
func TestMarketplaceAuditOfAPlugin(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds a plugin")
	}
	t.Parallel()
	plugins := moduletest.PluginsDir(t, "marketplace", "github.com/wattle-portal/wattle/modules/marketplace/plugin")
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		audit := ledger(t, c, "--plugins", plugins)
		t.Run("9-module-commands", func(t *testing.T) {
			out, err := audit("--plugins", plugins)
			require.NoError(t, err, out)
			require.Contains(t, out, audited)
			out, err = audit()
			require.NoError(t, err, out)
			require.Contains(t, out, "alpha: 0 participations", "the module of the program has not taken part")
		})
	})
}
