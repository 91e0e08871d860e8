package web

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAddressesThatAreNoText(t *testing.T) {
	h := readable(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for target, want := range map[string]int{
		"/api/v0/things/a%C3%AB?q=%C3%AB": 204, "/": 204, "/x?q=100%": 204, "/x?q=a+b%20c": 204,
		"/api/v0/things/%00": 400, "/api/v0/things/%ff": 400, "/x?q=%00": 400, "/x?q=%ff": 400, "/x?%00=1": 400,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		assert.Equal(t, want, w.Code, target)
	}
}
