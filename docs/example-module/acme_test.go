package acme_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/portaltest"
	acme "github.com/wattle-portal/wattle/docs/example-module"
	"github.com/wattle-portal/wattle/docs/example-module/acmeapi"
)

// fakeAccount implements the sibling that the module calls.
var fakeAccount = moduletest.Fake("account", func(a huma.API) {
	module.Route(a, huma.Operation{OperationID: "ping", Method: http.MethodGet, Path: "/account/ping"}, module.Sibling, module.Read,
		func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
})

func TestModule(t *testing.T) {
	moduletest.Run(t, acme.Module, moduletest.Options{
		Main:     "./plugin",
		Settings: acme.Settings{MaxNotes: 10},
		Siblings: []module.Module{fakeAccount}, // called by the module
		Records:  []moduletest.Record{{Kind: "note", Data: `{"relation":"relation-1","id":"a","text":"one"}`}},
		State:    []moduletest.Call{{Path: "/acme/notes"}},
		Writes: map[string]moduletest.Call{
			"saveNote": {Method: "PUT", Path: "/acme/notes/b", Body: `{"text":"two"}`},
			"askLimit": {Method: "POST", Path: "/acme/limit", Body: `{"amount":5}`},
		},
		Events:  []module.Event{{Type: acmeapi.EventNoteSaved, Key: "a", Data: []byte(`{"length":3}`)}},
		Changes: map[string]moduletest.Call{"acme.limit": {Method: "POST", Path: "/acme/limit", Body: `{"amount":5}`}},
	})
}

func TestNotes(t *testing.T) {
	portaltest.Each(t, portaltest.Options{Modules: []module.Module{acme.Module}}, func(t *testing.T, p *portaltest.Portal) {
		customer, other := p.Customer("alpha", "r1"), p.Customer("alpha", "r2")
		require.Empty(t, p.Import("alpha", "note", `{"relation": "r1", "id": "a", "text": "from before"}`))
		require.Equal(t, http.StatusOK, customer.Do("PUT", "/acme/notes/b", map[string]string{"text": "new"}).Status)

		var mine, theirs []struct{ ID, Text string }
		customer.Get("/acme/notes", &mine)
		other.Get("/acme/notes", &theirs)
		require.Len(t, mine, 2)
		require.Empty(t, theirs)

		require.Contains(t, p.MailTo("service@acme.example", nil).Text(), "Notitie b is bewaard.")
		require.Equal(t, http.StatusForbidden, customer.Do("GET", "/acme/all", nil).Status)
		require.Equal(t, http.StatusOK, p.APIKey("alpha", "crm").Do("GET", "/acme/all", nil).Status)
	})
}
