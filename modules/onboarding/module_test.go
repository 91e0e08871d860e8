package onboarding_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/onboarding"
)

// verified is the data of the event that is published when an emailed link is followed. Its key is the id of the registration. Only the
// fake core receives that id, and writes it into these bytes.
var verified = []byte(fmt.Sprintf(`{"purpose":"onboarding.application","module":"onboarding","key":%q}`, value.NewID()))

const keyAt = len(`{"purpose":"onboarding.application","module":"onboarding","key":"`)

type body[T any] struct{ Body T }

func op(method, path, id string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id}
}

// disconnect cancels the caller's context when a limit is counted, as if the caller disconnected.
var disconnect atomic.Pointer[context.CancelFunc]

// fakeCore implements accounts, tokens and limits.
func fakeCore(a huma.API) {
	type token struct {
		Token string `json:"token"`
	}
	type ask struct {
		Body struct {
			Purpose string `json:"purpose"`
			Key     string `json:"key"`
			TTL     int    `json:"ttl_seconds"`
		}
	}
	module.Route(a, op("POST", "/tokens", "token"), module.Sibling, module.Write, func(_ context.Context, in *ask) (*body[token], error) {
		copy(verified[keyAt:], in.Body.Key)
		return &body[token]{token{"secret"}}, nil
	})
	type limit struct {
		Allowed bool `json:"allowed"`
	}
	type attempt struct {
		Body struct {
			Key    string `json:"key"`
			Max    int    `json:"max"`
			Window int    `json:"window_seconds"`
			Client bool   `json:"per_client,omitempty"`
		}
	}
	module.Route(a, op("POST", "/limits", "limit"), module.Sibling, module.Read, func(context.Context, *attempt) (*body[limit], error) {
		if leave := disconnect.Load(); leave != nil {
			(*leave)()
		}
		return &body[limit]{limit{true}}, nil
	})
	type account struct {
		ID       string `json:"id"`
		Relation string `json:"relation"`
		Role     string `json:"role"`
	}
	type email struct {
		Body struct {
			Email string `json:"email"`
		}
	}
	type accounts struct {
		Body []account `nullable:"false"`
	}
	module.Route(a, op("POST", "/accounts/search", "search"), module.Sibling,
		module.Read, func(_ context.Context, in *email) (*accounts, error) {
			return &accounts{[]account{}}, nil
		})
	type open struct {
		Body struct {
			Key      string `json:"key"`
			Relation string `json:"relation"`
			Username string `json:"username"`
			Email    string `json:"email"`
			Name     string `json:"name"`
			Locale   string `json:"locale"`
		}
	}
	module.Route(a, op("POST", "/accounts", "open"), module.Sibling, module.Write, func(_ context.Context, in *open) (*body[account], error) {
		if in.Body.Username == in.Body.Email { // the username is taken
			return nil, problem.Fail(http.StatusConflict, "account.username_taken")
		}
		return &body[account]{account{ID: "a1", Relation: in.Body.Relation, Role: "customer"}}, nil
	})
}

// fakeAddress implements the address register.
func fakeAddress(a huma.API) {
	type address struct {
		ZipCode   string `json:"zipCode"`
		Number    string `json:"houseNumber"`
		Extension string `json:"houseNumberExtension"`
	}
	type place struct {
		Street   string `json:"street"`
		Number   string `json:"houseNumber"`
		Addition string `json:"houseNumberAddition"`
		City     string `json:"city"`
		ZipCode  string `json:"postcode"`
	}
	module.Route(a, op("POST", "/lambda/address-validation/postcode", "check"), module.Public, module.Read,
		func(_ context.Context, in *body[address]) (*body[place], error) {
			if in.Body.ZipCode != "9861GT" {
				return nil, problem.Fail(http.StatusNotFound, "move.address_unknown")
			}
			return &body[place]{place{"Molenweg", in.Body.Number, in.Body.Extension, "Grootegast", in.Body.ZipCode}}, nil
		})
}

const form = `{"initials":"F.A.","preferred_name":"Fenna","prefix":"de","last_name":"Boer","gender":"FEMALE","birth_date":"1984-02-29",
	"phone_number":"06-12345678","email":"fenna@voorbeeld.example","house_number":12,"house_number_extension":"2 hoog","zip_code":"9861 gt",
	"bank_account_number":"nl91 abna 0417 1643 00","bank_account_name":"F.A. de Boer","label_key":"one"}`

func TestConformance(t *testing.T) {
	request := moduletest.Call{Method: "POST", Path: "/account/request", Body: form, As: module.Scope{Role: module.RolePublic}}
	moduletest.Run(t, onboarding.Module, moduletest.Options{
		Main:     "./plugin",
		Settings: onboarding.Settings{Registration: true},
		Siblings: []module.Module{moduletest.Fake("core", fakeCore), moduletest.Fake("address", fakeAddress),
			moduletest.Fake("account", func(huma.API) {})},
		Prepare: []moduletest.Call{request},
		State:   []moduletest.Call{{Path: "/staff/applications", As: module.Scope{Role: module.RoleStaff, Subject: "staff"}}},
		Writes: map[string]moduletest.Call{"requestAccount": request,
			"makeChallenge": {Method: "POST", Path: "/account/request/challenge", As: module.Scope{Role: module.RolePublic}},
			"beginReactivation": {Method: "POST", Path: "/reactivate/begin", Body: `{"email":"fenna@voorbeeld.example","labelKey":"one"}`,
				As: module.Scope{Role: module.RolePublic}}},
		Skip: map[string]string{
			"finishReactivation":     "its token is only in a mail: TestReactivation",
			"onboarding.application": "is filed after a mailed link was followed; a second one returns no conflict: TestRegistration",
		},
		Events: []module.Event{
			{Type: "core.email_verified", Key: "any", Data: verified},
			{Type: "onboarding.approved", Key: "c1",
				Data: []byte(`{"change":"c1","relation":"r1","debtor_number":"P1","email":"fenna@voorbeeld.example","name":"Fenna de Boer","locale":"nl"}`)},
			{Type: "onboarding.reactivation_requested", Key: "nothing"},
			{Type: "onboarding.sweep", Key: "one"},
		},
	})
}

// Calls with the same key wait for one registration. It is stored even if the caller that started it disconnects.
func TestCallerThatLeaves(t *testing.T) {
	w := moduletest.Open(t, onboarding.Module, moduletest.Options{Settings: onboarding.Settings{Registration: true},
		Siblings: []module.Module{moduletest.Fake("core", fakeCore), moduletest.Fake("address", fakeAddress),
			moduletest.Fake("account", func(huma.API) {})}}, false)
	ctx, leave := context.WithCancel(t.Context())
	disconnect.Store(&leave)
	defer disconnect.Store(nil)
	r := httptest.NewRequestWithContext(w.Hub.Enter(ctx, module.Scope{Label: moduletest.LabelOne, Role: module.RolePublic, Locale: "nl"},
		"onboarding"),
		http.MethodPost, "/account/request", strings.NewReader(form))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", "form-1")
	answer := httptest.NewRecorder()
	w.Registry.Snapshot().Modules["onboarding"].Instance.(http.Handler).ServeHTTP(answer, r)
	assert.Error(t, ctx.Err())
	assert.Equal(t, http.StatusCreated, answer.Code, answer.Body.String())
}
