package module

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// A call may take as long as core allows; a shorter read deadline on its body would cancel it too early.
func TestRouteBodyTimeout(t *testing.T) {
	r := NewRouter(Manifest{Key: "acme", Version: "1.0.0"})
	type input struct {
		Body struct{ Name string }
	}
	handle := func(context.Context, *input) (*struct{}, error) { return nil, nil }
	Route(r.API, huma.Operation{OperationID: "slow", Method: http.MethodPost, Path: "/slow"}, Public, Write, handle)
	Route(r.API, huma.Operation{OperationID: "own", Method: http.MethodPost, Path: "/own", BodyReadTimeout: time.Second}, Public, Write,
		handle)
	for path, want := range map[string]time.Duration{"/slow": 30 * time.Second, "/own": time.Second} {
		if got := r.API.OpenAPI().Paths[path].Post.BodyReadTimeout; got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// A form that is read as a RawBody has the fields that its operation describes, and not "binary".
func TestRouteForm(t *testing.T) {
	t.Run("11-reference-api", func(t *testing.T) {
		r := NewRouter(Manifest{Key: "acme", Version: "1.0.0"})
		type input struct {
			RawBody []byte `contentType:"application/x-www-form-urlencoded"`
		}
		const form = "application/x-www-form-urlencoded"
		handle := func(context.Context, *input) (*struct{}, error) { return nil, nil }
		fields := &huma.Schema{Type: huma.TypeObject,
			Properties: map[string]*huma.Schema{"do": {Type: huma.TypeString, Description: "pay or cancel"}}}
		Route(r.API, huma.Operation{OperationID: "described", Method: http.MethodPost, Path: "/described",
			RequestBody: &huma.RequestBody{Content: map[string]*huma.MediaType{form: {Schema: fields}}}}, Public, Write, handle)
		Route(r.API, huma.Operation{OperationID: "other", Method: http.MethodPost, Path: "/other"}, Public, Write, handle)
		of := func(path string) *huma.Schema {
			return r.API.OpenAPI().Paths[path].Post.RequestBody.Content[form].Schema
		}
		if of("/described") != fields || !r.API.OpenAPI().Paths["/described"].Post.RequestBody.Required {
			t.Errorf("the form is described as %v", of("/described"))
		}
		if of("/other").Format != "binary" {
			t.Error("a body that is not described is binary")
		}
	})
}

// A module without events is an Instance by its router, which refuses events.
func TestRouterIsAnInstance(t *testing.T) {
	t.Run("10-module-without-events", func(t *testing.T) {
		type service struct{ Router }
		var i Instance = &service{NewRouter(Manifest{Key: "acme", Version: "1.0.0"})}
		if err := i.Handle(t.Context(), Event{Type: "acme.saved"}); err == nil || err.Error() != "module: acme does not handle acme.saved" {
			t.Error("an event that nobody handles is an error:", err)
		}
		i = &struct {
			Router
			counter
		}{NewRouter(Manifest{Key: "acme", Version: "1.0.0"}), counter{}}
		if err := i.Handle(t.Context(), Event{}); err != nil {
			t.Error("the method Handle of another embedded type is that of the module:", err)
		}
	})
}

type counter struct{}

func (counter) Handle(context.Context, Event) error { return nil }

// A module without settings needs no CUE.
func TestNoSettings(t *testing.T) {
	t.Run("10-module-without-settings", func(t *testing.T) {
		if got := New(Manifest{Key: "acme"}).Settings; got != "#Settings: {}" {
			t.Error(got)
		}
		if got := New(Manifest{Key: "acme", Settings: "#Settings: a: 1"}).Settings; got != "#Settings: a: 1" {
			t.Error(got)
		}
	})
}

func TestDeclare(t *testing.T) {
	t.Run("10-module-declare", func(t *testing.T) {
		r := NewRouter(Manifest{Key: "acme", Version: "1.0.0"})
		handle := func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }
		for _, c := range []struct {
			who             Access
			operation, path string
			does            Effect
		}{
			{Customer, "GET /", "/acme", Read},
			{Public, "HEAD /notes", "/acme/notes", Read},
			{Sibling, "POST /notes", "/acme/notes", Write},
			{Customer, "PATCH /notes/{id}", "/acme/notes/{id}", Write},
			{APIKey, "DELETE /notes/{id}", "/staff/acme/notes/{id}", Write},
			{Staff, "PUT /notes/{id}", "/staff/acme/notes/{id}", Write},
			{APIKey, "GET /notes/{id}", "/staff/acme/notes/{id}", Read},
		} {
			method, _, _ := strings.Cut(c.operation, " ")
			id := strings.ToLower(method) + "_" + string(c.who)
			Declare(r, c.who, c.operation, id, "Summary", "Description", handle)
			item := r.OpenAPI().Paths[c.path]
			if item == nil {
				t.Fatalf("%s for %s is not at %s", c.operation, c.who, c.path)
			}
			op := map[string]*huma.Operation{"GET": item.Get, "HEAD": item.Head, "POST": item.Post, "PUT": item.Put, "PATCH": item.Patch,
				"DELETE": item.Delete}[method]
			if op == nil || op.OperationID != id || op.Summary != "Summary" || op.Description != "Description" ||
				op.Extensions[ExtAccess] != c.who || op.Extensions[ExtEffect] != c.does {
				t.Errorf("%s for %s: %+v", c.operation, c.who, op)
			}
		}
	})
}
