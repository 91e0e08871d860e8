package move

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/source"
)

// testProvider is a local service with a replaceable handler. It counts the calls.
type testProvider struct {
	*httptest.Server
	calls   atomic.Int64
	handler atomic.Pointer[http.HandlerFunc]
	now     time.Time
}

func newTestProvider(t *testing.T, how http.HandlerFunc) *testProvider {
	t.Helper()
	a := &testProvider{now: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	a.handler.Store(&how)
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.calls.Add(1)
		(*a.handler.Load())(w, r)
	}))
	t.Cleanup(a.Close)
	return a
}

func (a *testProvider) host() module.Host {
	return module.Host{Web: a.Client(), Now: func() time.Time { return a.now }}
}

func respond(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// faults returns handlers that do not send a valid response.
func faults() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"500":               respond(http.StatusInternalServerError, "oops"),
		"503":               respond(http.StatusServiceUnavailable, ""),
		"empty":             respond(http.StatusOK, ""),
		"html":              respond(http.StatusOK, "<!doctype html><title>Onderhoud</title>"),
		"cut off":           respond(http.StatusOK, `{"response":{"numFound":1,"docs":[{"type":"adr`),
		"null":              respond(http.StatusOK, "null"),
		"another form":      respond(http.StatusOK, `{"features":[]}`),
		"another type":      respond(http.StatusOK, `{"response":"none","connections":"none"}`),
		"a list":            respond(http.StatusOK, `[]`),
		"not found":         respond(http.StatusNotFound, `{"response":{"numFound":0,"docs":[]},"connections":[]}`),
		"too many requests": respond(http.StatusTooManyRequests, ""),
		"too large": respond(http.StatusOK, `{"response":{"numFound":0,"docs":[]},"connections":[]}`+
			strings.Repeat(" ", source.MaxAnswer)),
		"connection closed": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"contradiction":     respond(http.StatusOK, `{"response":{"numFound":3,"docs":[]}}`),
	}
}

func TestProviderFailures(t *testing.T) {
	home := Address{"Lindelaan", "7", "", "9731AB", "Groningen"}
	for name, fault := range faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newTestProvider(t, fault)
			_, err := newHTTPSource(a.host(), a.URL).Connections(t.Context(), home)
			assert.ErrorIs(t, err, ErrDown)
			assert.NotContains(t, err.Error(), "9731AB", "errors contain no address")
		})
	}
}

func TestConnectionsOverHTTP(t *testing.T) {
	home := Address{"Lindelaan", "7", "A 2", "9731AB", "Groningen"}
	var request *http.Request
	a := newTestProvider(t, func(w http.ResponseWriter, r *http.Request) {
		request = r
		respond(http.StatusOK, `{"connections":[{"ean_code":"871600000000900013","commodity":"ELECTRICITY","meter":"x"},{"ean_code":"871600000000900020","commodity":"GAS"}]}`)(w, r)
	})
	got, err := newHTTPSource(a.host(), a.URL+"/at?region=north").Connections(t.Context(), home)
	require.NoError(t, err)
	assert.Equal(t, []Connection{{"871600000000900013", electricity}, {"871600000000900020", gas}}, got)
	assert.Equal(t, "/at", request.URL.Path)
	assert.Equal(t, "house_number=7&house_number_extension=A+2&region=north&zip_code=9731AB", request.URL.RawQuery)

	none := respond(http.StatusOK, `{"connections":[]}`)
	a.handler.Store(&none)
	got, err = newHTTPSource(a.host(), a.URL).Connections(t.Context(), home)
	require.NoError(t, err)
	assert.Empty(t, got)

	for _, junk := range []string{`{"connections":[{"ean_code":"1","commodity":"GAS"}]}`,
		`{"connections":[{"ean_code":"871600000000900013","commodity":"HEAT"}]}`,
		`{"connections":[null]}`, `{}`} {
		_, err := parseConnections([]byte(junk))
		assert.ErrorIs(t, err, ErrDown, junk)
	}
}

func FuzzReadConnections(f *testing.F) {
	f.Add([]byte(`{"connections":[{"ean_code":"871600000000900013","commodity":"ELECTRICITY"}]}`))
	f.Add([]byte(`{"connections":[null]}`))
	f.Add([]byte(`{"connections":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		connections, err := parseConnections(data)
		for _, c := range connections {
			if err != nil || !ean.MatchString(c.EAN) {
				t.Errorf("invalid connection: %+v, %v", c, err)
			}
		}
	})
}
