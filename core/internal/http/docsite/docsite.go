// Package docsite serves the documentation site at /docs of a demo. `make docs` builds the site into the program.
package docsite

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed all:dist
var embedded embed.FS

// Prefix is the path of the site.
const Prefix = "/docs/"

// policy allows no inline script and no inline style: `make docs` moves those of VitePress into files.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp", ".woff2": "font/woff2",
}

// Site serves a built site.
type Site struct{ files fs.FS }

// Embedded returns the site in the program, which is empty when the program was built without it.
func Embedded() *Site {
	files, _ := fs.Sub(embedded, "dist") // dist is embedded, so this does not fail
	return &Site{files}
}

// Contains reports whether a path belongs to the site.
func Contains(at string) bool { return at == "/docs" || strings.HasPrefix(at, Prefix) }

// ServeHTTP serves the files of the site. Pages have addresses without .html.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	case r.URL.Path == "/docs":
		h.Set("Cache-Control", "no-store")
		http.Redirect(w, r, Prefix, http.StatusFound)
		return
	}
	h.Set("Content-Security-Policy", policy)
	name := strings.TrimPrefix(r.URL.Path, Prefix)
	if f, ok := s.find(name); ok {
		f.serve(w, r)
		return
	}
	s.missing(w, r)
}

// missing responds to a path without a page. Every built site has a page for this.
func (s *Site) missing(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	page := []byte(unbuilt)
	if f, ok := s.open("404.html"); ok {
		page, _ = f.plain() // make docs has written it
	}
	h.Set("Content-Type", types[".html"])
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		_, _ = w.Write(page)
	}
}

// unbuilt is the page of a program that was built without the site.
const unbuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>No documentation</title><link rel="icon" href="data:,"></head>
<body><main><h1>This program was built without its documentation</h1>
<p>Run <code>make docs build</code>, and start the demo again. The same pages are Markdown files in the folder <code>docs</code> of the repository.</p></main></body>
</html>
`

// file is a file of the site, compressed with gzip if its name in the folder ends in .gz.
type file struct {
	name    string // without .gz
	raw     []byte
	gzipped bool
}

// find returns the file for a path below Prefix: page "labels" is labels.html, and "reference/" is reference/index.html.
func (s *Site) find(name string) (file, bool) {
	if name == "" || strings.HasSuffix(name, "/") {
		return s.open(name + "index.html")
	}
	if f, ok := s.open(name); ok && path.Ext(name) != ".html" { // each page has one address
		return f, true
	}
	return s.open(name + ".html")
}

func (s *Site) open(name string) (file, bool) {
	if strings.HasPrefix(path.Base(name), ".") {
		return file{}, false
	}
	for _, suffix := range []string{".gz", ""} {
		// ReadFile refuses names that point outside the folder.
		if raw, err := fs.ReadFile(s.files, name+suffix); err == nil {
			return file{name, raw, suffix != ""}, true
		}
	}
	return file{}, false
}

// serve sends a file. The name of a file in assets contains a hash of its content.
func (f file) serve(w http.ResponseWriter, r *http.Request) {
	h, body := w.Header(), f.raw
	sum := sha256.Sum256(f.raw)
	tag := base64.RawURLEncoding.EncodeToString(sum[:12])
	h.Set("Vary", "Accept-Encoding")
	h.Set("Content-Type", types[path.Ext(f.name)])
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(f.name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	switch {
	case f.gzipped && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip"):
		h.Set("Content-Encoding", "gzip")
		tag += "-gzip"
	case f.gzipped:
		plain, err := f.plain()
		if err != nil { // make docs has written it
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
			return
		}
		body = plain
	}
	h.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// plain returns the content without compression.
func (f file) plain() ([]byte, error) {
	if !f.gzipped {
		return f.raw, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(f.raw))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
