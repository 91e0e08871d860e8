package app

import (
	"fmt"
	"path/filepath"
	"slices"

	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/label/archive"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

var labelsParts = fx.Provide(newLabels, newArchive, newMail)

// newLabels compiles the labels with the schemas of the in-process modules. They are compiled again when plugins have started. A plugin
// that is installed but not running also has a fragment, so that its labels are served without it (9-label-plugin-down). The store has
// already made the data folder, which contains the cache, private.
func newLabels(e env, r *registry.Registry, manifests []module.Manifest, _ *store.Store) (*label.Store, error) {
	c := e.Config
	return label.Open(c.Labels, func() []label.Fragment {
		out := r.Upcoming().Fragments()
		if c.Demo || c.Sandbox {
			out = append(out, label.Fragment{Demo: true})
		}
		if len(r.Upcoming().Modules) == 0 {
			for _, m := range manifests {
				out = append(out, fragment(m))
			}
		}
		specs, _ := pluginhost.Scan(c.Plugins) // errors are reported when the plugins start
		disabled := pluginhost.Disabled(c.Plugins)
		for _, s := range specs {
			absent := label.Fragment{Module: s.Key, Absent: true, Disabled: disabled[s.Key]}
			switch i := slices.IndexFunc(out, func(f label.Fragment) bool { return f.Module == s.Key }); {
			case i < 0:
				out = append(out, absent)
			case c.WithoutPlugins && !disabled[s.Key]: // a plugin that replaces a module may have other settings
				out[i] = absent
			}
		}
		return out
	}, label.CacheIn(filepath.Join(c.Data, label.CacheFolder), e.Log))
}

func newArchive(e env, s *store.Store) *archive.Archive { return archive.New(s, e.Clock.Now) }

func newMail(e env, labels *label.Store) (*mail.Mailer, error) {
	m, err := mail.Server(e.Config.SMTP)
	if err != nil {
		return nil, fmt.Errorf("--smtp: %w", err)
	}
	m.From, m.Dir, m.Now, m.Log = e.Config.MailFrom, filepath.Join(e.Config.Data, "mailbox"), e.Clock.Now, e.Log
	return mail.New(m, labels, labels)
}
