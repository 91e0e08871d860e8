// Package plugin runs a module as a separate process (docs/modules.md). This is the whole main function of a plugin:
//
//	func main() { plugin.Serve(acme.Module) }
//
// The module is the same value that runs inside the program, and notices no difference. A plugin has its own database: an SQLite file in
// <data>/plugins/<key>, or its own schema and role on PostgreSQL. A relay in this process sends the events, change requests, decisions and
// emails of its transactions to core.
package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
	_ "time/tzdata" // the system of a plugin may have no time zones

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"go.uber.org/fx"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/outside"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/internal/records/imports/dryrun"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// Serve runs the module until core stops the process or exits. If the process is started manually, Serve prints that it is a plugin, and
// exits.
func Serve(m module.Module) {
	s := newServer(m)
	go s.lifeline()
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  wire.Handshake,
		VersionedPlugins: map[int]goplugin.PluginSet{wire.Version: {wire.Name: &dispenser{s: s}}},
		GRPCServer: func(o []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(o, grpc.MaxRecvMsgSize(wire.MaxMessage))...)
		},
		Logger: hclog.New(&hclog.LoggerOptions{Level: hclog.Warn, Output: os.Stderr, JSONFormat: true}),
	})
	s.stop()
}

// lifeline exits the process when core has exited, even if core was killed and could not stop the plugin.
func (s *server) lifeline() {
	if os.Getenv(wire.Handshake.MagicCookieKey) != wire.Handshake.MagicCookieValue {
		return
	}
	f := os.NewFile(wire.LifelineFD, "core")
	if f == nil {
		return
	}
	if _, err := f.Read(make([]byte, 1)); err != nil && !errors.Is(err, os.ErrInvalid) {
		time.Sleep(drainTimeout) // running calls may finish
		if dir := s.sockets.Load(); dir != nil {
			_ = os.RemoveAll(*dir) // core normally removes the folder
		}
		os.Exit(0)
	}
}

const drainTimeout = 3 * time.Second

// dispenser implements goplugin.GRPCPlugin for the plugin's process.
type dispenser struct {
	goplugin.NetRPCUnsupportedPlugin
	s *server
}

// GRPCServer implements goplugin.GRPCPlugin.
func (d *dispenser) GRPCServer(b *goplugin.GRPCBroker, s *grpc.Server) error {
	d.s.broker = b
	wire.RegisterModuleServer(s, d.s)
	return nil
}

// GRPCClient implements goplugin.GRPCPlugin; only core uses it.
func (d *dispenser) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("plugin: a plugin cannot start plugins")
}

// server implements wire.ModuleServer: it handles the calls of core.
type server struct {
	wire.UnimplementedModuleServer
	module  module.Module
	broker  *goplugin.GRPCBroker
	log     *slog.Logger
	clock   clock.Clock
	mu      sync.Mutex // held during start and stop
	running *module.Running
	host    wire.HostClient
	seen    *settings
	store   *store.Store
	app     *fx.App
	relay   *relay
	http    *listener
	sockets atomic.Pointer[string] // the folder that core has created for this start of the plugin
}

func newServer(m module.Module) *server {
	return &server{module: m, log: slog.New(newLogHandler(os.Stderr))}
}

// Describe implements wire.ModuleServer.
func (s *server) Describe(context.Context, *wire.DescribeRequest) (*wire.Manifest, error) {
	return wire.FromManifest(s.module.Manifest), nil
}

// Browser implements wire.ModuleServer.
func (s *server) Browser(_ context.Context, r *wire.BrowserRequest) (*wire.BrowserResponse, error) {
	if s.module.Browser == nil {
		return nil, status.Error(codes.Unimplemented, "no settings for the browser")
	}
	out, err := s.module.Browser(r.Settings)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return &wire.BrowserResponse{Settings: out}, nil
}

// Start implements wire.ModuleServer.
func (s *server) Start(ctx context.Context, r *wire.StartRequest) (*wire.StartResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil {
		return nil, status.Error(codes.FailedPrecondition, "started already")
	}
	doc, err := s.start(ctx, r)
	if err != nil {
		s.log.Error("start", "error", err)
		return nil, status.Error(codes.Internal, err.Error())
	}
	time.AfterFunc(trimDelay, trim)
	return &wire.StartResponse{Openapi: doc}, nil
}

// trimDelay is the time after the start at which a plugin releases memory, once. Its first calls, and the first two polls of the outbox,
// still need some of that memory. After that, an unused plugin only responds to pings.
const trimDelay = 2 * relayInterval

func (s *server) start(ctx context.Context, r *wire.StartRequest) (doc []byte, err error) {
	sockets := filepath.Dir(r.Listen)
	s.sockets.Store(&sockets)
	s.clock.Set(time.Unix(0, r.Now))
	conn, err := s.broker.DialWithOptions(r.Host, grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(wire.MaxMessage)))
	if err != nil {
		return nil, err
	}
	s.host = wire.NewHostClient(conn)
	s.seen = newSettings(s.host)
	m := s.module.Manifest
	s.store, err = store.Open(ctx, store.Config{Dir: r.Data, URL: r.Database, Schema: r.Schema, Unsafe: r.Unsafe})
	if err != nil {
		return nil, err
	}
	if err := s.store.MigrateModule(ctx, m); err != nil {
		return nil, err
	}
	s.relay = newRelay(s.store, m.Key, s.host, s.log)
	host := module.Host{
		Client: newClient(r.Core, r.CoreToken),
		Web:    outside.WithTransport(newWeb(r.Core, r.CoreToken)),
		DB:     dryrun.DB(s.store.Module(m, &s.clock, s.relay.wake)),
		Now:    s.clock.Now,
		Log:    s.log,
	}
	var built []module.Running
	s.app = fx.New(fx.NopLogger, fx.Supply(module.HostFor(func(module.Manifest) module.Host { return host })),
		s.module.Option(), fx.Invoke(func(in struct {
			fx.In
			Modules []module.Running `group:"modules"`
		}) {
			built = in.Modules
		}))
	if err := s.app.Start(ctx); err != nil {
		return nil, err
	}
	if len(built) != 1 {
		return nil, fmt.Errorf("plugin: %d modules were built", len(built))
	}
	if doc, err = json.Marshal(built[0].OpenAPI()); err != nil {
		return nil, err
	}
	s.http, err = listen(r.Listen, r.Token, built[0], s)
	if err != nil {
		return nil, err
	}
	go s.relay.run()
	s.running = &built[0]
	return doc, nil
}

// stop stops the module after the running calls have finished.
func (s *server) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	if s.running == nil {
		return
	}
	s.http.close(ctx)
	s.relay.stop()
	err := errors.Join(s.app.Stop(ctx), s.store.Close())
	if err != nil {
		s.log.Error("stop", "error", err)
	}
}

// enter returns the context of a call from core.
func (s *server) enter(ctx context.Context, encoded []byte) (context.Context, error) {
	var c wire.Call
	if err := json.Unmarshal(encoded, &c); err != nil {
		return nil, fmt.Errorf("plugin: %w", err)
	}
	// Core's clock may be moved while the plugin runs, but the latency of a call must not move the plugin's clock.
	if now := time.Unix(0, c.Now); now.Sub(s.clock.Now()).Abs() > time.Second {
		s.clock.Set(now)
	}
	return s.seen.enter(ctx, c)
}

// Handle implements wire.ModuleServer.
func (s *server) Handle(ctx context.Context, r *wire.HandleRequest) (out *wire.HandleResponse, err error) {
	defer func() {
		if v := recover(); v != nil {
			s.log.Error("panic in Handle", "panic", v, "stack", string(debug.Stack()))
			out, err = &wire.HandleResponse{Error: "panic"}, nil
		}
	}()
	ctx, instance, err := s.ready(ctx, r.Call)
	if err != nil {
		return nil, err
	}
	var e module.Event
	if err := json.Unmarshal(r.Event, &e); err != nil {
		return nil, status.Error(codes.InvalidArgument, "invalid event")
	}
	if err := instance.Handle(ctx, e); err != nil {
		return &wire.HandleResponse{Error: err.Error(), Retry: errors.Is(err, problem.ErrRetry)}, nil
	}
	return &wire.HandleResponse{}, nil
}

// Import implements wire.ModuleServer.
func (s *server) Import(ctx context.Context, r *wire.ImportRequest) (out *wire.ImportResponse, err error) {
	defer func() {
		if v := recover(); v != nil {
			s.log.Error("panic in Import", "panic", v, "stack", string(debug.Stack()))
			out, err = &wire.ImportResponse{Error: "panic"}, nil
		}
	}()
	ctx, instance, err := s.ready(ctx, r.Call)
	if err != nil {
		return nil, err
	}
	if r.DryRun {
		ctx = dryrun.With(ctx)
	}
	importer, ok := instance.Instance.(module.Importer)
	if !ok {
		return &wire.ImportResponse{Error: "the module imports nothing"}, nil
	}
	rows := make([]record.Row, len(r.Rows))
	for i, x := range r.Rows {
		rows[i] = record.Row{Line: int(x.Line), Data: x.Data}
	}
	out = &wire.ImportResponse{}
	ctx = record.OnWarning(ctx, func(w record.Refusal) { out.Warnings = append(out.Warnings, refusal(w)) })
	refused, err := importer.Import(ctx, r.Kind, rows)
	if err != nil {
		return &wire.ImportResponse{Error: err.Error()}, nil
	}
	for _, x := range refused {
		out.Refusals = append(out.Refusals, refusal(x))
	}
	return out, nil
}

func refusal(r record.Refusal) *wire.Refusal {
	return &wire.Refusal{Line: int64(r.Line), Field: r.Field, Code: r.Code}
}

func (s *server) ready(ctx context.Context, call []byte) (context.Context, *module.Running, error) {
	s.mu.Lock()
	running := s.running
	s.mu.Unlock()
	if running == nil {
		return nil, nil, status.Error(codes.FailedPrecondition, "not started")
	}
	ctx, err := s.enter(ctx, call)
	if err != nil {
		return nil, nil, status.Error(codes.Unavailable, err.Error())
	}
	return ctx, running, nil
}
