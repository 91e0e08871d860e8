// Package cognito signs users in through an Amazon Cognito user pool. The browser never talks to the pool: its tokens but for the
// id token stay on the server.
package cognito

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	idp "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/lestrrat-go/jwx/v3/jwt"

	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/label"
)

// metadata goes along with every call that takes it (7.7-client-metadata).
var metadata = map[string]string{"portal": "ENERGY_SSP"}

// attribute of the pool that makes a user an impersonator (6-impersonator-attribute).
const attribute = "is_impersonator"

// usernameClaim of an id token is the name by which the pool knows the user, whatever was typed.
const usernameClaim = "cognito:username"

const timeout = 10 * time.Second // of one call

// Config is what the provider is built from.
type Config struct {
	Secrets func(name string) string // what a label's client_secret refers to
	Now     func() time.Time
	// Credentials sign the administrative calls; nil: AWS's own chain (environment, role of the machine).
	Credentials aws.CredentialsProvider
}

// Provider implements identity.Provider for all labels that name cognito.
type Provider struct {
	c    Config
	http *http.Client
	keys keySets

	mu      sync.Mutex
	clients map[clientKey]*idp.Client
}

type clientKey struct {
	region, endpoint string
	admin            bool
}

var _ identity.Provider = (*Provider)(nil)

// New makes the provider. It calls nobody.
func New(c Config) *Provider {
	if c.Now == nil {
		c.Now = time.Now
	}
	h := &http.Client{Timeout: timeout}
	return &Provider{c: c, http: h, keys: keySets{http: h, now: c.Now, sets: map[string]*keySet{}}, clients: map[clientKey]*idp.Client{}}
}

// client is one for a region and endpoint. What a user does needs no AWS credentials; what core does for a user does.
func (p *Provider) client(ctx context.Context, l *label.Label, admin bool) (*idp.Client, error) {
	k := clientKey{l.Identity.Region, l.Identity.Endpoint, admin}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.clients[k]; c != nil {
		return c, nil
	}
	// The user is waiting and tries again by hand; an administrative call tries again by itself.
	o := idp.Options{Region: k.region, HTTPClient: p.http, Credentials: aws.AnonymousCredentials{}, Retryer: aws.NopRetryer{}}
	if k.endpoint != "" {
		o.BaseEndpoint = &k.endpoint
	}
	if admin {
		o.Credentials, o.Retryer = p.c.Credentials, nil
		if o.Credentials == nil {
			chain, err := config.LoadDefaultConfig(ctx, config.WithRegion(k.region))
			if err != nil {
				return nil, fmt.Errorf("cognito: credentials: %w", err)
			}
			o.Credentials = chain.Credentials
		}
	}
	c := idp.New(o)
	p.clients[k] = c
	return c, nil
}

// secretHash is what a client with a secret proves itself with; nil without one. It is made with the name that the call says, and
// where the call says none, or answers a challenge, with the name by which the pool itself knows the user.
func (p *Provider) secretHash(l *label.Label, username string) *string {
	secret := p.secret(l)
	if secret == "" {
		return nil
	}
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(username + l.Identity.ClientID))
	return aws.String(base64.StdEncoding.EncodeToString(h.Sum(nil)))
}

func (p *Provider) secret(l *label.Label) string {
	if l.Identity.ClientSecret == "" || p.c.Secrets == nil {
		return ""
	}
	return p.c.Secrets(l.Identity.ClientSecret)
}

// tokens are what is kept of a grant.
type tokens struct {
	Access  string    `json:"access"`
	Refresh string    `json:"refresh"`
	Name    string    `json:"name"` // by which the pool knows the user
	Ends    time.Time `json:"ends"`
}

func unpack(raw []byte) (t tokens, err error) {
	if len(raw) == 0 {
		return t, identity.ErrSessionExpired // a session that began with another provider
	}
	return t, json.Unmarshal(raw, &t)
}

// grant reads what the pool issued; before is what it replaces.
func (p *Provider) grant(r *types.AuthenticationResultType, before tokens) (identity.Grant, error) {
	if r == nil || r.IdToken == nil || r.AccessToken == nil {
		return identity.Grant{}, errors.New("cognito: an answer without tokens")
	}
	t, err := jwt.ParseInsecure([]byte(*r.IdToken)) // straight from the pool
	if err != nil {
		return identity.Grant{}, fmt.Errorf("cognito: id token: %w", err)
	}
	kept := tokens{Access: *r.AccessToken, Refresh: before.Refresh, Ends: p.c.Now().Add(time.Duration(r.ExpiresIn) * time.Second)}
	if err := t.Get(usernameClaim, &kept.Name); err != nil {
		kept.Name = before.Name
	}
	if r.RefreshToken != nil {
		kept.Refresh = *r.RefreshToken
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return identity.Grant{}, err
	}
	ends, ok := t.Expiration()
	if !ok {
		return identity.Grant{}, errors.New("cognito: an id token that does not expire")
	}
	return identity.Grant{Tokens: raw, IDToken: *r.IdToken, Expires: ends, Impersonator: impersonator(t)}, nil
}

// impersonator reads the attribute, which a pool calls custom:… in its tokens.
func impersonator(t jwt.Token) bool {
	for _, name := range []string{"custom:" + attribute, attribute} {
		var v any
		if t.Get(name, &v) == nil && strings.EqualFold(fmt.Sprint(v), "true") {
			return true
		}
	}
	return false
}

// SignIn is the flow USER_PASSWORD_AUTH.
func (p *Provider) SignIn(ctx context.Context, l *label.Label, username, password string) (identity.Grant, error) {
	c, err := p.client(ctx, l, false)
	if err != nil {
		return identity.Grant{}, err
	}
	parameters := map[string]string{"USERNAME": username, "PASSWORD": password}
	if h := p.secretHash(l, username); h != nil {
		parameters["SECRET_HASH"] = *h
	}
	out, err := c.InitiateAuth(ctx, &idp.InitiateAuthInput{AuthFlow: types.AuthFlowTypeUserPasswordAuth, ClientId: &l.Identity.ClientID,
		AuthParameters: parameters, ClientMetadata: metadata})
	if err != nil {
		return identity.Grant{}, problem(err, identity.ErrWrongCredentials)
	}
	return p.result(out.ChallengeName, out.Session, out.ChallengeParameters, out.AuthenticationResult)
}

// challenge is what must be kept until it is answered.
type challenge struct {
	Session string `json:"session"`
	Name    string `json:"name"` // by which the pool knows the user; empty: as was typed
}

func (p *Provider) result(name types.ChallengeNameType, session *string, parameters map[string]string, r *types.AuthenticationResultType) (identity.Grant, error) {
	switch {
	case name == "":
		return p.grant(r, tokens{})
	case name == types.ChallengeNameTypeNewPasswordRequired && session != nil:
		kept, err := json.Marshal(challenge{*session, parameters["USER_ID_FOR_SRP"]})
		return identity.Grant{Challenge: string(kept)}, err
	}
	return identity.Grant{}, fmt.Errorf("%w: the pool demands %s", identity.ErrPreLogin, name)
}

// NewPassword answers NEW_PASSWORD_REQUIRED.
func (p *Provider) NewPassword(ctx context.Context, l *label.Label, username, kept, password string) (identity.Grant, error) {
	var now challenge
	if err := json.Unmarshal([]byte(kept), &now); err != nil {
		return identity.Grant{}, identity.ErrSessionExpired // begun before an upgrade
	}
	c, err := p.client(ctx, l, false)
	if err != nil {
		return identity.Grant{}, err
	}
	username = cmp.Or(now.Name, username)
	responses := map[string]string{"USERNAME": username, "NEW_PASSWORD": password}
	if h := p.secretHash(l, username); h != nil {
		responses["SECRET_HASH"] = *h
	}
	out, err := c.RespondToAuthChallenge(ctx, &idp.RespondToAuthChallengeInput{ChallengeName: types.ChallengeNameTypeNewPasswordRequired,
		ClientId: &l.Identity.ClientID, Session: &now.Session, ChallengeResponses: responses, ClientMetadata: metadata})
	if err != nil {
		// A code mismatch is what the pool says of a session string that it does not know.
		return identity.Grant{}, problem(err, identity.ErrSessionExpired)
	}
	return p.result(out.ChallengeName, out.Session, out.ChallengeParameters, out.AuthenticationResult)
}

// Refresh is the flow REFRESH_TOKEN_AUTH.
func (p *Provider) Refresh(ctx context.Context, l *label.Label, username string, raw []byte) (identity.Grant, error) {
	t, err := unpack(raw)
	if err != nil {
		return identity.Grant{}, err
	}
	return p.refresh(ctx, l, username, t)
}

func (p *Provider) refresh(ctx context.Context, l *label.Label, username string, t tokens) (identity.Grant, error) {
	c, err := p.client(ctx, l, false)
	if err != nil {
		return identity.Grant{}, err
	}
	parameters := map[string]string{"REFRESH_TOKEN": t.Refresh}
	if h := p.secretHash(l, cmp.Or(t.Name, username)); h != nil {
		parameters["SECRET_HASH"] = *h
	}
	out, err := c.InitiateAuth(ctx, &idp.InitiateAuthInput{AuthFlow: types.AuthFlowTypeRefreshTokenAuth, ClientId: &l.Identity.ClientID,
		AuthParameters: parameters, ClientMetadata: metadata})
	if err != nil {
		return identity.Grant{}, problem(err, identity.ErrSessionExpired)
	}
	return p.grant(out.AuthenticationResult, t)
}

// SignOut revokes the refresh token, and with it the access tokens that came of it.
func (p *Provider) SignOut(ctx context.Context, l *label.Label, raw []byte) error {
	t, err := unpack(raw)
	if err != nil || t.Refresh == "" {
		return err
	}
	c, err := p.client(ctx, l, false)
	if err != nil {
		return err
	}
	in := &idp.RevokeTokenInput{ClientId: &l.Identity.ClientID, Token: &t.Refresh}
	if secret := p.secret(l); secret != "" {
		in.ClientSecret = &secret
	}
	_, err = c.RevokeToken(ctx, in)
	return problem(err, identity.ErrSessionExpired)
}

// Forgot has the pool send a code.
func (p *Provider) Forgot(ctx context.Context, l *label.Label, username string) error {
	c, err := p.client(ctx, l, false)
	if err != nil {
		return err
	}
	_, err = c.ForgotPassword(ctx, &idp.ForgotPasswordInput{ClientId: &l.Identity.ClientID, Username: &username,
		SecretHash: p.secretHash(l, username), ClientMetadata: metadata})
	if slow, ok := errors.AsType[net.Error](err); ok && slow.Timeout() {
		return identity.ErrMailTimeout
	}
	switch err = problem(err, identity.ErrWrongCredentials); {
	case errors.Is(err, identity.ErrWrongCredentials), errors.Is(err, identity.ErrPreLogin):
		return nil // an unknown, unconfirmed or disabled user: nobody is told
	case errors.Is(err, identity.ErrInvalidChars): // also the pool's word for a user without a verified address
		return nil
	}
	return err
}

// ConfirmForgot hands the code back.
func (p *Provider) ConfirmForgot(ctx context.Context, l *label.Label, username, code, password string) error {
	c, err := p.client(ctx, l, false)
	if err != nil {
		return err
	}
	_, err = c.ConfirmForgotPassword(ctx, &idp.ConfirmForgotPasswordInput{ClientId: &l.Identity.ClientID, Username: &username,
		ConfirmationCode: &code, Password: &password, SecretHash: p.secretHash(l, username), ClientMetadata: metadata})
	if err = problem(err, identity.ErrCodeInvalid); errors.Is(err, identity.ErrPreLogin) || errors.Is(err, identity.ErrCannotReset) {
		return identity.ErrCodeInvalid // nobody is told about a user without the code
	}
	return err
}

// ChangePassword needs an access token of the current user, and renews one that is over.
func (p *Provider) ChangePassword(ctx context.Context, l *label.Label, username string, raw []byte, old, new string) (identity.Grant, error) {
	t, err := unpack(raw)
	if err != nil {
		return identity.Grant{}, err
	}
	var g identity.Grant
	if p.c.Now().Add(timeout).After(t.Ends) {
		if g, err = p.refresh(ctx, l, username, t); err != nil {
			return g, err
		}
		if t, err = unpack(g.Tokens); err != nil {
			return g, err
		}
	}
	c, err := p.client(ctx, l, false)
	if err != nil {
		return g, err
	}
	_, err = c.ChangePassword(ctx, &idp.ChangePasswordInput{AccessToken: &t.Access, PreviousPassword: &old, ProposedPassword: &new})
	return g, problem(err, identity.ErrWrongCredentials)
}
