// Package portal serves the data that the browser needs at start: the label that owns the host, its colors and texts, its remotes, and the
// requirements of their operations. The browser gets the data from GET /portal, and inlined in index.html.
package portal

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/http/assets"
	"github.com/wattle-portal/wattle/core/internal/http/docsite"
	"github.com/wattle-portal/wattle/core/internal/http/web"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/contract"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/module"
)

// Contract is the version of the portal response and of remote.json.
const Contract = int(contract.Current)

// Deps are the dependencies of Portal.
type Deps struct {
	Registry *registry.Registry
	Labels   label.Source
	Assets   *assets.Store
	Clock    *clock.Clock
	Demo     bool
	Dev      bool         // pages reload when the front end changes
	Mailbox  http.Handler // the demo's mailbox, at /dev/mailbox; nil: none
	// Impersonate is the demo's tool for impersonation, at /dev/impersonate; nil: none.
	Impersonate http.Handler
	// SignIn signs in as a person of the demo, at /dev/sign-in; nil: no such sign-in.
	SignIn http.Handler
	Log    *slog.Logger
}

// Portal serves pages and labels.
type Portal struct {
	Deps
	docs         *docsite.Site
	mu           sync.Mutex
	compositions compositionCache
}

// New returns a portal.
func New(d Deps) *Portal { return &Portal{Deps: d, docs: docsite.Embedded()} }

// Answer is the data that the shell needs at start for one host.
type Answer struct {
	Contract   int                          `json:"contract" doc:"Version of this response"`
	Build      string                       `json:"build" doc:"Hash of the front end"`
	Canary     bool                         `json:"canary" doc:"Whether some customers of the label get other versions of remotes, settings and operations, which the response to a call with their token contains"`
	Demo       bool                         `json:"demo" doc:"Whether this is a demo"`
	Now        time.Time                    `json:"now" doc:"Time of the server's clock"`
	Zone       string                       `json:"zone" doc:"IANA name of the label's time zone"`
	Label      *Label                       `json:"label" doc:"The label of the host"`
	Remotes    []Remote                     `json:"remotes" doc:"Browser parts of the modules of the label"`
	Slots      map[string]label.Slot        `json:"slots" doc:"Order and hidden items of slots that this label configures, by slot"`
	Pages      []PageLink                   `json:"pages" doc:"Legal and help pages of the label, in the order of their links"`
	Menu       label.Menu                   `json:"menu" doc:"Items of the main menu that this label configures"`
	Projects   map[string]Project           `json:"projects" doc:"How this label presents projects, by project code"`
	Settings   map[string]json.RawMessage   `json:"settings" doc:"Settings for the browser, by module"`
	Messages   map[string]map[string]string `json:"messages" doc:"The label's own texts, by locale and message id"`
	Operations map[string]Operation         `json:"operations" doc:"Operations by module and operation id, such as account.changePhone"`
	Session    *identity.Session            `json:"session" doc:"Session of the token of the call; null without one"`
}

// Project is the presentation of a project by a label.
type Project struct {
	Picture *string `json:"picture" doc:"Path of a drawing or photo; null: none"`
}

// PageLink describes a legal or help page of the label at /pages/<slug>; GET /pages/{slug} returns its text.
type PageLink struct {
	Slug   string            `json:"slug" doc:"Slug of the page"`
	Title  map[string]string `json:"title" doc:"Title by locale"`
	Public bool              `json:"public" doc:"Whether the page is readable without a session"`
	Place  string            `json:"place" enum:"footer,menu,help,link" doc:"Where its link is shown: in the footer, the main menu or the help list, or only in texts that link to it"`
}

// NoLabelAnswer is the response for a host without a label: empty, or with the labels of the demo.
type NoLabelAnswer struct {
	Contract int         `json:"contract"`
	Build    string      `json:"build"`
	Demo     bool        `json:"demo"`
	Now      time.Time   `json:"now"`
	Label    *Label      `json:"label"` // null
	Labels   []DemoLabel `json:"labels,omitempty"`
}

// Label is the part of a label that the browser needs.
type Label struct {
	Key        string       `json:"key" doc:"Key of the label"`
	Name       string       `json:"name" doc:"Name of the label"`
	Kind       label.Kind   `json:"kind" enum:"participant,customer" doc:"Determines the landing page and the main menu: for participants in projects, or for customers of a supplier"`
	Landing    string       `json:"landing" doc:"Path of the page that opens after sign-in"`
	PageTitle  string       `json:"page_title" doc:"Title of the browser window"`
	Email      string       `json:"email" doc:"E-mail address of customer service"`
	Phone      string       `json:"phone" doc:"Phone number of customer service"`
	Hours      []label.Hour `json:"hours" doc:"Opening hours of customer service"`
	PrivacyURL *string      `json:"privacy_url" doc:"Address of the privacy statement; null: none"`
	// Accessibility is the label's statement about the accessibility of its portal.
	Accessibility Accessibility `json:"accessibility" doc:"What the label states about the accessibility of its portal"`
	LogoutURL     *string       `json:"logout_url" doc:"Address that opens after signing out; null: the sign-in page"`
	Logo          string        `json:"logo" doc:"Path of the logo"`
	LogoOnHeader  *string       `json:"logo_on_header" doc:"Path of the logo for the header; null: logo"`
	Illustration  *string       `json:"illustration" doc:"Path of the drawing next to the sign-in form; null: that of the portal"`
	// Illustrations contains the label's own drawings. For missing ones the portal's drawings are used, except for dashboard, which has
	// none.
	Illustrations map[string]string `json:"illustrations" doc:"Paths of the label's own drawings, by name: dashboard, empty, error, sent, mill, sun, house"`
	Photos        map[string]string `json:"photos" doc:"Paths of the label's photos, by place: sign_in, dashboard, account"`
	// HeaderStyle is the style of the header on signed-in pages.
	HeaderStyle string    `json:"header_style" enum:"plain,filled,centered" doc:"filled: the header has the primary color; centered: from 768 px the logo is in the middle and the menu below it"`
	Favicon     string    `json:"favicon" doc:"Path of the icon of the browser tab"`
	Migrated    *Migrated `json:"migrated" doc:"Portal to which customers have moved; null: they have not"`
	Promo       *Promo    `json:"promo" doc:"The promo of today; null: none"`
}

// Accessibility is the content of a label's statement at /accessibility.
type Accessibility struct {
	Status string  `json:"status" enum:"full,partial,none" doc:"How far the portal meets EN 301 549"`
	Tested *string `json:"tested" doc:"When the label was tested; null: the test date of this version applies"`
	URL    *string `json:"url" doc:"The label's own statement, which replaces that of the portal"`
}

// Migrated is the portal to which customers of the label have moved (1-migrated-link-target).
type Migrated struct {
	URL  string `json:"url" doc:"Address of that portal"`
	Name string `json:"name" doc:"Name of that portal"`
	Form bool   `json:"form" doc:"Whether customers can still sign in here; always true on a test host"`
	// Present only in the demo: a live host does not reveal the test host to its customers.
	TestHost *string `json:"test_host,omitempty" doc:"In the demo: the label's host with the sign-in form"`
}

// Remote is the front-end part of a module, with its manifest.
type Remote struct {
	Key      string          `json:"key" doc:"Key of the module"`
	Entry    string          `json:"entry" doc:"URL of the entry script of the remote"`
	Manifest json.RawMessage `json:"manifest" doc:"Manifest of the remote: remote.json"`
}

// Operation describes what an operation requires from its caller.
type Operation struct {
	Access        module.Access `json:"access" enum:"public,customer,staff,key" doc:"Who may call it"`
	Effect        module.Effect `json:"effect" enum:"read,write" doc:"Whether it changes data"`
	Impersonation bool          `json:"impersonation" doc:"Whether this label lets an impersonator call the operation"`
}

// Routes registers the operations that work without a login.
func (p *Portal) Routes(api huma.API) {
	type out struct{ Body Answer }
	module.Route(api, huma.Operation{OperationID: "portal", Method: http.MethodGet, Path: "/portal",
		Summary:     "Get what the shell needs at start for this host",
		Description: "For everybody. The label of the host, its remotes, settings, texts and operations, and the session when the call carries a valid token. 404 unknown_label when no label owns the host."}, module.Public, module.Read,
		func(ctx context.Context, _ *struct{}) (*out, error) {
			c, ok := web.ClaimsOf(ctx)
			a := p.answer(label.Of(ctx), web.HostOf(ctx), c.Relation)
			if ok {
				session := c.Info()
				a.Session = &session
			}
			return &out{a}, nil
		})
	type document struct {
		ContentType string `header:"Content-Type"`
		Body        []byte
	}
	module.Route(api, huma.Operation{OperationID: "openapi", Method: http.MethodGet, Path: "/openapi.json",
		Summary:     "Get the OpenAPI document of all modules",
		Description: "For everybody, on every host. It contains the operations of all modules that run, except those for modules only.",
		Responses: map[string]*huma.Response{"200": {Description: "An OpenAPI 3.1 document",
			Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}}}}},
		Extensions: map[string]any{registry.ExtLabel: "optional"}}, module.Public, module.Read,
		func(context.Context, *struct{}) (*document, error) {
			return &document{"application/json", p.Registry.Snapshot().OpenAPI()}, nil
		})
	p.labelRoutes(api)
	p.pageRoute(api)
}

// answer returns the portal response for a label on one of its hosts: for a customer, or for everybody else if customer is empty. It
// contains no session.
func (p *Portal) answer(l *label.Label, host, customer string) Answer {
	running := p.Registry.Snapshot().For(l, customer)
	composed := p.compose(l, p.Assets.Front(), running)
	a := Answer{Contract: Contract, Build: composed.build, Canary: l.HasCanary(), Demo: p.Demo, Now: p.Clock.Now().Truncate(time.Second),
		Zone: l.Zone, Label: p.browserLabel(l, host), Slots: l.Slots, Menu: l.Menu, Remotes: composed.remotes,
		Projects: map[string]Project{}, Settings: map[string]json.RawMessage{}, Messages: map[string]map[string]string{"nl": {}, "en": {}},
		Operations: map[string]Operation{}}
	a.Pages = make([]PageLink, len(l.Pages))
	for i, p := range l.Pages {
		a.Pages[i] = PageLink{p.Slug, p.Title, p.Public, p.Place}
	}
	if a.Slots == nil {
		a.Slots = map[string]label.Slot{}
	}
	for code := range l.Projects {
		a.Projects[code] = Project{optional(l.ProjectPictureURL(code))}
	}
	for locale, texts := range l.BrowserMessages {
		a.Messages[locale] = texts
	}
	for key, raw := range l.Modules {
		m, ok := running.Modules[key]
		if !ok || m.Browser == nil {
			continue
		}
		settings, err := m.Browser(raw)
		if err != nil { // the settings match the schema, so the module's type does not match its schema
			p.Log.Error("the browser receives no settings of a module", "label", l.Key, "module", key, "error", err)
			continue
		}
		a.Settings[key] = settings
	}
	for _, op := range running.Operations() {
		if _, on := l.Modules[op.Module]; op.Access != module.Sibling && (on || op.Module == registry.Core) {
			a.Operations[op.Name()] = Operation{op.Access, op.Effect, op.MayImpersonate(l)}
		}
	}
	return a
}

func (p *Portal) browserLabel(l *label.Label, host string) *Label {
	b := &Label{Key: l.Key, Name: l.Info.Name, Kind: l.Kind, Landing: l.Landing(), PageTitle: l.Style.PageTitle,
		Email: l.Info.Email, Phone: l.Info.Phone, Hours: l.Info.Opening, PrivacyURL: optional(l.PrivacyURL), LogoutURL: optional(l.LogoutURL),
		Logo: l.AssetURL("logo"), LogoOnHeader: optional(l.AssetURL("logo-on-header")), Illustration: optional(l.AssetURL("illustration")),
		Illustrations: l.PictureURLs("illustration"), Photos: l.PictureURLs("photo"),
		Favicon: l.AssetURL("favicon"), HeaderStyle: cmp.Or(l.Style.HeaderStyle, "plain"), Promo: p.promo(l),
		Accessibility: Accessibility{l.Accessibility.Status, optional(l.Accessibility.Tested), optional(l.Accessibility.URL)}}
	if m := l.Migrated; m != nil {
		b.Migrated = &Migrated{URL: m.URL, Name: m.Name, Form: m.Form || l.IsTestHost(host)}
		for _, h := range l.Hosts {
			if p.Demo && h.Test {
				b.Migrated.TestHost = &h.Name
				break
			}
		}
	}
	if b.Hours == nil {
		b.Hours = []label.Hour{}
	}
	return b
}

// optional returns nil for an empty string, which JSON writes as null.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
