package portal

import (
	"cmp"
	"encoding/json"
	"html"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/http/assets"
	"github.com/wattle-portal/wattle/core/internal/http/web"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
)

// DemoLabel is one label on the start page of the demo.
type DemoLabel struct {
	DemoAddress
	Key   string            `json:"key"`
	Name  string            `json:"name"`
	Live  *DemoAddress      `json:"live" doc:"For a label that has moved: what its customers see, without a form"`
	Kind  label.Kind        `json:"kind"`
	Theme map[string]string `json:"theme" doc:"Roles of the theme as hex"`
	Logo  string            `json:"logo"`
	// Illustration is the photo next to the sign-in form, or the drawing on the primary color; null if the label has none.
	Illustration *string `json:"illustration"`
}

// DemoAddress is the address of a label of the demo on this machine.
type DemoAddress struct {
	Host string `json:"host"`
	URL  string `json:"url"`
}

// page writes index.html for the label that owns the host. The page is never cached and has no ETag: a 304 would combine an old nonce with
// a new policy.
func (p *Portal) page(w http.ResponseWriter, r *http.Request) {
	front := p.Assets.Front()
	host := label.NormalHost(r.Host)
	l := p.Labels.ByHost(host)
	var content any
	if l != nil {
		content = p.answer(l, host, "")
	} else {
		n := NoLabelAnswer{Contract: Contract, Build: front.Build, Demo: p.Demo, Now: p.Clock.Now().Truncate(time.Second)}
		if p.Demo && isThisMachine(host) {
			n.Labels = p.demoLabels(r)
		}
		content = n
	}
	data, err := json.Marshal(content)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		p.Log.Error("the portal answer cannot be written", "error", err)
		return
	}
	nonce := token.Random(16)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", securityPolicy(nonce))
	status, body := http.StatusOK, ""
	if front.Build == "" {
		status, body = http.StatusServiceUnavailable, unbuiltPage(nonce)
	} else {
		body = p.indexHTML(front, l, r.URL.Path == "/", web.Locale(r), nonce, string(data))
	}
	h.Add("Vary", "Accept-Language")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(body))
	}
}

func securityPolicy(nonce string) string {
	n := "'nonce-" + nonce + "'"
	return "default-src 'none'; script-src 'self' " + n + "; style-src 'self' " + n +
		"; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// indexHTML returns the HTML of the page; isFirst is true for the sign-in path. data is JSON without < and >, as encoding/json writes it.
func (p *Portal) indexHTML(front *assets.Front, l *label.Label, isFirst bool, locale, nonce, data string) string {
	title, icon, css, color := "Wattle", "", "", ""
	var fonts []string
	shipped := true
	if l != nil {
		title, icon, css, color = l.Style.PageTitle, l.AssetURL("favicon"), l.Theme.CSS, l.Theme.Roles["header"]
		if own := l.AssetURL("font"); own != "" {
			fonts, shipped = append(fonts, own), false
		}
	}
	if shipped {
		for _, family := range slices.Sorted(maps.Keys(front.Fonts)) {
			url := front.Fonts[family]
			fonts = append(fonts, url)
			css = `@font-face{font-family:"` + family + `";src:url("` + url + `") format("woff2");font-weight:300 800;font-display:swap}` + css
		}
	}
	var b strings.Builder
	add := func(parts ...string) {
		for _, s := range parts {
			b.WriteString(s)
		}
		b.WriteByte('\n')
	}
	add(`<!doctype html>`)
	add(`<html lang="`, locale, `">`)
	add(`<head>`)
	add(`<meta charset="utf-8">`)
	add(`<title>`, html.EscapeString(title), `</title>`)
	add(`<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">`)
	add(`<meta name="description" content="`, html.EscapeString(title), `">`)
	if color != "" {
		add(`<meta name="theme-color" content="`, html.EscapeString(color), `">`)
	}
	add(`<meta property="csp-nonce" nonce="`, nonce, `" content="`, nonce, `">`)
	if icon != "" {
		add(`<link rel="icon" type="image/svg+xml" href="`, html.EscapeString(icon), `">`)
	} else {
		add(`<link rel="icon" href="data:,">`)
	}
	if l != nil {
		add(`<link rel="manifest" href="`, manifestPath, `">`)
		if touch := l.AssetURL("app-icon"); touch != "" {
			add(`<link rel="apple-touch-icon" href="`, html.EscapeString(touch), `">`)
		}
	}
	for _, url := range fonts {
		add(`<link rel="preload" as="font" type="font/woff2" crossorigin href="`, html.EscapeString(url), `">`)
	}
	if css != "" {
		// The browser's default margin would make the page jump when the styles of the shell arrive.
		add(`<style nonce="`, nonce, `">body{margin:0}`, strings.ReplaceAll(css, "</", `<\/`), `</style>`)
	}
	if isFirst && l != nil {
		// Otherwise the browser finds the picture only when sign-in is rendered, and the largest part of a phone's first view arrives last.
		if url := l.AssetURL("illustration"); url != "" {
			media := ""
			if l.PictureURLs("photo")["sign_in"] != "" {
				media = ` media="(max-width: 959px)"`
			}
			add(`<link rel="preload" as="image" href="`, html.EscapeString(url), `"`, media, `>`)
		}
	}
	for _, url := range front.Preload {
		add(`<link rel="modulepreload" href="`, html.EscapeString(url), `">`)
	}
	for _, url := range front.Entry {
		add(`<script type="module" src="`, html.EscapeString(url), `"></script>`)
	}
	if p.Dev {
		add(`<script nonce="`, nonce, `">new EventSource("/dev/reload").addEventListener("reload",()=>location.reload())</script>`)
	}
	add(`<script type="application/json" id="portal">`, data, `</script>`)
	add(`</head>`)
	add(`<body>`)
	add(`<div id="root"></div>`)
	add(`<noscript>`, html.EscapeString(noscript(l, locale)), `</noscript>`)
	add(`</body>`)
	add(`</html>`)
	return b.String()
}

func noscript(l *label.Label, locale string) string {
	phone := ""
	if l != nil {
		phone = l.Info.Phone
	}
	switch {
	case locale == "en" && phone != "":
		return "This portal needs JavaScript. Switch it on in your browser, or call us: " + phone + "."
	case locale == "en":
		return "This portal needs JavaScript. Switch it on in your browser."
	case phone != "":
		return "Dit portaal werkt met JavaScript. Zet het aan in je browser, of bel ons: " + phone + "."
	}
	return "Dit portaal werkt met JavaScript. Zet het aan in je browser."
}

// unbuiltPage returns the page of a program that was built without a front end.
func unbuiltPage(nonce string) string {
	return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>No front end</title><link rel="icon" href="data:,">
<style nonce="` + nonce + `">body{font:16px/1.5 sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style></head>
<body><main><h1>This program was built without its front end</h1>
<p>The calls under <code>/api/v0</code> work. For the pages, run <code>make build</code> and start <code>bin/wattle serve</code>, or point <code>--front</code> at a folder with a built front end.</p></main></body>
</html>
`
}

// isThisMachine reports whether a host is this machine itself, as opposed to a label's host name below localhost.
func isThisMachine(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// demoLabels returns the labels of the demo, each with an address that works on this machine.
func (p *Portal) demoLabels(r *http.Request) []DemoLabel {
	cards := []DemoLabel{}
	for _, l := range p.Labels.All() {
		form, live := localHosts(l)
		if form == "" {
			continue
		}
		c := DemoLabel{DemoAddress: demoAddress(r, form), Key: l.Key, Name: l.Info.Name, Kind: l.Kind, Logo: l.AssetURL("logo"),
			Illustration: optional(cmp.Or(l.PictureURLs("photo")["sign_in"], l.AssetURL("illustration"))), Theme: map[string]string{}}
		if live != "" {
			at := demoAddress(r, live)
			c.Live = &at
		}
		for _, role := range []string{"header", "on-header", "primary", "on-primary", "accent", "tint", "page", "surface", "text", "line"} {
			c.Theme[role] = l.Theme.Roles[role]
		}
		cards = append(cards, c)
	}
	return cards
}

// demoAddress returns the address of a host at the port of the request.
func demoAddress(r *http.Request, host string) DemoAddress {
	scheme, at := "http", host
	if scope.ClientOf(r.Context()).Secure {
		scheme = "https"
	}
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		at = net.JoinHostPort(host, port)
	}
	return DemoAddress{host, scheme + "://" + at}
}

// localHosts returns the hosts of a label that every browser resolves to this machine: the first with a sign-in form and, for a label that
// has moved, the first without a form.
func localHosts(l *label.Label) (form, live string) {
	for _, h := range l.Hosts {
		switch moved := l.Migrated != nil && !l.Migrated.Form && !h.Test; {
		case !strings.HasSuffix(h.Name, ".localhost"):
		case moved && live == "":
			live = h.Name
		case !moved && form == "":
			form = h.Name
		}
	}
	if form == "" { // nobody can sign in to this label in the demo, but it can be visited
		form, live = live, ""
	}
	return form, live
}
