package pluginhost

import (
	"context"
	"net/http"
)

// CutLifeline lets the process think that core is gone.
func (p *Plugin) CutLifeline() error { return p.process.Load().lifeline.Close() }

// Handles counts the calls that are under way.
func (p *Plugin) Handles() int {
	p.calls.mu.Lock()
	defer p.calls.mu.Unlock()
	return len(p.calls.all)
}

// Back calls core's socket for this plugin past its guard, with the headers given.
func (p *Plugin) Back(w http.ResponseWriter, r *http.Request) {
	p.process.Load().back.server.Handler.ServeHTTP(w, r)
}

// Tokens are those of this start.
func (p *Plugin) Tokens() (socket, back string) {
	x := p.process.Load()
	return x.proxy.socket, x.back.token
}

// Database makes the place of a plugin on PostgreSQL as core does before it starts one.
func Database(ctx context.Context, key, database string) (url, schema string, err error) {
	return (&Plugin{Spec: Spec{Key: key}, o: Options{Database: database}}).database(ctx)
}

// NewLogger is what go-plugin logs to.
var NewLogger = newLogger

// NoticedWithin is how long a process that stops answering may go unnoticed.
const NoticedWithin = pingEvery + pingTimeout + secondTimeout
