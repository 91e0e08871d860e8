package moduletest_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/example"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	acme "github.com/wattle-portal/wattle/docs/example-module"
	"github.com/wattle-portal/wattle/docs/example-module/acmeapi"
)

// The suite gets an example of everything in the manifest: a test of a module is this call.
func ExampleRun() {
	_ = func(t *testing.T) { // TestModule
		moduletest.Run(t, acme.Module, moduletest.Options{
			Main:     "./plugin",
			Settings: acme.Settings{MaxNotes: 10},
			Records:  []moduletest.Record{{Kind: "acme_note", Data: `{"relation":"relation-1","id":"a","text":"one"}`}},
			State:    []moduletest.Call{{Path: "/acme/notes"}},
			Writes: map[string]moduletest.Call{
				"saveNote": {Method: "PUT", Path: "/acme/notes/b", Body: `{"text":"two"}`},
				"askLimit": {Method: "POST", Path: "/acme/limit", Body: `{"amount":5}`},
			},
			Events:  []module.Event{{Type: acmeapi.EventNoteSaved, Key: "a", Data: []byte(`{"length":3}`)}},
			Changes: map[string]moduletest.Call{"acme.limit": {Method: "POST", Path: "/acme/limit", Body: `{"amount":5}`}},
		})
	}
}

// A fake replaces a sibling that the module calls. Open runs the module with it, for tests of what the suite does not test.
func ExampleOpen() {
	example.Run(func(t testing.TB) {
		account := moduletest.Fake("account", func(a huma.API) {
			module.Route(a, huma.Operation{OperationID: "ping", Method: http.MethodGet, Path: "/account/ping"}, module.Sibling, module.Read,
				func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
		})
		w := moduletest.Open(t, acme.Module, moduletest.Options{Settings: acme.Settings{MaxNotes: 10}, Siblings: []module.Module{account}}, false)
		fmt.Println(w.Import("acme_note", `{"relation":"relation-1","id":"a","text":"one"}`, `{"id":"b"}`))
		status, body := w.Do(t.Context(), moduletest.Call{Path: "/acme/notes"})
		fmt.Println(status, string(body))
	})
	// Output:
	// [{2 id required}]
	// 200 [{"id":"a","text":"one","mailed":false}]
}
