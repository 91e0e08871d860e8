// Package label compiles labels from CUE, keeps them live while their files change, and answers which label a call is for.
package label

import (
	"context"
	"encoding/json"
	"time"

	"github.com/wattle-portal/wattle/core/internal/mapping"
	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/internal/theme"
)

// Label is one compiled brand. It is immutable: a changed file makes a new one.
type Label struct {
	Key           string                       `json:"label_key"`
	URL           string                       `json:"url"` // for links in mail, payment and webhooks; never taken from a header. A demo puts its own port in it (Store.ServeAt)
	Hosts         []Host                       `json:"hosts"`
	Kind          Kind                         `json:"kind"`
	Zone          string                       `json:"zone"`
	Identity      Identity                     `json:"identity"`
	Style         Style                        `json:"style"`
	Info          Info                         `json:"info"`
	Migrated      *Migrated                    `json:"migrated,omitempty"`
	PrivacyURL    string                       `json:"privacy_and_cookie_url,omitempty"`
	Accessibility Accessibility                `json:"accessibility"`
	LogoutURL     string                       `json:"logout_redirect_url,omitempty"`
	GATrackingID  string                       `json:"ga_tracking_id,omitempty"` // kept for the API only: no analytics call is ever made
	Security      Security                     `json:"security"`
	HSTS          HSTS                         `json:"hsts"`
	Impersonation Impersonation                `json:"impersonation"`
	Changes       Changes                      `json:"changes"`
	Modules       map[string]json.RawMessage   `json:"modules"` // settings by module key; presence means on
	Slots         map[string]Slot              `json:"slots,omitempty"`
	Menu          Menu                         `json:"menu"`
	Imports       map[string]*mapping.Mapping  `json:"imports,omitempty"`  // how files of others become records, by name
	Messages      map[string]map[string]string `json:"messages,omitempty"` // locale -> message id -> this label's own text

	// Filled in by the compiler.
	Revision string                     `json:"-"` // hash of all that the label consists of
	Schema   string                     `json:"-"` // hash of the schema of core and of the modules that it names
	Missing  []string                   `json:"-"` // modules that it names and goes on without, because their plugin is not running
	Dir      string                     `json:"-"` // its folder
	Assets   map[string]Asset           `json:"-"` // by file name, only those that the style names
	Location *time.Location             `json:"-"`
	Theme    Theme                      `json:"-"`
	Settings map[string]*scope.Settings `json:"-"` // one per module, decoded once per revision
	hostAt   []place                    // of Hosts, for problems between labels
	sources  Files                      // without the assets
}

// Host is a host name that belongs to exactly one label. A test host is one that says so, never one whose name looks like it.
type Host struct {
	Name string `json:"name"`
	Test bool   `json:"test"`
}

// Kind decides landing page and main menu (1-label-type). Which labels are of which kind is configuration
// (1-participant-label-list).
type Kind string

// Kinds of label.
const (
	KindParticipant Kind = "participant" // lands on /account
	KindCustomer    Kind = "customer"    // lands on /dashboard
)

// Landing is the page on which a signed-in user of this kind of label lands.
func (k Kind) Landing() string {
	if k == KindParticipant {
		return "/account"
	}
	return "/dashboard"
}

// Identity names the identity provider of a label.
type Identity struct {
	Provider              string `json:"provider"` // "local" or "cognito"
	Region                string `json:"region,omitempty"`
	UserPoolID            string `json:"user_pool_id,omitempty"`
	ClientID              string `json:"client_id,omitempty"`
	Issuer                string `json:"issuer,omitempty"`
	Endpoint              string `json:"endpoint,omitempty"` // cognito: another server that speaks its protocol
	AuthorizationEndpoint string `json:"authorization_endpoint,omitempty"`
	LogoutEndpoint        string `json:"logout_endpoint,omitempty"`
	RevokeTokenEndpoint   string `json:"revoke_token_endpoint,omitempty"`
	ClientSecret          string `json:"client_secret,omitempty"` // name of a --secret-file entry or environment variable, never the secret
}

// Style is what an operator says of the looks; Theme is what is computed out of it.
type (
	Style = theme.Style
	Theme = theme.Theme
)

// Info is how customers reach the label.
type Info struct {
	Name    string `json:"name"`
	Email   string `json:"email"`
	Phone   string `json:"phone_number"`
	Opening []Hour `json:"opening_hours"`
}

// Hour is one line of the opening hours; From and To are HH:MM, empty when closed. Days lists ISO weekdays (1 is Monday).
type Hour struct {
	Text string `json:"text"`
	From string `json:"from"`
	To   string `json:"to"`
	Days []int  `json:"days,omitempty"`
}

// Migrated says that customers of the label have moved to another portal.
type Migrated struct {
	URL  string `json:"url"`
	Name string `json:"name"`
	// Form keeps the sign-in form beside the message on live hosts too. On a test host it is always there.
	Form bool `json:"form"`
}

// Accessibility is what the label says in its statement (1-label-accessibility).
type Accessibility struct {
	Status string `json:"status"`           // "full", "partial" or "none": how far the portal meets EN 301 549
	Tested string `json:"tested,omitempty"` // civil date; empty: when this version of the product was tested
	URL    string `json:"url,omitempty"`    // the label's own statement, in the place of the portal's
}

// Security says where a weakness in the portal is reported (9-security-txt).
type Security struct {
	Contact string `json:"contact,omitempty"` // https: or mailto: address; empty: the label's e-mail address
	Policy  string `json:"policy,omitempty"`  // page that says how reports are handled
}

// HSTS is what a label adds to Strict-Transport-Security (9-hsts).
type HSTS struct {
	IncludeSubdomains bool `json:"include_subdomains"`
}

// Impersonation lists the writes (operation ids, "account.changePhone") that an impersonator may do. Empty by default.
type Impersonation struct {
	Allow    []string `json:"allow"`
	Referrer []string `json:"referrers"` // origins of support tools that may start one
}

// Changes lets kinds of change request be processed without a person.
type Changes struct {
	Auto map[string]string `json:"auto"` // kind -> delay as a Go duration
}

// Slot orders or hides what remotes put into it; ids are "<remote>.<item>".
type Slot struct {
	Order []string `json:"order,omitempty"`
	Hide  []string `json:"hide,omitempty"`
}

// Menu says which of the items that the main menu leaves out by default stand in it; ids are "<remote>.<item>".
type Menu struct {
	Show []string `json:"show,omitempty"`
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

// Source answers from an atomic snapshot, without a lock and without allocation.
type Source interface {
	ByHost(host string) *Label // normalised: no port, lower case, no trailing dot, IDNA; nil when no label owns it
	ByKey(key string) *Label
	All() []*Label // ordered by key
}

type ctxKey struct{}

// With puts the label of a call into its context.
func With(ctx context.Context, l *Label) context.Context { return context.WithValue(ctx, ctxKey{}, l) }

// Of returns the label of a call, or nil.
func Of(ctx context.Context) *Label {
	l, _ := ctx.Value(ctxKey{}).(*Label)
	return l
}
