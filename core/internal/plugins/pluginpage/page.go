// Package pluginpage serves the plugin pages on the admin address: the versions and states of each plugin, which labels use it, what it may
// do, its settings and its log. The pages cover the whole installation and are read-only.
package pluginpage

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/problem"
)

const (
	logWindow = time.Hour
	maxLines  = 300 // maximum number of log lines on the page; wattle plugins logs prints all of them
	maxLabels = 60  // maximum number of labels that are listed
)

// Source provides the data for the pages. A process without --plugins has no Details.
type Source struct {
	Dir     string                                    // --plugins; empty: none
	Version string                                    // version of the portal
	Details func(context.Context) []pluginhost.Detail // nil: no plugins
	Labels  func() []*label.Label
	Log     func(key string, since time.Time) ([]pluginhost.LogLine, error)
	Now     func() time.Time
}

//go:embed page.html
var source string

var (
	pages = template.Must(template.New("page.html").Funcs(template.FuncMap{"state": stateOf, "list": list, "mib": mib, "ago": ago,
		"utc": utc}).Parse(source))
	style = regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(source)[1]
)

// Handler serves GET /plugins and /plugins/{key}.
func Handler(s Source) http.Handler {
	sum := sha256.Sum256([]byte(style))
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
	show := func(w http.ResponseWriter, status int, name string, data any) {
		var b bytes.Buffer
		if err := pages.ExecuteTemplate(&b, name, data); err != nil {
			problem.Write(w, problem.Fail(http.StatusInternalServerError, problem.CodeInternal))
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		w.WriteHeader(status)
		_, _ = w.Write(b.Bytes()) // fails only when the client disconnected
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /plugins", func(w http.ResponseWriter, r *http.Request) { show(w, http.StatusOK, "list", s.overview(r.Context())) })
	mux.HandleFunc("GET /plugins/{key}", func(w http.ResponseWriter, r *http.Request) {
		all := s.overview(r.Context())
		i := slices.IndexFunc(all.Plugins, func(p *Plugin) bool { return p.Key == r.PathValue("key") })
		if i < 0 {
			show(w, http.StatusNotFound, "missing", all)
			return
		}
		all.Plugin = all.Plugins[i]
		s.complete(&all, r.URL.Query().Get("level") == "warn")
		show(w, http.StatusOK, "one", all)
	})
	return mux
}

// view is the data of a page.
type view struct {
	Dir, Portal string
	Now         time.Time
	None        bool     // the portal runs no plugins at all
	Problems    []string // problems of the plugins folder
	Plugins     []*Plugin
	Attention   int // number of plugins that do not serve as they should
	Plugin      *Plugin
}

// Plugin is a plugin with all its versions.
type Plugin struct {
	Key      string
	Versions []Version // highest first
	State    string    // the worst state of its versions
	Labels   []Use
	More     int // number of labels that are not listed

	Settings    []label.Setting
	NoSettings  string // why the settings are unknown
	Schema      string
	Lines       []Line // newest first
	OnlyWarn    bool
	NoLog       string
	OlderLines  int
	ThisVersion string // version that Settings belong to
}

// Version is one plugin folder.
type Version struct {
	pluginhost.Detail
	Rights []Grant
}

// Grant compares the requests of a version for one kind of call with those that are granted.
type Grant struct {
	Kind             string
	Requested        []string
	IsUndeclared     bool // plugin.json lists no requests
	Granted, Refused []string
}

// Use is a label that enables the plugin.
type Use struct {
	Label, Version string
	Canary         *label.Canary
	Missing        bool // the label is served without the plugin
}

// Line is a log line.
type Line struct {
	pluginhost.LogLine
	More string // other fields
}

func (s Source) overview(ctx context.Context) view {
	v := view{Dir: s.Dir, Portal: s.Version, Now: s.Now().UTC(), None: s.Details == nil}
	if v.None {
		return v
	}
	byKey := map[string]*Plugin{}
	for _, d := range s.Details(ctx) {
		if d.Folder == "" {
			v.Problems = append(v.Problems, d.Detail)
			continue
		}
		key := d.Key
		if key == "" {
			key = pluginhost.KeyOf(d.Folder)
		}
		p := byKey[key]
		if p == nil {
			p = &Plugin{Key: key, State: pluginhost.StateUp}
			byKey[key] = p
		}
		p.Versions = append(p.Versions, Version{d, rights(d)})
		if rank(d.State) > rank(p.State) {
			p.State = d.State
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		p := byKey[key]
		slices.SortStableFunc(p.Versions, func(a, b Version) int { return registry.CompareVersions(b.Version, a.Version) })
		s.uses(p)
		if p.State != pluginhost.StateUp && p.State != pluginhost.StateDisabled {
			v.Attention++
		}
		v.Plugins = append(v.Plugins, p)
	}
	return v
}

func rank(state string) int {
	return slices.Index([]string{pluginhost.StateUp, pluginhost.StateDisabled, pluginhost.StateRefused, pluginhost.StateHung,
		pluginhost.StateDown}, state)
}

// uses adds the labels that enable the plugin, with the version that serves each label.
func (s Source) uses(p *Plugin) {
	var serving []string
	for _, v := range p.Versions {
		if v.Serving != "" {
			serving = append(serving, v.Serving)
		}
	}
	for _, l := range s.Labels() {
		if _, on := l.Modules[p.Key]; !on && !slices.Contains(l.Missing, p.Key) {
			continue
		}
		if len(p.Labels) == maxLabels {
			p.More++
			continue
		}
		u := Use{Label: l.Key, Missing: len(serving) == 0 || slices.Contains(l.Missing, p.Key)}
		if len(serving) > 0 {
			u.Version = serving[0]
		}
		for _, chosen := range l.Versions(p.Key, "") {
			if slices.Contains(serving, chosen) {
				u.Version = chosen
			}
		}
		if c := l.Plugins[p.Key].Canary; c != nil && c.Percent > 0 && slices.Contains(serving, c.Version) && c.Version != u.Version {
			u.Canary = c
		}
		p.Labels = append(p.Labels, u)
	}
}

// complete adds the data for the page of one plugin.
func (s Source) complete(v *view, onlyWarn bool) {
	p := v.Plugin
	p.OnlyWarn, p.NoSettings = onlyWarn, "Its settings are known once it has run."
	for _, version := range p.Versions {
		if m := version.Manifest; m != nil {
			p.ThisVersion, p.Schema, p.NoSettings = version.Serving, strings.TrimSpace(m.Settings), ""
			found, err := label.Settings(m.Settings)
			if err != nil {
				p.NoSettings = "Its schema cannot be put into words; it stands below as it is."
			}
			p.Settings = found
			break
		}
	}
	lines, err := s.Log(p.Key, v.Now.Add(-logWindow))
	if err != nil {
		p.NoLog = "Nothing has been logged yet."
	}
	for _, l := range slices.Backward(lines) {
		if onlyWarn && l.Level < slog.LevelWarn {
			continue
		}
		if len(p.Lines) == maxLines {
			p.OlderLines++
			continue
		}
		var more []string
		for _, name := range slices.Sorted(maps.Keys(l.Fields)) {
			if name != "plugin" {
				more = append(more, fmt.Sprintf("%s=%v", name, l.Fields[name]))
			}
		}
		p.Lines = append(p.Lines, Line{l, strings.Join(more, "  ")})
	}
}

// rights compares the requests of a version with its grants.
func rights(d pluginhost.Detail) []Grant {
	one := func(kind string, requested, granted []string, unsaid bool) Grant {
		r := Grant{Kind: kind, Requested: requested, Granted: granted, IsUndeclared: unsaid}
		for _, name := range requested {
			if !unsaid && !slices.Contains(granted, name) {
				r.Refused = append(r.Refused, name)
			}
		}
		return r
	}
	return []Grant{
		one("Modules", d.Requested.Modules, d.Granted.Modules, false),
		one("Services of core", d.Requested.Core, d.Granted.Core, d.Requested.Core == nil),
		one("Hosts", d.Requested.Hosts, d.Granted.Hosts, d.Requested.Hosts == nil),
	}
}

// stateOf returns the text and the CSS class of a state.
func stateOf(state string) (out struct{ Word, Class string }) {
	out.Word, out.Class = state, "bad"
	switch state {
	case pluginhost.StateUp:
		out.Word, out.Class = "serves", "good"
	case pluginhost.StateDisabled:
		out.Class = "off"
	case pluginhost.StateHung:
		out.Word = "does not answer"
	case pluginhost.StateDown:
		out.Word = "does not run"
	}
	return out
}

func list(all []string) string {
	if len(all) == 1 && all[0] == "*" {
		return "everything"
	}
	return strings.Join(all, ", ")
}

func mib(bytes int64) string { return fmt.Sprintf("%d MiB", bytes>>20) }

func utc(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// ago returns the time since t in its largest unit.
func ago(now, t time.Time) string {
	d := now.Sub(t)
	for _, unit := range []struct {
		name string
		of   time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}} {
		switch n := int(d / unit.of); {
		case n == 1:
			return "1 " + unit.name
		case n > 1:
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
	}
	return "less than a minute"
}
