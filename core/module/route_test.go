package module

import (
	"context"
	"net/http"
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
