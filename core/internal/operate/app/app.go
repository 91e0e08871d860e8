// Package app builds every part of the portal with fx, starts the parts in order and stops them without losing data.
package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
)

// Version is the version of the program; the linker sets it in a release.
var Version = "0.1.0"

const (
	startTimeout = 5 * time.Minute // the first start of a demo loads its data
	stopWithin   = 30 * time.Second
	// downloadTimeout is how long running calls may delay the shutdown of the listener, because a download may take longer than the whole
	// stop. Jobs end in the meantime, and deliveries get the remaining time.
	downloadTimeout = 15 * time.Second
	adminTimeout    = time.Second // for calls to the admin address, such as profiling
)

// App is the portal after it has been built, whether it is running or not.
type App struct {
	parts
	steps      []step      // started steps, which stop in reverse order
	isDraining atomic.Bool // responses contain Connection: close
	addr       net.Addr
	ended      bool

	Plugins *pluginhost.Host // nil without --plugins
}

// New builds every part and opens the database, but starts nothing. The configuration must have been validated. In tests, more replaces
// parts.
func New(c config.Config, modules []module.Module, more ...fx.Option) (*App, error) {
	if err := hold.Check(c.Data); err != nil { // before the database is opened, because opening creates it
		return nil, err
	}
	if c.Keep == (config.Keep{}) {
		c.Keep = config.DefaultKeep()
	}
	a, built := &App{}, &opened{}
	if err := fx.New(options(c, modules, &a.parts, built), fx.Options(more...)).Err(); err != nil {
		return nil, errors.Join(rootCause(err), built.close())
	}
	return a, nil
}

// options returns the whole graph: core's own parts, and a separate option for each module, which adds it to the group "modules".
func options(c config.Config, modules []module.Module, built *parts, o *opened) fx.Option {
	manifests := make([]module.Manifest, len(modules))
	opts := []fx.Option{
		fx.Supply(c, o),
		core,
		fx.WithLogger(func(log *slog.Logger) fxevent.Logger {
			l := &fxevent.SlogLogger{Logger: log}
			l.UseLogLevel(slog.LevelDebug)
			l.UseErrorLevel(slog.LevelDebug) // New returns the error, and its caller logs it
			return l
		}),
	}
	for i, m := range modules {
		manifests[i] = m.Manifest
		opts = append(opts, m.Option())
	}
	return fx.Options(append(opts, fx.Supply(manifests), fx.Populate(built))...)
}

// rootCause returns a constructor's error without fx's description of the graph.
func rootCause(err error) error {
	type cause interface{ Unwrap() error }
	for e := err; e != nil; {
		c, ok := e.(cause)
		if !ok {
			return e
		}
		inner := c.Unwrap()
		if inner == nil {
			return e
		}
		e = inner
	}
	return err
}

// Serve starts everything. If a part fails to start, Serve stops the parts that were started.
func (a *App) Serve(ctx context.Context) error {
	if err := a.start(ctx, append(a.base(true), a.serving()...)); err != nil {
		return err
	}
	a.logStart()
	return nil
}

// Open starts only what a database command needs, and can be used next to a running portal: migrations, modules and plugins.
func (a *App) Open(ctx context.Context) error { return a.start(ctx, a.base(false)) }

// OpenDatabase starts only the database, for commands that repair a state in which Open fails.
func (a *App) OpenDatabase(ctx context.Context) error { return a.start(ctx, a.base(false)[:1]) }

// Drain prepares a stop for the configured duration, or until ctx ends: /readyz returns 503, and every request is still served, with
// Connection: close, so that clients and load balancers move to another process before the listener closes (9-stop-under-load).
func (a *App) Drain(ctx context.Context) {
	a.Health.ready.Store(false)
	a.isDraining.Store(true)
	if a.Config.Drain <= 0 {
		return
	}
	a.Log.Info("stopping; still serving until clients use another process", "drain", a.Config.Drain)
	select {
	case <-ctx.Done():
	case <-time.After(a.Config.Drain):
	}
}

// Stop stops everything in reverse order: the listener closes, running calls finish, and queued events and emails are delivered. It must be
// called once.
func (a *App) Stop(ctx context.Context) error {
	if a.ended {
		return nil
	}
	a.ended = true
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	a.Jobs.End()
	var errs []error
	for i := len(a.steps) - 1; i >= 0; i-- {
		s := a.steps[i]
		if s.stop == nil {
			continue
		}
		if err := s.stop(ctx); err != nil {
			errs = append(errs, fmt.Errorf("stopping %s: %w", s.name, err))
		}
	}
	a.steps = nil
	return errors.Join(append(errs, a.Files.Close(), a.Store.Close())...)
}

func (a *App) start(ctx context.Context, steps []step) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for _, s := range steps {
		began := time.Now()
		err := s.start(ctx)
		a.steps = append(a.steps, s)
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", s.name, err), a.Stop(ctx))
		}
		a.Log.Debug("started", "part", s.name, "took", time.Since(began))
	}
	return nil
}

// Addr returns the address of the portal while it listens.
func (a *App) Addr() net.Addr { return a.addr }

// Advance moves the clock of a demo or a test forward and runs everything that is due.
func (a *App) Advance(ctx context.Context, d time.Duration) error {
	a.Clock.Advance(d)
	return a.Jobs.RunDue(ctx)
}

// Importer returns the import target of a label, and the record kinds in the order in which they must be imported.
func (a *App) Importer(labelKey string) (imports.Target, []string, error) {
	l := a.Labels.ByKey(labelKey)
	if l == nil {
		return nil, nil, a.noLabel(labelKey)
	}
	target, order := imports.Find(a.Registry.Snapshot().For(l, ""), labelKey, a.Hub.ScopeFor)
	return target, order, nil
}

// noLabel returns the reason why a label is not served: it does not exist, or it is broken.
func (a *App) noLabel(key string) error {
	var first string
	n := 0
	for _, p := range a.Labels.Problems() {
		if p.Label != key || p.State != "" {
			continue
		}
		if n++; n == 1 {
			first = p.String()
		}
	}
	switch n {
	case 0:
		return fmt.Errorf("there is no label %s; see wattle labels list", key)
	case 1:
		return fmt.Errorf("the label %s is broken, so nothing can be imported into it: %s", key, first)
	}
	return fmt.Errorf("the label %s is broken, so nothing can be imported into it: %s, and %s (wattle labels vet)", key, first,
		words.Count(n-1, "more problem", "more problems"))
}

// Kinds returns the descriptions of the record kinds of core and of modules, by name.
func Kinds(modules []module.Module) map[string]record.Kind {
	out := map[string]record.Kind{}
	for _, m := range append([]module.Module{{Manifest: coreManifest}}, modules...) {
		for _, k := range m.Records {
			out[k.Name] = k
		}
	}
	return out
}

// Fragments returns the settings schemas of modules that are not running, for commands that check labels.
func Fragments(modules []module.Module) []label.Fragment {
	out := []label.Fragment{{Module: coreManifest.Key, Kinds: coreManifest.Imports, Records: coreManifest.Records, Core: true}}
	for _, m := range modules {
		out = append(out, fragment(m.Manifest))
	}
	return out
}

func fragment(m module.Manifest) label.Fragment {
	return label.Fragment{Module: m.Key, Source: m.Settings, Needs: m.Needs, Kinds: m.Imports, Records: m.Records}
}

// Announce returns a line with the address of the portal, for the program that started this one.
func (a *App) Announce() string {
	line, _ := json.Marshal(map[string]string{"addr": a.addr.String()}) // encoding a string never fails
	return string(line)
}
