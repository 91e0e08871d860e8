package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/plugintest"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

const monitoringPage = "../../../../docs/monitoring.md"

// scrape reads /metrics of an admin address, like Prometheus.
func scrape(t *testing.T, addr string) map[string]*dto.MetricFamily {
	t.Helper()
	res, err := http.Get("http://" + addr + "/metrics")
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, 200, res.StatusCode)
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(res.Body)
	require.NoError(t, err)
	return families
}

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(monitoringPage)
	require.NoError(t, err)
	return string(text)
}

// query is an expression in deploy/monitoring, with the legend or the texts that use labels of its result.
type query struct{ expr, texts string }

// queries returns the dashboard queries by panel title, and the alert queries by name.
func queries(t *testing.T) map[string]query {
	t.Helper()
	out := map[string]query{}
	boards, err := filepath.Glob("../../../../deploy/monitoring/*.dashboard.json")
	require.NoError(t, err)
	for _, file := range boards {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var board struct {
			Panels []struct {
				Title   string
				Targets []struct{ RefID, Expr, LegendFormat string }
			}
		}
		require.NoError(t, json.Unmarshal(raw, &board))
		for _, p := range board.Panels {
			for _, x := range p.Targets {
				out[p.Title+" "+x.RefID] = query{x.Expr, x.LegendFormat}
			}
		}
	}
	alerts, err := os.ReadFile("../../../../deploy/monitoring/alerts.yaml")
	require.NoError(t, err)
	for _, alert := range strings.Split(string(alerts), "- alert: ")[1:] {
		name, rest, _ := strings.Cut(alert, "\n")
		expr, texts, _ := strings.Cut(rest, " labels:\n")
		out[name] = query{strings.TrimPrefix(strings.TrimSpace(expr), "expr:"), texts}
	}
	require.Greater(t, len(out), 30)
	return out
}

var (
	quoted     = regexp.MustCompile(`"[^"]*"`)
	selector   = regexp.MustCompile(`\b((?:wattle|process|go)_[a-z_]+|up)\b(?:\{([^}]*)\})?`)
	grouping   = regexp.MustCompile(`\b(?:by|without|on|ignoring|group_left|group_right) ?\(([^)]*)\)`)
	identifier = regexp.MustCompile(`[a-z_]+`)
	reference  = regexp.MustCompile(`\$labels\.([a-z_]+)|\{\{([a-z_]+)\}\}`) // in an alert and in a legend
)

// metricName returns the name of the metric to which a series belongs.
func metricName(series string) string {
	return strings.TrimSuffix(strings.TrimSuffix(series, "_bucket"), "_count")
}

var metricLine = regexp.MustCompile("(?m)^\\| `(wattle_[a-z_]+)` \\| ([a-z]+) \\| ([^|]*) \\| ([^|]*) \\|$")

// A portal with a plugin returns the metrics that docs/monitoring.md lists, and dashboards and alerts use no other metrics.
func TestMetrics(t *testing.T) {
	t.Parallel()
	addr, dir := freeAddr(t), plugins(t)
	plugintest.Write(t, dir, plugintest.Plugin{})
	out := &log{}
	a := apptest.New(t, apptest.Options{Config: config.Config{Plugins: dir, AdminAddr: addr}, Labels: tideLabels()[:1], Log: out})
	made := time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)
	require.NoError(t, backup.Note(a.Config.Data, backup.Record{At: made, File: "x"}))
	s := apptest.Serve(t, a)
	s.Do(apptest.Call{Path: "/portal"})
	var families map[string]*dto.MetricFamily
	require.Eventually(t, func() bool { families = scrape(t, addr); return families["wattle_jobs_total"] != nil }, patience,
		20*time.Millisecond)

	t.Run("11-start-line", func(t *testing.T) {
		require.Regexp(t, `"msg":"the portal serves",.*"labels":1,"plugins":1,`, out.String())
	})
	t.Run("11-metrics-listed", func(t *testing.T) {
		listed, served := []string{}, []string{}
		for _, m := range metricLine.FindAllStringSubmatch(page(t), -1) {
			listed = append(listed, strings.Join(m[1:], "|"))
		}
		for name, f := range families {
			if !strings.HasPrefix(name, "wattle_") {
				continue
			}
			labels := []string{}
			for _, l := range f.Metric[0].Label {
				labels = append(labels, "`"+l.GetName()+"`")
			}
			served = append(served, fmt.Sprintf("%s|%s|%s|%s", name, strings.ToLower(f.GetType().String()), strings.Join(labels, ", "), f.GetHelp()))
		}
		slices.Sort(served)
		slices.Sort(listed)
		assert.Equal(t, served, listed)
		assert.Equal(t, float64(made.Unix()), families["wattle_backup_seconds"].Metric[0].Gauge.GetValue())
	})
	t.Run("11-monitoring-rules", func(t *testing.T) {
		for where, q := range queries(t) {
			expr, known := quoted.ReplaceAllString(q.expr, ""), []string{}
			for _, m := range selector.FindAllStringSubmatch(expr, -1) {
				own := []string{"instance", "job"} // labels that the scrape target adds
				if m[1] != "up" {
					f := families[metricName(m[1])]
					require.NotNil(t, f, "%s: %s", where, m[1])
					for _, l := range f.Metric[0].Label {
						own = append(own, strings.Replace(l.GetName(), "job", "exported_job", 1)) // Prometheus renames the label
					}
					if f.GetType() == dto.MetricType_HISTOGRAM {
						own = append(own, "le")
					}
				}
				for _, l := range identifier.FindAllString(m[2], -1) {
					assert.Contains(t, own, l, where)
				}
				known = append(known, own...)
			}
			require.NotEmpty(t, known, where)
			for _, m := range grouping.FindAllStringSubmatch(expr, -1) {
				for _, l := range identifier.FindAllString(m[1], -1) {
					assert.Contains(t, known, l, where)
				}
			}
			for _, m := range reference.FindAllStringSubmatch(q.texts, -1) {
				assert.Contains(t, known, m[1]+m[2], where)
			}
		}
	})
	t.Run("11-monitoring-metrics-exist", func(t *testing.T) {
		files, err := filepath.Glob("../../../../deploy/monitoring/*.*")
		require.NoError(t, err)
		require.Len(t, files, 3)
		used := map[string]bool{}
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, name := range regexp.MustCompile(`\b(wattle|process|go)_[a-z_]+\b`).FindAllString(string(text), -1) {
				name = metricName(name)
				used[name] = true
				assert.Contains(t, families, name, filepath.Base(file))
			}
		}
		for name := range families {
			if strings.HasPrefix(name, "wattle_") {
				assert.True(t, used[name], "%s is in no dashboard and no alert", name)
			}
		}
	})
}

// While the database does not respond, the metrics that do not need it are still returned, because an alert depends on them.
func TestMetricsWithoutADatabase(t *testing.T) {
	t.Parallel()
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		t.Run("11-metrics-outage", func(t *testing.T) {
			addr := freeAddr(t)
			a := apptest.New(t, apptest.Options{Store: &c, Config: config.Config{AdminAddr: addr}})
			apptest.Serve(t, a)
			var before map[string]*dto.MetricFamily
			require.Eventually(t, func() bool { before = scrape(t, addr); return before["wattle_jobs_total"] != nil }, patience,
				20*time.Millisecond)
			require.Contains(t, before, "wattle_deliveries")
			_, err := a.Store.DB().ExecContext(t.Context(), "ALTER TABLE outbox_deliveries RENAME TO outbox_gone")
			require.NoError(t, err)
			families := scrape(t, addr)
			for _, name := range []string{"wattle_deliveries", "wattle_delivery_oldest_seconds", "wattle_delivery_overdue_seconds"} {
				require.NotContains(t, families, name)
				delete(before, name)
			}
			for name := range before { // a job or a check may have added other metrics in the meantime
				require.Contains(t, families, name, "everything else")
			}
			require.Contains(t, families, "wattle_check")
			_, err = a.Store.DB().ExecContext(t.Context(), "ALTER TABLE outbox_gone RENAME TO outbox_deliveries")
			require.NoError(t, err)
		})
	})
}

// The request log line in docs/monitoring.md has the fields of a real log line.
func TestTheLineOfARequest(t *testing.T) {
	t.Parallel()
	t.Run("11-log-fields", func(t *testing.T) {
		out := &log{}
		s := apptest.Start(t, apptest.Options{Log: out})
		s.Do(apptest.Call{Path: "/portal"})
		fields := func(text string) (out []string) {
			for line := range strings.Lines(text) {
				var x map[string]any
				if json.Unmarshal([]byte(line), &x) == nil && x["msg"] == "request" && x["operation"] != "page" {
					return slices.Sorted(maps.Keys(x))
				}
			}
			return nil
		}
		require.Eventually(t, func() bool { return fields(out.String()) != nil }, patience, 10*time.Millisecond)
		require.Equal(t, fields(out.String()), fields(page(t)))
	})
}
