package pluginhost

import (
	"context"
	"strconv"
	"time"

	"github.com/wattle-portal/wattle/core/internal/plugins/sandbox"
)

// measureInterval is the interval at which the memory of a process is measured. Between two measurements, sandbox.Confine limits the memory
// if the system supports it.
const measureInterval = 250 * time.Millisecond

// environment returns the environment of a plugin's process: no variables of the portal, and limits for the Go runtime. The runtime
// collects garbage more often as the process approaches its memory limit, so that a process is not ended because of garbage.
func environment(l Limits) []string {
	return []string{"GOMAXPROCS=" + strconv.Itoa(l.Cores), "GOMEMLIMIT=" + strconv.FormatInt(l.Memory/5*4, 10)}
}

// watchMemory ends the process if it uses more memory than allowed, until it exits or ctx ends. Its supervisor restarts it
// (10-contain-memory).
func (p *Plugin) watchMemory(ctx context.Context, x *process) {
	tick := time.NewTicker(measureInterval)
	defer tick.Stop()
	limit := p.guard.limits.Memory
	for {
		select {
		case <-ctx.Done():
			return
		case <-x.exited:
			return
		case <-tick.C:
		}
		used, err := sandbox.Resident(ctx, x.cmd.Process.Pid)
		if err != nil {
			continue // the process has just exited
		}
		if used > limit {
			p.log.Error("plugin is ended because it uses more memory than it may, and is started again", "pid", x.cmd.Process.Pid,
				"megabytes", used>>20, "limit", limit>>20)
			x.force()
			return
		}
	}
}
