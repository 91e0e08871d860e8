package pluginhost

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/internal/plugins/sandbox"
	"github.com/wattle-portal/wattle/core/module"
)

// Detail describes a plugin folder at one point in time, with the version that serves from it.
type Detail struct {
	Status
	Limits   Limits           // limits of the serving version, or else of the version in the folder
	Process  *Process         // nil: not running
	Manifest *module.Manifest // manifest of the serving version; nil: none
}

// Process describes the running process of a plugin at one point in time.
type Process struct {
	PID      int
	Since    time.Time
	Restarts int64 // since this version started serving
	Calls    int   // number of calls being served
	Memory   int64 // resident memory in bytes; 0: the system does not report it

	User      string // as the operator named it; empty: the portal's user
	NoNetwork bool   // whether the process runs without access to the network
}

// Details returns the status of every folder, with the process and the manifest of its serving version.
func (h *Host) Details(ctx context.Context) (out []Detail) {
	plugins := map[string]*Plugin{}
	h.mu.Lock()
	for name, f := range h.folders {
		plugins[name] = f.plugin
	}
	h.mu.Unlock()
	for _, s := range h.Status() {
		d := Detail{Status: s}
		grant, _ := h.o.grants.grant(s.Key) // an error is reported as a separate status
		d.Limits = grant.limits(h.o.Limits).orDefault()
		if p := plugins[s.Folder]; p != nil && s.Serving != "" {
			d.Limits, d.Manifest = p.guard.limits, p.manifest.Load()
			d.Process = p.describeProcess(ctx)
		}
		out = append(out, d)
	}
	return out
}

func (p *Plugin) describeProcess(ctx context.Context) *Process {
	x := p.process.Load()
	if x == nil {
		return nil
	}
	memory, _ := sandbox.Resident(ctx, x.cmd.Process.Pid) // the process may have just exited
	return &Process{PID: x.cmd.Process.Pid, Since: x.began, Restarts: p.Restarts(), Calls: p.Calls(), Memory: memory,
		User: x.sandbox.User, NoNetwork: x.sandbox.NoNetwork}
}
