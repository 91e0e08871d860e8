package pluginhost_test

import (
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// BenchmarkIdlePlugin measures the memory of a plugin that has not been called for two minutes, while it is pinged and polls its outbox:
//
//	go test -run '^$' -bench IdlePlugin -benchtime 1x ./core/internal/plugins/pluginhost
func BenchmarkIdlePlugin(b *testing.B) {
	const idle = 2 * time.Minute
	for b.Loop() {
		w := moduletest.Open(b, fixture.Module, moduletest.Options{Main: "github.com/wattle-portal/wattle/test/plugin/fixture/plugin"}, true)
		pid := w.Plugins.Plugins()[0].PID()
		time.Sleep(idle)
		all, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
		if err != nil {
			b.Skip("only Linux says what a process has in memory: ", err)
		}
		for _, field := range []string{"Rss", "Anonymous"} {
			found := regexp.MustCompile(`(?m)^` + field + `:\s+(\d+) kB$`).FindSubmatch(all)
			require.NotNil(b, found, string(all))
			kB, err := strconv.ParseFloat(string(found[1]), 64)
			require.NoError(b, err)
			b.ReportMetric(kB*1024/1e6, field+"-MB")
		}
	}
	b.ReportMetric(0, "ns/op")
}
