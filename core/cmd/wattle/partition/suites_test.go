package partition_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/cluster"
	"github.com/wattle-portal/wattle/modules"
)

// suites are the packages whose tests run on partitioned tables in `make partitioned`.
var suites = []string{"./core/internal/storage/store", "./core/internal/events/outbox", "./core/internal/people/identity",
	"./core/internal/events/changes", "./core/internal/storage/audit", "./core/internal/events/jobs",
	"./modules/usage", "./modules/billing", "./modules/marketplace"}

// sentByTests lists statements that tests themselves send to inspect or damage rows. The program sends no such statements to these tables.
var sentByTests = []string{"DELETE audit", "DELETE marketplace_orders", "SELECT audit", "SELECT identity_accounts",
	"SELECT identity_impersonations", "SELECT identity_sessions",
	"SELECT identity_subjects", "SELECT identity_usernames", "SELECT marketplace_order_lines", "SELECT usage_consents", "UPDATE audit",
	"UPDATE billing_agreements",
	"UPDATE jobs_ticks", "UPDATE marketplace_entries", "UPDATE marketplace_moves", "UPDATE marketplace_offers", "UPDATE marketplace_orders",
	"UPDATE marketplace_participations", "UPDATE marketplace_payments"}

// The tests of modules and of core pass on partitioned tables, and each statement that they execute for a label reads one partition.
func TestSuites(t *testing.T) {
	t.Parallel()
	if os.Getenv("WATTLE_PARTITIONED") != "long" {
		t.Skip("minutes: make partitioned")
	}
	pg := server(t, cluster.Start)
	const template = "wattle_partitioned"
	database := create(t, pg, template, "template0")
	c := config.Default()
	c.Addr, c.Labels, c.Data, c.Unsafe, c.Database = "127.0.0.1:0", t.TempDir(), t.TempDir(), true, database
	a, err := app.New(c, modules.All, fx.Replace(slog.New(slog.DiscardHandler)))
	require.NoError(t, err)
	require.NoError(t, a.Open(t.Context()))
	require.NoError(t, a.Stop(t.Context()))
	tables := column(t, database, `SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'label_key'
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`)
	// Remove the rows of the installation that was just started, such as its identity key.
	execute(t, database, "SET session_replication_role = replica; TRUNCATE "+strings.Join(tables, ", "))
	byLabel(t, database, 4)

	explainable(t, pg)
	explain(t, pg, true)
	args := []string{"test", "-json", "-count=1", "-vet=off", "-p", "2", "-skip", ".*/sqlite|.*/.*/sqlite"}
	args = append(args, suites...)
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = "../../../.."
	cmd.Env = append(os.Environ(), cluster.Env+"="+pg.URL, storetest.Template+"="+template, "WATTLE_REQUIRE_POSTGRES=1")
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, _ := cmd.Output() // the output shows which tests failed
	explain(t, pg, false)

	t.Run("they pass", func(t *testing.T) {
		output, passed := map[string]*strings.Builder{}, 0
		failed := map[string]string{}
		for line := range bytes.Lines(out) {
			var e struct{ Action, Package, ImportPath, Test, Output string }
			require.NoError(t, json.Unmarshal(line, &e), string(line))
			name := strings.TrimPrefix(e.Package, "github.com/wattle-portal/wattle/") + " " + e.Test
			switch e.Action {
			case "output", "build-output":
				if output[name] == nil {
					output[name] = new(strings.Builder)
				}
				output[name].WriteString(e.Output)
			case "pass":
				if strings.Contains(e.Test, "postgres") {
					passed++
				}
			case "fail", "build-fail":
				failed[name] = ""
				if output[name] != nil {
					failed[name] = output[name].String()
				}
			}
		}
		t.Logf("%d tests on PostgreSQL passed", passed)
		for _, name := range slices.Sorted(maps.Keys(failed)) {
			t.Errorf("%s\n%s", name, failed[name])
		}
		assert.Greater(t, passed, 3, problems.String())
	})
	t.Run("they read one partition", func(t *testing.T) {
		pruned, crossings := onlyDocumented(t, pg.Log(), func(database string) bool { return strings.HasPrefix(database, "wattle_test_") },
			sentByTests...)
		t.Logf("%d statements read one partition by label_key of each table; across labels: %s", pruned, slices.Sorted(maps.Keys(crossings)))
		assert.Greater(t, pruned, 100)
		for listed := range documented(t) {
			assert.Contains(t, crossings, listed, "docs/partitioning.md lists what no test executes")
		}
	})
}
