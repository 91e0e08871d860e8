package portal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/module"
)

// built writes a small front end.
func built(t testing.TB) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"shell.json":                  `{"build":"b1","entry":["shell/main.1.js"],"preload":["shell/start.1.js"],"fonts":{"Open Sans":"shell/open.1.woff2"}}`,
		"shell/main.1.js":             "start()",
		"shell/start.1.js":            "go()",
		"shell/open.1.woff2":          "wOF2",
		"remotes/probe/remote.json":   `{"key":"probe","contract":1,"entry":"h1/entry.js","routes":[{"path":"/probe"}]}`,
		"remotes/probe/h1/entry.js":   "export{}",
		"remotes/account/remote.json": `{"key":"account","contract":1,"entry":"h1/entry.js"}`,
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

var page = map[string]string{"Accept": "text/html,*/*;q=0.8"}

func TestIndex(t *testing.T) {
	raw, err := os.ReadFile("../../../../labels/1042/assets/figtree.woff2")
	require.NoError(t, err)
	figtree := string(raw)
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Labels: append(labels, apptest.Label{Key: "evil",
		CUE: `messages: nl: "shell.x": "</script><script>alert(1)</script><!--"`}, apptest.Label{Key: "titles",
		CUE:   `style: {heading_font_family: "Figtree", heading_font_file: "titles.woff2", header_style: "centered"}`,
		Files: map[string]string{"assets/titles.woff2": figtree}}, apptest.Label{Key: "drawn", CUE: `style: illustration: "hills.svg"`,
		Files: map[string]string{"assets/hills.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>`}}),
		Config: config.Config{Front: built(t)}})
	t.Run("1-label-lookup-startup", func(t *testing.T) {
		a := s.Do(apptest.Call{Path: "//account/change-phonenumber", Header: page})
		require.Equal(t, 200, a.Status)
		html := string(a.Body)
		for _, part := range []string{`<html lang="nl">`, `<title>Mijn Alpha</title>`, `--w-primary:`, `href="/api/v0/labels/alpha/favicon?v=`,
			`<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/shell/open.1.woff2">`,
			`<script type="module" src="/assets/shell/main.1.js">`, `<link rel="modulepreload" href="/assets/shell/start.1.js">`,
			`"entry":"/assets/probe/h1/entry.js"`, `088 123 45 67`} {
			require.Contains(t, html, part)
		}
		require.NotContains(t, html, "/assets/account/", "a remote of a module that the label does not have")
		require.Less(t, strings.Index(html, `"key":"alpha"`), strings.Index(html, `<div id="root">`), "before anything is drawn")
		other := string(s.Do(apptest.Call{Host: "beta.localhost", Path: "//account/change-phonenumber", Header: page}).Body)
		for _, part := range []string{`<title>Mijn Beta</title>`, `href="/api/v0/labels/beta/favicon?v=`, `"key":"beta"`} {
			require.Contains(t, other, part, "the host decides")
		}
		require.NotContains(t, strings.ToLower(other), "alpha")
	})
	t.Run("9-brand-fonts", func(t *testing.T) {
		html := string(s.Do(apptest.Call{Host: "titles.localhost", Path: "//", Header: page}).Body)
		url := s.Labels.ByKey("titles").AssetURL("heading-font")
		require.Contains(t, html, `@font-face{font-family:"Figtree";src:url("`+url+`") format("woff2")`)
		require.NotContains(t, html, `href="`+url+`"`, "it is not preloaded")
		require.Contains(t, html, `crossorigin href="/assets/shell/open.1.woff2">`, "the font of the text is")
		a := s.Do(apptest.Call{Path: "/" + url})
		require.Equal(t, []any{200, "font/woff2", figtree}, []any{a.Status, a.Header.Get("Content-Type"), string(a.Body)})
		require.Contains(t, a.Header.Get("Cache-Control"), "immutable")
	})
	t.Run("the picture of sign-in is preloaded where sign-in is", func(t *testing.T) {
		preload := `<link rel="preload" as="image" href="` + s.Labels.ByKey("drawn").AssetURL("illustration") + `">`
		require.Contains(t, string(s.Do(apptest.Call{Host: "drawn.localhost", Path: "//", Header: page}).Body), preload)
		require.NotContains(t, string(s.Do(apptest.Call{Host: "drawn.localhost", Path: "//dashboard", Header: page}).Body), preload)
		require.NotContains(t, string(s.Do(apptest.Call{Path: "//", Header: page}).Body), `as="image"`, "a label without one")
	})
	t.Run("9-brand-header", func(t *testing.T) {
		for host, want := range map[string]string{"alpha": "plain", "titles": "centered"} {
			m := fields(t, s.Do(apptest.Call{Host: host + ".localhost", Path: "/portal"}))["label"].(map[string]any)
			require.Equal(t, want, m["header_style"], host)
		}
	})
	t.Run("the policy allows only what the page names", func(t *testing.T) {
		one, two := s.Do(apptest.Call{Path: "//", Header: page}), s.Do(apptest.Call{Path: "//", Header: page})
		policy := one.Header.Get("Content-Security-Policy")
		nonce := regexp.MustCompile(`script-src 'self' 'nonce-([\w-]{22})'`).FindStringSubmatch(policy)[1]
		require.NotContains(t, two.Header.Get("Content-Security-Policy"), nonce)
		require.Contains(t, string(one.Body), `<meta property="csp-nonce" nonce="`+nonce+`" content="`+nonce+`">`)
		require.Contains(t, string(one.Body), `<style nonce="`+nonce+`">`)
		require.NotContains(t, policy, "unsafe")
		require.Equal(t, "no-store", one.Header.Get("Cache-Control"))
		require.Empty(t, one.Header.Get("ETag"))
	})
	t.Run("a label's text cannot break out of the JSON", func(t *testing.T) {
		html := string(s.Do(apptest.Call{Host: "evil.localhost", Path: "//", Header: page}).Body)
		require.NotContains(t, html, "alert(1)</script>")
		require.Equal(t, 1, strings.Count(html, `id="portal"`))
	})
	t.Run("addresses", func(t *testing.T) {
		for _, c := range []struct {
			method, path, accept string
			want                 int
		}{
			{"GET", "//", "text/html", 200},
			{"HEAD", "//invoices/2026", "text/html", 200},
			{"GET", "//agreements/a.b", "text/html", 200}, // a parameter may contain a dot
			{"GET", "//invoices", "*/*", 200},
			{"GET", "//invoices", "", 200},
			{"GET", "//logo.png", "image/png", 404},
			{"GET", "//logo.png", "*/*", 404},
			{"GET", "//assets/shell/main.1.js", "*/*", 200},
			{"GET", "//assets/shell/nothing.js", "text/html", 404},
			{"GET", "//assets/../shell.json", "text/html", 404},
			{"GET", "//.well-known/nothing", "text/html", 404},
			{"GET", "//dev/mailbox", "text/html", 404}, // not in demo mode
			{"GET", "//dev/kit", "text/html", 404},
			{"GET", "//dev/reload", "text/html", 404},
			{"GET", "//metrics", "text/html", 404},
			{"POST", "//", "text/html", 405},
			{"GET", "//robots.txt", "*/*", 200},
		} {
			a := s.Do(apptest.Call{Method: c.method, Path: c.path, Header: map[string]string{"Accept": c.accept}})
			require.Equal(t, c.want, a.Status, "%s %s", c.method, c.path)
		}
	})
	t.Run("1-unknown-host", func(t *testing.T) {
		for _, host := range []string{"nobody.example", "localhost"} {
			a := s.Do(apptest.Call{Host: host, Path: "//", Header: page})
			require.Equal(t, 200, a.Status)
			require.Contains(t, string(a.Body), `"label":null`)
			require.NotContains(t, string(a.Body), "alpha", "never another label's branding")
			require.NotContains(t, string(a.Body), "--w-primary")
		}
	})
	t.Run("language", func(t *testing.T) {
		a := s.Do(apptest.Call{Path: "//", Header: map[string]string{"Accept": "text/html", "Accept-Language": "en-US,en;q=0.9,nl;q=0.1"}})
		require.Contains(t, string(a.Body), `<html lang="en">`)
	})
}

func TestDemo(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Config: config.Config{Demo: true, Front: built(t)}})
	t.Run("1-unknown-host", func(t *testing.T) {
		html := string(s.Do(apptest.Call{Host: "localhost:8080", Path: "//", Header: page}).Body)
		require.Contains(t, html, `"url":"http://alpha.localhost:8080"`)
		require.Contains(t, html, `"key":"beta"`)
		require.NotContains(t, string(s.Do(apptest.Call{Host: "nobody.example", Path: "//", Header: page}).Body), "alpha",
			"on plain localhost only")
	})
	moved := apptest.Start(t, apptest.Options{Config: config.Config{Demo: true, Front: built(t)}, Labels: labels,
		Modules: []module.Module{apptest.Probe}})
	t.Run("a card leads to the form", func(t *testing.T) {
		html := string(moved.Do(apptest.Call{Host: "localhost:8080", Path: "//", Header: page}).Body)
		require.Contains(t, html, `{"host":"test.alpha.localhost","url":"http://test.alpha.localhost:8080","key":"alpha"`)
		require.Contains(t, html, `"live":{"host":"alpha.localhost","url":"http://alpha.localhost:8080"}`)
		require.Contains(t, html, `"url":"http://beta.localhost:8080","key":"beta"`)
		require.Contains(t, string(moved.Do(apptest.Call{Host: "alpha.localhost", Path: "/portal"}).Body), `"test_host":"test.alpha.localhost"`)
	})
	t.Run("1-developer-mode-guard", func(t *testing.T) {
		require.Contains(t, string(moved.Do(apptest.Call{Path: "/portal"}).Body), `"demo":true`)
		live := apptest.Start(t, apptest.Options{Config: config.Config{Front: built(t)}, Modules: []module.Module{apptest.Probe}})
		require.Contains(t, string(live.Do(apptest.Call{Path: "/portal"}).Body), `"demo":false`)
		stranger := live.Customer("alpha", "R-1") // a valid token from a server with other keys
		for what, token := range map[string]string{"forged": "forged", "of elsewhere": stranger} {
			require.Equal(t, 401, moved.Do(apptest.Call{Path: "/probe/mine", Bearer: token}).Status, what+": the demo requires the same of a token")
		}
		require.Equal(t, 200, live.Do(apptest.Call{Path: "/probe/mine", Bearer: stranger}).Status)
	})
	require.Equal(t, 200, s.Do(apptest.Call{Path: "//dev/kit", Header: page}).Status)
	require.Equal(t, 404, s.Do(apptest.Call{Path: "//dev/nothing", Header: page}).Status)
	require.Contains(t, string(s.Do(apptest.Call{Path: "//metrics"}).Body), "wattle_requests_total")
}

func TestAProgramWithoutAFrontEndShowsAnExplanation(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Config: config.Config{Front: t.TempDir()}})
	a := s.Do(apptest.Call{Path: "//", Header: page})
	require.Equal(t, 503, a.Status)
	require.Contains(t, string(a.Body), "make build")
	require.Equal(t, 200, s.Do(apptest.Call{Path: "/portal"}).Status, "the calls work")
}

// A demo serves the documentation on hosts without a label. On other hosts its address belongs to the front end.
func TestDocs(t *testing.T) {
	for _, demo := range []bool{true, false} {
		s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Labels: labels,
			Config: config.Config{Front: built(t), Demo: demo}})
		t.Run("11-docs-site-demo", func(t *testing.T) {
			isSite := func(host string) bool {
				a := s.Do(apptest.Call{Host: host, Path: "//docs/", Header: page})
				isFront := strings.Contains(string(a.Body), `<div id="root">`)
				policy := a.Header.Get("Content-Security-Policy")
				require.Equal(t, !isFront, strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self'; img-src"), policy)
				return !isFront
			}
			require.Equal(t, demo, isSite("127.0.0.1"))
			require.False(t, isSite("alpha.localhost"), "an address of a label is the label's")
		})
	}
}
