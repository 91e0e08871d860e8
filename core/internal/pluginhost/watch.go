package pluginhost

import (
	"context"
	"errors"
	"os"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// Times of the watch over a process that runs. A process that stops answering is noticed within pingEvery + pingTimeout +
// secondTimeout: 4 s (9-plugin-hung).
const (
	pingEvery     = time.Second
	pingTimeout   = 2500 * time.Millisecond
	secondTimeout = 500 * time.Millisecond // of a second ping: the first one may have been late because we were
	killAfter     = 6 * time.Second        // hung this long, the process is ended and started again
)

// States of a plugin, as /readyz and the metrics name them.
const (
	StateUp   = "ok"
	StateHung = "hung" // the process is there and does not answer
	StateDown = "down"
)

// errHung ends the calls that are under way in a process that does not answer.
var errHung = errors.New("pluginhost: the plugin does not answer")

// period is a time in which a process answers. Its context ends with it, and with that every call that was under way.
type period struct {
	ctx context.Context
	end context.CancelCauseFunc
}

func newPeriod() *period {
	ctx, end := context.WithCancelCause(context.Background())
	return &period{ctx, end}
}

// State tells whether the plugin answers.
func (p *Plugin) State() string {
	switch x := p.process.Load(); {
	case x == nil:
		return StateDown
	case x.period.Load() == nil:
		return StateHung
	}
	return StateUp
}

// answering is the process when it answers, with a context for one call of it: that ends with ctx, or when the process stops
// answering. x is nil when there is none.
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

// watch pings the process until it has ended or ctx has. One that does not answer gets no more calls; when it goes on not answering
// it is killed, which its supervisor notices.
func (p *Plugin) watch(ctx context.Context, x *process) {
	tick := time.NewTicker(pingEvery)
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
		case time.Since(hung) >= killAfter:
			p.log.Error("plugin is ended because it does not answer", "pid", x.cmd.Process.Pid)
			_ = x.cmd.Process.Kill() // it is gone already
			return
		}
	}
}

// ping asks the health service that go-plugin gives every plugin.
func (x *process) ping(ctx context.Context, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	_, err := x.health.Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: goplugin.GRPCServiceName})
	return err == nil
}

// kill ends the process: it may finish what is under way, unless it does not answer. It returns when the process is gone.
func (x *process) kill() {
	if now := x.period.Swap(nil); now != nil {
		defer now.end(errHung)
	} else {
		x.force() // asked to end, it would never answer
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
		_ = x.lifeline.Close() // the process is gone
	}
	if x.proxy != nil {
		x.proxy.close()
	}
	if x.back != nil {
		x.back.close()
	}
	_ = os.RemoveAll(x.dir) // sockets of a process that is gone
}

// force ends the process whatever it does, also one that was stopped by a signal.
func (x *process) force() {
	if x.cmd.Process != nil {
		_ = x.cmd.Process.Kill() // it may be gone
	}
}
