package account_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account"
)

// verified is the data of the event that the suite delivers after an emailed link was followed. Its key is the id of the change. Only the
// fake core receives that id, so it copies the id into these bytes.
var verified = []byte(fmt.Sprintf(`{"purpose":"account.email","module":"account","key":%q}`, value.NewID()))

const keyAt = len(`{"purpose":"account.email","module":"account","key":"`)

// fakeCore replaces core's operations for accounts, tokens, limits and label info.
func fakeCore(a huma.API) {
	type none struct{}
	type body[T any] struct{ Body T }
	type me struct {
		Username string `json:"username"`
	}
	type token struct {
		Token string `json:"token"`
	}
	type info struct {
		Email string `json:"email"`
	}
	op := func(method, path, id string) huma.Operation {
		return huma.Operation{Method: method, Path: path, OperationID: id}
	}
	module.Route(a, op("GET", "/accounts/me", "me"), module.Sibling, module.Read, func(context.Context, *none) (*body[me], error) {
		return &body[me]{me{"fenna.deboer"}}, nil
	})
	module.Route(a, op("PUT", "/accounts/me/reserved-username", "reserve"), module.Sibling,
		module.Write, func(_ context.Context, in *body[me]) (*none, error) {
			if in.Body.Username == "somebody.else" {
				return nil, problem.Fail(http.StatusConflict, "account.username_taken")
			}
			return nil, nil
		})
	module.Route(a, op("DELETE", "/accounts/me/reserved-username", "release"), module.Sibling,
		module.Write, func(context.Context, *none) (*none, error) {
			return nil, nil
		})
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
		}
	}
	module.Route(a, op("POST", "/limits", "limit"), module.Sibling, module.Read, func(context.Context, *attempt) (*body[limit], error) {
		return &body[limit]{limit{true}}, nil
	})
	type labelled struct {
		Key string `path:"key"`
	}
	module.Route(a, op("GET", "/labels/{key}/info", "info"), module.Public,
		module.Read, func(context.Context, *labelled) (*body[info], error) {
			return &body[info]{info{"service@label.example"}}, nil
		})
}

// bankAccount returns the event for a bank account that is in use from today.
func bankAccount(relation, number, decided string) module.Event {
	return module.Event{Type: "billing.iban_effective", Key: relation, Data: fmt.Appendf(nil,
		`{"relation":%q,"bank_account_number":%q,"bank_account_name":"Fenna de Boer","from_date":"2026-11-22","decided":%q}`, relation, number,
		decided)}
}

func TestConformance(t *testing.T) {
	as := func(debtor string) module.Scope {
		return module.Scope{Relation: account.RelationID(moduletest.LabelOne, debtor), Subject: "account-" + debtor}
	}
	fenna, joost := as("1"), as("2")
	call := func(who module.Scope, method, path, body string) moduletest.Call {
		return moduletest.Call{Method: method, Path: path, Body: body, As: who}
	}
	phone := call(fenna, "PUT", "/relations/phonenumber", `{"phone_number":"0687654321"}`)
	email := call(fenna, "PUT", "/relations/email", `{"change_email":"nieuw@voorbeeld.example"}`)
	username := call(fenna, "PUT", "/account", `{"change_username":"fenna.nieuw"}`)
	state := []moduletest.Call{}
	for _, who := range []module.Scope{fenna, joost, as("4")} {
		for _, path := range []string{"/relations", "/relations/addresses", "/relations/phonenumber?request=status",
			"/relations/email?request=status", "/account"} {
			state = append(state, call(who, "", path, ""))
		}
	}
	moduletest.Run(t, account.Module, moduletest.Options{
		Main:     "./plugin",
		Settings: account.Settings{ShowShippingAddresses: true},
		Siblings: []module.Module{moduletest.Fake("core", fakeCore)},
		Records: []moduletest.Record{
			{Kind: "relation", Data: `{"debtor_number":"1","email":"fenna@voorbeeld.example","phone_number":"0612345678","addresses":[{"address_type":"SHIPPING","street":"Molenweg"}]}`},
			{Kind: "relation", Data: `{"debtor_number":"2","email":"joost@voorbeeld.example","company":{"name":"Molen B.V."}}`},
			{Kind: "relation", Data: `{"debtor_number":"3","salutation":"DR"}`},
		},
		Prepare: []moduletest.Call{call(joost, "PUT", "/relations/email", `{"change_email":"joost.nieuw@voorbeeld.example"}`)},
		State:   state,
		Writes: map[string]moduletest.Call{"changePhone": phone, "changeEmail": email, "changeUsername": username,
			"sendContact": call(fenna, "POST", "/relations/contact", `{"subject":"usage","message":"Klopt mijn verbruik?"}`)},
		Changes: map[string]moduletest.Call{"account.phone": phone, "account.email": email, "account.username": username},
		Events: []module.Event{{Type: "onboarding.approved", Key: "any", Data: []byte(`{"change":"c","relation":"any","debtor_number":"4",
				"relation_since":"2026-11-20","salutation":"MRS","name":"Nina Smit","initials":"N.","last_name":"Smit","gender":"FEMALE",
				"email":"nina@voorbeeld.example","phone_number":"0612345678","bank_account_number":"NL91ABNA0417164300","bank_account_name":"N. Smit",
				"address":{"street":"Molenweg","house_number":"12","house_number_extension":"bis","zip_code":"9861GT","city":"Grootegast"}}`)},
			{Type: "core.email_verified", Key: "any", Data: verified},
			bankAccount(fenna.Relation, "NL91ABNA0417164300", "2026-11-20T10:00:00Z"),
			bankAccount(fenna.Relation, "DE89370400440532013000", "2026-11-21T10:00:00Z")},
	})
}
