package pluginhost

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	goplugin "github.com/hashicorp/go-plugin"
	lru "github.com/hashicorp/golang-lru/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/wattle-portal/wattle/core/internal/base/outside"
	"github.com/wattle-portal/wattle/core/internal/modules/contract"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/internal/plugins/sandbox"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Plugin is a module in a separate process.
type Plugin struct {
	Spec Spec

	o         Options
	log       *slog.Logger
	calls     *calls
	process   atomic.Pointer[process] // nil while it is down
	manifest  atomic.Pointer[module.Manifest]
	openAPI   atomic.Pointer[huma.OpenAPI]
	installed installation // empty for Describe, which runs the binary in the plugin's folder
	users     users
	stop      context.CancelFunc
	stopping  context.Context
	done      chan struct{} // closed when its process has ended and will not be restarted
	retries   atomic.Int64
	guard     *guard
	outside   http.RoundTripper
	// cached results of browser, by settings; they stay valid after a restart, because the checksum of the binary stays the same
	browserSettings *lru.Cache[string, json.RawMessage]
}

func newPlugin(stopping context.Context, s Spec, o Options, in installation) *Plugin {
	log := o.logger(s.Key)
	if s.Version != "" {
		log = log.With("version", s.Version)
	}
	p := &Plugin{Spec: s, o: o, log: log, installed: in, calls: newCalls(), done: make(chan struct{})}
	grant, _ := o.grants.grant(s.Key) // prepare refuses the plugin if there is an error
	p.guard, p.outside = newGuard(grant.limits(o.Limits)), outside.Client(o.Allow...).Transport
	p.users.idle = make(chan struct{})
	p.browserSettings, _ = lru.New[string, json.RawMessage](4096) // fails only for a negative size
	p.stopping, p.stop = context.WithCancel(stopping)
	if o.backCalls != nil { // starts at 0, so that the first call is visible as an increase
		for _, outcome := range []string{backPassed, backDelayed, backLimited, backBusy, backRefused} {
			o.backCalls.WithLabelValues(s.Key, outcome)
		}
	}
	return p
}

// Version returns the version of the module, or "" before the module has run for the first time.
func (p *Plugin) Version() string {
	if m := p.manifest.Load(); m != nil {
		return m.Version
	}
	return p.Spec.Version
}

// remoteDir returns the folder of the built remote that belongs to this version, or "" if there is none.
func (p *Plugin) remoteDir() string {
	if p.Spec.Remote == "" || p.installed.dir == "" {
		return ""
	}
	return filepath.Join(p.installed.dir, p.Spec.Remote)
}

// Up reports whether the process is running and responding.
func (p *Plugin) Up() bool { return p.State() == StateUp }

// PID returns the id of the process, or 0 while it is down.
func (p *Plugin) PID() int {
	if x := p.process.Load(); x != nil {
		return x.cmd.Process.Pid
	}
	return 0
}

// Restarts returns how often the process had to be restarted.
func (p *Plugin) Restarts() int64 { return p.retries.Load() }

// Running returns the module for the registry. It stays the same after a restart.
func (p *Plugin) Running() module.Running {
	m := p.manifest.Load()
	if m == nil {
		return module.Running{}
	}
	return module.Running{Manifest: *m, Instance: &instance{p}}
}

// process is one run of the binary.
type process struct {
	cmd      *exec.Cmd
	client   *goplugin.Client
	rpc      wire.ModuleClient
	exited   <-chan struct{}
	proxy    *proxy
	back     *siblingSocket
	health   grpc_health_v1.HealthClient
	period   atomic.Pointer[period] // nil: not responding, or not ready yet
	lifeline *os.File
	dir      string
	sockets  string // folder in which the process creates its sockets: dir or a subfolder
	sandbox  sandbox.Sandbox
	began    time.Time
	broken   sync.Once // the process violated the protocol and was therefore ended
}

// start runs the binary and completes Describe and Start.
func (p *Plugin) start(ctx context.Context) error {
	x, err := p.run(ctx, p.connect)
	if err != nil {
		return err
	}
	x.period.Store(newPeriod())
	p.process.Store(x)
	p.log.Info("plugin is up", "pid", x.cmd.Process.Pid, "took", time.Since(x.began).Round(time.Millisecond))
	return nil
}

// describe runs the binary only to read its manifest; no module is built and no database is opened.
func (p *Plugin) describe(ctx context.Context) (m module.Manifest, err error) {
	x, err := p.run(ctx, func(ctx context.Context, x *process) error {
		_, described, err := p.handshake(ctx, x)
		if err == nil {
			m = described.ManifestOf()
		}
		return err
	})
	if err == nil {
		x.period.Store(newPeriod()) // lets kill wait for the process to exit by itself
		x.kill()
	}
	return m, err
}

// run starts the process and calls exchange with it. When that fails, it kills the process.
func (p *Plugin) run(ctx context.Context, exchange func(context.Context, *process) error) (_ *process, err error) {
	binary, sum, err := p.binary()
	if err != nil {
		return nil, err
	}
	within, err := p.sandbox()
	if err == nil && p.installed.dir != "" {
		err = errors.Join(p.openData(within), within.Open(p.installed.dir, p.installed.binary))
	}
	if err != nil {
		return nil, err
	}
	// Use a short path, because the path of a socket can have at most about a hundred bytes. The folder has mode 0700.
	dir, err := os.MkdirTemp("", "wattle-")
	if err != nil {
		return nil, fmt.Errorf("pluginhost: %w", err)
	}
	sockets, err := within.Sockets(dir)
	if err != nil {
		_ = os.RemoveAll(dir) // nothing uses it
		return nil, fmt.Errorf("pluginhost: %w", err)
	}
	readEnd, writeEnd, err := os.Pipe() // the process reads from the pipe to detect that core has exited
	if err != nil {
		_ = os.RemoveAll(dir) // nothing uses it
		return nil, fmt.Errorf("pluginhost: %w", err)
	}
	cmd := exec.Command(binary)
	cmd.Dir, cmd.ExtraFiles, cmd.Env = p.Spec.dir, []*os.File{readEnd}, environment(p.guard.limits)
	if _, err := os.Stat(cmd.Dir); err != nil || within.HasUser() { // the folder has been removed, or only the portal may open it
		cmd.Dir = filepath.Dir(binary)
	}
	within.Put(cmd)
	x := &process{cmd: cmd, dir: dir, sockets: sockets, sandbox: within, lifeline: writeEnd, began: time.Now()}
	x.client = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  wire.Handshake,
		VersionedPlugins: versions(p.o.Contract),
		Cmd:              cmd, SkipHostEnv: true,
		AllowedProtocols:    []goplugin.Protocol{goplugin.ProtocolGRPC},
		AutoMTLS:            true,
		SecureConfig:        &goplugin.SecureConfig{Checksum: sum, Hash: sha256.New()},
		GRPCBrokerMultiplex: true,
		GRPCDialOptions: []grpc.DialOption{grpc.WithDefaultCallOptions(
			grpc.MaxCallRecvMsgSize(wire.MaxMessage), grpc.MaxCallSendMsgSize(wire.MaxMessage))},
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: sockets},
		Logger:           newLogger(p.log),
		StartTimeout:     startTimeout,
	})
	defer func() {
		_ = readEnd.Close() // the process has a copy
		if err != nil {
			x.kill()
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return x, exchange(ctx, x)
}

// versions returns the protocol versions that a portal supports. go-plugin chooses the newest that the plugin also supports.
func versions(portal contract.Version) map[int]goplugin.PluginSet {
	portal = cmp.Or(portal, contract.Current)
	out := map[int]goplugin.PluginSet{}
	for _, v := range []int{int(portal) - 1, int(portal)} {
		if portal.Runs(v) {
			out[v] = goplugin.PluginSet{wire.Name: dispenser{}}
		}
	}
	return out
}

// binary returns the binary to run, with its checksum, which go-plugin compares. If the copy was removed, it is created again.
func (p *Plugin) binary() (string, []byte, error) {
	if p.installed.dir == "" {
		return p.Spec.check(p.o.Digests)
	}
	if _, err := os.Stat(p.installed.binary); err != nil {
		reinstalled, err := p.Spec.install(p.o.Data, p.o.Digests)
		if err != nil {
			return "", nil, err
		}
		if reinstalled.digest != p.installed.digest {
			return "", nil, fmt.Errorf("the copy of this version is gone from %s: %w", p.installed.dir, ErrIncomplete)
		}
	}
	return p.installed.binary, p.installed.sum, nil
}

// handshake connects to the process and reads the manifest.
func (p *Plugin) handshake(ctx context.Context, x *process) (*dispensed, *wire.Manifest, error) {
	protocol, err := x.client.Client()
	if err != nil {
		return nil, nil, fmt.Errorf("pluginhost: %w", x.sandbox.Explain(err))
	}
	raw, err := protocol.Dispense(wire.Name)
	if err != nil {
		return nil, nil, fmt.Errorf("pluginhost: %w", err)
	}
	if err := sandbox.Confine(x.cmd.Process.Pid, p.guard.limits.Memory); err != nil {
		p.log.Warn("the system sets no limits for the process of a plugin; its memory is watched all the same", "error", err)
	}
	c := raw.(*dispensed)
	x.rpc, x.health, x.exited = wire.NewModuleClient(c.conn), grpc_health_v1.NewHealthClient(c.conn), c.ctx.Done()
	described, err := x.rpc.Describe(ctx, &wire.DescribeRequest{})
	if err != nil {
		return nil, nil, fmt.Errorf("pluginhost: describe: %w", err)
	}
	return c, described, p.Spec.matches(described.ManifestOf())
}

// connect calls Describe and Start.
func (p *Plugin) connect(ctx context.Context, x *process) error {
	c, described, err := p.handshake(ctx, x)
	if err != nil {
		return err
	}
	m := described.ManifestOf()
	if described.Browser {
		m.Browser = p.browser
	}
	database, schema, err := p.database(ctx)
	if err != nil {
		return err
	}
	data := filepath.Join(p.o.Data, dataFolder, p.Spec.Key)
	if data, err = filepath.Abs(data); err == nil {
		err = os.MkdirAll(data, 0o700)
	}
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	if err := errors.Join(p.openData(x.sandbox), x.sandbox.ChownData(data)); err != nil { // the folder may be new
		return err
	}
	token := rand.Text()
	if x.back, err = p.listen(m, filepath.Join(x.dir, "core.sock"), x.sandbox); err != nil {
		return err
	}
	x.proxy = newProxy(filepath.Join(x.sockets, "http.sock"), token, p.log)
	x.proxy.onGarbage = func(err error) { p.killBroken(x, err) }
	x.proxy.onTooLarge = func(path string) {
		p.report("a response is too large and is not passed on", "path", path, "bytes", p.guard.limits.Answer)
	}
	id := c.broker.NextId()
	go c.broker.AcceptAndServe(id, func(o []grpc.ServerOption) *grpc.Server {
		s := grpc.NewServer(append(o, grpc.MaxRecvMsgSize(wire.MaxMessage),
			grpc.MaxConcurrentStreams(uint32(p.guard.limits.Calls+idleConnections)))...)
		wire.RegisterHostServer(s, &service{p: p})
		return s
	})
	started, err := x.rpc.Start(ctx, &wire.StartRequest{Host: id, Listen: x.proxy.socket, Token: token,
		Core: x.back.socket, CoreToken: x.back.token, Data: data, Database: database, Schema: schema,
		Now: p.o.Clock.Now().UnixNano(), Unsafe: p.o.Unsafe})
	if err != nil {
		return fmt.Errorf("pluginhost: start: %w", err)
	}
	doc, err := parseOpenAPI(started.Openapi)
	if err != nil {
		return err
	}
	if p.manifest.CompareAndSwap(nil, &m) {
		problem.Describe(sentencesOf(m))
		p.openAPI.Store(doc) // both stay the same after a restart, because the checksum does
	}
	return nil
}

// supervise restarts the process whenever it exits, until close. A version that was replaced or removed is not restarted: its running calls
// have failed with the process, and new calls go to its successor.
func (p *Plugin) supervise() {
	defer close(p.done)
	delay := firstDelay
	for {
		if x := p.process.Load(); x != nil {
			go p.watch(p.stopping, x)
			go p.watchMemory(p.stopping, x)
			select {
			case <-p.stopping.Done():
				p.process.Store(nil)
				x.kill()
				return
			case <-x.exited:
			}
			p.process.Store(nil)
			p.log.Error("plugin has exited", "after", time.Since(x.began).Round(time.Millisecond))
			if time.Since(x.began) > healthyUptime {
				delay = firstDelay
			}
			x.kill()
		}
		if p.users.isRetired() {
			return
		}
		select {
		case <-p.stopping.Done():
			return
		case <-time.After(delay):
		}
		delay = min(2*delay, lastDelay)
		p.retries.Add(1)
		if err := p.start(p.stopping); err != nil && !errors.Is(err, context.Canceled) {
			p.log.Error("plugin does not start", "error", oneLine(err), "again_in", delay)
		}
	}
}

// close ends the process and gives running calls a few seconds to finish. supervise must have been called.
func (p *Plugin) close() {
	p.stop()
	<-p.done
}

// discard ends a process that is not supervised.
func (p *Plugin) discard() {
	p.stop()
	if x := p.process.Swap(nil); x != nil {
		x.kill()
	}
}

// dispenser implements goplugin.GRPCPlugin for core.
type dispenser struct {
	goplugin.NetRPCUnsupportedPlugin
}

type dispensed struct {
	ctx    context.Context // canceled when the process exits
	broker *goplugin.GRPCBroker
	conn   *grpc.ClientConn
}

// GRPCServer implements goplugin.GRPCPlugin; only the plugin's process uses it.
func (dispenser) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("pluginhost: core is not a plugin")
}

// GRPCClient implements goplugin.GRPCPlugin.
func (dispenser) GRPCClient(ctx context.Context, b *goplugin.GRPCBroker, c *grpc.ClientConn) (any, error) {
	return &dispensed{ctx, b, c}, nil
}
