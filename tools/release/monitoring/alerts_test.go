package monitoring

import (
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	deploy   = "../../../deploy/monitoring"
	runbooks = "../../../docs/runbooks"
	runbook  = "https://github.com/wattle-portal/wattle/blob/main/docs/runbooks/"
)

func rules(t *testing.T) []rulefmt.Rule {
	t.Helper()
	groups, errs := rulefmt.ParseFile(filepath.Join(deploy, "alerts.yaml"), false, model.LegacyValidation, parser.NewParser(parser.Options{}), slog.Default())
	require.Empty(t, errs)
	require.Len(t, groups.Groups, 1)
	return groups.Groups[0].Rules
}

// expressions returns those of the dashboards, by title of panel.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(deploy, "*.dashboard.json"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	out := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var board struct {
			UID, Title string
			Panels     []struct {
				Title   string
				Targets []struct{ RefID, Expr string }
			}
		}
		require.NoError(t, json.Unmarshal(text, &board))
		require.NotEmpty(t, board.UID)
		for _, p := range board.Panels {
			require.NotEmpty(t, p.Targets, p.Title)
			for _, x := range p.Targets {
				out[board.Title+" / "+p.Title+" "+x.RefID] = strings.ReplaceAll(x.Expr, "$__rate_interval", "5m")
			}
		}
	}
	return out
}

var metricLine = regexp.MustCompile("(?m)^\\| `(wattle_[a-z_]+)` \\| [a-z]+ \\| ([^|]*) \\|")

// metrics returns the labels of each metric in docs/monitoring.md, which a test of the program compares with /metrics. Prometheus adds the
// labels of the target, and renames a label job.
func metrics(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/monitoring.md")
	require.NoError(t, err)
	out := map[string][]string{}
	for _, m := range metricLine.FindAllStringSubmatch(string(text), -1) {
		labels := []string{"__name__", "instance", "job", "le"}
		for _, l := range strings.Split(m[2], ", ") {
			l = strings.Trim(l, "`")
			if l == "job" {
				l = "exported_job"
			}
			labels = append(labels, l)
		}
		out[m[1]] = labels
	}
	require.Greater(t, len(out), 10)
	return out
}

func TestRules(t *testing.T) {
	t.Run("11-monitoring-rules", func(t *testing.T) {
		all, known := expressions(t), metrics(t)
		for _, r := range rules(t) {
			all[r.Alert] = r.Expr
		}
		p := parser.NewParser(parser.Options{})
		for where, text := range all {
			expr, err := p.ParseExpr(text)
			if !assert.NoError(t, err, where) {
				continue
			}
			labels := []string{}
			parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
				v, ok := n.(*parser.VectorSelector)
				if !ok || !strings.HasPrefix(v.Name, "wattle_") {
					return nil
				}
				name := strings.TrimSuffix(strings.TrimSuffix(v.Name, "_bucket"), "_count")
				assert.Contains(t, known, name, where)
				labels = append(labels, known[name]...)
				for _, m := range v.LabelMatchers {
					assert.Contains(t, known[name], m.Name, where)
				}
				return nil
			})
			parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
				if a, ok := n.(*parser.AggregateExpr); ok {
					for _, l := range a.Grouping {
						assert.Contains(t, labels, l, where)
					}
				}
				return nil
			})
		}
	})
	t.Run("11-monitoring-runbooks", func(t *testing.T) {
		named := []string{}
		for _, r := range rules(t) {
			named = append(named, r.Alert)
			assert.Equal(t, runbook+r.Alert+".md", r.Annotations["runbook_url"])
			assert.NotEmpty(t, r.Annotations["summary"], r.Alert)
			assert.NotEmpty(t, r.Annotations["description"], r.Alert)
			assert.Contains(t, []string{"page", "ticket"}, r.Labels["severity"], r.Alert)
			text, err := os.ReadFile(filepath.Join(runbooks, r.Alert+".md"))
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(string(text), "# "+r.Alert+"\n"), r.Alert)
			for _, part := range []string{"\n## Look at\n\n1. ", "\n## Do\n\n"} {
				assert.Contains(t, string(text), part, r.Alert)
			}
		}
		pages, err := filepath.Glob(filepath.Join(runbooks, "*.md"))
		require.NoError(t, err)
		for i := range pages {
			pages[i] = strings.TrimSuffix(filepath.Base(pages[i]), ".md")
		}
		assert.ElementsMatch(t, pages, named)
	})
}

const minutes = 480

// healthy are the series of an installation in which nothing is wrong, one sample a minute: the value, its change and how often.
var healthy = map[string]string{
	`up{job="wattle",instance="a"}`:                                            "1x480",
	`wattle_check{check="database",state="ok"}`:                                "1x480",
	`wattle_check{check="plugin acme",state="ok"}`:                             "1x480",
	`wattle_check{check="plugin former",state="disabled"}`:                     "1x480",
	`wattle_requests_total{operation="billing.listInvoices",status="200"}`:     "0+600x480",
	`wattle_requests_total{operation="billing.listInvoices",status="500"}`:     "0x480",
	`wattle_request_seconds_bucket{operation="billing.listInvoices",le="0.5"}`: "0+597x480",
	`wattle_request_seconds_count{operation="billing.listInvoices"}`:           "0+600x480",
	`wattle_delivery_overdue_seconds`:                                          "5x480",
	`wattle_deliveries{state="dead"}`:                                          "3x480",
	`wattle_label_problems`:                                                    "0x480",
	`wattle_labels_last_good`:                                                  "0x480",
	`wattle_plugin_calls_total{plugin="acme",outcome="passed"}`:                "0+100x480",
	`wattle_plugin_calls_total{plugin="acme",outcome="limited"}`:               "0x480",
	`wattle_jobs_total{job="wattle",exported_job="tick",outcome="ok"}`:         "0+12x480",
	`wattle_jobs_total{job="wattle",exported_job="purge",outcome="failed"}`:    "0x100 1x380", // once, and then it succeeds
	`wattle_jobs_total{job="wattle",exported_job="purge",outcome="ok"}`:        "0x59 1x59 2x59 3x120 4x59 5x59 6x62",
	`wattle_backup_seconds`:                                                    "0x480",
	`process_open_fds{job="wattle",instance="a"}`:                              "100x480",
	`process_max_fds{job="wattle",instance="a"}`:                               "1000x480",
}

// firing returns the minute in which an alert fires first in series, or -1.
func firing(t *testing.T, r rulefmt.Rule, series map[string]string) int {
	t.Helper()
	lines := []string{"load 1m"}
	for name, values := range series {
		lines = append(lines, "  "+name+" "+values)
	}
	storage := promqltest.LoadedStorage(t, strings.Join(lines, "\n"))
	defer storage.Close()
	engine := promqltest.NewTestEngineWithOpts(t, promql.EngineOpts{MaxSamples: 1e7, Timeout: time.Minute, Parser: parser.NewParser(parser.Options{})})
	query, err := engine.NewRangeQuery(t.Context(), storage, nil, r.Expr, time.Unix(0, 0), time.Unix(0, 0).Add(minutes*time.Minute), time.Minute)
	require.NoError(t, err)
	defer query.Close()
	found, err := query.Exec(t.Context()).Matrix()
	require.NoError(t, err, r.Alert)
	first := -1
	for _, s := range found {
		since := -1
		for i, p := range s.Floats {
			at := int(p.T / 60000)
			if i == 0 || at != int(s.Floats[i-1].T/60000)+1 {
				since = at // pending from here on
			}
			if at-since >= int(time.Duration(r.For).Minutes()) {
				if first < 0 || at < first {
					first = at
				}
				break
			}
		}
	}
	return first
}

func TestAlerts(t *testing.T) {
	t.Run("11-monitoring-alerts", func(t *testing.T) {
		known := metrics(t)
		// What changes in a healthy installation in minute 240 unless said otherwise, and when the alert fires: from, at the latest.
		situations := map[string]struct {
			series   map[string]string
			from, to int
		}{
			"WattleDown": {map[string]string{`up{job="wattle",instance="a"}`: "1x239 0x240"}, 242, 242},
			"WattleDatabase": {map[string]string{`wattle_check{check="database",state="ok"}`: "1x239 _x241",
				`wattle_check{check="database",state="down"}`: "_x240 1x240"}, 241, 242},
			"WattleErrorsFast":        {map[string]string{`wattle_requests_total{operation="billing.listInvoices",status="500"}`: "0x239 0+60x240"}, 242, 260},
			"WattleErrorsSlow":        {map[string]string{`wattle_requests_total{operation="billing.listInvoices",status="500"}`: "0x59 0+6x420"}, 160, 200},
			"WattleSlow":              {map[string]string{`wattle_request_seconds_bucket{operation="billing.listInvoices",le="0.5"}`: "0+597x239 142683+300x240"}, 250, 275},
			"WattleDeliveriesOverdue": {map[string]string{`wattle_delivery_overdue_seconds`: "5x239 901+60x240"}, 245, 245},
			"WattleDeadLetters":       {map[string]string{`wattle_deliveries{state="dead"}`: "3x239 4x240"}, 240, 240},
			"WattleLabelBroken":       {map[string]string{`wattle_labels_last_good`: "0x239 1x240"}, 255, 255},
			"WattlePluginDown": {map[string]string{`wattle_check{check="plugin acme",state="ok"}`: "1x239 _x241",
				`wattle_check{check="plugin acme",state="hung"}`: "_x240 1x240"}, 245, 246},
			"WattlePluginLimited": {map[string]string{`wattle_plugin_calls_total{plugin="acme",outcome="limited"}`: "0x239 0+120x240"}, 258, 264},
			"WattleCheck":         {map[string]string{`wattle_check{check="identity key",state="rotating"}`: "_x240 1x240"}, 255, 256},
			"WattleJobsFail":      {map[string]string{`wattle_jobs_total{job="wattle",exported_job="clean",outcome="failed"}`: "0x239 0+1x240"}, 255, 260},
			"WattleJobsStand": {map[string]string{`wattle_jobs_total{job="wattle",exported_job="tick",outcome="ok"}`: "0+12x239 2868x240",
				`wattle_jobs_total{job="wattle",exported_job="purge",outcome="ok"}`: "0x59 1x59 2x59 3x300"}, 268, 272},
			"WattleBackupOld": {map[string]string{`wattle_backup_seconds`: "-180000x480"}, 60, 60},
			"WattleFiles":     {map[string]string{`process_open_fds{job="wattle",instance="a"}`: "100x239 900x240"}, 250, 250},
		}
		names := []string{}
		for _, r := range rules(t) {
			names = append(names, r.Alert)
			assert.Equal(t, -1, firing(t, r, healthy), "%s fires in a healthy installation", r.Alert)
			for name, s := range situations {
				series := maps.Clone(healthy)
				maps.Copy(series, s.series)
				at := firing(t, r, series)
				if name == "WattleErrorsFast" && r.Alert == "WattleErrorsSlow" {
					assert.Greater(t, at, s.to, "many errors are also too many for the day, and that is noticed later")
					continue
				}
				if name != r.Alert {
					assert.True(t, at < 0, "%s fires in the situation of %s, in minute %d", r.Alert, name, at)
					continue
				}
				assert.GreaterOrEqual(t, at, s.from, name)
				assert.LessOrEqual(t, at, s.to, name)
			}
		}
		assert.ElementsMatch(t, names, slices.Collect(maps.Keys(situations)))
		for series := range healthy { // the situations are of metrics that exist
			name, _, _ := strings.Cut(series, "{")
			if strings.HasPrefix(name, "wattle_") {
				assert.Contains(t, known, strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_count"))
			}
		}
	})
}
