//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package onboarding

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
)

func (s *service) routes() {
	const get, post = http.MethodGet, http.MethodPost
	request := op(post, "/account/request", "requestAccount", "Ask for access") // 7.1-account-request-use
	request.DefaultStatus = http.StatusCreated
	request.SkipValidateBody = true // Registration.Check returns better errors
	module.Route(s.API, request, module.Public, module.Write, s.requestAccount)
	module.Route(s.API, op(post, "/account/request/challenge", "makeChallenge", "Work to be done before asking for access"), module.Public, module.Write, s.makeChallenge)
	begin := op(post, "/reactivate/begin", "beginReactivation", "Have a link mailed that wakes an account; the answer never tells whether there is one") // 7.5-reactivate-begin
	begin.DefaultStatus = http.StatusAccepted
	begin.SkipValidateBody = true
	module.Route(s.API, begin, module.Public, module.Write, s.beginReactivation)
	finish := op(post, "/reactivate/finish/{token}", "finishReactivation", "Wake the account of a mailed link") // 7.5-reactivate-finish
	module.Route(s.API, finish, module.Public, module.Write, s.finishReactivation)
	module.Route(s.API, op(get, "/staff/applications", "listApplications", "Registrations whose e-mail address is not verified yet, newest first"), module.APIKey, module.Read, s.listApplications)
	module.Decisions(s.API, manifest.Key, s.host.DB, s.decided)
}

func op(method, path, id, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary}
}

// Challenge is a proof of work for the browser: find a solution so that the SHA-256 of "<challenge>:<solution>" starts with Bits zero bits.
// It is valid for one registration with one label.
type Challenge struct {
	Challenge string    `json:"challenge"`
	Bits      int       `json:"bits" doc:"How many bits the hash of challenge, a colon and the solution begins with that are zero"`
	Expires   time.Time `json:"expires"`
}

type challengeAnswer struct{ Body Challenge }

// requestForm is a registration with its protection against bots.
type requestForm struct {
	Registration
	Challenge string `json:"challenge,omitempty" doc:"Of POST account/request/challenge"`
	Solution  string `json:"solution,omitempty" doc:"To that challenge"`
	Website   string `json:"website,omitempty" doc:"A trap: people do not see this field and leave it empty"`
}

type requestInput struct {
	Key  string `header:"Idempotency-Key" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9._~-]+$" doc:"The same key with the same form is one registration, however often it is sent until its e-mail address is verified"`
	Body requestForm
}

// reactivationForm is the body of beginReactivation: an e-mail address, or the token of a mailed link, and optionally the address of the
// customer. Other fields of a registration are accepted and ignored (7.5-reactivate-begin-extended).
type reactivationForm struct {
	Email       string `json:"email,omitempty" doc:"Of the account"`
	Token       string `json:"token,omitempty" doc:"In place of email: of the link whose finish asked for an address (404)"`
	LabelKey    string `json:"labelKey,omitempty"`
	ZipCode     string `json:"zip_code,omitempty"`
	HouseNumber text   `json:"house_number,omitempty"`
	Extension   text   `json:"house_number_extension,omitempty"`
}

type beginInput struct{ Body reactivationForm }

type finishInput struct {
	Token string `path:"token" maxLength:"200"`
}

// Reactivated is the result of a reactivation; the temporary password is mailed.
type Reactivated struct {
	Reactivated bool `json:"reactivated"`
}

type reactivatedAnswer struct{ Body Reactivated }

type applicationsInput struct {
	At time.Time `query:"at" doc:"With id: continue after this one"`
	ID string    `query:"id"`
}

type applicationsAnswer struct {
	Body []Waiting `nullable:"false"`
}

const listPage = 50

func (s *service) listApplications(ctx context.Context, in *applicationsInput) (*applicationsAnswer, error) {
	waiting, err := applicationsOf(ctx, s.host.DB, in.At, in.ID, listPage)
	return &applicationsAnswer{waiting}, err
}
