package files

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

type nameInput struct {
	Name string `path:"name" maxLength:"1100" doc:"Name of the file; its slashes are escaped, so that it is one segment"`
}

// Routes registers the sibling operation GET and HEAD /files/{name}, which returns the file with that name of the caller's label.
func (s *Store) Routes(a huma.API) {
	for method, id := range map[string]string{http.MethodGet: "file", http.MethodHead: "fileHead"} {
		module.Route(a, huma.Operation{OperationID: id, Method: method, Path: "/files/{name}", Summary: "Get a file of the file store",
			Description: "For modules. Returns the file of that name of the label of the call. 400 file_name_invalid, 404 file_not_found, 409 file_type_refused."},
			module.Sibling, module.Read, func(ctx context.Context, in *nameInput) (*huma.StreamResponse, error) {
				f, err := s.Get(ctx, module.ScopeOf(ctx).Label, in.Name)
				if err != nil {
					return nil, err
				}
				return &huma.StreamResponse{Body: func(c huma.Context) { f.serve(c, method == http.MethodGet) }}, nil
			})
	}
}

func (f *File) serve(c huma.Context, body bool) {
	defer func() { _ = f.Close() }() // the file has been read, or the caller has disconnected
	_, w := humachi.Unwrap(c)
	h := w.Header()
	h.Set("Content-Type", f.Type)
	h.Set("X-Content-Type-Options", "nosniff")
	if f.Size >= 0 {
		h.Set("Content-Length", fmt.Sprint(f.Size))
	}
	if !f.Modified.IsZero() {
		h.Set("Last-Modified", f.Modified.UTC().Format(http.TimeFormat))
	}
	w.WriteHeader(http.StatusOK)
	if !body {
		return
	}
	// A write error means that the caller has disconnected. A read error must not look like the end of the file.
	if _, err := io.Copy(w, f); err != nil {
		if c.Context().Err() == nil {
			problem.Observe(c.Context(), fmt.Errorf("files: reading: %w", err))
		}
		panic(http.ErrAbortHandler)
	}
}
