package portal_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/module"
)

// frontWithPassword returns a front end whose probe remote contains the form for changing the password.
func frontWithPassword(t testing.TB) string {
	dir := built(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "remotes/probe/remote.json"), []byte(`{"key":"probe","contract":1,
		"entry":"h1/entry.js","routes":[{"path":"/probe"}],"overlays":[{"name":"change-account-password","parent":"/probe"}]}`), 0o600))
	return dir
}

func TestWellKnown(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Config: config.Config{Front: frontWithPassword(t)},
		Labels: []apptest.Label{
			{Key: "alpha", CUE: `
				security: {contact: "https://alpha.example/report", policy: "https://alpha.example/disclosure"}`},
			{Key: "beta"},
			{Key: "moved", CUE: `
				migrated: {url: "https://new.example", name: "New"}`},
		}})
	get := func(host, path string) apptest.Answer { return s.Do(apptest.Call{Host: host, Path: "/" + path}) }

	t.Run("9-security-txt", func(t *testing.T) {
		a := get("alpha.localhost", "/.well-known/security.txt")
		require.Equal(t, 200, a.Status)
		require.Equal(t, "text/plain; charset=utf-8", a.Header.Get("Content-Type"))
		fields := map[string]string{}
		for line := range strings.Lines(string(a.Body)) {
			name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			require.True(t, ok, line)
			fields[name] = value
		}
		expires, err := time.Parse(time.RFC3339, fields["Expires"])
		require.NoError(t, err)
		require.True(t, expires.After(apptest.Now) && expires.Before(apptest.Now.AddDate(1, 0, 0)), expires)
		delete(fields, "Expires")
		require.Equal(t, map[string]string{"Contact": "https://alpha.example/report", "Policy": "https://alpha.example/disclosure",
			"Preferred-Languages": "nl, en", "Canonical": "http://alpha.localhost:8080/.well-known/security.txt"}, fields)
		require.Contains(t, string(get("beta.localhost", "/.well-known/security.txt").Body), "Contact: mailto:service@beta.example\n")
		require.NotContains(t, string(get("beta.localhost", "/.well-known/security.txt").Body), "Policy")
		require.Equal(t, 404, get("nobody.example", "/.well-known/security.txt").Status)
	})
	t.Run("9-change-password-url", func(t *testing.T) {
		a := get("alpha.localhost", "/.well-known/change-password")
		require.Equal(t, 302, a.Status)
		require.Equal(t, "/probe/change-account-password", a.Header.Get("Location"))
		require.Equal(t, 302, get("test.moved.localhost", "/.well-known/change-password").Status)
		for _, host := range []string{"moved.localhost", "nobody.example"} {
			require.Equal(t, 404, get(host, "/.well-known/change-password").Status, host)
		}
		// a password manager requests this address first, to find out whether the server returns 404 for unknown addresses
		require.Equal(t, 404, get("alpha.localhost", "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200").Status)
		plain := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Config: config.Config{Front: built(t)}})
		require.Equal(t, 404, plain.Do(apptest.Call{Path: "//.well-known/change-password"}).Status, "no remote has the form")
	})
	t.Run("9-robots", func(t *testing.T) {
		require.Equal(t, "User-agent: *\nDisallow: /api/\n", string(get("alpha.localhost", "/robots.txt").Body))
		for _, host := range []string{"test.alpha.localhost", "nobody.example", "localhost"} {
			require.Equal(t, "User-agent: *\nDisallow: /\n", string(get(host, "/robots.txt").Body), host)
		}
	})
}

func TestWebManifest(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>`
	var icon bytes.Buffer
	require.NoError(t, png.Encode(&icon, image.NewGray(image.Rect(0, 0, 192, 192))))
	for _, key := range []string{"alpha", "beta"} {
		style := ""
		if key == "alpha" {
			style = `, app_icon: "app-icon.png"`
			write("alpha/assets/app-icon.png", icon.String())
		}
		write(key+"/assets/logo.svg", svg)
		write(key+"/assets/favicon.svg", svg)
		write(key+"/label.cue", `label_key: "`+key+`"
			url: "https://`+key+`.example"
			hosts: [{name: "`+key+`.localhost"}]
			style: {page_title: "Mijn `+key+`", primary_color: "#0b6b3a", header_bg_color: "#0b5a33"`+style+`}
			info: {name: "`+key+` energie", email: "help@`+key+`.example", phone_number: "088 123 45 67"}`)
	}
	s := apptest.Start(t, apptest.Options{LabelsDir: dir, Config: config.Config{Front: built(t)}})
	t.Run("9-web-manifest", func(t *testing.T) {
		a := s.Do(apptest.Call{Path: "//manifest.webmanifest"})
		require.Equal(t, 200, a.Status)
		require.Equal(t, "application/manifest+json", a.Header.Get("Content-Type"))
		type manifest struct {
			Name      string
			ShortName string `json:"short_name"`
			Icons     []struct{ Src, Sizes, Type string }
		}
		alpha := s.Labels.ByKey("alpha")
		require.Regexp(t, "^#[0-9a-f]{6}$", alpha.Theme.Roles["page"])
		var whole map[string]any
		require.NoError(t, json.Unmarshal(a.Body, &whole))
		require.Equal(t, map[string]any{"name": "Mijn alpha", "short_name": "alpha energie", "lang": "nl", "id": "/", "start_url": "/",
			"scope": "/", "display": "minimal-ui", "theme_color": "#0b5a33", "background_color": alpha.Theme.Roles["page"], "icons": []any{
				map[string]any{"src": alpha.AssetURL("favicon"), "sizes": "any", "type": "image/svg+xml"},
				map[string]any{"src": alpha.AssetURL("app-icon"), "sizes": "192x192", "type": "image/png"}}}, whole)
		var m manifest
		require.NoError(t, json.Unmarshal(a.Body, &m))
		for _, i := range m.Icons {
			got := s.Do(apptest.Call{Path: "/" + i.Src})
			require.Equal(t, 200, got.Status, i.Src)
			require.Equal(t, i.Type, got.Header.Get("Content-Type"))
		}
		html := string(s.Do(apptest.Call{Path: "//", Header: page}).Body)
		require.Contains(t, html, `<link rel="manifest" href="/manifest.webmanifest">`)
		require.Contains(t, html, `<link rel="apple-touch-icon" href="`+m.Icons[1].Src+`">`)

		var other manifest
		require.NoError(t, json.Unmarshal(s.Do(apptest.Call{Host: "beta.localhost", Path: "//manifest.webmanifest"}).Body, &other))
		require.Equal(t, []string{"Mijn beta", "beta energie"}, []string{other.Name, other.ShortName})
		require.Len(t, other.Icons, 1, "a label without an app icon has its favicon")
		require.NotContains(t, string(s.Do(apptest.Call{Host: "beta.localhost", Path: "//", Header: page}).Body), "apple-touch-icon")
		require.Equal(t, 404, s.Do(apptest.Call{Host: "nobody.example", Path: "//manifest.webmanifest"}).Status)
		require.NotContains(t, string(s.Do(apptest.Call{Host: "nobody.example", Path: "//", Header: page}).Body), `rel="manifest"`)
	})
}
