package health_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/health"
)

func TestAskReady(t *testing.T) {
	t.Run("11-release-ready", func(t *testing.T) {
		status, body := http.StatusOK, `{"ready":true,"database":"ok"}`
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/readyz" {
				status = http.StatusNotFound
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}))
		addr := strings.TrimPrefix(s.URL, "http://")
		t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
		require.NoError(t, health.QueryReady(t.Context(), addr))
		_, port, _ := strings.Cut(addr, ":")
		require.NoError(t, health.QueryReady(t.Context(), "0.0.0.0:"+port), "the address that a container listens on")
		status, body = http.StatusServiceUnavailable, `{"ready":false,"database":"down"}`
		require.ErrorContains(t, health.QueryReady(t.Context(), addr), "not ready (503): database: down")
		body = `{"ready":false,"database":"ok"}`
		require.ErrorContains(t, health.QueryReady(t.Context(), addr), "starts or stops")
		s.Close()
		require.ErrorContains(t, health.QueryReady(t.Context(), addr), "no portal answers")
		require.ErrorContains(t, health.QueryReady(t.Context(), "8080"), "host:port")
	})
}
