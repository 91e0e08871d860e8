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
	request := op(post, "/account/request", "requestAccount", "Register as a customer",
		"Public. Stores the registration and mails a link to verify the e-mail address. The response is the same for known addresses. Problems: 400 by field, "+
			// 7.1-account-request-use
			"400 onboarding.proof_invalid; 403 onboarding.registration_closed; 404 onboarding.address_unknown; 428 onboarding.proof_needed; 429 too_many_calls.")
	request.DefaultStatus = http.StatusCreated
	request.SkipValidateBody = true // Registration.Check returns better errors
	module.Route(s.API, request, module.Public, module.Write, s.requestAccount)
	module.Route(s.API, op(post, "/account/request/challenge", "makeChallenge", "Create a proof of work for a registration",
		"Public. A challenge is valid for one hour and one registration. Problems: 403 onboarding.registration_closed; 429 too_many_calls."),
		module.Public, module.Write, s.makeChallenge)
	begin := op(post, "/reactivate/begin", "beginReactivation", "Mail a link that reactivates an account",
		"Public. The response is the same whether an account exists or not. With token instead of email, finishes the reactivation with an address. "+
			// 7.5-reactivate-begin
			"Problems: 400 by field; 404 onboarding.address_unknown; 410 onboarding.token_invalid; 412 onboarding.already_reactivated; 429 too_many_calls.")
	begin.DefaultStatus = http.StatusAccepted
	begin.SkipValidateBody = true
	module.Route(s.API, begin, module.Public, module.Write, s.beginReactivation)
	finish := op(post, "/reactivate/finish/{token}", "finishReactivation", "Reactivate the account of a mailed link",
		"Public: the token identifies the account. Mails a temporary password. Problems: 404 onboarding.address_unknown if an address is required or does "+
			// 7.5-reactivate-finish
			"not match, the link stays valid; 410 onboarding.token_invalid; 412 onboarding.already_reactivated; 429 too_many_calls.")
	module.Route(s.API, finish, module.Public, module.Write, s.finishReactivation)
	module.Route(s.API, op(get, "/staff/applications", "listApplications", "List unverified registrations, newest first",
		"For staff and API keys. Returns 50 registrations whose e-mail address is not verified yet."), module.APIKey, module.Read,
		s.listApplications)
	module.Decisions(s.API, manifest.Key, s.host.DB, s.decided)
}

func op(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, Description: description}
}

// Challenge is a proof of work for the browser, which must find a solution so that the SHA-256 of "<challenge>:<solution>" starts with Bits
// zero bits. It is valid for one registration with one label.
type Challenge struct {
	Challenge string    `json:"challenge" doc:"Challenge to solve"`
	Bits      int       `json:"bits" doc:"Number of zero bits at the start of the SHA-256 of challenge, a colon and the solution"`
	Expires   time.Time `json:"expires" doc:"End of its validity"`
}

type challengeAnswer struct{ Body Challenge }

// requestForm is a registration form with its protection against bots.
type requestForm struct {
	Registration
	Challenge string `json:"challenge,omitempty" doc:"Challenge from POST account/request/challenge"`
	Solution  string `json:"solution,omitempty" doc:"Solution of the challenge"`
	Website   string `json:"website,omitempty" doc:"Hidden field against bots; leave it empty. When it is filled in, a proof of work is required."`
}

type requestInput struct {
	Key  string `header:"Idempotency-Key" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9._~-]+$" doc:"Repeated requests with the same key and form are one registration, until its e-mail address is verified"`
	Body requestForm
}

// reactivationForm is the body of beginReactivation: an email address, or the token of an emailed link, and optionally the address of the
// customer. Other fields of a registration are accepted and ignored (7.5-reactivate-begin-extended).
type reactivationForm struct {
	Email       string `json:"email,omitempty" doc:"E-mail address of the account"`
	Token       string `json:"token,omitempty" doc:"Token of the mailed link, instead of email, after finishReactivation returned 404"`
	LabelKey    string `json:"labelKey,omitempty" doc:"Key of the label; refused if it is not the label of the host"`
	ZipCode     string `json:"zip_code,omitempty" doc:"Postal code of an address of the customer, if the label requires an address"`
	HouseNumber text   `json:"house_number,omitempty" doc:"House number of that address: a string or a number"`
	Extension   text   `json:"house_number_extension,omitempty" doc:"House number extension of that address; absent: none"`
}

type beginInput struct{ Body reactivationForm }

type finishInput struct {
	Token string `path:"token" maxLength:"200" doc:"Token of the mailed link"`
}

// Reactivated is the result of a reactivation; the temporary password is emailed.
type Reactivated struct {
	Reactivated bool `json:"reactivated" doc:"Always true"`
}

type reactivatedAnswer struct{ Body Reactivated }

type applicationsInput struct {
	At time.Time `query:"at" doc:"With id: value of filed of the last registration on the previous page"`
	ID string    `query:"id" doc:"Id of the last registration on the previous page"`
}

type applicationsAnswer struct {
	Body []Waiting `nullable:"false"`
}

const listPage = 50

func (s *service) listApplications(ctx context.Context, in *applicationsInput) (*applicationsAnswer, error) {
	waiting, err := applicationsOf(ctx, s.host.DB, in.At, in.ID, listPage)
	return &applicationsAnswer{waiting}, err
}
