package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"reflect"
	"sync"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/base/telemetry"
	"github.com/wattle-portal/wattle/core/internal/events/changes"
	"github.com/wattle-portal/wattle/core/internal/events/jobs"
	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/http/ticket"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/label/archive"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/demo"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginpage"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
)

// step is a part that starts after the parts before it and stops before them.
type step struct {
	name  string
	start func(context.Context) error
	stop  func(context.Context) error // nil: nothing to stop; also called when start failed
}

// base returns the steps that every use of the database needs. Only a process that serves applies changes to the plugins folder while it
// runs.
func (a *App) base(watch bool) []step {
	return []step{
		{name: "database", start: a.migrate},
		{name: "identity key", start: func(ctx context.Context) error {
			a.Checks.Add("identity key", a.Key.Check)
			return a.Key.Use(ctx, a.Store)
		}},
		{name: "modules", start: func(context.Context) error { return a.Registry.Add(a.Modules...) }},
		a.plugins(watch),
		{name: "labels", start: a.restoreLabels},
	}
}

// restoreLabels restores the last valid versions of labels that are broken or missing. Without any label and without a labels folder it
// returns an error.
func (a *App) restoreLabels(ctx context.Context) error {
	if err := a.Labels.Restore(ctx, a.Archive); err != nil {
		return err
	}
	if len(a.Labels.All()) == 0 {
		return a.Labels.Unreadable()
	}
	return nil
}

// CoreMigrations returns the migrations of the core parts, in order.
func CoreMigrations() []store.Migrations {
	return []store.Migrations{identity.Migrations, token.Migrations, ticket.Migrations, limit.Migrations, outbox.Migrations, audit.Migrations,
		changes.Migrations, jobs.Migrations, demo.Migrations, archive.Migrations}
}

func (a *App) migrate(ctx context.Context) error {
	if err := a.Store.Migrate(ctx, CoreMigrations()...); err != nil {
		return err
	}
	for _, m := range a.Modules {
		if err := a.Store.MigrateModule(ctx, m.Manifest); err != nil {
			return err
		}
	}
	return nil
}

// plugins returns the step that starts the plugins. It runs after the modules have started, because plugins may replace them. A plugin that
// does not start is logged and retried, and everything else runs. Before a change of modules is made, the labels are compiled with the
// settings of the new modules: the previous version of a module may then receive new settings, which it ignores, but a new version never
// receives old ones.
func (a *App) plugins(watch bool) step {
	return step{"plugins", func(ctx context.Context) error {
		known := a.Registry.Snapshot().Fragments()
		a.Registry.BeforeChange(func() error {
			now := a.Registry.Upcoming().Fragments()
			if reflect.DeepEqual(known, now) {
				return nil
			}
			if err := a.Labels.Reload(); err != nil {
				return err
			}
			known = now
			return nil
		})
		if a.Config.Plugins == "" || a.Config.WithoutPlugins {
			return nil
		}
		host, err := pluginhost.Open(ctx, pluginhost.Options{Dir: a.Config.Plugins, Digests: a.Config.Digests, Data: a.Config.Data,
			Database: a.Config.Server(), Unsafe: a.Config.Unsafe, Allow: allowedPrivate(a.Config), Registry: a.Registry, Hub: a.Hub, Clock: a.Clock,
			Log: a.Log, Metrics: a.Metrics, Relay: a.Outbox.Relay, Watch: watch, Remotes: remotes{a.Assets}, KeysChanged: a.pluginsChanged})
		a.Plugins = host
		a.Jobs.Cleaners = append(a.Jobs.Cleaners, func(context.Context) error { return host.PurgeLogs(config.Days(a.Config.Keep.Logs)) })
		if err != nil { // the log and /readyz contain the reasons
			a.Log.Warn("the portal starts without some plugins")
		}
		a.Checks.AddMany("plugins", func(context.Context) []health.Check { return pluginChecks(host.Status()) })
		return nil
	}, func(context.Context) error {
		if a.Plugins != nil {
			return a.Plugins.Close()
		}
		return nil
	}}
}

// pluginsChanged compiles the labels again, so that they accept the key of a plugin that is installed but not running.
func (a *App) pluginsChanged() {
	if err := a.Labels.Reload(); err != nil {
		a.Log.Error("labels could not be compiled again; the old ones are served", "error", err)
	}
}

// serving returns the steps that only `wattle serve` needs.
func (a *App) serving() []step {
	bind, open := a.listener()
	if a.Config.Trial { // only the parts that /readyz needs
		return []step{bind, open}
	}
	life, end := context.WithCancel(context.Background())
	var work sync.WaitGroup
	var trace func(context.Context) error
	return []step{
		bind,
		{"traces", func(ctx context.Context) (err error) { trace, err = telemetry.Start(ctx, Version); return err },
			func(ctx context.Context) error { return trace(ctx) }},
		{"labels", func(context.Context) error {
			a.logProblems()
			a.Labels.OnChange(a.logProblems)
			work.Go(func() { a.Labels.Watch(life, a.Log) })
			work.Go(func() { a.Labels.Keep(life, a.Archive, a.Log) })
			if a.Config.Front != "" {
				work.Go(func() { a.Assets.Watch(life, 300*time.Millisecond) })
			}
			if a.Config.Remotes != "" {
				every := time.Second
				if a.Config.Dev {
					every = 50 * time.Millisecond
				}
				work.Go(func() { a.Assets.WatchDeployed(life, every) })
			}
			return nil
		}, func(context.Context) error { end(); work.Wait(); return nil }},
		{"demo", func(ctx context.Context) error {
			if !a.Config.Demo {
				return nil
			}
			// 9-demo-lock: if two processes start at the same time, the second finds the demo already loaded
			if err := a.Store.Locked(ctx, a.Demo.Load); err != nil {
				return err
			}
			a.Labels.OnChange(a.Demo.LabelsChanged)
			a.Demo.LabelsChanged() // labels may have changed while the demo was loaded
			work.Go(func() { a.Demo.Run(life) })
			return nil
		}, nil},
		a.deliveries(),
		{"jobs", a.Jobs.Start, a.Jobs.Stop},
		a.revocations(),
		a.admin(),
		open,
	}
}

// deliveries returns the step that delivers events, emails and webhooks. A stop makes the deliveries that are still possible.
func (a *App) deliveries() step {
	life, end := context.WithCancel(context.Background())
	done := make(chan struct{})
	started := false
	return step{"outbox", func(context.Context) error {
		started = true
		go func() {
			defer close(done)
			if err := a.Outbox.Run(life); err != nil && !errors.Is(err, context.Canceled) {
				a.Log.Error("the outbox has stopped", "error", err)
			}
		}()
		return nil
	}, func(ctx context.Context) error {
		end()
		if !started {
			return nil
		}
		<-done
		defer a.Mail.Close()
		err := a.Outbox.DeliverDue(ctx)
		if store.Transient(err) {
			a.Log.Warn("queued events and mails will be delivered after the next start", "error", err)
			return nil
		}
		return err
	}}
}

// revocations returns the step that removes tokens that other processes have revoked from this process's cache (7.7-token-ends).
func (a *App) revocations() step {
	life, end := context.WithCancel(context.Background())
	var work sync.WaitGroup
	return step{"revocations", func(context.Context) error {
		work.Go(func() { a.Identity.Follow(life) })
		return nil
	}, func(context.Context) error { end(); work.Wait(); return nil }}
}

// listener returns two steps. bind listens on the portal's address first, because links in the demo contain its port, and so that an
// address in use is reported immediately. open starts serving requests last, when all other parts are running.
func (a *App) listener() (bind, open step) {
	srv := a.server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.isDraining.Load() {
			w.Header().Set("Connection", "close")
		}
		a.Handler.ServeHTTP(w, r)
	}))
	srv.RegisterOnShutdown(a.Assets.CloseStreams)
	var l net.Listener
	bind = step{"address", func(ctx context.Context) (err error) {
		if l, err = listen(ctx, a.Config.Addr); err != nil {
			return err
		}
		a.addr = l.Addr()
		if at, ok := a.addr.(*net.TCPAddr); ok && a.Config.Demo {
			a.Labels.ServeAt(at.Port)
		}
		return nil
	}, func(context.Context) error {
		if l != nil {
			_ = l.Close() // the server has already closed it if it was serving
		}
		return nil
	}}
	open = step{"http", func(context.Context) error {
		a.Health.ready.Store(true)
		go a.serve(srv, l)
		return nil
	}, func(ctx context.Context) error {
		a.Health.ready.Store(false)
		a.isDraining.Store(true)
		if a.Config.Drain > 0 {
			refuseNew(l, a.Log)
		}
		return a.shutdown(ctx, srv, downloadTimeout)
	}}
	return bind, open
}

// admin returns the step that serves health, metrics, plugin pages and pprof on a separate address.
func (a *App) admin() step {
	srv := a.server(a.Health.admin(pluginpage.Handler(a.pluginSource())))
	srv.WriteTimeout = 0 // profiling may take any time
	return step{"admin address", func(ctx context.Context) error {
		if a.Config.AdminAddr == "" {
			return nil
		}
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", a.Config.AdminAddr)
		if err != nil {
			return err
		}
		go a.serve(srv, l)
		return nil
	}, func(ctx context.Context) error { return a.shutdown(ctx, srv, adminTimeout) }}
}

// shutdown waits until running calls have ended, and aborts calls that take longer, because the remaining parts also need time to stop.
func (a *App) shutdown(ctx context.Context, srv *http.Server, timeout time.Duration) error {
	calls, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := srv.Shutdown(calls)
	if errors.Is(err, context.DeadlineExceeded) {
		a.Log.Warn("running calls have been aborted")
		err = srv.Close()
	}
	return err
}

func (a *App) server(h http.Handler) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10, ErrorLog: slog.NewLogLogger(a.Log.Handler(), slog.LevelDebug)}
}

func (a *App) serve(srv *http.Server, l net.Listener) {
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		a.Log.Error("the listener has stopped", "address", l.Addr().String(), "error", err)
	}
}

// logStart logs the version, address, database, configuration file, and the number of labels and plugins.
func (a *App) logStart() {
	plugins := 0
	if a.Plugins != nil {
		for _, s := range a.Plugins.Status() {
			if s.State == pluginhost.StateUp {
				plugins++
			}
		}
	}
	a.Log.Info("the portal serves", "version", Version, "address", a.addr.String(), "database", a.Store.Location(), "labels",
		len(a.Labels.All()),
		"plugins", plugins, "config", a.Config.File)
}

// logProblems logs the current label problems. Broken labels are served in their last valid version.
func (a *App) logProblems() {
	for _, p := range a.Labels.Problems() {
		a.Log.Warn("a label has a problem", "label", p.Label, "problem", p.String())
	}
	_ = a.Portal.Problems() // composing the portal logs each of its problems once
}

var _ label.Source = (*label.Store)(nil)
