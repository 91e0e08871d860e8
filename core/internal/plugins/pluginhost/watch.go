package pluginhost

import (
	"context"
	"errors"
	"os"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// Timeouts for watching a running process. An unresponsive process is detected within pingInterval + pingTimeout + secondTimeout: 4 s
// (9-plugin-hung).
const (
	pingInterval  = time.Second
	pingTimeout   = 2500 * time.Millisecond
	secondTimeout = 500 * time.Millisecond // for a second ping: the first one may have been late because this process was busy
	hungTimeout   = 6 * time.Second        // a process that hangs for this long is killed and restarted
)

// States of a plugin in /readyz and in the metrics.
const (
	StateUp   = "ok"
	StateHung = "hung" // the process exists and does not answer
	StateDown = "down"
)

// errHung is the cancellation cause of running calls when the process does not respond.
var errHung = errors.New("pluginhost: the plugin does not answer")

// period is a time in which a process responds. At its end, its context is canceled, and with it every running call.
type period struct {
	ctx context.Context
	end context.CancelCauseFunc
}

func newPeriod() *period {
	ctx, end := context.WithCancelCause(context.Background())
	return &period{ctx, end}
}

// State returns StateUp, StateHung or StateDown.
func (p *Plugin) State() string {
	switch x := p.process.Load(); {
	case x == nil:
		return StateDown
	case x.period.Load() == nil:
		return StateHung
	}
	return StateUp
}

// answering returns the process if it is responding, with a context for one call. The context is canceled with ctx, or when the process
// stops responding. x is nil if no process is responding.
func (p *Plugin) answering(ctx context.Context) (x *process, inner context.Context, done context.CancelFunc) {
	x = p.process.Load()
	if x == nil {
		return nil, ctx, func() {}
	}
	now := x.period.Load()
	if now == nil {
		return nil, ctx, func() {}
	}
	inner, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(now.ctx, func() { cancel(context.Cause(now.ctx)) })
	return x, inner, func() { stop(); cancel(nil) }
}

// watch pings the process until it exits or ctx ends. A process that does not respond gets no more calls. If it has not responded after
// hungTimeout, it is killed, and its supervisor restarts it.
func (p *Plugin) watch(ctx context.Context, x *process) {
	tick := time.NewTicker(pingInterval)
	defer tick.Stop()
	var hung time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-x.exited:
			return
		case <-tick.C:
		}
		answers := x.ping(ctx, pingTimeout) || x.ping(ctx, secondTimeout)
		switch {
		case ctx.Err() != nil:
			return
		case answers && !hung.IsZero():
			p.log.Warn("plugin answers again", "after", time.Since(hung).Round(time.Millisecond))
			hung = time.Time{}
			x.period.Store(newPeriod())
		case answers:
		case hung.IsZero():
			hung = time.Now()
			p.log.Error("plugin does not answer", "pid", x.cmd.Process.Pid)
			if now := x.period.Swap(nil); now != nil {
				now.end(errHung)
			}
		case time.Since(hung) >= hungTimeout:
			p.log.Error("plugin is killed because it does not answer", "pid", x.cmd.Process.Pid)
			_ = x.cmd.Process.Kill() // the process may have exited
			return
		}
	}
}

// ping calls the health service that go-plugin adds to every plugin.
func (x *process) ping(ctx context.Context, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	_, err := x.health.Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: goplugin.GRPCServiceName})
	return err == nil
}

// kill stops the process: gracefully if it is responding, otherwise by force. It returns after the process has exited.
func (x *process) kill() {
	if now := x.period.Swap(nil); now != nil {
		defer now.end(errHung)
	} else {
		x.force() // the process would not respond to a request to stop
	}
	ended := make(chan struct{})
	go func() {
		x.client.Kill()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(stopTimeout):
		x.force()
		<-ended
	}
	if x.lifeline != nil {
		_ = x.lifeline.Close() // the process has exited
	}
	if x.proxy != nil {
		x.proxy.close()
	}
	if x.back != nil {
		x.back.close()
	}
	_ = os.RemoveAll(x.dir) // sockets of a process that has exited
}

// force kills the process, even if it is suspended by a signal.
func (x *process) force() {
	if x.cmd.Process != nil {
		_ = x.cmd.Process.Kill() // the process may have exited
	}
}
