// Package label compiles labels from CUE, reloads them when their files change, and finds the label of a request.
package label

import (
	"context"
	"encoding/json"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
	"github.com/wattle-portal/wattle/core/internal/labels/theme"
)

// Label is a compiled label. It is immutable: a changed file results in a new Label.
type Label struct {
	Key string `json:"label_key"`
	// for links in emails, payments and webhooks; never taken from a header. A demo adds its port (Store.ServeAt).
	URL           string                       `json:"url"`
	Hosts         []Host                       `json:"hosts"`
	Kind          Kind                         `json:"kind"`
	LandingPath   string                       `json:"landing,omitempty"` // empty: the landing page of its kind
	Zone          string                       `json:"zone"`
	Identity      Identity                     `json:"identity"`
	Style         Style                        `json:"style"`
	Info          Info                         `json:"info"`
	Migrated      *Migrated                    `json:"migrated,omitempty"`
	PrivacyURL    string                       `json:"privacy_and_cookie_url,omitempty"`
	Accessibility Accessibility                `json:"accessibility"`
	LogoutURL     string                       `json:"logout_redirect_url,omitempty"`
	GATrackingID  string                       `json:"ga_tracking_id,omitempty"` // returned by the API only, never used by the portal
	Security      Security                     `json:"security"`
	HSTS          HSTS                         `json:"hsts"`
	Impersonation Impersonation                `json:"impersonation"`
	Changes       Changes                      `json:"changes"`
	Modules       map[string]json.RawMessage   `json:"modules"` // settings by module key; a module that is present is enabled
	Slots         map[string]Slot              `json:"slots,omitempty"`
	Menu          Menu                         `json:"menu"`
	Projects      map[string]Project           `json:"projects,omitempty"` // by project code
	Pages         []Page                       `json:"pages,omitempty"`    // legal and help pages, in the order of their links
	Promos        []Promo                      `json:"promos,omitempty"`
	Plugins       map[string]Plugin            `json:"plugins,omitempty"`  // versions of plugins, by module key
	Imports       map[string]*mapping.Mapping  `json:"imports,omitempty"`  // mappings from files of other systems to records, by name
	Messages      map[string]map[string]string `json:"messages,omitempty"` // locale -> message id -> this label's own text

	// Filled in by the compiler.
	Revision string           `json:"-"` // hash of everything in the label
	Schema   string           `json:"-"` // hash of the schema of core and of the label's modules
	Missing  []string         `json:"-"` // modules of label.cue that are off because their plugin does not run
	Dir      string           `json:"-"` // its folder
	Assets   map[string]Asset `json:"-"` // by file name; only files that the label refers to
	// BrowserMessages are the Messages without the email texts, which the browser does not need.
	BrowserMessages map[string]map[string]string `json:"-"`
	Location        *time.Location               `json:"-"`
	Theme           Theme                        `json:"-"`
	Settings        map[string]*scope.Settings   `json:"-"` // by module, decoded once per revision
	hostAt          []place                      // positions of Hosts, for problems between labels
	sources         Files                        // all files except the assets
}

// Host is a host name that belongs to exactly one label. Whether it is a test host is configured and not derived from its name.
type Host struct {
	Name string `json:"name"`
	Test bool   `json:"test"`
}

// Kind determines the landing page and the main menu (1-label-type). It is part of the configuration of a label (1-participant-label-list).
type Kind string

// The label kinds.
const (
	KindParticipant Kind = "participant" // landing page /account
	KindCustomer    Kind = "customer"    // landing page /dashboard
)

// Landing returns the path of the page that users see after they sign in.
func (k Kind) Landing() string {
	if k == KindParticipant {
		return "/account"
	}
	return "/dashboard"
}

// Landing returns the path of the page that users see after they sign in: the label's own, else that of its kind (9-label-landing).
func (l *Label) Landing() string {
	if l.LandingPath != "" {
		return l.LandingPath
	}
	return l.Kind.Landing()
}

// Identity configures the identity provider of a label.
type Identity struct {
	Provider              string `json:"provider"` // "local" or "cognito"
	Region                string `json:"region,omitempty"`
	UserPoolID            string `json:"user_pool_id,omitempty"`
	ClientID              string `json:"client_id,omitempty"`
	Issuer                string `json:"issuer,omitempty"`
	Endpoint              string `json:"endpoint,omitempty"` // with "cognito": URL of another server with the same protocol
	AuthorizationEndpoint string `json:"authorization_endpoint,omitempty"`
	LogoutEndpoint        string `json:"logout_endpoint,omitempty"`
	RevokeTokenEndpoint   string `json:"revoke_token_endpoint,omitempty"`
	ClientSecret          string `json:"client_secret,omitempty"` // name of a --secret-file entry or environment variable, never the secret
}

// Style is the configured appearance of a label; Theme is computed from it.
type (
	Style = theme.Style
	Theme = theme.Theme
)

// Info contains the contact details of the label.
type Info struct {
	Name    string `json:"name"`
	Email   string `json:"email"`
	Phone   string `json:"phone_number"`
	Opening []Hour `json:"opening_hours"`
}

// Hour is one line of the opening hours; From and To are HH:MM, empty if closed. Days lists ISO weekdays (1 is Monday).
type Hour struct {
	Text string `json:"text" doc:"Name of the line, such as Monday to Friday"`
	From string `json:"from" doc:"Time of opening as HH:MM; empty: closed"`
	To   string `json:"to" doc:"Time of closing as HH:MM; empty: closed"`
	Days []int  `json:"days,omitempty" doc:"ISO weekdays of the line, 1 is Monday; absent: not known"`
}

// Migrated is set when customers of the label have moved to another portal.
type Migrated struct {
	URL  string `json:"url"`
	Name string `json:"name"`
	// Form also shows the sign-in form next to the message on live hosts. Test hosts always show it.
	Form bool `json:"form"`
}

// Accessibility is the label's part of the accessibility statement (1-label-accessibility).
type Accessibility struct {
	Status string `json:"status"`           // conformance of the portal with EN 301 549: "full", "partial" or "none"
	Tested string `json:"tested,omitempty"` // civil date; empty: the date on which this version of the product was tested
	URL    string `json:"url,omitempty"`    // URL of the label's own statement, instead of the portal's
}

// Security contains the contact for vulnerability reports (9-security-txt).
type Security struct {
	Contact string `json:"contact,omitempty"` // https: or mailto: address; empty: the label's email address
	Policy  string `json:"policy,omitempty"`  // page with the policy for vulnerability reports
}

// HSTS contains the label's additions to Strict-Transport-Security (9-hsts).
type HSTS struct {
	IncludeSubdomains bool `json:"include_subdomains"`
}

// Impersonation lists the write operations (such as "account.changePhone") that are allowed during impersonation; none by default.
type Impersonation struct {
	Allow    []string `json:"allow"`
	Referrer []string `json:"referrers"` // origins of support tools that may start an impersonation
}

// Changes configures which kinds of change requests are processed automatically.
type Changes struct {
	Auto map[string]string `json:"auto"` // kind -> delay as a Go duration
}

// Slot orders or hides the items that remotes add to a slot; ids are "<remote>.<item>".
type Slot struct {
	Order []string `json:"order,omitempty" doc:"Ids of items in the order of the label; the others follow"`
	Hide  []string `json:"hide,omitempty" doc:"Ids of items that the label hides"`
}

// Menu configures the main menu; ids are "<remote>.<item>".
type Menu struct {
	Show  []string `json:"show,omitempty" doc:"Items that are hidden by default and shown for this label"`
	Bar   []string `json:"bar,omitempty" doc:"Items that come first in the bar at the bottom of a phone"`
	Order []string `json:"order,omitempty" doc:"Items that come first in the menu"`
	Hide  []string `json:"hide,omitempty" doc:"Items that are not in the menu; their pages exist"`
}

// Project is the presentation of a project in the portal.
type Project struct {
	Picture string `json:"picture,omitempty"` // file in assets/
}

// IsTestHost reports whether the host is one of the label's test hosts (1-test-host-rule).
func (l *Label) IsTestHost(host string) bool {
	host = NormalHost(host)
	for _, h := range l.Hosts {
		if h.Name == host {
			return h.Test
		}
	}
	return false
}

// Source looks up labels without a lock and without allocation.
type Source interface {
	ByHost(host string) *Label // accepts any form of a host, see NormalHost; nil when the host belongs to no label
	ByKey(key string) *Label
	All() []*Label // ordered by key
}

type ctxKey struct{}

// With returns a context with the label of a request.
func With(ctx context.Context, l *Label) context.Context { return context.WithValue(ctx, ctxKey{}, l) }

// Of returns the label of a request, or nil.
func Of(ctx context.Context) *Label {
	l, _ := ctx.Value(ctxKey{}).(*Label)
	return l
}
