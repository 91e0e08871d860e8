package pluginhost

import (
	"context"
	"net/http"
)

// CutLifeline closes the lifeline, as if core had exited.
func (p *Plugin) CutLifeline() error { return p.process.Load().lifeline.Close() }

// Handles returns the number of running calls.
func (p *Plugin) Handles() int {
	p.calls.mu.Lock()
	defer p.calls.mu.Unlock()
	return len(p.calls.all)
}

// Back calls the handler of core's socket for this plugin without the token check, with the given headers.
func (p *Plugin) Back(w http.ResponseWriter, r *http.Request) {
	p.process.Load().back.server.Handler.ServeHTTP(w, r)
}

// Tokens returns the tokens of the running process.
func (p *Plugin) Tokens() (socket, back string) {
	x := p.process.Load()
	return x.proxy.socket, x.back.token
}

// Database creates the schema and role of a plugin on PostgreSQL, as core does before it starts one.
func Database(ctx context.Context, key, database string) (url, schema string, err error) {
	return (&Plugin{Spec: Spec{Key: key}, o: Options{Database: database}}).database(ctx)
}

// DrainTimeout is the default of Options.Drain.
const DrainTimeout = drainTimeout

// NewLogger returns the logger of go-plugin.
var NewLogger = newLogger

// NoticedWithin is the longest time until a process that stops answering is noticed.
const NoticedWithin = pingInterval + pingTimeout + secondTimeout
