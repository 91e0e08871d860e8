package address

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/source"
)

// testProvider is a local register with a replaceable handler. It counts calls.
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

// file returns a handler that responds with the content of a file.
func file(t *testing.T, name string) http.HandlerFunc {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) }
}

func respond(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

var torenstraat = ZipNumber{"2513RZ", "12"}

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

func TestRegisterFailures(t *testing.T) {
	for name, fault := range faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newTestProvider(t, fault)
			_, err := newPDOK(a.host(), a.URL).Addresses(t.Context(), torenstraat)
			assert.ErrorIs(t, err, source.ErrDown)
			assert.NotContains(t, err.Error(), "2513RZ", "errors contain no address")
		})
	}
	t.Run("connection refused", func(t *testing.T) {
		t.Parallel()
		a := newTestProvider(t, nil)
		a.Close()
		_, err := newPDOK(a.host(), a.URL).Addresses(t.Context(), torenstraat)
		assert.ErrorIs(t, err, source.ErrDown)
	})
	t.Run("no answer in time", func(t *testing.T) {
		t.Parallel()
		stop := make(chan struct{})
		a := newTestProvider(t, func(http.ResponseWriter, *http.Request) { <-stop })
		t.Cleanup(func() { close(stop) })
		began := time.Now()
		_, err := newPDOK(a.host(), a.URL).Addresses(t.Context(), torenstraat)
		assert.ErrorIs(t, err, source.ErrDown)
		assert.Less(t, time.Since(began), source.Timeout+time.Second)
		assert.GreaterOrEqual(t, a.calls.Load(), int64(2), "retried")
	})
	t.Run("a canceled call is no failure of the register", func(t *testing.T) {
		t.Parallel()
		a := newTestProvider(t, file(t, "testdata/pdok-several.json"))
		r := newPDOK(a.host(), a.URL)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range 2 * source.BreakAfter {
			_, err := r.Addresses(ctx, torenstraat)
			assert.ErrorIs(t, err, context.Canceled)
			assert.NotErrorIs(t, err, source.ErrDown)
		}
		at, err := r.Addresses(t.Context(), torenstraat)
		assert.NoError(t, err)
		assert.Len(t, at, 4)
	})
}

func TestPDOK(t *testing.T) {
	t.Run("the query uses documented parameters", func(t *testing.T) {
		var got *http.Request
		a := newTestProvider(t, func(w http.ResponseWriter, r *http.Request) {
			got = r
			file(t, "testdata/pdok-none.json")(w, r)
		})
		at, err := newPDOK(a.host(), a.URL+"/search/v3_1/").Addresses(t.Context(), torenstraat)
		require.NoError(t, err)
		assert.Empty(t, at, "an empty result is not an error")
		assert.Equal(t, "/search/v3_1/free", got.URL.Path)
		q := got.URL.Query()
		assert.Equal(t, []string{"type:adres", "postcode:2513RZ", "huisnummer:12"}, q["fq"])
		assert.Len(t, q, 4, "the register refuses unknown parameters")
	})
	t.Run("several addresses; one with another number is left out", func(t *testing.T) {
		a := newTestProvider(t, file(t, "testdata/pdok-several.json"))
		at, err := newPDOK(a.host(), a.URL).Addresses(t.Context(), torenstraat)
		require.NoError(t, err)
		assert.Equal(t, []string{"", "B-2", "B-10", "bis"}, extensions(at))
		assert.Equal(t, Address{"Torenstraat", "12", "B-2", "2513RZ", "'s-Gravenhage"}, at[1])
	})
	t.Run("a temporary failure is retried", func(t *testing.T) {
		fine := file(t, "testdata/pdok-several.json")
		var calls atomic.Int64
		a := newTestProvider(t, func(w http.ResponseWriter, r *http.Request) {
			if calls.Add(1) <= 2 {
				respond(http.StatusBadGateway, "")(w, r)
				return
			}
			fine(w, r)
		})
		at, err := newPDOK(a.host(), a.URL).Addresses(t.Context(), torenstraat)
		require.NoError(t, err)
		assert.Len(t, at, 4)
		assert.EqualValues(t, 3, a.calls.Load())
	})
	t.Run("a refused query is not retried", func(t *testing.T) {
		a := newTestProvider(t, respond(http.StatusBadRequest, ""))
		_, err := newPDOK(a.host(), a.URL).Addresses(t.Context(), torenstraat)
		assert.ErrorIs(t, err, source.ErrDown)
		assert.EqualValues(t, 1, a.calls.Load())
	})
	t.Run("the circuit breaker stops calls to a register that is down", func(t *testing.T) {
		a := newTestProvider(t, respond(http.StatusInternalServerError, ""))
		r := newPDOK(a.host(), a.URL)
		for range 10 {
			_, err := r.Addresses(t.Context(), torenstraat)
			assert.ErrorIs(t, err, source.ErrDown)
		}
		assert.EqualValues(t, source.BreakAfter, a.calls.Load())
	})
	t.Run("results are cached for an hour by the injected clock, failures are not", func(t *testing.T) {
		a := newTestProvider(t, file(t, "testdata/pdok-several.json"))
		r := newPDOK(a.host(), a.URL)
		requireCalls := func(want int64) {
			t.Helper()
			at, err := r.Addresses(t.Context(), torenstraat)
			require.NoError(t, err)
			assert.Len(t, at, 4)
			assert.Equal(t, want, a.calls.Load())
		}
		requireCalls(1)
		a.now = a.now.Add(cacheTTL - time.Second)
		requireCalls(1)
		a.now = a.now.Add(time.Second)
		requireCalls(2)
		broken := respond(http.StatusBadRequest, "")
		a.handler.Store(&broken)
		other := ZipNumber{"2513RZ", "13"}
		_, err := r.Addresses(t.Context(), other)
		assert.ErrorIs(t, err, source.ErrDown)
		none := file(t, "testdata/pdok-none.json")
		a.handler.Store(&none)
		at, err := r.Addresses(t.Context(), other)
		require.NoError(t, err)
		assert.Empty(t, at)
		_, err = r.Addresses(t.Context(), other)
		require.NoError(t, err)
		assert.EqualValues(t, 4, a.calls.Load(), "empty results are cached too")
	})
	t.Run("the cache is bounded", func(t *testing.T) {
		r := newPDOK(module.Host{Now: time.Now}, "http://nowhere.invalid")
		for i := range maxCached + 100 {
			r.cache.Add(ZipNumber{Number: fmt.Sprint(i)}, cacheEntry{})
		}
		assert.Equal(t, maxCached, r.cache.Len())
	})
	t.Run("several pages are read, up to a maximum", func(t *testing.T) {
		a := newTestProvider(t, func(w http.ResponseWriter, r *http.Request) {
			skip := 0
			_, _ = fmt.Sscan(r.URL.Query().Get("start"), &skip)
			docs := []string{}
			for i := range pdokPageSize {
				docs = append(docs, fmt.Sprintf(`{"type":"adres","woonplaatsnaam":"Utrecht","postcode":"2513RZ","huisnummer":12,"huisnummertoevoeging":"%d","straatnaam":"Hoog"}`, skip+i))
			}
			_, _ = fmt.Fprintf(w, `{"response":{"numFound":100000,"docs":[%s]}}`, strings.Join(docs, ","))
		})
		at, err := newPDOK(a.host(), a.URL).Addresses(t.Context(), torenstraat)
		require.NoError(t, err)
		assert.Len(t, at, pdokPageSize*maxPDOKPages)
		assert.EqualValues(t, maxPDOKPages, a.calls.Load())
		assert.Equal(t, "499", at[499].Extension)
	})
}

// Real responses of the register are stored next to the workspace on some machines; the test is skipped where they are missing.
func TestPDOKsRealAnswers(t *testing.T) {
	folder := os.Getenv("WATTLE_ADDRESS_DATA")
	for _, near := range []string{"../../../shared/data/address", "../../../../shared/data/address"} {
		if _, err := os.Stat(filepath.Join(near, "pdok-free.json")); folder == "" && err == nil {
			folder = near
		}
	}
	if folder == "" {
		t.Skip("no real responses found; set WATTLE_ADDRESS_DATA to their folder")
	}
	for name, c := range map[string]struct {
		place ZipNumber
		want  Address
	}{
		"pdok-free.json":   {ZipNumber{"3581WS", "1"}, Address{"Bolstraat", "1", "", "3581WS", "Utrecht"}},
		"pdok-lookup.json": {ZipNumber{"3526KP", "93"}, Address{"Europalaan", "93", "", "3526KP", "Utrecht"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := newTestProvider(t, file(t, filepath.Join(folder, name)))
			r := newPDOK(a.host(), a.URL)
			at, err := r.Addresses(t.Context(), c.place)
			require.NoError(t, err)
			assert.Equal(t, []Address{c.want}, at)
			at, err = r.Addresses(t.Context(), ZipNumber{c.place.ZipCode, "2"})
			require.NoError(t, err)
			assert.Empty(t, at, "similar addresses are left out")
		})
	}
}

func FuzzReadPDOK(f *testing.F) {
	for _, seed := range []string{"testdata/pdok-several.json", "testdata/pdok-none.json"} {
		data, err := os.ReadFile(seed)
		require.NoError(f, err)
		f.Add(data)
	}
	for _, seed := range []string{"", "null", `{"response":null}`, `{"response":{"docs":[null]}}`,
		`{"response":{"docs":[{"type":"adres","postcode":"2513 rz","huisnummer":"12"}]}}`,
		"{\"response\":{\"docs\":[{\"type\":\"adres\",\"postcode\":\"2513RZ\",\"huisnummer\":12,\"straatnaam\":\"\u202e\\u0000a\",\"woonplaatsnaam\":\"b\",\"huis_nlt\":\"12-\"}]}}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		at, _, err := parsePDOK(data, torenstraat)
		if err != nil {
			assert.ErrorIs(t, err, source.ErrDown)
			assert.Empty(t, at)
			return
		}
		for _, a := range sortDistinct(at) {
			if a.ZipCode != torenstraat.ZipCode || string(a.Number) != torenstraat.Number || a.Street == "" || a.City == "" ||
				a.Street != tidy(a.Street) || len([]rune(a.Street)) > maxName || len([]rune(a.Extension)) > maxExtension {
				t.Errorf("invalid address: %+v", a)
			}
			if _, err := json.Marshal(a); err != nil {
				t.Error(err)
			}
		}
	})
}
