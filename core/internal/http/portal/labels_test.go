package portal_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
)

const (
	logo    = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7"><path d="M0 0"/></svg>`
	favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 5"><path d="M1 1"/></svg>`
)

var labels = []apptest.Label{
	{Key: "alpha", Files: map[string]string{"assets/logo.svg": logo, "assets/favicon.svg": favicon}, CUE: `
		privacy_and_cookie_url: "https://alpha.example/privacy"
		logout_redirect_url: "https://alpha.example/"
		ga_tracking_id: "G-ABC123XYZ"
		style: {secondary_color: "#111111", table_row_odd_color: "#fefefe", email_button_bg_color: "#222222"}
		migrated: {url: "https://mijn.elders.example", name: "Elders"}
		messages: nl: {"shell.title": "Alfa", "account.mail.verify.subject": "Dag"}
		modules: probe: greeting: "dag"`},
	{Key: "beta", Kind: portaltest.Participants, CUE: `identity: {provider: "cognito", region: "eu-central-1", user_pool_id: "eu-central-1_AbCdEf123",
		client_id: "client123456", issuer: "https://issuer.example", authorization_endpoint: "https://beta.example/authorize",
		logout_endpoint: "https://beta.example/logout", revoke_token_endpoint: "https://beta.example/revoke"}
		accessibility: {status: "full", tested: "2026-09-30", url: "https://beta.example/toegankelijk"}`},
	{Key: "delta", Files: map[string]string{"assets/logo.svg": favicon, "assets/favicon.svg": logo}, CUE: `
		style: {header_bg_color: "#0b5a33", tertiary_color: "#333333", secondary_color: "#111111", primary_color_text_color: "#fffffe"
			font_family_web: "Delta Sans", table_row_odd_color: "#fefefe", table_row_even_color: "#fdfdfd"
			email_button_bg_color: "#222222", email_button_text_color: "#fffffd"}`},
	{Key: "gamma", CUE: `landing: "/probe"
		projects: {"W-1": picture: "logo.svg", "W-2": {}}
		style: {illustrations: {empty: "logo.svg", dashboard: "favicon.svg"}, photos: sign_in: "favicon.svg"}`},
}

func start(t *testing.T) *apptest.Server {
	modules, dir := []module.Module{apptest.Probe}, t.TempDir()
	for _, l := range labels {
		apptest.WriteLabel(t, dir, l, modules)
	}
	file := filepath.Join(dir, "delta", "label.cue")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, info, _ := strings.Cut(string(text), "info: {")
	_, after, _ := strings.Cut(info, "\n}\n")
	require.NoError(t, os.WriteFile(file, []byte(before+`info: {email: "hulp@delta.example", name: "Delta", phone_number: "050 765 43 21"
		opening_hours: [{text: "Maandag", from: "09:00", to: "16:30", days: [1]}, {text: "Zondag"}]}
`+after), 0o600))
	return apptest.Start(t, apptest.Options{Modules: modules, LabelsDir: dir})
}

// silent is a module that handles no event.
type silent struct{ module.Router }

// Handle implements module.Instance.
func (*silent) Handle(context.Context, module.Event) error { return nil }

func fields(t *testing.T, a apptest.Answer) map[string]any {
	t.Helper()
	require.Equal(t, 200, a.Status, string(a.Body))
	m := map[string]any{}
	a.JSON(t, &m)
	return m
}

func TestLabelCalls(t *testing.T) {
	s := start(t)
	t.Run("7.4-get-label-key,3-label-fields,7.4-label-key-extra", func(t *testing.T) {
		m := fields(t, s.Do(apptest.Call{Host: "anything.example", Path: "/labels/key?domain=BETA.localhost:8080"}))
		require.Equal(t, map[string]any{"label_key": "beta", "region": "eu-central-1", "user_pool_id": "eu-central-1_AbCdEf123",
			"client_id": "client123456", "issuer": "https://issuer.example", "authorization_endpoint": "https://beta.example/authorize",
			"logout_endpoint": "https://beta.example/logout", "revoke_token_endpoint": "https://beta.example/revoke", "cognito_active": true,
			"logout_redirect_url": nil, "privacy_and_cookie_url": nil, "ga_tracking_id": nil,
			"logo_url": s.Labels.ByKey("beta").AssetURL("logo")}, m)

		m = fields(t, s.Do(apptest.Call{Path: "/labels/key?domain=alpha.localhost"}))
		alpha := map[string]any{"label_key": "alpha", "cognito_active": false, "logout_redirect_url": "https://alpha.example/",
			"privacy_and_cookie_url": "https://alpha.example/privacy", "ga_tracking_id": "G-ABC123XYZ",
			"logo_url": s.Labels.ByKey("alpha").AssetURL("logo")}
		for _, name := range []string{"region", "user_pool_id", "client_id", "issuer", "authorization_endpoint", "logout_endpoint",
			"revoke_token_endpoint"} {
			alpha[name] = nil
		}
		require.Equal(t, alpha, m)
		require.Regexp(t, `^/api/v0/labels/alpha/logo\?v=`, m["logo_url"])
	})
	t.Run("1-unknown-host", func(t *testing.T) {
		a := s.Do(apptest.Call{Host: "nobody.example", Path: "/labels/key?domain=nobody.example",
			Header: map[string]string{"X-PORTAL-BRANDING": "nobody.example"}})
		require.Equal(t, []any{404, "unknown_label"}, []any{a.Status, a.Code()})
		a = s.Do(apptest.Call{Host: "nobody.example", Path: "/portal"})
		require.Equal(t, []any{404, "unknown_label"}, []any{a.Status, a.Code()})
		require.NotContains(t, string(a.Body), "alpha")
	})
	t.Run("7.4-get-label-style,3-label-style-fields,3-label-style-names", func(t *testing.T) {
		m := fields(t, s.Do(apptest.Call{Path: "/labels/delta/style"}))
		require.Equal(t, map[string]any{"header_bg_color": "#0b5a33", "page_title": "Mijn Delta", "primary_color": "#0b7a3b",
			"secondary_color": "#111111", "tertiary_color": "#333333", "primary_color_text_color": "#fffffe", "font_family_web": "Delta Sans",
			"table_row_odd_color": "#fefefe", "table_row_even_color": "#fdfdfd",
			"email_button_bg_color": "#222222", "email_button_text_color": "#fffffd"}, m, "every value is another one")
		m = fields(t, s.Do(apptest.Call{Path: "/labels/alpha/style"}))
		require.Equal(t, []any{"Mijn Alpha", "Open Sans"}, []any{m["page_title"], m["font_family_web"]}, "of the label in the path")
	})
	t.Run("7.4-get-label-info,3-label-info-fields", func(t *testing.T) {
		a := s.Do(apptest.Call{Path: "/labels/alpha/info"})
		require.JSONEq(t, `{"email":"service@alpha.example","name":"Alpha Energie","phone_number":"088 123 45 67",
			"opening_hours":[{"text":"Maandag tot en met vrijdag","from":"08:30","to":"17:00"}]}`, string(a.Body))
		a = s.Do(apptest.Call{Path: "/labels/delta/info"})
		require.JSONEq(t, `{"email":"hulp@delta.example","name":"Delta","phone_number":"050 765 43 21",
			"opening_hours":[{"text":"Maandag","from":"09:00","to":"16:30"},{"text":"Zondag","from":"","to":""}]}`, string(a.Body),
			"of the label in the path, all lines in their order")
	})
	t.Run("7.4-get-label-logo,7.4-get-label-favicon,11-security-policy", func(t *testing.T) {
		for _, kind := range []string{"logo", "favicon"} {
			a := s.Do(apptest.Call{Path: "/labels/alpha/" + kind})
			require.Equal(t, []any{200, "image/svg+xml", "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'", "nosniff"},
				[]any{a.Status, a.Header.Get("Content-Type"), a.Header.Get("Content-Security-Policy"), a.Header.Get("X-Content-Type-Options")})
			require.Equal(t, map[string]string{"logo": logo, "favicon": favicon}[kind], string(a.Body))
			require.NotContains(t, a.Header.Get("Cache-Control"), "immutable")
			require.Equal(t, map[string]string{"logo": favicon, "favicon": logo}[kind],
				string(s.Do(apptest.Call{Path: "/labels/delta/" + kind}).Body), "of the label in the path")
		}
		url := s.Labels.ByKey("alpha").AssetURL("logo")
		require.Contains(t, s.Do(apptest.Call{Path: "/" + url}).Header.Get("Cache-Control"), "immutable")
		for _, kind := range []string{"font", "heading-font", "illustration", "logo-mail"} {
			a := s.Do(apptest.Call{Path: "/labels/alpha/" + kind})
			require.Equal(t, []any{404, "not_found"}, []any{a.Status, a.Code()}, kind)
		}
		for _, path := range []string{"logo", "style", "info"} {
			require.Equal(t, "unknown_label", s.Do(apptest.Call{Path: "/labels/nobody/" + path}).Code())
		}
	})
	t.Run("1-label-attributes", func(t *testing.T) {
		for _, path := range []string{"style", "info"} {
			require.NotEqual(t, s.Do(apptest.Call{Path: "/labels/alpha/" + path}).Body, s.Do(apptest.Call{Path: "/labels/beta/" + path}).Body)
		}
		for _, key := range []string{"alpha", "beta"} {
			m := fields(t, s.Do(apptest.Call{Host: key + ".localhost", Path: "/portal"}))["label"].(map[string]any)
			require.Equal(t, key, m["key"])
			for _, attribute := range []string{"logo", "favicon", "name", "email", "phone", "hours", "page_title"} {
				require.NotEmpty(t, m[attribute], attribute)
			}
			require.Contains(t, m["logo"], "/labels/"+key+"/logo")
			require.Contains(t, m["favicon"], "/labels/"+key+"/favicon")
		}
	})
}

// Two labels differ in every attribute, and each operation returns those of the requested label.
func TestAttributesOfLabels(t *testing.T) {
	dir, fonts := t.TempDir(), map[string]string{}
	for key, c := range map[string]struct{ color, font, style, phone, text, from, until string }{
		"one": {"#0b6b3a", "1042/assets/figtree.woff2", "Figtree", "088 111 11 11", "Elke dag", "08:00", "20:00"},
		"two": {"#7a0b3b", "1060/assets/jost.woff2", "Jost", "088 222 22 22", "Op vrijdag", "09:30", "12:15"},
	} {
		font, err := os.ReadFile("../../../../labels/" + c.font)
		require.NoError(t, err)
		fonts[key] = string(font)
		for name, text := range map[string]string{"logo.svg": strings.Replace(logo, "0 0 7 7", "0 0 "+c.from[:2]+" 7", 1),
			"favicon.svg": strings.Replace(favicon, "M1 1", "M"+c.from[:2]+" 1", 1), "a.woff2": fonts[key]} { // each label has its own
			require.NoError(t, os.MkdirAll(filepath.Join(dir, key, "assets"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, key, "assets", name), []byte(text), 0o600))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, key, "label.cue"), []byte(`label_key: "`+key+`"
			url: "https://`+key+`.example"
			hosts: [{name: "`+key+`.localhost"}]
			privacy_and_cookie_url: "https://`+key+`.example/privacy"
			style: {page_title: "Mijn `+key+`", primary_color: "`+c.color+`", font_family_web: "`+c.style+`", font_file: "a.woff2"}
			info: {name: "`+key+` energie", email: "help@`+key+`.example", phone_number: "`+c.phone+`",
				opening_hours: [{text: "`+c.text+`", from: "`+c.from+`", to: "`+c.until+`"}]}`), 0o600))
	}
	s := apptest.Start(t, apptest.Options{LabelsDir: dir})
	t.Run("1-label-attributes", func(t *testing.T) {
		for key, want := range map[string][]any{
			"one": {"#0b6b3a", "Figtree", "Mijn one", "one energie", "help@one.example", "088 111 11 11", "Elke dag", "08:00", "20:00"},
			"two": {"#7a0b3b", "Jost", "Mijn two", "two energie", "help@two.example", "088 222 22 22", "Op vrijdag", "09:30", "12:15"},
		} {
			style := fields(t, s.Do(apptest.Call{Path: "/labels/" + key + "/style"}))
			info := fields(t, s.Do(apptest.Call{Path: "/labels/" + key + "/info"}))
			hours := info["opening_hours"].([]any)
			require.Len(t, hours, 1)
			open := hours[0].(map[string]any)
			require.Equal(t, want, []any{style["primary_color"], style["font_family_web"], style["page_title"], info["name"], info["email"],
				info["phone_number"], open["text"], open["from"], open["to"]})
			require.Equal(t, "https://"+key+".example/privacy",
				fields(t, s.Do(apptest.Call{Path: "/labels/key?domain=" + key + ".localhost"}))["privacy_and_cookie_url"])
			require.Equal(t, fonts[key], string(s.Do(apptest.Call{Path: "/labels/" + key + "/font"}).Body))
		}
		for _, kind := range []string{"logo", "favicon"} {
			one, two := s.Do(apptest.Call{Path: "/labels/one/" + kind}), s.Do(apptest.Call{Path: "/labels/two/" + kind})
			require.Equal(t, []int{200, 200}, []int{one.Status, two.Status})
			require.NotEqual(t, one.Body, two.Body, kind)
		}
	})
}

func TestPortalAnswer(t *testing.T) {
	s := start(t)
	t.Run("1-migrated-link-target,1-test-host-rule", func(t *testing.T) {
		for host, form := range map[string]bool{"alpha.localhost": false, "test.alpha.localhost": true} {
			m := fields(t, s.Do(apptest.Call{Host: host, Path: "/portal"}))["label"].(map[string]any)
			require.Equal(t, map[string]any{"url": "https://mijn.elders.example", "name": "Elders", "form": form}, m["migrated"], host)
		}
		viaHeader := s.Do(apptest.Call{Host: "gateway", Path: "/portal", Header: map[string]string{"X-PORTAL-BRANDING": "test.alpha.localhost"}})
		require.Contains(t, string(viaHeader.Body), `"form":true`)
	})
	t.Run("10-contain-browser", func(t *testing.T) {
		loud := module.Manifest{Key: "loud", Version: "0.1.0", Settings: "#Settings: {}",
			Browser: func(json.RawMessage) (json.RawMessage, error) { return nil, errors.New("no JSON") }}
		s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe, module.New(loud, func(module.Host) module.Instance {
			return &silent{module.NewRouter(loud)}
		})}, Labels: []apptest.Label{{Key: "alpha", CUE: `modules: probe: greeting: "dag"`}}})
		require.Equal(t, map[string]any{"probe": map[string]any{"greeting": "dag"}},
			fields(t, s.Do(apptest.Call{Path: "/portal"}))["settings"], "served without those that failed")
	})
	t.Run("7.7-sign-out-effect", func(t *testing.T) {
		for key, want := range map[string]any{"alpha": "https://alpha.example/", "beta": nil} {
			m := fields(t, s.Do(apptest.Call{Host: key + ".localhost", Path: "/portal"}))["label"].(map[string]any)
			require.Equal(t, want, m["logout_url"], key)
		}
	})
	t.Run("1-label-type", func(t *testing.T) {
		for key, want := range map[string][]any{"alpha": {"customer", "/dashboard"}, "beta": {"participant", "/account"}} {
			m := fields(t, s.Do(apptest.Call{Host: key + ".localhost", Path: "/portal"}))["label"].(map[string]any)
			require.Equal(t, want, []any{m["kind"], m["landing"]})
		}
	})
	t.Run("9-label-landing", func(t *testing.T) {
		m := fields(t, s.Do(apptest.Call{Host: "gamma.localhost", Path: "/portal"}))["label"].(map[string]any)
		require.Equal(t, []any{"customer", "/probe"}, []any{m["kind"], m["landing"]})
	})
	t.Run("9-project-picture", func(t *testing.T) {
		m := fields(t, s.Do(apptest.Call{Host: "gamma.localhost", Path: "/portal"}))["projects"].(map[string]any)
		url := s.Labels.ByKey("gamma").ProjectPictureURL("W-1")
		require.Equal(t, map[string]any{"W-1": map[string]any{"picture": url}, "W-2": map[string]any{"picture": nil}}, m)
		a := s.Do(apptest.Call{Path: strings.TrimPrefix(url, "/api/v0")})
		require.Equal(t, []any{200, "image/svg+xml", "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'", "nosniff",
			"public, max-age=31536000, immutable"},
			[]any{a.Status, a.Header.Get("Content-Type"), a.Header.Get("Content-Security-Policy"), a.Header.Get("X-Content-Type-Options"),
				a.Header.Get("Cache-Control")})
		require.Contains(t, string(a.Body), "<svg")
		for path, code := range map[string]string{"gamma/projects/W-2": "not_found", "gamma/projects/W-3": "not_found",
			"alpha/projects/W-1": "not_found", "nobody/projects/W-1": "unknown_label"} {
			require.Equal(t, code, s.Do(apptest.Call{Path: "/labels/" + path + "/picture"}).Code(), path)
		}
		require.Empty(t, fields(t, s.Do(apptest.Call{Path: "/portal"}))["projects"])
	})
	t.Run("9-brand-illustrations,9-brand-photos", func(t *testing.T) {
		m := fields(t, s.Do(apptest.Call{Host: "gamma.localhost", Path: "/portal"}))["label"].(map[string]any)
		l := s.Labels.ByKey("gamma")
		at := func(name, file string) string {
			return "/api/v0/labels/gamma/pictures/" + name + "?v=" + l.Assets[file].Hash
		}
		require.Equal(t, map[string]any{"empty": at("illustration-empty", "logo.svg"), "dashboard": at("illustration-dashboard", "favicon.svg")},
			m["illustrations"])
		require.Equal(t, map[string]any{"sign_in": at("photo-sign_in", "favicon.svg")}, m["photos"])
		for name, file := range map[string]string{"illustration-empty": "logo.svg", "illustration-dashboard": "favicon.svg",
			"photo-sign_in": "favicon.svg"} {
			a := s.Do(apptest.Call{Path: strings.TrimPrefix(at(name, file), "/api/v0")})
			require.Equal(t, []any{200, "image/svg+xml", "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'", "nosniff",
				"public, max-age=31536000, immutable"},
				[]any{a.Status, a.Header.Get("Content-Type"), a.Header.Get("Content-Security-Policy"), a.Header.Get("X-Content-Type-Options"),
					a.Header.Get("Cache-Control")}, name)
			require.Equal(t, string(l.Assets[file].Data), string(a.Body), name)
			require.NotContains(t, s.Do(apptest.Call{Path: "/labels/gamma/pictures/" + name + "?v=000000000000"}).Header.Get("Cache-Control"),
				"immutable")
		}
		for path, code := range map[string]string{"gamma/pictures/photo-account": "not_found", "gamma/pictures/illustration-sign_in": "not_found",
			"gamma/pictures/empty": "not_found", "gamma/pictures/logo.svg": "not_found", "alpha/pictures/illustration-empty": "not_found",
			"nobody/pictures/illustration-empty": "unknown_label"} {
			require.Equal(t, code, s.Do(apptest.Call{Path: "/labels/" + path}).Code(), path)
		}
		m = fields(t, s.Do(apptest.Call{Path: "/portal"}))["label"].(map[string]any)
		require.Equal(t, []any{map[string]any{}, map[string]any{}}, []any{m["illustrations"], m["photos"]}, "a label without any")
	})
	t.Run("what a browser may know", func(t *testing.T) {
		a := s.Do(apptest.Call{Path: "/portal"})
		m := fields(t, a)
		require.Equal(t, map[string]any{"probe": map[string]any{"greeting": "dag"}}, m["settings"])
		require.NotContains(t, string(a.Body), "hidden", "a setting without the tag")
		require.Equal(t, map[string]any{"shell.title": "Alfa"}, m["messages"].(map[string]any)["nl"]) // 9-mail-texts-own: without email texts
		operations := m["operations"].(map[string]any)
		require.Equal(t, map[string]any{"access": "customer", "effect": "write", "impersonation": false}, operations["probe.changeMine"])
		require.Contains(t, operations, "core.signIn")
		require.NotContains(t, operations, "probe.inside")
		require.Nil(t, m["session"])
		require.Equal(t, "2026-11-20T10:00:0", m["now"].(string)[:18], "the server's clock")
		require.Equal(t, "Europe/Amsterdam", m["zone"])
	})
	t.Run("session", func(t *testing.T) {
		session := func(bearer string) map[string]any {
			m, _ := fields(t, s.Do(apptest.Call{Path: "/portal", Bearer: bearer}))["session"].(map[string]any)
			return m
		}
		m := session(s.Customer("alpha", "r1"))
		require.Equal(t, []any{"customer", "Klant r1", "r1@klant.example"}, []any{m["role"], m["name"], m["username"]})
		require.NotContains(t, m, "impersonator")
		m = session(s.Impersonator("alpha", "r1"))
		require.Equal(t, "Help Desk", m["impersonator"].(map[string]any)["name"])
		require.Nil(t, session("junk"), "a stale token does not keep the page from starting")
	})
}

// logText is the log of a portal that may still be writing to it.
type logText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A label that changes on disk changes in the browser. If a label becomes broken, its last valid version stays in use, and /readyz reports
// the error.
func TestChangedLabelsTakeEffectAtOnce(t *testing.T) {
	var out logText
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Labels: labels, Log: &out})
	title := func() string {
		var m struct {
			Label struct {
				PageTitle string `json:"page_title"`
			}
		}
		s.Do(apptest.Call{Path: "/portal"}).JSON(t, &m)
		return m.Label.PageTitle
	}
	require.Equal(t, "Mijn Alpha", title())
	file := filepath.Join(s.Config.Labels, "alpha", "label.cue")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "Mijn Alpha", "Ons Alpha")), 0o600))
	require.Eventually(t, func() bool { return title() == "Ons Alpha" }, 5*time.Second, 20*time.Millisecond)
	t.Run("9-label-last-good", func(t *testing.T) {
		s := s.For(t)
		stale := func() (n float64) {
			families, err := s.Metrics.Gather()
			require.NoError(t, err)
			for _, f := range families {
				if f.GetName() == "wattle_labels_last_good" {
					n += f.Metric[0].GetGauge().GetValue()
				}
			}
			return n
		}
		require.Zero(t, stale())
		require.NoError(t, os.WriteFile(file, append(text, "\nnonsense: 1\n"...), 0o600))
		require.Eventually(t, func() bool {
			var ready struct {
				Ready  bool
				Labels []label.Problem
			}
			require.NoError(t, json.Unmarshal(s.Do(apptest.Call{Path: "//readyz"}).Body, &ready))
			return ready.Ready && len(ready.Labels) == 1 && ready.Labels[0].Label == "alpha" && ready.Labels[0].Line > 0
		}, 5*time.Second, 20*time.Millisecond)
		require.Equal(t, "Ons Alpha", title())
		require.Equal(t, 1.0, stale())
		require.Eventually(t, func() bool { return strings.Contains(out.String(), "a label has a problem") }, 5*time.Second, 20*time.Millisecond)
		require.Regexp(t, `"a label has a problem".*alpha/label\.cue:\d+:\d+`, out.String())
		require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "Mijn Alpha", "Weer Alpha")), 0o600))
		require.Eventually(t, func() bool { return title() == "Weer Alpha" && stale() == 0 }, 5*time.Second, 20*time.Millisecond)
	})
}

func TestAccessibility(t *testing.T) {
	s := start(t)
	t.Run("1-label-accessibility", func(t *testing.T) {
		for host, want := range map[string]map[string]any{
			"alpha.localhost": {"status": "partial", "tested": nil, "url": nil},
			"beta.localhost":  {"status": "full", "tested": "2026-09-30", "url": "https://beta.example/toegankelijk"},
		} {
			got := fields(t, s.Do(apptest.Call{Host: host, Path: "/portal"}))["label"].(map[string]any)
			require.Equal(t, want, got["accessibility"], host)
		}
	})
}
