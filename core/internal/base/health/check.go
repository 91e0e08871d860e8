// Package health collects the checks for /readyz and the metric wattle_check. Every part registers its own checks. A failed check does not
// make the portal unready: only an unreachable database or a shutdown does.
package health

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// States that several checks use. A check may return any other short code for its own state, such as broken, hung or
// sandbox.
const (
	OK      = "ok"
	Down    = "down"
	Unknown = "unknown" // the check did not return in time
)

// checkTimeout limits the duration of all checks, so that a check that hangs does not block /readyz.
const checkTimeout = time.Second

// Check is the state of one part of the installation.
type Check struct {
	Name   string `json:"name"`             // such as "database", "identity key", "plugin acme", "label 1024"
	State  string `json:"state"`            // ok, or a short code for the problem
	Detail string `json:"detail,omitempty"` // one sentence for the operator: what is wrong and what to do; never a secret
}

// Healthy returns the check of a part that works.
func Healthy(name string) Check { return Check{Name: name, State: OK} }

// Checks are the checks of a process. The zero value has none. It is safe for concurrent use.
type Checks struct {
	mu  sync.Mutex
	all []source
}

type source struct {
	name string
	run  func(context.Context) []Check
}

// New returns an empty collection.
func New() *Checks { return &Checks{} }

// Add registers the check of one part. run returns the state (OK or a short code) and one sentence about it; it is called from several
// goroutines for each request to /readyz and /metrics, and should not do slow work.
func (c *Checks) Add(name string, run func(context.Context) (state, detail string)) {
	c.AddMany(name, func(ctx context.Context) []Check {
		state, detail := run(ctx)
		return []Check{{name, state, detail}}
	})
}

// AddMany registers a set of checks that changes, such as those of labels or plugins. When run does not return in time, one check
// with this name is Unknown.
func (c *Checks) AddMany(name string, run func(context.Context) []Check) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, source{name, run})
}

// Run runs all checks at the same time and returns them sorted by name. A check that does not return within checkTimeout is Unknown.
func (c *Checks) Run(ctx context.Context) []Check {
	c.mu.Lock()
	all := slices.Clone(c.all)
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	answers := make([]chan []Check, len(all))
	for i, s := range all {
		answers[i] = make(chan []Check, 1)
		go func() { answers[i] <- s.run(ctx) }()
	}
	out := []Check{}
	for i, s := range all {
		select {
		case found := <-answers[i]:
			out = append(out, found...)
		case <-ctx.Done():
			select {
			case found := <-answers[i]: // the check returned while another one hung; select chooses at random between two ready cases
				out = append(out, found...)
			default:
				out = append(out, Check{s.name, Unknown, "This check did not answer in time."})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Check) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

var checkDesc = prometheus.NewDesc("wattle_check", "State of a part of the installation, 1 for the state that it is in; ok is fine.",
	[]string{"check", "state"}, nil)

// Describe implements prometheus.Collector.
func (c *Checks) Describe(ch chan<- *prometheus.Desc) { ch <- checkDesc }

// Collect implements prometheus.Collector.
func (c *Checks) Collect(ch chan<- prometheus.Metric) {
	last := ""
	for _, check := range c.Run(context.Background()) {
		if check.Name == last {
			continue // two series with the same name would make the whole page fail, so only the first one is kept
		}
		last = check.Name
		ch <- prometheus.MustNewConstMetric(checkDesc, prometheus.GaugeValue, 1, check.Name, check.State)
	}
}
