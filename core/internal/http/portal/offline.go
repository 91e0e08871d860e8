package portal

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/http/web"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

// The page that a browser shows instead of one of the portal while it has no connection or gets no response, and the service worker that
// keeps it on the device (9-offline-page). The names have a dot, so that no page of a module has the same address.
const (
	offlinePagePath   = "/offline.html"
	offlineWorkerPath = "/offline.js"
)

var (
	//go:embed offline.html
	offlineHTML string
	//go:embed offline.css
	offlineCSS string
	//go:embed offline.js
	offlineWorker string

	offlineTemplate = template.Must(template.New("offline").Parse(offlineHTML))
)

// offlineScript loads the page again when the connection is back, and twice a minute, because the server may be what is away.
const offlineScript = `addEventListener("online",()=>location.reload());setInterval(()=>navigator.onLine&&location.reload(),30000)`

// offlineTexts are true in both cases: a browser cannot know whether its connection or the server is away.
type offlineTexts struct{ Heading, Lead, Retry, Call string }

var offlineTextsOf = map[string]offlineTexts{
	"nl": {"Je portaal is nu niet bereikbaar",
		"Je hebt geen verbinding, of het ligt aan ons. Er is niets kwijt: zodra het weer kan, opent deze pagina vanzelf.", "Probeer het opnieuw",
		"Liever bellen? Dat kan op"},
	"en": {"Your portal cannot be reached right now",
		"You have no connection, or the problem is ours. Nothing is lost: this page opens by itself as soon as it can.", "Try again",
		"You can also call us at"},
}

// offlineLocale returns the language of the page: that of the portal, which the browser adds to the address.
func offlineLocale(r *http.Request) string {
	if locale := r.URL.Query().Get("locale"); offlineTextsOf[locale].Heading != "" {
		return locale
	}
	return web.Locale(r)
}

// renderOffline returns the page of a label. Everything that it shows is in it, because nothing else can be fetched.
func renderOffline(l *label.Label, locale string) ([]byte, error) {
	logo, err := l.AssetOf("logo-on-header")
	if err != nil {
		logo, err = l.AssetOf("logo")
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = offlineTemplate.Execute(&b, map[string]any{
		"Locale": locale, "Title": l.Style.PageTitle, "Color": l.Theme.Roles["header"], "Name": l.Info.Name,
		"CSS":   template.CSS(offlineStyle(l)),                                                                 //nolint:gosec // see offlineStyle
		"Logo":  template.URL("data:" + logo.Type + ";base64," + base64.StdEncoding.EncodeToString(logo.Data)), //nolint:gosec // an image
		"Phone": l.Info.Phone, "Dial": strings.Map(dialable, l.Info.Phone), "Texts": offlineTextsOf[locale],
		"Script": template.JS(offlineScript), //nolint:gosec // a constant
	})
	return b.Bytes(), err
}

// offlineStyle returns the colors and measures of the label, as in index.html, with the rules of the page.
func offlineStyle(l *label.Label) string {
	return strings.ReplaceAll(l.Theme.CSS, "</", `<\/`) + offlineCSS
}

// dialable keeps the characters of a phone number that can be dialed.
func dialable(c rune) rune {
	if c == '+' || '0' <= c && c <= '9' {
		return c
	}
	return -1
}

// offlinePage writes the page without a connection of the label that owns the host.
func (p *Portal) offlinePage(w http.ResponseWriter, r *http.Request) {
	l := p.labelOfHost(r)
	if l == nil {
		notFound(w)
		return
	}
	page, err := renderOffline(l, offlineLocale(r))
	if err != nil {
		p.Log.Error("the page without a connection cannot be written", "label", l.Key, "error", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src "+hashOf(offlineScript)+"; style-src "+hashOf(offlineStyle(l))+
		"; img-src data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	_, _ = w.Write(page)
}

// hashOf returns the source expression that allows an inline script or style (Content Security Policy Level 3).
func hashOf(inline string) string {
	sum := sha256.Sum256([]byte(inline))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// offlineServiceWorker writes the service worker. It changes with the page, so that the browser fetches the page again.
func (p *Portal) offlineServiceWorker(w http.ResponseWriter, r *http.Request) {
	l := p.labelOfHost(r)
	if l == nil {
		notFound(w)
		return
	}
	locale := offlineLocale(r)
	page, err := renderOffline(l, locale)
	if err != nil {
		notFound(w) // the portal works without it
		return
	}
	address, _ := json.Marshal(offlinePagePath + "?locale=" + locale)
	version := sha256.Sum256(page)
	h := w.Header()
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", "default-src 'none'; connect-src 'self'") // it fetches the pages that are opened
	_, _ = w.Write([]byte(strings.NewReplacer("PAGE", string(address), "VERSION", hex.EncodeToString(version[:8])).Replace(offlineWorker)))
}
