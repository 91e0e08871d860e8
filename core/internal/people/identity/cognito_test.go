package identity_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/people/identity/cognito"
	"github.com/wattle-portal/wattle/core/internal/people/identity/cognito/cognitotest"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/problem"
)

// TestCognitoErrors replays the errors that a pool can return.
func TestCognitoErrors(t *testing.T) {
	w := newFixture(t, storetest.SQLite(t))
	w.account(identity.Account{Label: "1071", Username: "anna", Email: "anna@example.org"}, strongPassword, false)
	signIn := func(b *browser) answer { return b.signIn("anna", strongPassword) }
	forgot := func(b *browser) answer { return b.post("/auth/forgot-password", form{"username": "anna"}) }
	confirm := func(b *browser) answer {
		return b.post("/auth/confirm-forgot-password", form{"username": "anna", "code": "123456", "new_password": otherPassword})
	}
	for _, c := range []struct {
		rows, operation, exception, message string
		call                                func(*browser) answer
		status                              int
		code                                string
	}{
		{"8-id-wrong-credentials", "InitiateAuth", "NotAuthorizedException", "Incorrect username or password.", signIn, 401, "wrong_credentials"},
		{"8-id-wrong-credentials", "InitiateAuth", "UserNotFoundException", "User does not exist.", signIn, 401, "wrong_credentials"},
		{"8-id-temp-expired", "InitiateAuth", "NotAuthorizedException", "Temporary password has expired and must be reset by an administrator.",
			signIn, 403, "temp_password_expired"},
		{"8-id-attempts", "InitiateAuth", "NotAuthorizedException", "Password attempts exceeded", signIn, 429, "attempts_exceeded"},
		{"8-id-attempts", "InitiateAuth", "TooManyRequestsException", "Too many requests", signIn, 429, "attempts_exceeded"},
		{"8-id-attempts", "ForgotPassword", "LimitExceededException", "Attempt limit exceeded, please try after some time.", forgot, 429,
			"attempts_exceeded"},
		{"8-id-pre-login", "InitiateAuth", "UserLambdaValidationException", "PreAuthentication failed with error not allowed.", signIn, 403,
			"pre_login_rejected"},
		{"8-id-pre-login", "InitiateAuth", "NotAuthorizedException", "User is disabled.", signIn, 403, "pre_login_rejected"},
		{"8-id-pre-login", "InitiateAuth", "UserNotConfirmedException", "User is not confirmed.", signIn, 403, "pre_login_rejected"},
		{"8-id-pre-login", "InitiateAuth", "PasswordResetRequiredException", "Password reset required for the user", signIn, 403,
			"pre_login_rejected"},
		{"8-id-invalid-chars", "InitiateAuth", "InvalidParameterException", "1 validation error detected", signIn, 400, "invalid_characters"},
		{"8-id-mail-timeout", "ForgotPassword", "CodeDeliveryFailureException", "Unable to deliver", forgot, 504, "mail_timeout"},
		{"2.4-forgot-password", "ForgotPassword", "UserNotFoundException", "Username/client id combination not found.", forgot, 204, ""},
		{"2.4-forgot-password", "ForgotPassword", "InvalidParameterException",
			"Cannot reset password for the user as there is no registered/verified email", forgot, 204, ""},
		{"8-id-cannot-reset", "ForgotPassword", "NotAuthorizedException", "User password cannot be reset in the current state.", forgot, 204, ""},
		{"8-id-invalid-code", "ConfirmForgotPassword", "CodeMismatchException", "Invalid verification code provided, please try again.", confirm,
			400, "code_invalid"},
		{"8-id-invalid-code", "ConfirmForgotPassword", "ExpiredCodeException", "Invalid code provided, please request a code again.", confirm,
			400, "code_invalid"},
		{"8-id-password-policy", "ConfirmForgotPassword", "InvalidPasswordException", "Password did not conform with policy", confirm, 400,
			"password_policy"},
		{"8-id-unknown", "InitiateAuth", "InternalErrorException", "oops", signIn, 503, "unavailable"},
		{"8-id-unknown", "InitiateAuth", "ForbiddenException", "Request not allowed due to WAF block.", signIn, 503, "unavailable"},
		{"8-id-unknown", "InitiateAuth", "InvalidLambdaResponseException", "Unrecognizable lambda output", signIn, 503, "unavailable"},
		{"8-id-unknown", "InitiateAuth", "InvalidSmsRoleTrustRelationshipException", "Role does not have a trust relationship", signIn, 503,
			"unavailable"},
		{"8-id-unknown", "InitiateAuth", "ResourceNotFoundException", "User pool client does not exist.", signIn, 503, "unavailable"},
		{"8-id-unknown", "InitiateAuth", "OfNextYearException", "an unknown message", signIn, 503, "unavailable"},
		{"8-id-unknown", "ForgotPassword", "InvalidEmailRoleAccessPolicyException", "Role is missing", forgot, 503, "unavailable"},
		{"8-id-unknown", "ConfirmForgotPassword", "UserLambdaValidationException", "PreSignUp failed", confirm, 400, "code_invalid"},
		{"8-id-unknown", "ConfirmForgotPassword", "UnexpectedLambdaException", "timed out", confirm, 503, "unavailable"},
	} {
		t.Run(c.rows, func(t *testing.T) {
			w := *w
			w.T = t
			w.clock.Advance(16 * time.Minute) // the earlier attempts no longer count
			w.pool.Fail(c.operation, c.exception, c.message)
			w.log.Reset()
			a := c.call(w.browser("1071"))
			if c.status == 204 {
				a.ok(t)
			} else {
				a.want(t, c.status, c.code)
			}
			if strings.Contains(string(a.Session)+a.Code, "Exception") {
				t.Error("the text of the pool reached the caller")
			}
			if logged := strings.Contains(w.log.String(), c.exception); logged != (c.status == 503) {
				t.Errorf("logged: %v", logged)
			}
		})
	}
}

func TestCognito(t *testing.T) {
	w := newFixture(t, storetest.SQLite(t))
	w.account(identity.Account{Label: "1071", Username: "anna", Email: "anna@example.org", Name: "Anna"}, strongPassword, false)
	b := w.browser("1071")

	t.Run("7.7-client-metadata", func(t *testing.T) {
		w.T = t
		temp := w.account(identity.Account{Label: "1071", Username: "temp", Email: "temp@example.org"}, strongPassword, true)
		in := b.signIn(temp.Username, strongPassword).ok(t)
		b.post("/auth/new-password", form{"session": strings.Trim(string(in.Session), `"`), "new_password": otherPassword}).ok(t)
		b.refresh().ok(t)
		b.post("/auth/forgot-password", form{"username": "temp"}).ok(t)
		b.post("/auth/confirm-forgot-password", form{"username": "temp", "code": w.pool.Code("temp"), "new_password": strongPassword}).ok(t)
		if err := w.Handle(system(t.Context(), "1071"), w.event("account.email_processed",
			form{"account": temp.ID, "email": "new@example.org"})); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, c := range w.pool.Calls() {
			seen[c.Operation] = true
			switch c.Operation {
			case "RevokeToken", "ChangePassword", "AdminSetUserPassword": // accept no metadata
				continue
			}
			if c.Metadata["portal"] != "ENERGY_SSP" {
				t.Errorf("%s carries %v", c.Operation, c.Metadata)
			}
			if c.Signed != strings.HasPrefix(c.Operation, "Admin") {
				t.Errorf("%s: signed %v", c.Operation, c.Signed)
			}
		}
		for _, op := range []string{"InitiateAuth", "RespondToAuthChallenge", "ForgotPassword", "ConfirmForgotPassword", "AdminCreateUser",
			"AdminUpdateUserAttributes"} {
			if !seen[op] {
				t.Errorf("%s was not called", op)
			}
		}
		if got := w.pool.User("temp").Attributes["email"]; got != "new@example.org" {
			t.Errorf("the pool has the address %s", got)
		}
	})

	t.Run("7.7-identity-config", func(t *testing.T) {
		w.T = t
		id := &w.labels["1071"].Identity
		x, first := w.browser("1071"), len(w.pool.Calls())
		w.account(identity.Account{Label: "1071", Username: "conny", Email: "conny@example.org"}, strongPassword, false)
		x.signIn("conny", strongPassword).ok(t)
		x.post("/auth/change-password", form{"old_password": strongPassword, "new_password": otherPassword}).ok(t)
		x.post("/auth/sign-out", nil).ok(t)
		x.post("/auth/forgot-password", form{"username": "conny"}).ok(t)
		x.post("/auth/confirm-forgot-password", form{"username": "conny", "code": w.pool.Code("conny"), "new_password": strongPassword}).ok(t)
		seen := map[string]bool{}
		for _, c := range w.pool.Calls()[first:] {
			seen[c.Operation] = true
			switch {
			case strings.HasPrefix(c.Operation, "Admin"):
				if c.Body["UserPoolId"] != id.UserPoolID || c.Region != id.Region {
					t.Errorf("%s goes to pool %v in region %s", c.Operation, c.Body["UserPoolId"], c.Region)
				}
			case c.Operation != "ChangePassword" && c.Body["ClientId"] != id.ClientID: // its access token names the client
				t.Errorf("%s is of client %v", c.Operation, c.Body["ClientId"])
			}
		}
		for _, op := range []string{"AdminCreateUser", "InitiateAuth", "ChangePassword", "RevokeToken", "ForgotPassword",
			"ConfirmForgotPassword"} {
			if !seen[op] {
				t.Errorf("%s was not called", op)
			}
		}
		before := *id
		id.ClientID, id.Region = "another-client", "eu-north-1"
		x.signIn("conny", strongPassword).want(t, 503, problem.CodeUnavailable) // the pool does not have this client
		w.account(identity.Account{Label: "1071", Username: "coen", Email: "coen@example.org"}, strongPassword, false)
		calls := w.pool.Calls()
		if last := calls[len(calls)-1]; !last.Signed || last.Region != "eu-north-1" {
			t.Errorf("%s goes to region %s", last.Operation, last.Region)
		}
		*id = before
		x.signIn("conny", strongPassword).ok(t)
	})

	t.Run("7.7-change-password-call", func(t *testing.T) {
		w.T = t
		b.signIn("anna", strongPassword).ok(t)
		w.clock.Advance(4*time.Minute + 55*time.Second) // the id token is still valid; the access token is about to expire and is renewed
		b.post("/auth/change-password", form{"old_password": strongPassword, "new_password": otherPassword}).ok(t)
		calls := w.pool.Calls()
		last := calls[len(calls)-1]
		if token, _ := last.Body["AccessToken"].(string); last.Operation != "ChangePassword" || token == "" ||
			last.Body["PreviousPassword"] != strongPassword || last.Body["ProposedPassword"] != otherPassword {
			t.Errorf("the pool got %+v", last)
		}
		if before := calls[len(calls)-2]; before.Body["AuthFlow"] != "REFRESH_TOKEN_AUTH" {
			t.Errorf("before it %+v", before)
		}
		b.refresh().ok(t)
		// the pool's policy is stricter
		b.post("/auth/change-password", form{"old_password": otherPassword, "new_password": "Short-pw-9"}).want(t, 400,
			identity.CodePasswordPolicy)
	})

	t.Run("5.5-username-unique", func(t *testing.T) {
		w.T = t
		b.call(http.MethodPut, "/accounts/me/reserved-username", form{"username": "anna.new"}).want(t, 409, identity.CodeUnsupported)
	})

	t.Run("7.7-sign-out-effect", func(t *testing.T) {
		w.T = t
		x := w.browser("1071")
		x.signIn("anna", otherPassword).ok(t)
		x.post("/auth/sign-out", nil).ok(t)
		calls := w.pool.Calls()
		if calls[len(calls)-1].Operation != "RevokeToken" {
			t.Error("the pool was not called")
		}
		x.signIn("anna", otherPassword).ok(t)
		w.pool.Fail("InitiateAuth", "NotAuthorizedException", "Refresh Token has been revoked")
		x.refresh().want(t, 401, identity.CodeSessionExpired)
		x.refresh().want(t, 401, identity.CodeSessionExpired)
	})

	t.Run("8-id-session-expired", func(t *testing.T) {
		w.T = t
		x := w.browser("1071")
		x.signIn("anna", otherPassword).ok(t)
		w.pool.Fail("InitiateAuth", "InternalErrorException", "down")
		x.refresh().want(t, 503, problem.CodeUnavailable)
		x.refresh().ok(t) // a short outage of the pool does not end a session
	})

	t.Run("8-id-pre-login,6-impersonator-attribute", func(t *testing.T) {
		w.T = t
		w.pool.Add("stranger", cognitotest.User{Password: strongPassword})
		w.pool.Add("looker", cognitotest.User{Password: strongPassword, Attributes: map[string]string{"custom:is_impersonator": "true"}})
		w.account(identity.Account{Label: "1071", Username: "looker"}, "", false)
		w.browser("1071").signIn("stranger", strongPassword).want(t, 403, identity.CodePreLogin)
		w.browser("1071").signIn("looker", strongPassword).want(t, 403, identity.CodeImpersonator)
		calls := w.pool.Calls()
		if calls[len(calls)-1].Operation != "RevokeToken" {
			t.Error("a refused user keeps the pool's tokens")
		}
		w.pool.Add("guest", cognitotest.User{Password: strongPassword, Attributes: map[string]string{"custom:is_impersonator": "false"}})
		w.account(identity.Account{Label: "1071", Username: "guest"}, "", false)
		w.browser("1071").signIn("guest", strongPassword).ok(t) // only the value true makes an impersonator
	})

	t.Run("7.7-identity-service-choice", func(t *testing.T) {
		w.T = t
		var rows []struct{ Tokens string }
		if err := w.db.Read().NewRaw("SELECT tokens FROM identity_sessions").Scan(t.Context(), &rows); err != nil || len(rows) == 0 {
			t.Fatal(rows, err)
		}
		for _, r := range rows {
			if r.Tokens == "" || strings.Contains(r.Tokens, "opaque") {
				t.Errorf("stored %q", r.Tokens)
			}
		}
		w.deps.Cognito = nil
		s, err := identity.New(w.deps)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.JWKS(t.Context(), w.labels["1071"]); err == nil {
			t.Error("a provider that is not configured serves keys")
		}
	})
}

// A client with a secret proves the secret on every call.
func TestCognitoSecret(t *testing.T) {
	w := newFixture(t, storetest.SQLite(t))
	secret := "s3cret-of-the-client"
	w.labels["1071"].Identity.ClientSecret = "POOL_SECRET"
	w.pool.Secret = secret
	w.deps.Cognito = cognito.New(cognito.Config{Now: w.clock.Now, Secrets: func(name string) string {
		if name == "POOL_SECRET" {
			return secret
		}
		return ""
	}, Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
	})})
	w.serve()
	conform(t, w, "1071")

	// A user who signs in with an alias has another name in the pool, which the response of the pool contains.
	t.Run("alias", func(t *testing.T) {
		p := cognito.New(cognito.Config{Now: w.clock.Now, Secrets: func(string) string { return secret }})
		l := w.labels["1071"]
		w.pool.Add("anna@example.org", cognitotest.User{Name: "0d1f-the-pool-s-own", Password: "First-Password-1", Force: true})
		g, err := p.SignIn(t.Context(), l, "anna@example.org", "First-Password-1")
		if err != nil || g.Challenge == "" {
			t.Fatalf("%+v: %v", g, err)
		}
		if g, err = p.NewPassword(t.Context(), l, "anna@example.org", g.Challenge, "Second-Password-2"); err != nil {
			t.Fatal(err)
		}
		if g, err = p.Refresh(t.Context(), l, "anna@example.org", g.Tokens); err != nil {
			t.Fatal(err)
		}
		if err := p.SignOut(t.Context(), l, g.Tokens); err != nil {
			t.Fatal(err)
		}
	})

	t.Run("a wrong secret is not reported as a wrong password", func(t *testing.T) {
		p := cognito.New(cognito.Config{Now: w.clock.Now, Secrets: func(string) string { return "another" }})
		w.pool.Add("bert", cognitotest.User{Password: strongPassword})
		_, err := p.SignIn(t.Context(), w.labels["1071"], "bert", strongPassword)
		if err == nil || problem.Of(err).Status != http.StatusServiceUnavailable || !strings.Contains(err.Error(), "secret hash") {
			t.Errorf("%v", err)
		}
	})
}
