package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// The operator audits the share ledger with and without a running portal.
func TestMarketplaceAudit(t *testing.T) {
	t.Parallel()
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		labels := t.TempDir()
		for _, key := range []string{"alpha", "beta", "gamma"} {
			must(t, "labels", "new", key, "--name", key, "--labels", labels)
		}
		for _, key := range []string{"alpha", "beta"} {
			file := filepath.Join(labels, key, "label.cue")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, append(text, "modules: marketplace: payment: provider: \"sandbox\"\n"...), 0o600))
		}
		place := []string{"--labels", labels, "--data", c.Dir}
		if c.URL != "" {
			place = append(place, "--database", c.URL)
		}
		load := func(kind, record string) {
			t.Helper()
			file := filepath.Join(t.TempDir(), "01-"+kind+".ndjson")
			require.NoError(t, os.WriteFile(file, []byte(record+"\n"), 0o600))
			require.Contains(t, must(t, append([]string{"import", "--label", "alpha", "--kind", kind, file}, place...)...), "1 records, 0 refused")
		}
		load("project", `{"project_code":"WP","project_name":"Windpark","project_type":"WIND","member_offer_settings":[{"from_date":"2020-01-01","min_price":1,"max_price":900,"allow_selling":true}]}`)
		load("participation", `{"debtor_number":"1","participation_identifier":"P1","project_code":"WP","share":20,"shares":[{"from_date":"2021-01-01","share":12},{"from_date":"2023-01-01","share":20}],`+
			`"address":{"street_name":"Molenweg","house_number":"1","postal_code":"9861GT","city":"Grootegast"}}`)
		load("market_offer", `{"identifier":"A1","debtor_number":"1","participation_identifier":"P1","status":"ACTIVE","date":"2024-01-01","price_per_share":100,"shares":5}`)
		audit := func(args ...string) (string, error) {
			return run(t, append(append([]string{"marketplace", "audit"}, args...), place...)...)
		}
		t.Run("9-module-commands", func(t *testing.T) {
			out, err := audit()
			require.NoError(t, err, out)
			require.Contains(t, out, "alpha: 1 participations, 20 shares, 3 entries, 1 offers, 0 findings\n")
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
