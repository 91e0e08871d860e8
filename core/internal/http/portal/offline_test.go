package portal_test

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
)

func TestOffline(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Config: config.Config{Front: built(t)}, Labels: []apptest.Label{{Key: "alpha"}, {Key: "beta"}}})
	get := func(host, path string) apptest.Answer { return s.Do(apptest.Call{Host: host, Path: "/" + path}) }
	inline := regexp.MustCompile(`(?s)<(script|style)>(.*?)</`)
	t.Run("9-offline-page", func(t *testing.T) {
		alpha := s.Labels.ByKey("alpha")
		for locale, words := range map[string]string{"nl": "Je portaal is nu niet bereikbaar", "en": "Your portal cannot be reached right now"} {
			a := get("alpha.localhost", "/offline.html?locale="+locale)
			require.Equal(t, 200, a.Status)
			require.Equal(t, "text/html; charset=utf-8", a.Header.Get("Content-Type"))
			body := string(a.Body)
			require.Contains(t, body, `<html lang="`+locale+`">`)
			require.Contains(t, body, "<h1>"+words+"</h1>")
			require.Contains(t, body, "<title>"+alpha.Style.PageTitle+"</title>")
			require.Contains(t, body, alpha.Info.Phone)
			require.Contains(t, body, `src="data:image/svg&#43;xml;base64,`)
			require.Contains(t, body, "--w-primary:"+alpha.Theme.Roles["primary"])
			require.NotRegexp(t, `(src|href)="[^d#"t]`, body, "nothing is fetched")
			policy := a.Header.Get("Content-Security-Policy")
			all := inline.FindAllStringSubmatch(body, -1)
			require.Len(t, all, 2)
			for _, part := range all {
				sum := sha256.Sum256([]byte(part[2]))
				require.Contains(t, policy, part[1]+"-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'", part[1])
			}
			worker := get("alpha.localhost", "/offline.js?locale="+locale)
			require.Equal(t, 200, worker.Status)
			require.Equal(t, "text/javascript; charset=utf-8", worker.Header.Get("Content-Type"))
			require.Equal(t, "no-cache", worker.Header.Get("Cache-Control"))
			require.Equal(t, "default-src 'none'; connect-src 'self'", worker.Header.Get("Content-Security-Policy"))
			require.Contains(t, string(worker.Body), `const page = "/offline.html?locale=`+locale+`";`)
		}
		require.Contains(t, string(get("beta.localhost", "/offline.html?locale=<x>").Body), `<html lang="nl">`)
		require.NotEqual(t, string(get("alpha.localhost", "/offline.js").Body), string(get("beta.localhost", "/offline.js").Body),
			"another page is another version")
		for _, path := range []string{"/offline.html", "/offline.js"} {
			require.Equal(t, 404, get("nobody.example", path).Status, path)
		}
	})
}
