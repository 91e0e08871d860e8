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

// answering is a provider on this machine that answers as a test says, and how often it was asked.
type answering struct {
	*httptest.Server
	asked atomic.Int64
	how   atomic.Pointer[http.HandlerFunc]
	now   time.Time
}

func newAnswering(t *testing.T, how http.HandlerFunc) *answering {
	t.Helper()
	a := &answering{now: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	a.how.Store(&how)
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.asked.Add(1)
		(*a.how.Load())(w, r)
	}))
	t.Cleanup(a.Close)
	return a
}

func (a *answering) host() module.Host {
	return module.Host{Web: a.Client(), Now: func() time.Time { return a.now }}
}

func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// faults are the ways in which a provider gives no answer.
func faults() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"500":           says(http.StatusInternalServerError, "oops"),
		"503":           says(http.StatusServiceUnavailable, ""),
		"empty":         says(http.StatusOK, ""),
		"html":          says(http.StatusOK, "<!doctype html><title>Onderhoud</title>"),
		"cut off":       says(http.StatusOK, `{"response":{"numFound":1,"docs":[{"type":"adr`),
		"null":          says(http.StatusOK, "null"),
		"another form":  says(http.StatusOK, `{"features":[]}`),
		"another type":  says(http.StatusOK, `{"response":"none","connections":"none"}`),
		"a list":        says(http.StatusOK, `[]`),
		"not found":     says(http.StatusNotFound, `{"response":{"numFound":0,"docs":[]},"connections":[]}`),
		"too many":      says(http.StatusTooManyRequests, ""),
		"too large":     says(http.StatusOK, `{"response":{"numFound":0,"docs":[]},"connections":[]}`+strings.Repeat(" ", source.MaxAnswer)),
		"hangs up":      func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"contradiction": says(http.StatusOK, `{"response":{"numFound":3,"docs":[]}}`),
	}
}

func TestProvidersThatFail(t *testing.T) {
	home := Address{"Lindelaan", "7", "", "9731AB", "Groningen"}
	for name, fault := range faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAnswering(t, fault)
			_, err := newConnections(a.host(), a.URL).Of(t.Context(), home)
			assert.ErrorIs(t, err, ErrDown)
			assert.NotContains(t, err.Error(), "9731AB", "no log names an address")
		})
	}
}

func TestConnectionsOverHTTP(t *testing.T) {
	home := Address{"Lindelaan", "7", "A 2", "9731AB", "Groningen"}
	var asked *http.Request
	a := newAnswering(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		says(http.StatusOK, `{"connections":[{"ean_code":"871600000000900013","commodity":"ELECTRICITY","meter":"x"},{"ean_code":"871600000000900020","commodity":"GAS"}]}`)(w, r)
	})
	got, err := newConnections(a.host(), a.URL+"/at?region=north").Of(t.Context(), home)
	require.NoError(t, err)
	assert.Equal(t, []Connection{{"871600000000900013", electricity}, {"871600000000900020", gas}}, got)
	assert.Equal(t, "/at", asked.URL.Path)
	assert.Equal(t, "house_number=7&house_number_extension=A+2&region=north&zip_code=9731AB", asked.URL.RawQuery)

	none := says(http.StatusOK, `{"connections":[]}`)
	a.how.Store(&none)
	got, err = newConnections(a.host(), a.URL).Of(t.Context(), home)
	require.NoError(t, err)
	assert.Empty(t, got)

	for _, junk := range []string{`{"connections":[{"ean_code":"1","commodity":"GAS"}]}`, `{"connections":[{"ean_code":"871600000000900013","commodity":"HEAT"}]}`,
		`{"connections":[null]}`, `{}`} {
		_, err := readConnections([]byte(junk))
		assert.ErrorIs(t, err, ErrDown, junk)
	}
}

func FuzzReadConnections(f *testing.F) {
	f.Add([]byte(`{"connections":[{"ean_code":"871600000000900013","commodity":"ELECTRICITY"}]}`))
	f.Add([]byte(`{"connections":[null]}`))
	f.Add([]byte(`{"connections":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		connections, err := readConnections(data)
		for _, c := range connections {
			if err != nil || !ean.MatchString(c.EAN) {
				t.Errorf("taken: %+v, %v", c, err)
			}
		}
	})
}
