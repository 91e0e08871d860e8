package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestUnreadableURLsAreRefused(t *testing.T) {
	h := requireReadableURL(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for target, want := range map[string]int{
		"/api/v0/things/a%C3%AB?q=%C3%AB": 204, "/": 204, "/x?q=100%": 204, "/x?q=a+b%20c": 204,
		"/api/v0/things/%00": 400, "/api/v0/things/%ff": 400, "/x?q=%00": 400, "/x?q=%ff": 400, "/x?%00=1": 400,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		assert.Equal(t, want, w.Code, target)
	}
}

func TestUnreadableBodiesAreRefused(t *testing.T) {
	for body, want := range map[string]bool{
		`{"a":"b"}`: true, ``: true, `{"a":"\\u0000"}`: true, `{"a":"\\\\u0000 \u00e9"}`: true,
		`{"a":"\u0000"}`: false, `{"a":"x\\\u0000"}`: false, `{"\u0000":1}`: false,
	} {
		for _, kind := range []string{"", "application/json", "application/json; charset=utf-8", "application/merge-patch+json"} {
			r := httptest.NewRequest(http.MethodPost, "/x", strings.NewReader(body))
			r.Header.Set("Content-Type", kind)
			assert.Equal(t, want, isReadableJSON(r), "%s as %q", body, kind)
			left, err := io.ReadAll(r.Body)
			assert.NoError(t, err)
			assert.Equal(t, body, string(left), "the body can still be read")
		}
	}
	form := httptest.NewRequest(http.MethodPost, "/x", strings.NewReader(`id=\u0000`))
	form.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	assert.True(t, isReadableJSON(form), "a form is not JSON")
	long := httptest.NewRequest(http.MethodPost, "/x", strings.NewReader(strings.Repeat("x", 100)))
	long.Body = http.MaxBytesReader(httptest.NewRecorder(), long.Body, 10)
	assert.True(t, isReadableJSON(long))
	left, err := io.ReadAll(long.Body)
	assert.ErrorAs(t, err, new(*http.MaxBytesError), "the decoder gets the error")
	assert.Len(t, left, 10)
}
