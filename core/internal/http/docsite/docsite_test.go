package docsite

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func zipped(t *testing.T, text string) *fstest.MapFile {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return &fstest.MapFile{Data: b.Bytes()}
}

func TestSite(t *testing.T) {
	s := &Site{fstest.MapFS{
		".keep": {}, "index.html.gz": zipped(t, "home"), "labels.html.gz": zipped(t, "labels"), "reference/index.html.gz": zipped(t, "reference"),
		"404.html.gz": zipped(t, "no such page"), "assets/app.1a2b.js.gz": zipped(t, "start()"), "assets/font.woff2": {Data: []byte("wOF2")},
	}}
	get := func(method, path string, header http.Header) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(method, "/docs/", nil)
		r.URL.Path = path
		r.Header = header
		s.ServeHTTP(w, r)
		return w
	}
	t.Run("11-docs-site-pages", func(t *testing.T) {
		for path, text := range map[string]string{"/docs/": "home", "/docs/labels": "labels", "/docs/reference/": "reference",
			"/docs/assets/font.woff2": "wOF2"} {
			w := get("GET", path, http.Header{})
			assert.Equal(t, []any{200, text}, []any{w.Code, w.Body.String()}, path)
			assert.Empty(t, w.Header().Get("Content-Encoding"), path)
		}
		assert.Equal(t, Prefix, get("GET", "/docs", http.Header{}).Header().Get("Location"))
		assert.Empty(t, get("HEAD", "/docs/labels", http.Header{}).Body.String())
		assert.Equal(t, 405, get("POST", "/docs/labels", http.Header{}).Code)
		for _, path := range []string{"/docs/nothing", "/docs/../docsite.go", "/docs/..%2fdocsite.go", "/docs//etc/passwd", "/docs/.keep",
			"/docs/labels.html", "/docs/assets", "/docs/assets/"} {
			w := get("GET", path, http.Header{})
			assert.Equal(t, []any{404, "no such page", "no-store"}, []any{w.Code, w.Body.String(), w.Header().Get("Cache-Control")}, path)
		}
	})
	t.Run("11-docs-site-policy", func(t *testing.T) {
		for _, path := range []string{"/docs/", "/docs/nothing"} {
			policy := get("GET", path, http.Header{}).Header().Get("Content-Security-Policy")
			assert.Contains(t, policy, "default-src 'none'; script-src 'self'; style-src 'self';")
			assert.NotContains(t, policy, "unsafe")
		}
	})
	t.Run("11-docs-site-cache", func(t *testing.T) {
		page := get("GET", "/docs/labels", http.Header{"Accept-Encoding": {"br, gzip"}})
		assert.Equal(t, []string{"no-cache", "gzip", "Accept-Encoding"}, []string{page.Header().Get("Cache-Control"),
			page.Header().Get("Content-Encoding"), page.Header().Get("Vary")})
		assert.Equal(t, 304, get("GET", "/docs/labels", http.Header{"Accept-Encoding": {"gzip"},
			"If-None-Match": {page.Header().Get("ETag")}}).Code)
		assert.NotEqual(t, page.Header().Get("ETag"), get("GET", "/docs/labels", http.Header{}).Header().Get("ETag"))
		for accepted, want := range map[string]string{"br, gzip": "gzip", "br": "", "": ""} {
			file := get("GET", "/docs/assets/app.1a2b.js", http.Header{"Accept-Encoding": {accepted}}).Header()
			assert.Equal(t, []string{"public, max-age=31536000, immutable", want, "Accept-Encoding"},
				[]string{file.Get("Cache-Control"), file.Get("Content-Encoding"), file.Get("Vary")}, accepted)
			page := get("GET", "/docs/labels", http.Header{"Accept-Encoding": {accepted}}).Header()
			assert.Equal(t, []string{"no-cache", want}, []string{page.Get("Cache-Control"), page.Get("Content-Encoding")}, accepted)
		}
		assert.Equal(t, 200, get("GET", "/docs/labels", http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {`"another"`}}).Code)
	})
	t.Run("11-docs-site-pages", func(t *testing.T) {
		s = &Site{fstest.MapFS{".keep": {}}}
		w := get("GET", "/docs/", http.Header{})
		assert.Equal(t, 404, w.Code)
		assert.Contains(t, w.Body.String(), "make docs build", "a program that was built without the site")
	})
}
