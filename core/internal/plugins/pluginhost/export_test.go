package pluginhost

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/wattle-portal/wattle/core/internal/modules/contract"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
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

// BackSocket returns the socket of core for calls of the running process.
func (p *Plugin) BackSocket() string { return p.process.Load().back.socket }

// IdleConnections is the number of connections that a plugin may have in addition to those of its running calls.
const IdleConnections = idleConnections

// Database creates the schema and role of a plugin on PostgreSQL, as core does before it starts the plugin.
func Database(ctx context.Context, key, database string) (url, schema string, err error) {
	return (&Plugin{Spec: Spec{Key: key}, o: Options{Database: database}}).database(ctx)
}

// MaxWait is how long a call waits when the maximum number of calls is running.
const MaxWait = maxWait

// DrainTimeout is the default of Options.Drain.
const DrainTimeout = drainTimeout

// NewLogger returns the logger of go-plugin.
var NewLogger = newLogger

// NoticedWithin is the maximum time until an unresponsive process is detected.
const NoticedWithin = pingInterval + pingTimeout + secondTimeout

// NewRelay returns a function that sends rows to core in the same way as a plugin.
func NewRelay(ctx context.Context, store func(ctx context.Context, moduleKey string, rows []store.Row) error) (send func(rows int) error) {
	s := &service{p: newPlugin(ctx, Spec{Key: "unruly"}, Options{Relay: store, Log: slog.New(slog.DiscardHandler)}, installation{})}
	return func(n int) error {
		r := &wire.RelayRequest{}
		for range n {
			r.Rows = append(r.Rows, []byte(`{"kind": "mail"}`))
		}
		_, err := s.Relay(ctx, r)
		return err
	}
}

// NewPluginLog returns the log of a plugin, which is stored in a data folder.
func NewPluginLog(data, key string) *slog.Logger {
	return Options{Log: slog.New(slog.DiscardHandler), logs: newLogs(data)}.logger(key)
}

// Limits returns the limits of the plugin.
func (p *Plugin) Limits() Limits { return p.guard.limits }

// Install copies the plugin in a folder to a data folder, as is done before it is started, and returns the copied binary.
func Install(dir, data string) (binary string, err error) {
	s, err := read(dir, contract.Current)
	if err != nil {
		return "", err
	}
	in, err := s.install(data, nil)
	return in.binary, err
}
