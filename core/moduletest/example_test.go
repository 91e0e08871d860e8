package moduletest_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/testing/example"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// The suite needs an example of everything in the manifest. This call is the whole test of a module.
func ExampleRun() {
	_ = func(t *testing.T) { // TestModule
		moduletest.Run(t, fixture.Module, moduletest.Options{
			Main:     "./plugin",
			Settings: fixture.Settings{Greeting: "Hello"},
			Records:  []moduletest.Record{{Kind: "note", Data: `{"relation":"relation-1","id":"a","text":"one"}`}},
			State:    []moduletest.Call{{Path: "/fixture/notes"}},
			Writes: map[string]moduletest.Call{
				"saveNote":     {Method: "PUT", Path: "/fixture/notes/b", Body: `{"text":"two"}`},
				"requestLimit": {Method: "POST", Path: "/fixture/limit", Body: `{"amount":5}`},
			},
			Events:  []module.Event{{Type: "fixture.note_saved", Key: "a", Data: []byte(`{}`)}},
			Changes: map[string]moduletest.Call{"fixture.limit": {Method: "POST", Path: "/fixture/limit", Body: `{"amount":5}`}},
		})
	}
}

// A fake replaces a sibling that the module calls. Open runs the module with it, for tests that the suite does not cover.
func ExampleOpen() {
	example.Run(func(t testing.TB) {
		account := moduletest.Fake("account", func(a huma.API) {
			module.Route(a, huma.Operation{OperationID: "ping", Method: http.MethodGet, Path: "/account/ping"}, module.Sibling, module.Read,
				func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
		})
		w := moduletest.Open(t, fixture.Module, moduletest.Options{Settings: fixture.Settings{Greeting: "Hello"},
			Siblings: []module.Module{account}}, false)
		fmt.Println(w.Import("note", `{"relation":"relation-1","id":"a","text":"one"}`, `{"id":"b"}`))
		status, body := w.Do(t.Context(), moduletest.Call{Path: "/fixture/notes"})
		fmt.Println(status, string(body))
	})
	// Output:
	// [{2 relation required}]
	// 200 {"notes":[{"relation":"relation-1","id":"a","text":"one"}],"pending":[]}
}
