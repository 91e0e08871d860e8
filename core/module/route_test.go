package module

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// A call may take as long as core allows; a shorter read deadline of its body would cancel it earlier.
func TestRouteBodyTimeout(t *testing.T) {
	r := NewRouter(Manifest{Key: "acme", Version: "1.0.0"})
	type input struct {
		Body struct{ Name string }
	}
	handle := func(context.Context, *input) (*struct{}, error) { return nil, nil }
	Route(r.API, huma.Operation{OperationID: "slow", Method: http.MethodPost, Path: "/slow"}, Public, Write, handle)
	Route(r.API, huma.Operation{OperationID: "own", Method: http.MethodPost, Path: "/own", BodyReadTimeout: time.Second}, Public, Write, handle)
	for path, want := range map[string]time.Duration{"/slow": 30 * time.Second, "/own": time.Second} {
		if got := r.API.OpenAPI().Paths[path].Post.BodyReadTimeout; got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
