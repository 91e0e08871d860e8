// Package scope contains the identity on whose behalf a call runs. Only core puts a scope into a context; a module reads it through
// core/module.
package scope

import (
	"context"
	"encoding/json"
	"net/netip"
	"sync"
)

// Scope is the identity on whose behalf a call runs. Between core and a plugin it is an opaque handle that only core resolves, so a plugin
// cannot forge one.
type Scope struct {
	Label    string `json:"label"`    // label_key of the label that owns the host
	Revision string `json:"revision"` // revision of the label's settings at the time of the call
	Relation string `json:"relation"` // id of the customer's relation; empty for staff, keys, jobs and public calls
	Subject  string `json:"subject"`  // id of the account that signed in; for an impersonation the customer's account
	Role     string `json:"role"`     // one of the Role constants
	Actor    string `json:"actor"`    // the acting account: the impersonator's or staff member's, otherwise Subject
	Caller   string `json:"caller"`   // key of the module that made a sibling call; empty for a call from outside
	Locale   string `json:"locale"`   // "nl" or "en": the language of texts, never of numbers
	Zone     string `json:"zone"`     // IANA name of the label's time zone
	URL      string `json:"url"`      // URL of the label's portal, for links from outside, such as from a payment page or a webhook
	ReadOnly bool   `json:"read_only"`
}

// Roles of a scope.
const (
	RolePublic   = "public"
	RoleCustomer = "customer"
	RoleStaff    = "staff"
	RoleKey      = "key"    // a back office with an API key
	RoleSystem   = "system" // jobs, event deliveries and imports
)

// Settings decodes the settings of one module in one label revision, once per Go type.
type Settings struct {
	Raw     json.RawMessage
	decoded sync.Map // reflect.Type -> any
}

// Decoded returns the cache of decoded settings, in which core/module stores pointers.
func (s *Settings) Decoded() *sync.Map { return &s.decoded }

type (
	scopeKey    struct{}
	settingsKey struct{}
	txKey       struct{}
)

// With returns a context with the given scope and, for a call to a module, that module's settings (nil elsewhere).
func With(ctx context.Context, s Scope, settings *Settings) context.Context {
	ctx = context.WithValue(ctx, scopeKey{}, s)
	return context.WithValue(ctx, settingsKey{}, settings)
}

// Of returns the scope of a call, or the zero Scope when there is none.
func Of(ctx context.Context) Scope {
	s, _ := ctx.Value(scopeKey{}).(Scope)
	return s
}

// SettingsOf returns the settings of a call, or nil.
func SettingsOf(ctx context.Context) *Settings {
	s, _ := ctx.Value(settingsKey{}).(*Settings)
	return s
}

// InTx marks a context as that of a running transaction. Clients for siblings and external services, and a second Tx, refuse such a
// context, because they would deadlock on SQLite's single writer.
func InTx(ctx context.Context) context.Context { return context.WithValue(ctx, txKey{}, true) }

// IsTx reports whether the context belongs to a running transaction.
func IsTx(ctx context.Context) bool { return ctx.Value(txKey{}) != nil }

// Client describes the origin of a call.
type Client struct {
	IP        string // address of the caller; the proxy's header is used only behind trusted proxies
	RequestID string
	Secure    bool   // the caller used https
	UserAgent string // truncated to 200 characters
}

// Network returns the part of the address that identifies a client for limits. That is the IPv4 address, even when it is written as IPv6,
// or the first 64 bits of the IPv6 address, because one client has all addresses with these bits. An invalid address is returned unchanged.
func (c Client) Network() string {
	a, err := netip.ParseAddr(c.IP)
	if err != nil {
		return c.IP
	}
	if a = a.Unmap(); a.Is4() {
		return a.String()
	}
	p, _ := a.WithZone("").Prefix(64) // cannot fail: an IPv6 address has more than 64 bits
	return p.String()
}

type clientKey struct{}

// WithClient returns a context with the client of a call.
func WithClient(ctx context.Context, c Client) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// ClientOf returns the client of a call.
func ClientOf(ctx context.Context) Client {
	c, _ := ctx.Value(clientKey{}).(Client)
	return c
}
