package mykey_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.org/mykey/modules/mykey"
	"example.org/mykey/modules/mykey/mykeyapi"
	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// TestModule runs the conformance suite, which needs an example of everything in the manifest.
func TestModule(t *testing.T) {
	moduletest.Run(t, mykey.Module, moduletest.Options{
		Main: "./plugin",
		// {setting}
		Settings: mykey.Settings{MaxNotes: 3},
		// {/setting}
		// {mail,staff}
		Siblings: []module.Module{
			// {mail}
			moduletest.Fake("core", myAccount),
			// {/mail}
			// {staff}
			moduletest.Fake("account", lookUp),
			// {/staff}
		},
		// {/mail,staff}
		// {import}
		Records: []moduletest.Record{{Kind: "mykey_note", Data: `{"debtor_number":"1001","id":"x","day":"2026-11-02","text":"Imported"}`}},
		// {/import}
		Prepare: []moduletest.Call{{Method: "PUT", Path: "/mykey/a", Body: `{"text":"One"}`}},
		State: []moduletest.Call{
			{Path: "/mykey"},
			// {staff}
			{Path: "/staff/mykey", As: module.Scope{Role: module.RoleStaff, Subject: "sam"}},
			// {/staff}
			// {import}
			{Path: "/mykey", As: module.Scope{Role: module.RoleCustomer, Relation: value.StableID(moduletest.LabelOne, "relation", "1001")}},
			// {/import}
		},
		Writes: map[string]moduletest.Call{
			"addNote": {Method: "PUT", Path: "/mykey/b", Body: `{"text":"Two"}`},
			// {change}
			"requestRemoval": {Method: "POST", Path: "/mykey/removal"},
			// {/change}
		},
		// {job}
		Events: []module.Event{{Type: mykeyapi.EventNight, Data: []byte(`{"tick":"2028-11-23T03:30:00+01:00"}`)}},
		// {/job}
		// {change}
		Changes: map[string]moduletest.Call{"mykey.removal": {Method: "POST", Path: "/mykey/removal"}},
		// {/change}
	})
}

// {mail}

// myAccount replaces the operation of core that returns the account of the caller.
func myAccount(a huma.API) {
	type answer struct{ Body coreapi.AccountOutputBody }
	module.Route(a, huma.Operation{OperationID: "myAccount", Method: http.MethodGet, Path: "/accounts/me"}, module.Sibling, module.Read,
		func(context.Context, *struct{}) (*answer, error) {
			return &answer{coreapi.AccountOutputBody{Email: "anna@voorbeeld.example"}}, nil
		})
}

// {/mail}
// {staff}

// lookUp replaces the operation of module account that returns the names of customers.
func lookUp(a huma.API) {
	type answer struct{ Body []accountapi.Found }
	module.Route(a, huma.Operation{OperationID: "lookUp", Method: http.MethodPost, Path: "/relations/lookup"}, module.Sibling, module.Read,
		func(_ context.Context, in *struct{ Body accountapi.LookupInputBody }) (*answer, error) {
			return &answer{[]accountapi.Found{{Relation: in.Body.Relations[0], Name: "A. Klant"}}}, nil
		})
}

// {/staff}

// allModules are the modules of the portal in these tests.
var allModules = []module.Module{
	// {staff}
	account.Module,
	// {/staff}
	mykey.Module,
}

// onPortal runs a test on a whole portal, on SQLite and PostgreSQL. cue is added to its labels.
func onPortal(t *testing.T, cue string, f func(*testing.T, *portaltest.Portal)) {
	t.Helper()
	portaltest.Each(t, portaltest.Options{Modules: allModules, CUE: cue}, f)
}

// addNote adds a note, and returns the status of the response.
func addNote(c portaltest.Caller, id, text string) int {
	return c.Do("PUT", "/mykey/"+id, map[string]any{"text": text}).Status
}

// textsOf returns the texts of the notes that a customer sees.
func textsOf(c portaltest.Caller) []string {
	var seen struct{ Items []mykey.SavedNote }
	c.Get("/mykey", &seen)
	out := []string{}
	for _, n := range seen.Items {
		out = append(out, n.Text)
	}
	return out
}

func TestNotes(t *testing.T) {
	onPortal(t, "", func(t *testing.T, p *portaltest.Portal) {
		anna, bas := p.Customer("alpha", "r1"), p.Customer("alpha", "r2")
		require.Equal(t, http.StatusNoContent, addNote(anna, "a", "Call me"))
		require.Equal(t, http.StatusNoContent, addNote(anna, "a", "Another text"))
		assert.Equal(t, []string{"Call me"}, textsOf(anna), "repeating a call changes nothing")
		assert.Empty(t, textsOf(bas), "of another customer")
		assert.Equal(t, http.StatusBadRequest, addNote(anna, "b", ""))
		// {mail}
		p.MailTo("r1@klant.example", func(m portaltest.Mail) bool { return m.Subject == "Je notitie is bewaard" })
		// {/mail}
	})
}

// {setting}

func TestLimit(t *testing.T) {
	onPortal(t, "modules: mykey: max_notes: 1", func(t *testing.T, p *portaltest.Portal) {
		anna := p.Customer("alpha", "r1")
		require.Equal(t, http.StatusNoContent, addNote(anna, "a", "Call me"))
		assert.Equal(t, http.StatusConflict, addNote(anna, "b", "Again"))
		assert.Equal(t, http.StatusNoContent, addNote(anna, "a", "Call me"), "is there")
	})
}

// {/setting}
