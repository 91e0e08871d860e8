package assets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/andybalholm/brotli"
)

// encodings in order of preference.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

var types = map[string]string{
	".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".png": "image/png", ".webp": "image/webp",
	".map": "application/json", ".txt": "text/plain; charset=utf-8", ".ico": "image/x-icon",
}

// isCompressible reports whether compressing the content type is worth the CPU time.
func isCompressible(contentType string) bool {
	return !strings.HasPrefix(contentType, "font/") && (!strings.HasPrefix(contentType, "image/") || strings.HasSuffix(contentType, "svg+xml"))
}

type variant struct {
	encoding string // empty: not compressed
	etag     string
	body     []byte
}

// file is a file with its compressed forms, ordered from the best to the uncompressed form.
type file struct {
	contentType string
	immutable   bool
	raw         []byte
	variants    atomic.Pointer[[]variant]
}

func newFile(name string, raw []byte, encoded map[string][]byte, immutable bool) *file {
	f := &file{contentType: types[path.Ext(name)], immutable: immutable, raw: raw}
	if f.contentType == "" {
		f.contentType = "application/octet-stream"
	}
	f.set(encoded)
	return f
}

func (f *file) set(encoded map[string][]byte) {
	sum := sha256.Sum256(f.raw)
	tag := base64.RawURLEncoding.EncodeToString(sum[:12])
	var vs []variant
	for _, e := range encodings {
		if b, ok := encoded[e.name]; ok && len(b) < len(f.raw) {
			vs = append(vs, variant{e.name, `"` + tag + "-" + e.name + `"`, b})
		}
	}
	vs = append(vs, variant{"", `"` + tag + `"`, f.raw})
	f.variants.Store(&vs)
}

// compress adds the compressed forms that are missing in the build.
func (f *file) compress() {
	if len(*f.variants.Load()) > 1 || len(f.raw) < 512 || !isCompressible(f.contentType) {
		return
	}
	var br, gz bytes.Buffer
	b := brotli.NewWriterLevel(&br, 9)
	_, _ = b.Write(f.raw) // writing to memory does not fail
	_ = b.Close()
	g, _ := gzip.NewWriterLevel(&gz, gzip.BestCompression)
	_, _ = g.Write(f.raw)
	_ = g.Close()
	f.set(map[string][]byte{"br": br.Bytes(), "gzip": gz.Bytes()})
}

func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if f.immutable {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	accepted := r.Header.Get("Accept-Encoding")
	for _, v := range *f.variants.Load() {
		if v.encoding != "" && !accepts(accepted, v.encoding) {
			continue
		}
		h.Set("ETag", v.etag)
		if strings.Contains(r.Header.Get("If-None-Match"), v.etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Type", f.contentType)
		if v.encoding != "" {
			h.Set("Content-Encoding", v.encoding)
		}
		h.Set("Content-Length", strconv.Itoa(len(v.body)))
		if r.Method != http.MethodHead {
			_, _ = w.Write(v.body)
		}
		return
	}
}

func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if name == encoding {
			return strings.Trim(strings.ReplaceAll(q, " ", ""), "q=0.") != "" || q == ""
		}
	}
	return false
}
