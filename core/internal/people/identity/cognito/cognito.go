// Package cognito signs users in through an Amazon Cognito user pool. The browser never calls the pool. It receives only the id token of
// the pool; the other tokens stay on the server.
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
	"log/slog"
	"maps"
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

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
)

// metadata is sent with every call that accepts it (7.7-client-metadata).
var metadata = map[string]string{"portal": "ENERGY_SSP"}

// impersonatorAttribute is the attribute of the pool that makes a user an impersonator (6-impersonator-attribute).
const impersonatorAttribute = "is_impersonator"

// usernameClaim is the claim with the pool's own name of the user, whatever was typed.
const usernameClaim = "cognito:username"

const timeout = 10 * time.Second // limits one call

// Config is the configuration of the provider.
type Config struct {
	Secrets func(name string) string // looks up a label's client_secret
	Now     func() time.Time
	// Credentials sign administrative calls; nil: the default credential chain of AWS (environment, machine role).
	Credentials aws.CredentialsProvider
	Log         *slog.Logger // nil: no log
}

// Provider implements identity.Provider for all labels whose provider is cognito.
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

// New returns the provider. It makes no calls.
func New(c Config) *Provider {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	h := &http.Client{Timeout: timeout}
	return &Provider{c: c, http: h, keys: keySets{http: h, now: c.Now, sets: map[string]*keySet{}}, clients: map[clientKey]*idp.Client{}}
}

// client returns the client for a region and endpoint. Calls on behalf of a user need no AWS credentials; administrative calls
// do.
func (p *Provider) client(ctx context.Context, l *label.Label, admin bool) (*idp.Client, error) {
	k := clientKey{l.Identity.Region, l.Identity.Endpoint, admin}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.clients[k]; c != nil {
		return c, nil
	}
	// A user waits for the response and can retry; administrative calls are retried by the SDK.
	o := idp.Options{Region: k.region, HTTPClient: p.http, Credentials: aws.AnonymousCredentials{}, Retryer: aws.NopRetryer{}}
	if k.endpoint != "" {
		o.BaseEndpoint = &k.endpoint
	}
	if admin {
		o.Credentials, o.Retryer = p.c.Credentials, nil
		if o.Credentials == nil {
			chain, err := config.LoadDefaultConfig(ctx, config.WithRegion(k.region))
			if err != nil {
				return nil, fmt.Errorf("%w: cognito: credentials: %w", identity.ErrUnavailable, err)
			}
			o.Credentials = chain.Credentials
		}
	}
	c := idp.New(o)
	p.clients[k] = c
	return c, nil
}

// secretHash returns the hash that proves the client secret, or nil for a client without one. It contains the username of the call or, if
// the call has no username or responds to a challenge, the pool's own name of the user.
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

// tokens are the stored tokens of a grant.
type tokens struct {
	Access  string    `json:"access"`
	Refresh string    `json:"refresh"`
	Name    string    `json:"name"` // the pool's name of the user
	Ends    time.Time `json:"ends"`
}

func parseTokens(raw []byte) (t tokens, err error) {
	if len(raw) == 0 {
		return t, identity.ErrSessionExpired // the session was started with another provider
	}
	return t, json.Unmarshal(raw, &t)
}

// grant converts a result of the pool; before contains the tokens that it replaces.
func (p *Provider) grant(r *types.AuthenticationResultType, before tokens) (identity.Grant, error) {
	if r == nil || r.IdToken == nil || r.AccessToken == nil {
		return identity.Grant{}, invalidResponse("a response without tokens")
	}
	t, err := jwt.ParseInsecure([]byte(*r.IdToken)) // needs no verification: it comes directly from the pool
	if err != nil {
		return identity.Grant{}, invalidResponse("id token: " + err.Error())
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
		return identity.Grant{}, invalidResponse("an id token that does not expire")
	}
	return identity.Grant{Tokens: raw, IDToken: *r.IdToken, Expires: ends, Ref: ref(t), Impersonator: impersonator(t),
		Subject: subject(t), Username: kept.Name}, nil
}

// ref returns an identifier that all id tokens of one sign-in share: origin_jti or, for a client whose tokens cannot be revoked
// individually, the user and the time of the sign-in. It is empty for a token with neither.
func ref(t jwt.Token) string {
	var origin string
	if t.Get("origin_jti", &origin) == nil && origin != "" {
		return "origin_jti " + origin
	}
	var at float64
	if sub, ok := t.Subject(); ok && t.Get("auth_time", &at) == nil {
		return fmt.Sprintf("auth_time %.0f %s", at, sub)
	}
	return ""
}

// impersonator reads impersonatorAttribute, which has the prefix "custom:" in tokens of a pool.
func impersonator(t jwt.Token) bool {
	for _, name := range []string{"custom:" + impersonatorAttribute, impersonatorAttribute} {
		var v any
		if t.Get(name, &v) == nil && strings.EqualFold(fmt.Sprint(v), "true") {
			return true
		}
	}
	return false
}

// SignIn implements identity.Provider with the flow USER_PASSWORD_AUTH.
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
		return identity.Grant{}, p.problem(ctx, l, err, identity.ErrWrongCredentials)
	}
	return p.result(out.ChallengeName, out.Session, out.ChallengeParameters, out.AuthenticationResult)
}

// challenge is the state that is stored until the user responds to a challenge.
type challenge struct {
	Session string `json:"session"`
	Name    string `json:"name"` // the pool's name of the user; empty: the name that was typed
	Kind    string `json:"kind"` // empty in a challenge of the previous version: a new password
}

// result returns a grant, or the challenge that must be completed first. Challenges that the portal does not support make the sign-in fail.
func (p *Provider) result(name types.ChallengeNameType, session *string, parameters map[string]string,
	r *types.AuthenticationResultType) (identity.Grant, error) {
	switch name {
	case "":
		return p.grant(r, tokens{})
	case types.ChallengeNameTypeNewPasswordRequired, types.ChallengeNameTypeSmsMfa, types.ChallengeNameTypeSoftwareTokenMfa:
		if session == nil {
			return identity.Grant{}, invalidResponse("a challenge without a session")
		}
		username := cmp.Or(parameters["USER_ID_FOR_SRP"], parameters["USERNAME"])
		kept, err := json.Marshal(challenge{*session, username, string(name)})
		return identity.Grant{Challenge: string(kept), Demands: string(name), Username: username,
			Destination: parameters["CODE_DELIVERY_DESTINATION"]}, err
	}
	p.c.Log.Warn("cognito: the pool requires a challenge that the portal does not support", "challenge", string(name))
	return identity.Grant{}, fmt.Errorf("%w: the pool requires %s", identity.ErrPreLogin, name)
}

// invalidResponse returns the error for an invalid response from the pool.
func invalidResponse(what string) error {
	return fmt.Errorf("%w: cognito: %s", identity.ErrUnavailable, what)
}

// subject returns the user of a token.
func subject(t jwt.Token) (u identity.Subject) {
	u.Issuer, _ = t.Issuer()
	u.ID, _ = t.Subject()
	return u
}

// NewPassword implements identity.Provider. It responds to NEW_PASSWORD_REQUIRED.
func (p *Provider) NewPassword(ctx context.Context, l *label.Label, username, kept, password string) (identity.Grant, error) {
	var now challenge
	if err := json.Unmarshal([]byte(kept), &now); err != nil {
		return identity.Grant{}, identity.ErrSessionExpired // started before an upgrade
	}
	c, err := p.client(ctx, l, false)
	if err != nil {
		return identity.Grant{}, err
	}
	out, err := p.respond(ctx, c, l, now, types.ChallengeNameTypeNewPasswordRequired, username, map[string]string{"NEW_PASSWORD": password})
	if err != nil {
		// The pool returns a code mismatch for a session string that it does not know.
		return identity.Grant{}, p.problem(ctx, l, err, identity.ErrSessionExpired)
	}
	return p.nextGrant(out, now)
}

// AnswerCode implements identity.Provider. It responds to SMS_MFA and SOFTWARE_TOKEN_MFA. The pool accepts a few wrong codes before it ends
// the challenge.
func (p *Provider) AnswerCode(ctx context.Context, l *label.Label, username, kept, code string) (identity.Grant, error) {
	var now challenge
	if err := json.Unmarshal([]byte(kept), &now); err != nil {
		return identity.Grant{}, identity.ErrSessionExpired
	}
	c, err := p.client(ctx, l, false)
	if err != nil {
		return identity.Grant{}, err
	}
	name := types.ChallengeNameType(now.Kind)
	out, err := p.respond(ctx, c, l, now, name, username, map[string]string{now.Kind + "_CODE": code})
	if err != nil {
		if _, mismatch := errors.AsType[*types.CodeMismatchException](err); mismatch {
			return identity.Grant{}, identity.ErrCodeInvalid
		}
		return identity.Grant{}, p.problem(ctx, l, err, identity.ErrSessionExpired)
	}
	return p.nextGrant(out, now)
}

// respond responds to a challenge with the pool's name of the user.
func (p *Provider) respond(ctx context.Context, c *idp.Client, l *label.Label, now challenge, name types.ChallengeNameType, typed string,
	responses map[string]string) (*idp.RespondToAuthChallengeOutput, error) {
	responses["USERNAME"] = cmp.Or(now.Name, typed)
	if h := p.secretHash(l, responses["USERNAME"]); h != nil {
		responses["SECRET_HASH"] = *h
	}
	return c.RespondToAuthChallenge(ctx, &idp.RespondToAuthChallengeInput{ChallengeName: name, ClientId: &l.Identity.ClientID,
		Session: &now.Session, ChallengeResponses: responses, ClientMetadata: metadata})
}

// nextGrant returns the result of responding to a challenge. A further challenge may omit the user's name.
func (p *Provider) nextGrant(out *idp.RespondToAuthChallengeOutput, before challenge) (identity.Grant, error) {
	parameters := out.ChallengeParameters
	if parameters["USER_ID_FOR_SRP"] == "" {
		parameters = maps.Clone(parameters)
		if parameters == nil {
			parameters = map[string]string{}
		}
		parameters["USER_ID_FOR_SRP"] = before.Name
	}
	return p.result(out.ChallengeName, out.Session, parameters, out.AuthenticationResult)
}

// Refresh implements identity.Provider with the flow REFRESH_TOKEN_AUTH.
func (p *Provider) Refresh(ctx context.Context, l *label.Label, username string, raw []byte) (identity.Grant, error) {
	t, err := parseTokens(raw)
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
		return identity.Grant{}, p.problem(ctx, l, err, identity.ErrSessionExpired)
	}
	return p.grant(out.AuthenticationResult, t)
}

// SignOut implements identity.Provider. It revokes the refresh token and the access tokens issued for it.
func (p *Provider) SignOut(ctx context.Context, l *label.Label, raw []byte) error {
	t, err := parseTokens(raw)
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
	return p.problem(ctx, l, err, identity.ErrSessionExpired)
}

// Forgot implements identity.Provider. The pool sends the code.
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
	switch err = p.problem(ctx, l, err, identity.ErrWrongCredentials); {
	case errors.Is(err, identity.ErrWrongCredentials), errors.Is(err, identity.ErrPreLogin):
		return nil // the user is unknown, unconfirmed or disabled, which the response must not reveal
	case errors.Is(err, identity.ErrInvalidChars): // the pool also returns this for a user without a verified address
		return nil
	}
	return err
}

// ConfirmForgot implements identity.Provider.
func (p *Provider) ConfirmForgot(ctx context.Context, l *label.Label, username, code, password string) error {
	c, err := p.client(ctx, l, false)
	if err != nil {
		return err
	}
	_, err = c.ConfirmForgotPassword(ctx, &idp.ConfirmForgotPasswordInput{ClientId: &l.Identity.ClientID, Username: &username,
		ConfirmationCode: &code, Password: &password, SecretHash: p.secretHash(l, username), ClientMetadata: metadata})
	if err = p.problem(ctx, l, err, identity.ErrCodeInvalid); errors.Is(err, identity.ErrPreLogin) || errors.Is(err, identity.ErrCannotReset) {
		return identity.ErrCodeInvalid // without a valid code the response must not reveal anything about the user
	}
	return err
}

// ChangePassword implements identity.Provider. It needs an access token of the current user, and renews one that is about to
// expire.
func (p *Provider) ChangePassword(ctx context.Context, l *label.Label, username string, raw []byte, old, new string) (identity.Grant,
	error) {
	t, err := parseTokens(raw)
	if err != nil {
		return identity.Grant{}, err
	}
	var g identity.Grant
	if p.c.Now().Add(timeout).After(t.Ends) {
		if g, err = p.refresh(ctx, l, username, t); err != nil {
			return g, err
		}
		if t, err = parseTokens(g.Tokens); err != nil {
			return g, err
		}
	}
	c, err := p.client(ctx, l, false)
	if err != nil {
		return g, err
	}
	_, err = c.ChangePassword(ctx, &idp.ChangePasswordInput{AccessToken: &t.Access, PreviousPassword: &old, ProposedPassword: &new})
	return g, p.problem(ctx, l, err, identity.ErrWrongCredentials)
}
