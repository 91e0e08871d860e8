package move_test

import (
	"context"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/address/addressapi"
	"github.com/wattle-portal/wattle/modules/billing/billingapi"
	"github.com/wattle-portal/wattle/modules/move"
)

type body[T any] struct{ Body T }

func op(method, path, id string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id}
}

// fakeCore sets no limit on look-ups.
func fakeCore(a huma.API) {
	type limit struct {
		Allowed bool `json:"allowed"`
	}
	type attempt struct {
		Key    string `json:"key"`
		Max    int    `json:"max"`
		Window int    `json:"window_seconds"`
		Client bool   `json:"per_client,omitempty"`
	}
	module.Route(a, op("POST", "/limits", "limit"), module.Sibling, module.Read, func(context.Context, *body[attempt]) (*body[limit], error) {
		return &body[limit]{limit{true}}, nil
	})
}

// fakeAccount returns the same email address for the caller and for any other relation.
func fakeAccount(a huma.API) {
	type relation struct {
		Email string `json:"email"`
	}
	module.Route(a, op("GET", "/relations", "getRelation"), module.Customer,
		module.Read, func(context.Context, *struct{}) (*body[relation], error) {
			return &body[relation]{relation{"fenna@voorbeeld.example"}}, nil
		})
	module.Route(a, op("POST", "/relations/lookup", "lookUpRelations"), module.Sibling,
		module.Read, func(context.Context, *body[accountapi.LookupInputBody]) (*body[[]accountapi.Found], error) {
			return &body[[]accountapi.Found]{[]accountapi.Found{{Email: "fenna@voorbeeld.example"}}}, nil
		})
}

// fakeBilling returns the same agreement to every customer.
func fakeBilling(a huma.API) {
	module.Route(a, op("GET", "/agreements/supplies", "listSupplies"), module.Sibling,
		module.Read, func(context.Context, *struct{}) (*body[[]billingapi.Supply], error) {
			return &body[[]billingapi.Supply]{[]billingapi.Supply{{AgreementIdentifierWithSequence: "A1-1", Status: "ACTIVE",
				Addresses: []billingapi.Address{{
					Street: "Molenweg", HouseNumber: "18", ZipCode: "9861GT", City: "Grootegast",
					Connections: []billingapi.Connection{{EANCode: "871600000000000017", Commodity: "ELECTRICITY"},
						{EANCode: "871600000000000024", Commodity: "GAS"}}}}}}}, nil
		})
}

// fakeAddress returns an address for every postal code, and alternatives for 9711CD.
func fakeAddress(a huma.API) {
	module.Route(a, op("POST", "/address/find", "findAddress"), module.Sibling,
		module.Read, func(_ context.Context, in *body[addressapi.FindInputBody]) (*body[addressapi.Found], error) {
			found := addressapi.FoundAddress{ZipCode: value.NormalizeZipCode(in.Body.ZipCode), HouseNumber: in.Body.HouseNumber, Street: "Lindelaan",
				City: "Groningen"}
			switch {
			case found.ZipCode != "9711CD":
			case in.Body.HouseNumberExtension == nil:
				return &body[addressapi.Found]{addressapi.Found{Alternatives: []string{"", "bis"}}}, nil
			default:
				found.HouseNumberExtension = *in.Body.HouseNumberExtension
			}
			return &body[addressapi.Found]{addressapi.Found{Address: &found, Alternatives: []string{}}}, nil
		})
}

func TestConformance(t *testing.T) {
	as := func(debtor string) module.Scope {
		return module.Scope{Relation: value.StableID(moduletest.LabelOne, "relation", debtor), Subject: "account-" + debtor}
	}
	fenna, joost := as("1"), as("2")
	call := func(who module.Scope, method, path, body string) moduletest.Call {
		return moduletest.Call{Method: method, Path: path, Body: body, As: who}
	}
	const request = `{"old_address":{"zip_code":"9861GT","house_number":"18"},"new_address":{"zip_code":"9731 ab","house_number":7},"start_date":"2030-01-01"}`
	ask := call(fenna, "PUT", "/move", request)
	state := []moduletest.Call{}
	for _, who := range []module.Scope{fenna, joost} {
		for _, path := range []string{"/moves", "/address?zipCode=9711CD&houseNumber=12",
			"/address?zipCode=9711CD&houseNumber=12&houseNumberExtension=bis"} {
			state = append(state, call(who, "", path, ""))
		}
	}
	moduletest.Run(t, move.Module, moduletest.Options{
		Main:     "./plugin",
		Settings: move.Settings{Connections: move.Provider{Name: "embedded"}},
		Siblings: []module.Module{moduletest.Fake("core", fakeCore), moduletest.Fake("account", fakeAccount),
			moduletest.Fake("address", fakeAddress), moduletest.Fake("billing", fakeBilling)},
		Prepare: []moduletest.Call{call(joost, "PUT", "/move", request)},
		State:   state,
		Writes:  map[string]moduletest.Call{"requestMove": ask},
		Changes: map[string]moduletest.Call{"move.request": ask},
	})
}
