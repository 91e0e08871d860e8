package app

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/pprof"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/wattle-portal/wattle/core/internal/config"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/portal"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
)

// health answers /healthz (the process runs), /readyz (it can answer calls) and, in demo mode, /metrics, which else is on the
// inner address only.
type health struct {
	store  *store.Store
	labels *label.Store
	portal *portal.Portal
	ready  atomic.Bool
	demo   bool
	counts http.Handler

	mu    sync.Mutex
	parts map[string]func() bool
}

func newHealth(c config.Config, s *store.Store, labels *label.Store, p *portal.Portal, m *prometheus.Registry) *health {
	h := &health{store: s, labels: labels, portal: p, demo: c.Demo, parts: map[string]func() bool{},
		counts: promhttp.HandlerFor(m, promhttp.HandlerOpts{})}
	m.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "wattle_label_problems", Help: "Problems of labels as they are on disk."},
		func() float64 { return float64(len(labels.Problems())) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "wattle_labels", Help: "Labels that are served."},
			func() float64 { return float64(len(labels.All())) }))
	return h
}

// watch tells of a part that may be down without making the portal unready.
func (h *health) watch(name string, up func() bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.parts[name] = up
}

// Readiness is the answer of /readyz. Problems of labels and remotes and plugins that are down are told and do not make the portal
// unready: what still works goes on.
type Readiness struct {
	Ready    bool            `json:"ready"`
	Database string          `json:"database"`
	Labels   []label.Problem `json:"labels"`
	Remotes  []string        `json:"remotes"`
	Down     []string        `json:"down"`
}

func (h *health) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/metrics" {
		if !h.demo {
			module.WriteProblem(w, module.Fail(http.StatusNotFound, module.CodeNotFound))
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
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	a := Readiness{Ready: h.ready.Load(), Database: "ok", Labels: append([]label.Problem{}, h.labels.Problems()...),
		Remotes: append([]string{}, h.portal.Problems()...), Down: []string{}}
	if err := h.store.Ping(ctx); err != nil {
		a.Ready, a.Database = false, "down"
	}
	h.mu.Lock()
	for name, up := range h.parts {
		if !up() {
			a.Down = append(a.Down, name)
		}
	}
	h.mu.Unlock()
	if !a.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(a) // the caller is gone when this fails
}

// admin is all that is served on the inner address.
func (h *health) admin() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/healthz", h)
	mux.Handle("/readyz", h)
	mux.Handle("/metrics", h.counts)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}
