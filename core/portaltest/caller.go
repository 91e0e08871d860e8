package portaltest

import (
	"net/http"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
)

// Password is the password of the accounts that SignIn creates.
const Password = "Proefpersoon1"

// Roles of an account.
const (
	RoleCustomer     = identity.Customer
	RoleStaff        = identity.Staff
	RoleImpersonator = identity.ImpersonatorRole
)

// Account is an account of a label.
type Account struct {
	Label    string
	Relation string // empty for staff
	Username string
	Email    string
	Name     string
	Locale   string // "nl" when empty
	Role     string // RoleCustomer when empty
}

// Caller makes calls with the identity of an account or API key.
type Caller struct {
	*Portal
	Host     string // host name of the label
	Bearer   string // id token or API key; empty: not signed in
	Relation string // of the customer; empty for staff
}

// Do makes a call; body is sent as JSON unless it is a string.
func (c Caller) Do(method, path string, body any) Answer {
	c.t.Helper()
	return c.Portal.Do(Call{Method: method, Host: c.Host, Path: path, Bearer: c.Bearer, Body: body})
}

// Get makes a GET call, requires a 200 response, and decodes its JSON into out.
func (c Caller) Get(path string, out any) {
	c.t.Helper()
	a := c.Do(http.MethodGet, path, nil)
	require.Equal(c.t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(c.t, out)
}

// Anonymous returns a caller who is not signed in.
func (p *Portal) Anonymous(labelKey string) Caller {
	return Caller{Portal: p, Host: labelKey + ".localhost"}
}

// AddAccount creates an account with a password; a temporary password must be changed at the first sign-in.
func (p *Portal) AddAccount(a Account, password string, temporary bool) {
	p.t.Helper()
	p.account(a, password, temporary)
}

func (p *Portal) account(a Account, password string, temporary bool) identity.Account {
	p.t.Helper()
	if a.Role == "" {
		a.Role = RoleCustomer
	}
	if a.Locale == "" {
		a.Locale = "nl"
	}
	made, err := p.app.Identity.Upsert(p.t.Context(), identity.Account{Label: a.Label, Relation: a.Relation, Username: a.Username,
		Email: a.Email, Name: a.Name, Locale: a.Locale, Role: a.Role}, password, temporary)
	require.NoError(p.t, err)
	return made
}

// SignIn creates an account and signs it in.
func (p *Portal) SignIn(a Account) Caller {
	p.t.Helper()
	p.account(a, Password, false)
	return p.session(a, "/auth/sign-in", map[string]string{"username": a.Username, "password": Password})
}

func (p *Portal) session(a Account, path string, body any) Caller {
	p.t.Helper()
	c := p.Anonymous(a.Label)
	answer := c.Do(http.MethodPost, path, body)
	require.Equal(p.t, http.StatusOK, answer.Status, string(answer.Body))
	var out struct {
		IDToken string `json:"id_token"`
	}
	answer.JSON(p.t, &out)
	require.NotEmpty(p.t, out.IDToken)
	c.Bearer, c.Relation = out.IDToken, a.Relation
	return c
}

// Customer signs in a customer of a relation.
func (p *Portal) Customer(labelKey, relation string) Caller {
	p.t.Helper()
	return p.SignIn(Account{Label: labelKey, Relation: relation, Username: relation + "@klant.example", Email: relation + "@klant.example",
		Name: "Klant " + relation})
}

// Staff signs in a member of staff.
func (p *Portal) Staff(labelKey string) Caller {
	p.t.Helper()
	address := "medewerker@" + labelKey + ".example"
	return p.SignIn(Account{Label: labelKey, Username: address, Email: address, Name: "Mede Werker", Role: RoleStaff})
}

// Impersonator signs in a member of staff and impersonates the customer of a relation. The customer must have an account.
func (p *Portal) Impersonator(labelKey, relation string) Caller {
	p.t.Helper()
	a := Account{Label: labelKey, Username: "impersonator_" + relation, Email: "help@" + labelKey + ".example", Name: "Help Desk",
		Role: RoleImpersonator}
	code, err := p.app.Identity.NewImpersonation(p.t.Context(), p.account(a, Password, false), relation)
	require.NoError(p.t, err)
	a.Relation = relation
	return p.session(a, "/auth/impersonate", map[string]string{"code": code})
}

// APIKey creates an API key for a label, with the given scopes ("changes:read") or, without any, with all scopes. It returns a caller that
// uses the key.
func (p *Portal) APIKey(labelKey, name string, scopes ...string) Caller {
	p.t.Helper()
	if len(scopes) == 0 {
		scopes = []string{identity.AllScopes}
	}
	secret, err := p.app.Identity.MakeKey(p.t.Context(), labelKey, identity.Key{Name: name, Scopes: scopes})
	require.NoError(p.t, err)
	c := p.Anonymous(labelKey)
	c.Bearer = secret
	return c
}

// As returns a caller with an id token or API key that the test already has.
func (p *Portal) As(labelKey, bearer string) Caller {
	c := p.Anonymous(labelKey)
	c.Bearer = bearer
	return c
}
