package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/http/assets"
	"github.com/wattle-portal/wattle/core/internal/http/portal"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginpage"
	"github.com/wattle-portal/wattle/core/module"
)

// CheckPlugins starts the plugins of an installation together with the modules, with temporary data, and returns the status of each plugin.
// It uses no data or labels of the installation, and does not affect a running portal.
func CheckPlugins(ctx context.Context, c config.Config, modules []module.Module, log *slog.Logger) (found []pluginhost.Status, err error) {
	dir, err := os.MkdirTemp("", "wattle")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	temporary := config.Default()
	temporary.Plugins, temporary.Digests, temporary.Remotes = c.Plugins, c.Digests, c.Remotes
	temporary.Data, temporary.Labels = filepath.Join(dir, "data"), filepath.Join(dir, "labels")
	if err := os.Mkdir(temporary.Labels, 0o700); err != nil {
		return nil, err
	}
	a, err := New(temporary, modules, fx.Replace(log))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.Stop(ctx)) }()
	add := step{name: "modules", start: func(context.Context) error { return a.Registry.Add(a.Modules...) }}
	if err := a.start(ctx, []step{add, a.plugins(false)}); err != nil || a.Plugins == nil {
		return nil, err
	}
	return a.Plugins.Status(), nil
}

// pluginChecks returns the check of each plugin folder.
func pluginChecks(all []pluginhost.Status) (out []health.Check) {
	for _, s := range all {
		name := "plugins"
		switch {
		case s.Key != "" && strings.HasPrefix(s.Folder, s.Key+"@"): // one of several versions
			name = pluginCheck + s.Folder
		case s.Serving != "":
			name = pluginCheck + s.Key
		case s.Folder != "":
			name = pluginCheck + s.Folder
		}
		out = append(out, health.Check{Name: name, State: s.State, Detail: s.Detail})
	}
	return out
}

// pluginSource returns the data for the plugin pages on the admin address. The handler for that address is created before the plugins
// start.
func (a *App) pluginSource() pluginpage.Source {
	s := pluginpage.Source{Dir: a.Config.Plugins, Version: Version, Labels: a.Labels.All, Now: time.Now,
		Log: func(key string, since time.Time) ([]pluginhost.LogLine, error) {
			return pluginhost.ReadLog(a.Config.Data, key, since)
		}}
	if a.Config.Plugins != "" {
		s.Details = func(ctx context.Context) []pluginhost.Detail { return a.Plugins.Details(ctx) }
	}
	return s
}

// remotes serves the remotes of plugins.
type remotes struct{ *assets.Store }

// CheckRemote implements pluginhost.Remotes.
func (r remotes) CheckRemote(key, dir string) error {
	manifest, err := assets.Check(key, dir)
	if errors.Is(err, assets.ErrMessages) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%w: %w", pluginhost.ErrRemote, err)
	}
	front, others := r.Front(), map[string]json.RawMessage{}
	for other, remote := range front.Remotes {
		others[other] = remote.Manifest
	}
	sets := []map[string]json.RawMessage{others}
	for other, versions := range front.Versions { // a label may combine any of these versions
		for _, remote := range versions {
			if other != key && remote.Entry != "" {
				sets = append(sets, map[string]json.RawMessage{other: remote.Manifest})
			}
		}
	}
	for _, set := range sets {
		if why := portal.Conflict(key, manifest, set); why != "" {
			return fmt.Errorf("%w: %s", pluginhost.ErrRemote, why)
		}
	}
	return nil
}
