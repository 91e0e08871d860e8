package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

type rule struct {
	Alert, Expr         string
	Labels, Annotations map[string]string
}

func alertRules(t *testing.T) []rule {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "deploy/monitoring/alerts.yaml"))
	require.NoError(t, err)
	var file struct{ Groups []struct{ Rules []rule } }
	require.NoError(t, yaml.Unmarshal(text, &file))
	require.Len(t, file.Groups, 1)
	return file.Groups[0].Rules
}

// dashboardRules returns the expressions of the dashboards as recording rules, the form that promtool reads.
func dashboardRules(t *testing.T) []map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(repository, "deploy/monitoring/*.dashboard.json"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	var out []map[string]string
	for _, file := range files {
		var board struct {
			UID, Title string
			Panels     []struct {
				Title   string
				Targets []struct{ RefID, Expr string }
			}
		}
		require.NoError(t, readJSON(file, &board))
		require.NotEmpty(t, board.UID)
		for _, p := range board.Panels {
			require.NotEmpty(t, p.Targets, p.Title)
			for _, x := range p.Targets {
				out = append(out, map[string]string{"record": "panel:" + strconv.Itoa(len(out)),
					"expr": strings.ReplaceAll(x.Expr, "$__rate_interval", "5m")})
			}
		}
	}
	return out
}

// promtool runs Prometheus's promtool, which tools/need.sh gets from a Debian package.
func promtool(t *testing.T, args ...string) (string, error) {
	t.Helper()
	file, err := exec.LookPath("promtool")
	if err != nil {
		if file, err = filepath.Abs(filepath.Join(repository, "bin/promtool")); err == nil {
			_, err = os.Stat(file)
		}
	}
	if err != nil {
		t.Skip("promtool is not installed")
	}
	out, err := exec.CommandContext(t.Context(), file, args...).CombinedOutput()
	return string(out), err
}

func writeYAML(t *testing.T, name string, content any) string {
	t.Helper()
	raw, err := json.Marshal(content) // JSON is valid YAML
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, raw, 0o600))
	return file
}

func TestMonitoringRules(t *testing.T) {
	t.Run("11-monitoring-rules", func(t *testing.T) {
		type object = map[string]any
		boards := func(rules []map[string]string) string {
			return writeYAML(t, "boards.yaml", object{"groups": []object{{"name": "dashboards", "rules": rules}}})
		}
		all := dashboardRules(t)
		out, err := promtool(t, "check", "rules", filepath.Join(repository, "deploy/monitoring/alerts.yaml"), boards(all))
		require.NoError(t, err, out)
		require.Contains(t, out, "SUCCESS: "+strconv.Itoa(len(alertRules(t)))+" rules found")
		require.Contains(t, out, "SUCCESS: "+strconv.Itoa(len(all))+" rules found")
		_, err = promtool(t, "check", "rules", boards([]map[string]string{{"record": "x", "expr": "sum(rate(up[5m])"}}))
		require.Error(t, err)
	})
	t.Run("11-monitoring-runbooks", func(t *testing.T) {
		const runbook = "https://" + modulePath + "/blob/main/docs/runbooks/"
		var names []string
		for _, r := range alertRules(t) {
			names = append(names, r.Alert+".md")
			assert.Equal(t, runbook+r.Alert+".md", r.Annotations["runbook_url"])
			assert.NotEmpty(t, r.Annotations["summary"], r.Alert)
			assert.NotEmpty(t, r.Annotations["description"], r.Alert)
			assert.Contains(t, []string{"page", "ticket"}, r.Labels["severity"], r.Alert)
			text, err := os.ReadFile(filepath.Join(repository, "docs/runbooks", r.Alert+".md"))
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(string(text), "# "+r.Alert+"\n"), r.Alert)
			for _, part := range []string{"\n## Look at\n\n1. ", "\n## Do\n\n"} {
				assert.Contains(t, string(text), part, r.Alert)
			}
		}
		pages, err := filepath.Glob(filepath.Join(repository, "docs/runbooks/*.md"))
		require.NoError(t, err)
		for i := range pages {
			pages[i] = filepath.Base(pages[i])
		}
		assert.ElementsMatch(t, pages, names)
	})
}

// healthy contains the series of a healthy installation, one sample a minute: the value, its change and the number of repetitions.
var healthy = map[string]string{
	`up{job="wattle",instance="a"}`:                                            "1x480",
	`wattle_check{check="database",state="ok"}`:                                "1x480",
	`wattle_check{check="plugin acme",state="ok"}`:                             "1x480",
	`wattle_check{check="plugin previous",state="disabled"}`:                   "1x480",
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
	`wattle_jobs_total{job="wattle",exported_job="purge",outcome="failed"}`:    "0x100 1x380", // fails once and then succeeds
	`wattle_jobs_total{job="wattle",exported_job="purge",outcome="ok"}`:        "0x59 1x59 2x59 3x120 4x59 5x59 6x62",
	`wattle_backup_seconds`:                                                    "0x480",
	`process_open_fds{job="wattle",instance="a"}`:                              "100x480",
	`process_max_fds{job="wattle",instance="a"}`:                               "1000x480",
}

// situation is a change in a healthy installation, in minute 240 unless stated otherwise. Its alert is the first to fire, between the
// minutes after and at; later lists other alerts that fire before minute 480. An alert with until resolves by itself at that minute.
type situation struct {
	series    map[string]string
	after, at int
	until     int
	later     []string
}

var situations = map[string]situation{
	"WattleDown": {series: map[string]string{`up{job="wattle",instance="a"}`: "1x239 0x240"}, after: 241, at: 242},
	"WattleDatabase": {series: map[string]string{`wattle_check{check="database",state="ok"}`: "1x239 _x241",
		`wattle_check{check="database",state="down"}`: "_x240 1x240"}, after: 240, at: 242},
	"WattleErrorsFast": {series: map[string]string{`wattle_requests_total{operation="billing.listInvoices",status="500"}`: "0x239 0+60x240"},
		after: 241, at: 260, later: []string{"WattleErrorsSlow"}}, // so many errors also exceed the limit for a day
	"WattleErrorsSlow":        {series: map[string]string{`wattle_requests_total{operation="billing.listInvoices",status="500"}`: "0x59 0+6x420"}, after: 159, at: 200},
	"WattleSlow":              {series: map[string]string{`wattle_request_seconds_bucket{operation="billing.listInvoices",le="0.5"}`: "0+597x239 142683+300x240"}, after: 249, at: 275},
	"WattleDeliveriesOverdue": {series: map[string]string{`wattle_delivery_overdue_seconds`: "5x239 901+60x240"}, after: 244, at: 245},
	"WattleDeadLetters":       {series: map[string]string{`wattle_deliveries{state="dead"}`: "3x239 4x240"}, after: 239, at: 240, until: 300},
	"WattleLabelBroken":       {series: map[string]string{`wattle_labels_last_good`: "0x239 1x240"}, after: 254, at: 255},
	"WattlePluginDown": {series: map[string]string{`wattle_check{check="plugin acme",state="ok"}`: "1x239 _x241",
		`wattle_check{check="plugin acme",state="hung"}`: "_x240 1x240"}, after: 244, at: 246},
	"WattlePluginLimited": {series: map[string]string{`wattle_plugin_calls_total{plugin="acme",outcome="limited"}`: "0x239 0+120x240"},
		after: 257, at: 264},
	"WattleCheck": {series: map[string]string{`wattle_check{check="identity key",state="rotating"}`: "_x240 1x240"}, after: 254,
		at: 256},
	"WattleJobsFail": {series: map[string]string{`wattle_jobs_total{job="wattle",exported_job="clean",outcome="failed"}`: "0x239 0+1x240"},
		after: 254, at: 260},
	"WattleJobsStand": {series: map[string]string{`wattle_jobs_total{job="wattle",exported_job="tick",outcome="ok"}`: "0+12x239 2868x240",
		`wattle_jobs_total{job="wattle",exported_job="purge",outcome="ok"}`: "0x59 1x59 2x59 3x300"}, after: 267, at: 272},
	"WattleBackupOld": {series: map[string]string{`wattle_backup_seconds`: "-180000x480"}, after: 59, at: 60},
	"WattleFiles":     {series: map[string]string{`process_open_fds{job="wattle",instance="a"}`: "100x239 900x240"}, after: 249, at: 250},
}

// quiet lists situations in which nothing fires, each just below one that fires.
var quiet = []situation{
	{},
	{series: map[string]string{`wattle_deliveries{state="dead"}`: "3x239 2x240"}},     // a dead letter was delivered later
	{series: map[string]string{`wattle_deliveries{state="retrying"}`: "3x239 4x240"}}, // a delivery is retried
}

// alertTests writes situations as a file for `promtool test rules`. In situations whose name begins with "quiet", nothing fires.
func alertTests(t *testing.T, situations map[string]situation) string {
	t.Helper()
	type object = map[string]any
	rules, err := filepath.Abs(filepath.Join(repository, "deploy/monitoring/alerts.yaml"))
	require.NoError(t, err)
	var tests []object
	for name, s := range situations {
		all := maps.Clone(healthy)
		maps.Copy(all, s.series)
		var series []object
		for name, values := range all {
			series = append(series, object{"series": name, "values": values})
		}
		// fired checks which alerts have fired until a minute.
		fired := func(minute int, names ...string) object {
			samples := []object{}
			for _, name := range names {
				samples = append(samples, object{"labels": `{alertname="` + name + `"}`, "value": 1})
			}
			return object{"expr": `group by (alertname) (max_over_time(ALERTS{alertstate="firing"}[8h]))`, "eval_time": strconv.Itoa(minute) + "m",
				"exp_samples": samples}
		}
		fires := func(minute int, names ...string) object {
			now := fired(minute, names...)
			now["expr"] = `group by (alertname) (ALERTS{alertstate="firing"})`
			return now
		}
		checks := []object{fired(480)}
		if !strings.HasPrefix(name, "quiet") {
			checks = []object{fired(s.after), fired(s.at, name), fired(480, append(slices.Clone(s.later), name)...)}
		}
		if s.until > 0 {
			checks = append(checks, fires(s.until-1, name), fires(s.until))
		}
		tests = append(tests, object{"name": name, "interval": "1m", "input_series": series, "promql_expr_test": checks})
	}
	return writeYAML(t, "tests.yaml", object{"rule_files": []string{rules}, "evaluation_interval": "1m", "tests": tests})
}

func TestAlerts(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: takes most of a minute")
	}
	t.Run("11-monitoring-alerts", func(t *testing.T) {
		var names []string
		for _, r := range alertRules(t) {
			names = append(names, r.Alert)
		}
		require.ElementsMatch(t, names, slices.Collect(maps.Keys(situations)))
		all := maps.Clone(situations)
		for i, s := range quiet {
			all["quiet "+strconv.Itoa(i)] = s
		}
		out, err := promtool(t, "test", "rules", alertTests(t, all))
		require.NoError(t, err, out)

		late := situations["WattleDown"]
		late.at = late.after
		out, err = promtool(t, "test", "rules", alertTests(t, map[string]situation{"WattleDown": late}))
		require.Error(t, err)
		require.Contains(t, out, "FAILED", "an alert that fires later than it should is noticed")
	})
}
