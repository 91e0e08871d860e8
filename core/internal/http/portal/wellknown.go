package portal

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

const manifestPath = "/manifest.webmanifest"

// securityLifetime is how long security.txt is valid; RFC 9116 recommends less than a year.
const securityLifetime = 180 * 24 * time.Hour

// labelOfHost returns the label that owns the host of a request, or nil.
func (p *Portal) labelOfHost(r *http.Request) *label.Label {
	return p.Labels.ByHost(label.NormalHost(r.Host))
}

func writeText(w http.ResponseWriter, lines ...string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write([]byte(strings.Join(lines, "\n") + "\n"))
}

// robots allows search engines the public pages of a live host, and nothing else (9-robots).
func (p *Portal) robots(w http.ResponseWriter, r *http.Request) {
	l := p.labelOfHost(r)
	if l == nil || l.IsTestHost(r.Host) {
		writeText(w, "User-agent: *", "Disallow: /")
		return
	}
	writeText(w, "User-agent: *", "Disallow: /api/")
}

// securityText serves security.txt, which says where to report a vulnerability (9-security-txt, RFC 9116).
func (p *Portal) securityText(w http.ResponseWriter, r *http.Request) {
	l := p.labelOfHost(r)
	if l == nil {
		notFound(w)
		return
	}
	contact := l.Security.Contact
	if contact == "" {
		contact = "mailto:" + l.Info.Email
	}
	expires := p.Clock.Now().UTC().Truncate(24 * time.Hour).Add(securityLifetime)
	lines := []string{"Contact: " + contact, "Expires: " + expires.Format(time.RFC3339), "Preferred-Languages: nl, en",
		"Canonical: " + l.URL + "/.well-known/security.txt"}
	if l.Security.Policy != "" {
		lines = append(lines, "Policy: "+l.Security.Policy)
	}
	writeText(w, lines...)
}

// passwordOverlay is the overlay in which a customer changes the password (2.3-overlay-change-password).
const passwordOverlay = "change-account-password"

// changePassword redirects a password manager to the form for changing the password (9-change-password-url,
// https://w3c.github.io/webappsec-change-password-url/). It returns 404 if the label has no such form.
func (p *Portal) changePassword(w http.ResponseWriter, r *http.Request) {
	l := p.labelOfHost(r)
	if l == nil || l.Migrated != nil && !l.Migrated.Form && !l.IsTestHost(r.Host) {
		notFound(w)
		return
	}
	for _, remote := range p.compose(l, p.Assets.Front(), p.Registry.Snapshot().For(l, "")).remotes {
		var m manifest
		if json.Unmarshal(remote.Manifest, &m) != nil {
			continue
		}
		if i := slices.IndexFunc(m.Overlays, func(o overlay) bool { return o.Name == passwordOverlay }); i >= 0 {
			w.Header().Set("Cache-Control", "no-cache")
			http.Redirect(w, r, strings.TrimSuffix(m.Overlays[i].Parent, "/")+"/"+passwordOverlay, http.StatusFound)
			return
		}
	}
	notFound(w)
}

// webManifest describes the label on a phone's home screen (9-web-manifest). Its window has a back button, because payments leave the
// portal and return.
type webManifest struct {
	Name       string    `json:"name"`
	ShortName  string    `json:"short_name"`
	Lang       string    `json:"lang"`
	ID         string    `json:"id"`
	StartURL   string    `json:"start_url"`
	Scope      string    `json:"scope"`
	Display    string    `json:"display"`
	ThemeColor string    `json:"theme_color"`
	Background string    `json:"background_color"`
	Icons      []webIcon `json:"icons"`
}

type webIcon struct {
	Src   string `json:"src"`
	Sizes string `json:"sizes"`
	Type  string `json:"type"`
}

func (p *Portal) manifest(w http.ResponseWriter, r *http.Request) {
	l := p.labelOfHost(r)
	if l == nil {
		notFound(w)
		return
	}
	m := webManifest{Name: l.Style.PageTitle, ShortName: l.Info.Name, Lang: "nl", ID: "/", StartURL: "/", Scope: "/", Display: "minimal-ui",
		ThemeColor: l.Theme.Roles["header"], Background: l.Theme.Roles["page"],
		Icons: []webIcon{{l.AssetURL("favicon"), "any", "image/svg+xml"}}}
	if icon, err := l.AssetOf("app-icon"); err == nil {
		m.Icons = append(m.Icons, webIcon{l.AssetURL("app-icon"), fmt.Sprintf("%dx%[1]d", icon.Side), icon.Type})
	}
	w.Header().Set("Content-Type", "application/manifest+json")
	w.Header().Set("Cache-Control", "no-cache")
	_ = json.NewEncoder(w).Encode(m)
}
