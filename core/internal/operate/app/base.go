package app

import (
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/base/outside"
	"github.com/wattle-portal/wattle/core/internal/base/traffic"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
)

// env contains what most parts need from the package group base.
type env struct {
	fx.In
	Config config.Config
	Log    *slog.Logger
	Clock  *clock.Clock
}

var baseParts = fx.Provide(slog.Default, newClock, newMetrics, newCalls, health.New)

func newClock(c config.Config) (*clock.Clock, error) {
	k := &clock.Clock{}
	at, err := c.Start()
	if err == nil && !at.IsZero() {
		k.Set(at)
	}
	return k, err
}

func newMetrics() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

func outsideClient(c config.Config) *http.Client { return outside.Client(allowedPrivate(c)...) }

// allowedPrivate returns the private addresses that modules and webhooks may call. In a demo it allows this machine, where payments and
// webhooks are stubs.
func allowedPrivate(c config.Config) []netip.Prefix {
	if !c.Demo {
		return nil
	}
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

// newCalls returns the meter of running calls, which have priority over password hashing.
func newCalls() *traffic.Meter { return &traffic.Meter{} }
