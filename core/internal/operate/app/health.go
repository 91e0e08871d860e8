package app

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/http/pprof"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/http/portal"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/storage/fault"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/problem"
)

// pluginCheck is the prefix of the name of every plugin check.
const pluginCheck = "plugin "

// probes serves /healthz (the process is running), /readyz (it can serve requests) and, in demo mode, /metrics, which otherwise is
// available only on the admin address.
type probes struct {
	store  *store.Store
	labels *label.Store
	portal *portal.Portal
	checks *health.Checks
	ready  atomic.Bool
	demo   bool
	counts http.Handler
}

func newProbes(c config.Config, s *store.Store, labels *label.Store, p *portal.Portal, checks *health.Checks,
	m *prometheus.Registry) *probes {
	h := &probes{store: s, labels: labels, portal: p, checks: checks, demo: c.Demo,
		// Metrics that need the database are missing while it is unreachable; the others are still returned.
		counts: promhttp.HandlerFor(m, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})}
	checks.AddMany("labels", func(context.Context) []health.Check { return labelChecks(labels.Problems()) })
	checks.Add("database", func(context.Context) (string, string) { return databaseCheck(s.State()) })
	m.MustRegister(checks, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "wattle_label_problems",
		Help: "Problems of labels as they are on disk."},
		func() float64 { return float64(len(labels.Problems())) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "wattle_labels", Help: "Labels that are served."},
			func() float64 { return float64(len(labels.All())) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "wattle_labels_last_good",
			Help: "Labels that are served in their last good version, because what is on disk is broken, gone or refused."},
			func() float64 { return float64(labels.Stale()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "wattle_backup_seconds",
			Help: "When the last verified backup was made that the data folder knows, as Unix time; 0 without one."},
			func() float64 { return backupTime(c.Data) }))
	return h
}

// backupTime returns the Unix time of the last verified backup, or 0 if there is none or its record cannot be read.
func backupTime(data string) float64 {
	r, found, err := backup.Last(data)
	if err != nil || !found {
		return 0
	}
	return float64(r.At.Unix())
}

// databaseCheck describes what the database currently cannot do (9-readiness-database, 9-readiness-named).
func databaseCheck(s store.State) (state, detail string) {
	since := " Since " + s.Since.UTC().Format(time.RFC3339) + "."
	switch s.Kind {
	case fault.Down:
		return health.Down, "The database does not answer; calls that need it are answered 503." + since
	case fault.ReadOnly:
		return string(s.Kind), "The database takes no writes; reads go on. Is it a standby, or may its files not be written?" + since
	case fault.Full:
		return string(s.Kind), "The database has no space left; reads go on. Free or add space; nothing need be restarted." + since
	}
	return health.OK, ""
}

// labelChecks returns a check for each label that is broken on disk.
func labelChecks(problems []label.Problem) (out []health.Check) {
	for _, p := range problems {
		name := "label " + p.Label
		if p.Label == "" {
			name = "labels"
		}
		out = append(out, health.Check{Name: name, State: cmp.Or(p.State, "broken"), Detail: p.String()})
	}
	return out
}

// Readiness is the body of /readyz. The status is 503 while the database is unreachable or the process is starting or stopping, and
// otherwise 200. Checks lists other problems, which do not make the portal unready. Down lists the names of the checks of plugins that are
// neither ok nor disabled by the operator.
type Readiness struct {
	Ready    bool            `json:"ready"`
	Database string          `json:"database"`
	Checks   []health.Check  `json:"checks"`
	Labels   []label.Problem `json:"labels"`
	Remotes  []string        `json:"remotes"`
	Down     []string        `json:"down"`
}

func (h *probes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/metrics" {
		if !h.demo {
			problem.Write(w, problem.Fail(http.StatusNotFound, problem.CodeNotFound))
			return
		}
		h.counts.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if r.URL.Path == "/healthz" {
		_, _ = w.Write([]byte(`{"status":"ok"}` + "\n"))
		return
	}
	a := Readiness{Ready: h.ready.Load(), Database: "ok", Checks: h.checks.Run(r.Context()),
		Labels:  append([]label.Problem{}, h.labels.Problems()...),
		Remotes: append([]string{}, h.portal.Problems()...), Down: []string{}}
	if k := h.store.State().Kind; k != fault.None {
		a.Database = string(k)
		a.Ready = a.Ready && k != fault.Down
	}
	for _, c := range a.Checks {
		if c.State != health.OK && c.State != pluginhost.StateDisabled && strings.HasPrefix(c.Name, pluginCheck) {
			a.Down = append(a.Down, c.Name)
		}
	}
	if !a.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(a) // fails only when the client disconnected
}

// admin returns the handler of the admin address.
func (h *probes) admin(plugins http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/healthz", h)
	mux.Handle("/readyz", h)
	mux.Handle("/metrics", h.counts)
	mux.Handle("/plugins", plugins)
	mux.Handle("/plugins/", plugins)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}
