package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/teams/packages"
	"github.com/wattle-portal/wattle/core/internal/teams/scaffold"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules"
)

// pluginFlags are the flags of commands that do not run plugins but need their manifests.
var pluginFlags = []string{"config", "plugins", "remotes", "plugin-digest"}

// available contains the modules of an installation: those of this program and of its plugins.
type available struct {
	manifests []module.Manifest
	plugins   []string // keys of the manifests that belong to plugins
	fragments []label.Fragment
	remotes   map[string]string // folders of plugin remotes
}

// availableModules returns the modules of this program and of the plugins. It runs the binary of each plugin to get its description
// (9-vet-plugins). A plugin that cannot be described is reported, and labels are checked without it, just as they are served while it is
// down.
func availableModules(cmd *cobra.Command, c *config.Config) (out available, err error) {
	out.remotes = map[string]string{}
	log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelError}))
	plugins, digests := c.Plugins, c.Digests
	if plugins == "" {
		var failed []string
		plugins, failed, err = ownPlugins(cmd, c.Labels)
		for _, key := range failed {
			out.fragments = append(out.fragments, label.Fragment{Module: key, Absent: true})
		}
		digests = nil
	}
	if err != nil {
		return out, err
	}
	found, err := pluginhost.Describe(cmd.Context(), plugins, digests, log)
	if err != nil {
		return out, err
	}
	versions := map[string][]string{}
	for _, d := range found {
		if d.Err == nil {
			versions[d.Spec.Key] = append(versions[d.Spec.Key], d.Manifest.Version)
		}
	}
	for _, of := range versions {
		slices.SortFunc(of, func(a, b string) int { return registry.CompareVersions(b, a) })
	}
	found = highest(found)
	disabled := pluginhost.Disabled(c.Plugins)
	for i, d := range found {
		if disabled[d.Spec.Key] {
			found[i].Err = pluginhost.ErrDisabled
			continue
		}
		if d.Err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "plugin %s: %s\n", d.Spec.Key, cli.Plain(d.Err.Error()))
		}
		if d.Spec.Remote != "" {
			out.remotes[d.Spec.Key] = d.Spec.RemoteDir()
		}
	}
	deployed, _ := filepath.Glob(filepath.Join(c.Remotes, "*", "remote.json")) // the pattern is valid
	for _, file := range deployed {
		if c.Remotes != "" {
			out.remotes[filepath.Base(filepath.Dir(file))] = filepath.Dir(file)
		}
	}
	is := func(key string) func(pluginhost.Described) bool {
		return func(d pluginhost.Described) bool { return d.Manifest.Key == key }
	}
	inside := slices.Clone(modules.All)
	inside = slices.DeleteFunc(inside, func(m module.Module) bool { // a plugin replaces the module with its key
		i := slices.IndexFunc(found, is(m.Key))
		return i >= 0 && found[i].Err == nil
	})
	out.fragments = append(out.fragments, app.Fragments(inside)...)
	for _, m := range inside {
		out.manifests = append(out.manifests, m.Manifest)
	}
	for _, d := range found {
		replaces := slices.ContainsFunc(inside, func(m module.Module) bool { return m.Key == d.Manifest.Key })
		switch {
		case d.Err == nil:
			out.fragments = append(out.fragments, label.Fragment{Module: d.Manifest.Key, Source: d.Manifest.Settings, Needs: d.Manifest.Needs,
				Kinds: d.Manifest.Imports, Versions: versions[d.Manifest.Key]})
			out.manifests = append(out.manifests, d.Manifest)
			out.plugins = append(out.plugins, d.Manifest.Key)
		case !replaces:
			out.fragments = append(out.fragments, label.Fragment{Module: d.Spec.Key, Absent: true, Disabled: disabled[d.Spec.Key]})
		}
	}
	return out, nil
}

// ownPlugins returns a folder with the plugins of the repository of another team that contains the labels (10-vet-repository). It builds
// them, because a label can only be checked with the settings of its modules. It returns "" if the labels are elsewhere, and the keys of
// plugins that it could not build, after it has said why.
func ownPlugins(cmd *cobra.Command, labels string) (dir string, failed []string, err error) {
	own := scaffold.Plugins(labels)
	if len(own) == 0 {
		return "", nil, nil
	}
	dir = filepath.Join(own[0].Root, packages.Folder, "plugins")
	if err := os.RemoveAll(dir); err != nil { // a plugin may have been deleted
		return "", nil, err
	}
	for _, r := range own {
		if err := r.Describable(cmd.Context(), dir, slog.New(slog.DiscardHandler)); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "plugin %s: %s\n", r.Key, cli.Plain(err.Error()))
			failed = append(failed, r.Key)
		}
	}
	return dir, failed, nil
}

// highest returns the highest version of each plugin that can be described, because labels are compiled with that version. For a plugin
// without such a version it returns one that cannot be described.
func highest(found []pluginhost.Described) []pluginhost.Described {
	better := func(a, b pluginhost.Described) int {
		if (a.Err == nil) != (b.Err == nil) {
			if a.Err == nil {
				return -1
			}
			return 1
		}
		return registry.CompareVersions(b.Manifest.Version, a.Manifest.Version)
	}
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b pluginhost.Described) int {
		return cmp.Or(cmp.Compare(a.Spec.Key, b.Spec.Key), better(a, b))
	})
	return slices.CompactFunc(found, func(a, b pluginhost.Described) bool { return a.Spec.Key == b.Spec.Key })
}
