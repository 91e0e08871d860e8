package portal

import (
	"net/http"
	"path"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/http/assets"
	"github.com/wattle-portal/wattle/core/internal/http/docsite"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

// ServeHTTP serves everything except operations: front-end files, demo tools, and index.html for every address that a browser opens.
func (p *Portal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := r.URL.Path
	switch {
	case strings.HasPrefix(at, assets.Prefix):
		p.Assets.ServeHTTP(w, r)
	case p.Dev && at == "/dev/reload":
		p.Assets.ServeReloads(w, r)
	case p.Demo && p.Mailbox != nil && (at == "/dev/mailbox" || strings.HasPrefix(at, "/dev/mailbox/")):
		http.StripPrefix("/dev/mailbox", p.Mailbox).ServeHTTP(w, r)
	case p.Demo && p.Impersonate != nil && at == "/dev/impersonate":
		p.Impersonate.ServeHTTP(w, r.WithContext(label.With(r.Context(), p.Labels.ByHost(label.NormalHost(r.Host)))))
	case p.Demo && p.SignIn != nil && at == "/dev/sign-in":
		p.SignIn.ServeHTTP(w, r.WithContext(label.With(r.Context(), p.Labels.ByHost(label.NormalHost(r.Host)))))
	case p.Demo && docsite.Contains(at) && p.Labels.ByHost(label.NormalHost(r.Host)) == nil: // an address of a label is the label's
		p.docs.ServeHTTP(w, r)
	case strings.HasPrefix(at, "/dev/") && !(p.Demo && at == "/dev/kit"):
		notFound(w)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
	case at == "/robots.txt":
		p.robots(w, r)
	case at == manifestPath:
		p.manifest(w, r)
	case at == offlinePagePath:
		p.offlinePage(w, r)
	case at == offlineWorkerPath:
		p.offlineServiceWorker(w, r)
	case at == "/.well-known/security.txt":
		p.securityText(w, r)
	case at == "/.well-known/change-password":
		p.changePassword(w, r)
	case strings.HasPrefix(at, "/.well-known/"):
		notFound(w)
	case !wantsPage(r):
		notFound(w)
	default:
		p.page(w, r)
	}
}

// wantsPage reports whether a browser opens an address, rather than requesting a file that does not exist. A parameter in an
// address may contain a dot; a file always does.
func wantsPage(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	if strings.Contains(accept, "text/html") {
		return true
	}
	return path.Ext(r.URL.Path) == "" && (accept == "" || strings.Contains(accept, "*/*"))
}

func notFound(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, http.StatusText(http.StatusNotFound), http.StatusNotFound)
}
