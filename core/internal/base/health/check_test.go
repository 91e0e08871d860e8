package health_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/health"
)

func TestChecks(t *testing.T) {
	c := health.New()
	require.Equal(t, []health.Check{}, c.Run(t.Context()), "an empty list and not null")
	c.Add("identity key", func(context.Context) (string, string) { return health.OK, "" })
	c.AddMany("plugins", func(context.Context) []health.Check {
		return []health.Check{health.Healthy("plugin b"), {Name: "plugin a", State: "hung", Detail: "It does not answer."}}
	})
	require.Equal(t, []health.Check{{Name: "identity key", State: "ok"}, {Name: "plugin a", State: "hung", Detail: "It does not answer."},
		{Name: "plugin b", State: "ok"}}, c.Run(t.Context()))
	c.Add("plugin a", func(context.Context) (string, string) { return health.OK, "" })
	r := prometheus.NewRegistry()
	r.MustRegister(c)
	found, err := r.Gather()
	require.NoError(t, err, "a name that is given twice does not fail the page of metrics")
	var got []string
	for _, m := range found[0].Metric {
		got = append(got, fmt.Sprintf("%s %s %v", m.Label[0].GetValue(), m.Label[1].GetValue(), m.Gauge.GetValue()))
	}
	require.Equal(t, []string{"identity key ok 1", "plugin a hung 1", "plugin b ok 1"}, got)
}

func TestACheckThatHangsIsUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := health.New()
		leave := make(chan struct{})
		c.Add("a", func(context.Context) (string, string) { <-leave; return health.OK, "" })
		c.Add("b", func(context.Context) (string, string) { return health.OK, "" })
		from := time.Now()
		got := c.Run(t.Context())
		require.Equal(t, []string{"unknown", "ok"}, []string{got[0].State, got[1].State})
		require.LessOrEqual(t, time.Since(from), time.Second)
		close(leave)
	})
}
