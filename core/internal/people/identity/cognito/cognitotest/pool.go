// Package cognitotest is a small Amazon Cognito for tests: an HTTP server that implements the part of its JSON protocol that the portal
// uses, for one user pool. A test can make it return any exception.
package cognitotest

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jwk"
	"github.com/lestrrat-go/jwx/v3/jwt"

	"github.com/wattle-portal/wattle/core/value"
)

// Settings of the pool's label.
const (
	Region   = "eu-west-1"
	PoolID   = "eu-west-1_Test"
	ClientID = "client-of-the-pool"
)

// Call is one call that the pool received.
type Call struct {
	Operation string
	Metadata  map[string]string
	Signed    bool   // whether it has AWS credentials
	Region    string // region of the signature
	Body      map[string]any
}

// User is one user of the pool.
type User struct {
	Sub        string
	Password   string
	Force      bool      // whether the user must choose a new password
	ForceUntil time.Time // when the temporary password expires; zero: never
	Disabled   bool
	Attributes map[string]string
	// Name is the pool's own name of the user, if it differs from the username.
	Name string
	// Aliases are other names with which the user can sign in.
	Aliases []string
	// MFA is the challenge that follows the password: SMS_MFA or SOFTWARE_TOKEN_MFA; empty: none. Code is the valid code.
	MFA, Code  string
	wrongCodes int // number of wrong codes so far
}

func (u *User) name(username string) string { return cmp.Or(u.Name, username) }

// Pool is a running user pool.
type Pool struct {
	URL string
	Now func() time.Time
	// Secret is the secret of the app client. If set, every call must prove it.
	Secret string
	// Irrevocable gives the app client no token revocation: its tokens have no origin_jti.
	Irrevocable bool
	// EmailUsernames makes email addresses usernames: the pool names users by their sub, and a changed address can be used to sign in.
	EmailUsernames bool

	mu      sync.Mutex
	private jwk.Key
	public  jwk.Set
	users   map[string]*User
	codes   map[string]string // username -> code
	opaque  map[string]string // sessions, access and refresh tokens -> username
	origins map[string]origin // refresh token -> the sign-in that issued it
	fail    map[string][]exception
	calls   []Call
}

type exception struct{ name, message string }

// origin is a sign-in. All of its tokens contain these values.
type origin struct {
	jti string
	at  time.Time
}

// rsaKey is generated once, because that is slow.
var rsaKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// New starts a pool that stops at the end of the test.
func New(t testing.TB, now func() time.Time) *Pool {
	t.Helper()
	raw, err := rsaKey()
	if err != nil {
		t.Fatal(err)
	}
	p := &Pool{Now: now, users: map[string]*User{}, codes: map[string]string{}, opaque: map[string]string{}, origins: map[string]origin{},
		fail: map[string][]exception{}}
	p.private, err = jwk.Import(raw)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]any{jwk.KeyIDKey: "pool-key", jwk.AlgorithmKey: jwa.RS256(), jwk.KeyUsageKey: "sig"} {
		if err := p.private.Set(name, v); err != nil {
			t.Fatal(err)
		}
	}
	public, err := p.private.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	p.public = jwk.NewSet()
	if err := p.public.AddKey(public); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// Issuer returns the issuer of the pool's tokens.
func (p *Pool) Issuer() string { return "https://cognito-idp." + Region + ".amazonaws.com/" + PoolID }

// Add adds a user to the pool.
func (p *Pool) Add(username string, u User) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if u.Sub == "" {
		u.Sub = value.NewID()
	}
	if p.EmailUsernames && u.Name == "" {
		u.Name = u.Sub
	}
	p.users[username] = &u
}

// Remove deletes a user from the pool.
func (p *Pool) Remove(username string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.users, username)
}

// known returns the username for any name of a user: username, sub, the pool's own name or an alias.
func (p *Pool) known(name string) string {
	if p.users[name] == nil {
		for username, u := range p.users {
			if name != "" && (u.Sub == name || u.Name == name || slices.Contains(u.Aliases, name)) {
				return username
			}
		}
	}
	return name
}

// User returns a copy of a user; the zero User for an unknown one.
func (p *Pool) User(username string) User {
	p.mu.Lock()
	defer p.mu.Unlock()
	if u := p.users[username]; u != nil {
		return *u
	}
	return User{}
}

// Code returns the code that the pool sent to a user.
func (p *Pool) Code(username string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.codes[username]
}

// Fail makes the next call of an operation return an exception.
func (p *Pool) Fail(operation, name, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail[operation] = append(p.fail[operation], exception{name, message})
}

// Calls returns the calls so far.
func (p *Pool) Calls() []Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Call(nil), p.calls...)
}

// ServeHTTP handles calls in JSON 1.1, and serves the pool's JWKS.
func (p *Pool) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.URL.Path == "/"+PoolID+"/.well-known/jwks.json" {
		_ = json.NewEncoder(w).Encode(p.public)
		return
	}
	body, err := io.ReadAll(r.Body)
	var in input
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	operation := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AWSCognitoIdentityProviderService.")
	call := Call{Operation: operation, Metadata: in.ClientMetadata, Signed: r.Header.Get("Authorization") != ""}
	if _, scope, found := strings.Cut(r.Header.Get("Authorization"), "Credential="); found { // key/day/region/service/aws4_request
		if parts := strings.Split(scope, "/"); len(parts) > 2 {
			call.Region = parts[2]
		}
	}
	_ = json.Unmarshal(body, &call.Body)
	p.calls = append(p.calls, call)
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	if f := p.fail[operation]; len(f) > 0 {
		p.fail[operation] = f[1:]
		refuse(w, f[0].name, f[0].message)
		return
	}
	out, e := p.answer(operation, in, call.Signed)
	if e != nil {
		refuse(w, e.name, e.message)
		return
	}
	_ = json.NewEncoder(w).Encode(out)
}

func refuse(w http.ResponseWriter, name, message string) {
	status := http.StatusBadRequest
	if name == "InternalErrorException" {
		status = http.StatusInternalServerError
	}
	w.Header().Set("X-Amzn-ErrorType", name+":")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"__type": name, "message": message})
}

type input struct {
	AuthFlow, ClientId, Session, ChallengeName, Username, ConfirmationCode, Password string
	AccessToken, PreviousPassword, ProposedPassword, Token, UserPoolId               string
	SecretHash, ClientSecret                                                         string
	TemporaryPassword, MessageAction                                                 string
	Permanent                                                                        bool
	AuthParameters, ChallengeResponses, ClientMetadata                               map[string]string
	UserAttributes                                                                   []struct{ Name, Value string }
}

func newException(name, message string) *exception { return &exception{name, message} }

var wrongPassword = newException("NotAuthorizedException", "Incorrect username or password.")

func (p *Pool) answer(operation string, in input, signed bool) (any, *exception) {
	if strings.HasPrefix(operation, "Admin") {
		switch {
		case !signed:
			return nil, newException("MissingAuthenticationTokenException", "Missing Authentication Token")
		case in.UserPoolId != PoolID:
			return nil, newException("ResourceNotFoundException", "User pool does not exist.")
		}
		return p.admin(operation, in)
	}
	if in.ClientId != ClientID && operation != "ChangePassword" {
		return nil, newException("ResourceNotFoundException", "User pool client does not exist.")
	}
	if !p.hasValidSecret(operation, in) {
		return nil, newException("NotAuthorizedException", "Unable to verify secret hash for client "+ClientID)
	}
	switch operation {
	case "InitiateAuth":
		return p.initiate(in)
	case "RespondToAuthChallenge":
		name := p.opaque[in.Session]
		u := p.users[name]
		switch {
		case u == nil || u.name(name) != in.ChallengeResponses["USERNAME"]:
			return nil, newException("NotAuthorizedException", "Invalid session for the user, session is expired.")
		case in.ChallengeName != "NEW_PASSWORD_REQUIRED" && in.ChallengeName != u.MFA:
			return nil, newException("InvalidParameterException", "unexpected challenge "+in.ChallengeName)
		case in.ChallengeName == u.MFA:
			if in.ChallengeResponses[u.MFA+"_CODE"] != u.Code {
				if u.wrongCodes++; u.wrongCodes%3 == 0 {
					delete(p.opaque, in.Session)
					return nil, newException("NotAuthorizedException", "Invalid session for the user, session is expired.")
				}
				return nil, newException("CodeMismatchException", "Invalid code or auth state for the user.")
			}
			delete(p.opaque, in.Session)
			return p.tokens(name, u, "")
		case !isStrong(in.ChallengeResponses["NEW_PASSWORD"]):
			return nil, newException("InvalidPasswordException", "Password did not conform with policy")
		}
		delete(p.opaque, in.Session)
		u.Password, u.Force = in.ChallengeResponses["NEW_PASSWORD"], false
		return p.afterPassword(name, u)
	case "RevokeToken":
		delete(p.opaque, in.Token)
		return struct{}{}, nil
	case "ForgotPassword":
		in.Username = p.known(in.Username)
		u := p.users[in.Username]
		switch {
		case u == nil:
			return nil, newException("UserNotFoundException", "Username/client id combination not found.")
		case u.Force:
			return nil, newException("NotAuthorizedException", "User password cannot be reset in the current state.")
		}
		p.codes[in.Username] = fmt.Sprintf("%06d", 100000+len(p.calls))
		return map[string]any{"CodeDeliveryDetails": map[string]string{"DeliveryMedium": "EMAIL", "Destination": "a***@e***"}}, nil
	case "ConfirmForgotPassword":
		in.Username = p.known(in.Username)
		u, code := p.users[in.Username], p.codes[in.Username]
		switch {
		case u == nil:
			return nil, newException("UserNotFoundException", "Username/client id combination not found.")
		case code == "":
			return nil, newException("ExpiredCodeException", "Invalid code provided, please request a code again.")
		case code != in.ConfirmationCode:
			return nil, newException("CodeMismatchException", "Invalid verification code provided, please try again.")
		case !isStrong(in.Password):
			return nil, newException("InvalidPasswordException", "Password did not conform with policy")
		}
		delete(p.codes, in.Username)
		u.Password = in.Password
		return struct{}{}, nil
	case "ChangePassword":
		u := p.users[p.opaque[in.AccessToken]]
		switch {
		case u == nil:
			return nil, newException("NotAuthorizedException", "Invalid Access Token")
		case u.Password != in.PreviousPassword:
			return nil, wrongPassword
		case !isStrong(in.ProposedPassword):
			return nil, newException("InvalidPasswordException", "Password did not conform with policy")
		}
		u.Password = in.ProposedPassword
		return struct{}{}, nil
	}
	return nil, newException("UnknownOperationException", operation)
}

// hasValidSecret checks the proof that a client with a secret must send. The hash contains the name in the call or, if there is none or the
// call responds to a challenge, the pool's own name of the user.
func (p *Pool) hasValidSecret(operation string, in input) bool {
	if p.Secret == "" {
		return in.SecretHash+in.ClientSecret+in.AuthParameters["SECRET_HASH"]+in.ChallengeResponses["SECRET_HASH"] == ""
	}
	own := func(username string) string {
		if u := p.users[username]; u != nil {
			return u.name(username)
		}
		return username
	}
	var name, hash string
	switch operation {
	case "InitiateAuth":
		name, hash = in.AuthParameters["USERNAME"], in.AuthParameters["SECRET_HASH"]
		if in.AuthFlow == "REFRESH_TOKEN_AUTH" {
			name = own(p.opaque[in.AuthParameters["REFRESH_TOKEN"]])
			if name == "" {
				return true // the secret is right; the token is wrong
			}
		}
	case "RespondToAuthChallenge":
		name, hash = in.ChallengeResponses["USERNAME"], in.ChallengeResponses["SECRET_HASH"]
	case "RevokeToken":
		return in.ClientSecret == p.Secret
	case "ChangePassword":
		return true // the access token is sufficient
	default:
		name, hash = in.Username, in.SecretHash
	}
	h := hmac.New(sha256.New, []byte(p.Secret))
	h.Write([]byte(name + ClientID))
	return hash == base64.StdEncoding.EncodeToString(h.Sum(nil))
}

func (p *Pool) initiate(in input) (any, *exception) {
	if in.AuthFlow == "REFRESH_TOKEN_AUTH" {
		name := p.opaque[in.AuthParameters["REFRESH_TOKEN"]]
		if u := p.users[name]; u != nil && !u.Disabled {
			return p.tokens(name, u, in.AuthParameters["REFRESH_TOKEN"])
		}
		return nil, newException("NotAuthorizedException", "Refresh Token has been revoked")
	}
	name := p.known(in.AuthParameters["USERNAME"])
	u := p.users[name]
	switch {
	case in.AuthFlow != "USER_PASSWORD_AUTH":
		return nil, newException("InvalidParameterException", "unexpected flow "+in.AuthFlow)
	case u == nil:
		return nil, newException("UserNotFoundException", "User does not exist.")
	case u.Password != in.AuthParameters["PASSWORD"]:
		return nil, wrongPassword
	case u.Disabled:
		return nil, newException("NotAuthorizedException", "User is disabled.")
	case u.Force && !u.ForceUntil.IsZero() && !p.Now().Before(u.ForceUntil):
		return nil, newException("NotAuthorizedException", "Temporary password has expired and must be reset by an administrator.")
	case u.Force:
		session := p.keep(name)
		return map[string]any{"ChallengeName": "NEW_PASSWORD_REQUIRED", "Session": session,
			"ChallengeParameters": map[string]string{"USER_ID_FOR_SRP": u.name(name)}}, nil
	}
	return p.afterPassword(name, u)
}

// afterPassword returns the response to a valid password.
func (p *Pool) afterPassword(name string, u *User) (any, *exception) {
	if u.MFA == "" {
		return p.tokens(name, u, "")
	}
	parameters := map[string]string{"USER_ID_FOR_SRP": u.name(name)}
	if u.MFA == "SMS_MFA" {
		parameters["CODE_DELIVERY_DELIVERY_MEDIUM"], parameters["CODE_DELIVERY_DESTINATION"] = "SMS", "+*******5678"
	}
	return map[string]any{"ChallengeName": u.MFA, "Session": p.keep(name), "ChallengeParameters": parameters}, nil
}

func (p *Pool) keep(username string) string {
	s := "opaque-" + value.NewID()
	p.opaque[s] = username
	return s
}

// tokens issues the tokens of a sign-in; refresh is the refresh token, which is empty for a sign-in.
func (p *Pool) tokens(name string, u *User, refresh string) (any, *exception) {
	from := p.origins[refresh]
	if refresh == "" {
		from = origin{value.NewID(), p.Now()}
	}
	id, err := p.sign(name, u, from, p.Now().Add(5*time.Minute))
	if err != nil {
		return nil, newException("InternalErrorException", err.Error())
	}
	r := map[string]any{"IdToken": id, "AccessToken": p.keep(name), "ExpiresIn": 300, "TokenType": "Bearer"}
	if refresh == "" {
		token := p.keep(name)
		p.origins[token], r["RefreshToken"] = from, token
	}
	return map[string]any{"AuthenticationResult": r, "ChallengeParameters": map[string]string{}}, nil
}

func (p *Pool) sign(name string, u *User, from origin, ends time.Time) (string, error) {
	b := jwt.NewBuilder().Issuer(p.Issuer()).Audience([]string{ClientID}).Subject(u.Sub).IssuedAt(p.Now()).Expiration(ends).
		Claim("token_use", "id").Claim("cognito:username", u.name(name)).Claim("auth_time", from.at.Unix()).Claim("jti", value.NewID())
	if !p.Irrevocable {
		b = b.Claim("origin_jti", from.jti)
	}
	for k, v := range u.Attributes {
		b = b.Claim(k, v)
	}
	t, err := b.Build()
	if err != nil {
		return "", err
	}
	signed, err := jwt.Sign(t, jwt.WithKey(jwa.RS256(), p.private))
	return string(signed), err
}

func (p *Pool) admin(operation string, in input) (any, *exception) {
	if operation != "AdminCreateUser" {
		in.Username = p.known(in.Username)
	}
	u := p.users[in.Username]
	attributes := map[string]string{}
	for _, a := range in.UserAttributes {
		attributes[a.Name] = a.Value
	}
	switch operation {
	case "AdminCreateUser":
		if u != nil {
			return nil, newException("UsernameExistsException", "User account already exists")
		}
		if p.EmailUsernames && !strings.Contains(in.Username, "@") {
			return nil, newException("InvalidParameterException", "Username should be an email.")
		}
		sub := value.NewID()
		name := ""
		if p.EmailUsernames {
			name = sub
		}
		p.users[in.Username] = &User{Sub: sub, Name: name, Password: in.TemporaryPassword, Force: true,
			ForceUntil: p.Now().Add(7 * 24 * time.Hour), Attributes: attributes}
		return map[string]any{"User": map[string]any{"Username": in.Username}}, nil
	case "AdminSetUserPassword":
		if u == nil {
			return nil, newException("UserNotFoundException", "User does not exist.")
		}
		u.Password, u.Force, u.ForceUntil = in.Password, !in.Permanent, p.Now().Add(7*24*time.Hour)
		return struct{}{}, nil
	case "AdminGetUser":
		if u == nil {
			return nil, newException("UserNotFoundException", "User does not exist.")
		}
		status := "CONFIRMED"
		if u.Force {
			status = "FORCE_CHANGE_PASSWORD"
		}
		return map[string]any{"Username": u.name(in.Username), "Enabled": !u.Disabled, "UserStatus": status,
			"UserAttributes": []map[string]string{{"Name": "sub", "Value": u.Sub}}}, nil
	case "AdminEnableUser":
		if u == nil {
			return nil, newException("UserNotFoundException", "User does not exist.")
		}
		u.Disabled = false
		return struct{}{}, nil
	case "AdminUpdateUserAttributes":
		if u == nil {
			return nil, newException("UserNotFoundException", "User does not exist.")
		}
		if u.Attributes == nil {
			u.Attributes = map[string]string{}
		}
		maps.Copy(u.Attributes, attributes)
		if email := attributes["email"]; p.EmailUsernames && email != "" {
			delete(p.users, in.Username)
			p.users[email] = u
			for token, username := range p.opaque {
				if username == in.Username {
					p.opaque[token] = email
				}
			}
		}
		return struct{}{}, nil
	}
	return nil, newException("UnknownOperationException", operation)
}

// isStrong reports whether a password meets a stricter policy than that of the portal, with at least twelve characters.
func isStrong(password string) bool { return len(password) >= 12 }
