package pluginhost

import (
	"context"
	"errors"
	"os"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// Timeouts of the watch over a running process. A process that stops answering is noticed within pingInterval + pingTimeout +
// secondTimeout: 4 s (9-plugin-hung).
const (
	pingInterval  = time.Second
	pingTimeout   = 2500 * time.Millisecond
	secondTimeout = 500 * time.Millisecond // of a second ping: the first one may have been late because this process was busy
	hungTimeout   = 6 * time.Second        // a process that hangs this long is killed and started again
)

// States of a plugin in /readyz and in the metrics.
const (
	StateUp   = "ok"
	StateHung = "hung" // the process exists and does not answer
	StateDown = "down"
)

// errHung is the cause with which the running calls of a process that does not answer are canceled.
var errHung = errors.New("pluginhost: the plugin does not answer")

// period is an interval in which a process answers. Its context is canceled at its end, and with it every running call.
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

// answering returns the process if it answers, with a context for one call: it is canceled with ctx, or when the process stops
// answering. x is nil when no process answers.
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

// watch pings the process until it exits or ctx ends. A process that does not answer gets no more calls; when it still does not answer
// after hungTimeout it is killed, and its supervisor restarts it.
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
			_ = x.cmd.Process.Kill() // it may have exited
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

// kill stops the process: gracefully if it answers, otherwise by force. It returns after the process has exited.
func (x *process) kill() {
	if now := x.period.Swap(nil); now != nil {
		defer now.end(errHung)
	} else {
		x.force() // it would not answer a request to stop
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

// force kills the process, also when it is stopped by a signal.
func (x *process) force() {
	if x.cmd.Process != nil {
		_ = x.cmd.Process.Kill() // it may have exited
	}
}
