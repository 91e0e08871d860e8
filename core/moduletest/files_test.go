package moduletest_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// A file is streamed from the store through the module to the caller, in-process and as a plugin. For a plugin, the file crosses the socket
// twice: from core to the plugin, and from the plugin to core.
func TestAFileStreamsThroughAModule(t *testing.T) {
	const half = 1 << 20
	for name, asPlugin := range map[string]bool{"in-process": false, "plugin": true} {
		t.Run(name, func(t *testing.T) {
			more, stopped := make(chan struct{}), make(chan struct{})
			core := moduletest.Fake("core", func(api huma.API) {
				module.Route(api, huma.Operation{OperationID: "file", Method: http.MethodGet, Path: "/files/{name}"}, module.Sibling, module.Read,
					func(ctx context.Context, in *struct {
						Name string `path:"name"`
					}) (*huma.StreamResponse, error) {
						if in.Name != "invoices/2026/a.pdf" {
							return nil, problem.Fail(http.StatusNotFound, files.CodeNotFound)
						}
						return &huma.StreamResponse{Body: func(c huma.Context) {
							c.SetHeader("Content-Type", "application/pdf")
							_, _ = io.WriteString(c.BodyWriter(), strings.Repeat("a", half))
							select {
							case <-more:
								_, _ = io.WriteString(c.BodyWriter(), strings.Repeat("b", half))
							case <-c.Context().Done():
								close(stopped)
							}
						}}, nil
					})
			})
			w := moduletest.Open(t, fixture.Module, moduletest.Options{Main: "github.com/wattle-portal/wattle/test/plugin/fixture/plugin",
				Settings: fixture.Settings{Greeting: "Hallo"}, Siblings: []module.Module{core}}, asPlugin)

			resp := get(t, w, customer, "/fixture/file?name=invoices/2026/a.pdf&as=Factuur%20%E2%82%AC")
			require.Equal(t, http.StatusOK, resp.StatusCode)
			require.Equal(t, "application/pdf", resp.Header.Get("Content-Type"))
			require.Equal(t, `attachment; filename="Factuur _.pdf"; filename*=UTF-8''Factuur%20%E2%82%AC.pdf`,
				resp.Header.Get("Content-Disposition"))
			first := make([]byte, half)
			_, err := io.ReadFull(resp.Body, first)
			require.NoError(t, err, "the file is held back until it is whole")
			close(more)
			rest, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.Equal(t, strings.Repeat("b", half), string(rest))

			missing := get(t, w, customer, "/fixture/file?name=b.pdf")
			require.Equal(t, http.StatusNotFound, missing.StatusCode)
			require.Equal(t, files.CodeNotFound, decode[problem.Problem](t, missing).Code)

			more = make(chan struct{})
			resp = get(t, w, customer, "/fixture/file?name=invoices/2026/a.pdf")
			require.Equal(t, http.StatusOK, resp.StatusCode)
			require.NoError(t, resp.Body.Close())
			<-stopped // when the caller disconnects, reading from the store stops
		})
	}
}
