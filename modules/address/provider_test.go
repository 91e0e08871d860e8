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

// file answers with a file, in which no address of the machine stands.
func file(t *testing.T, name string) http.HandlerFunc {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) }
}

func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

var torenstraat = Place{"2513RZ", "12"}

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

func TestRegistersThatFail(t *testing.T) {
	for name, fault := range faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAnswering(t, fault)
			_, err := newPDOK(a.host(), a.URL).At(t.Context(), torenstraat)
			assert.ErrorIs(t, err, source.ErrDown)
			assert.NotContains(t, err.Error(), "2513RZ", "no log names an address")
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		t.Parallel()
		a := newAnswering(t, nil)
		a.Close()
		_, err := newPDOK(a.host(), a.URL).At(t.Context(), torenstraat)
		assert.ErrorIs(t, err, source.ErrDown)
	})
	t.Run("no answer in time", func(t *testing.T) {
		t.Parallel()
		stop := make(chan struct{})
		a := newAnswering(t, func(http.ResponseWriter, *http.Request) { <-stop })
		t.Cleanup(func() { close(stop) })
		began := time.Now()
		_, err := newPDOK(a.host(), a.URL).At(t.Context(), torenstraat)
		assert.ErrorIs(t, err, source.ErrDown)
		assert.Less(t, time.Since(began), source.Patience+time.Second)
		assert.GreaterOrEqual(t, a.asked.Load(), int64(2), "tried again")
	})
	t.Run("who leaves is no failure of the register", func(t *testing.T) {
		t.Parallel()
		a := newAnswering(t, file(t, "testdata/pdok-several.json"))
		r := newPDOK(a.host(), a.URL)
		gone, leave := context.WithCancel(t.Context())
		leave()
		for range 2 * source.BreakAfter {
			_, err := r.At(gone, torenstraat)
			assert.ErrorIs(t, err, context.Canceled)
			assert.NotErrorIs(t, err, source.ErrDown)
		}
		at, err := r.At(t.Context(), torenstraat)
		assert.NoError(t, err)
		assert.Len(t, at, 4)
	})
}

func TestPDOK(t *testing.T) {
	t.Run("the question is one that the register knows", func(t *testing.T) {
		var asked *http.Request
		a := newAnswering(t, func(w http.ResponseWriter, r *http.Request) {
			asked = r
			file(t, "testdata/pdok-none.json")(w, r)
		})
		at, err := newPDOK(a.host(), a.URL+"/search/v3_1/").At(t.Context(), torenstraat)
		require.NoError(t, err)
		assert.Empty(t, at, "that is an answer: there is none")
		assert.Equal(t, "/search/v3_1/free", asked.URL.Path)
		q := asked.URL.Query()
		assert.Equal(t, []string{"type:adres", "postcode:2513RZ", "huisnummer:12"}, q["fq"])
		assert.Len(t, q, 4, "it refuses what it does not know")
	})
	t.Run("several, one of another number among them", func(t *testing.T) {
		a := newAnswering(t, file(t, "testdata/pdok-several.json"))
		at, err := newPDOK(a.host(), a.URL).At(t.Context(), torenstraat)
		require.NoError(t, err)
		assert.Equal(t, []string{"", "B-2", "B-10", "bis"}, extensions(at))
		assert.Equal(t, Address{"Torenstraat", "12", "B-2", "2513RZ", "'s-Gravenhage"}, at[1])
	})
	t.Run("a failure that passes is not noticed", func(t *testing.T) {
		fine := file(t, "testdata/pdok-several.json")
		var calls atomic.Int64
		a := newAnswering(t, func(w http.ResponseWriter, r *http.Request) {
			if calls.Add(1) <= 2 {
				says(http.StatusBadGateway, "")(w, r)
				return
			}
			fine(w, r)
		})
		at, err := newPDOK(a.host(), a.URL).At(t.Context(), torenstraat)
		require.NoError(t, err)
		assert.Len(t, at, 4)
		assert.EqualValues(t, 3, a.asked.Load())
	})
	t.Run("what it refuses is not asked again", func(t *testing.T) {
		a := newAnswering(t, says(http.StatusBadRequest, ""))
		_, err := newPDOK(a.host(), a.URL).At(t.Context(), torenstraat)
		assert.ErrorIs(t, err, source.ErrDown)
		assert.EqualValues(t, 1, a.asked.Load())
	})
	t.Run("one that is down is left in peace", func(t *testing.T) {
		a := newAnswering(t, says(http.StatusInternalServerError, ""))
		r := newPDOK(a.host(), a.URL)
		for range 10 {
			_, err := r.At(t.Context(), torenstraat)
			assert.ErrorIs(t, err, source.ErrDown)
		}
		assert.EqualValues(t, source.BreakAfter, a.asked.Load())
	})
	t.Run("answers are remembered for an hour, by the injected clock; failures are not", func(t *testing.T) {
		a := newAnswering(t, file(t, "testdata/pdok-several.json"))
		r := newPDOK(a.host(), a.URL)
		ask := func(asked int64) {
			t.Helper()
			at, err := r.At(t.Context(), torenstraat)
			require.NoError(t, err)
			assert.Len(t, at, 4)
			assert.Equal(t, asked, a.asked.Load())
		}
		ask(1)
		a.now = a.now.Add(rememberFor - time.Second)
		ask(1)
		a.now = a.now.Add(time.Second)
		ask(2)
		broken := says(http.StatusBadRequest, "")
		a.how.Store(&broken)
		other := Place{"2513RZ", "13"}
		_, err := r.At(t.Context(), other)
		assert.ErrorIs(t, err, source.ErrDown)
		none := file(t, "testdata/pdok-none.json")
		a.how.Store(&none)
		at, err := r.At(t.Context(), other)
		require.NoError(t, err)
		assert.Empty(t, at)
		_, err = r.At(t.Context(), other)
		require.NoError(t, err)
		assert.EqualValues(t, 4, a.asked.Load(), "that there is none is remembered too")
	})
	t.Run("what is remembered is bounded", func(t *testing.T) {
		r := newPDOK(module.Host{Now: time.Now}, "http://nowhere.invalid")
		for i := range remembered + 100 {
			r.known.Add(Place{Number: fmt.Sprint(i)}, remembrance{})
		}
		assert.Equal(t, remembered, r.known.Len())
	})
	t.Run("a tower has more than one page, and an end", func(t *testing.T) {
		a := newAnswering(t, func(w http.ResponseWriter, r *http.Request) {
			skip := 0
			_, _ = fmt.Sscan(r.URL.Query().Get("start"), &skip)
			docs := []string{}
			for i := range pdokRows {
				docs = append(docs, fmt.Sprintf(`{"type":"adres","woonplaatsnaam":"Utrecht","postcode":"2513RZ","huisnummer":12,"huisnummertoevoeging":"%d","straatnaam":"Hoog"}`, skip+i))
			}
			_, _ = fmt.Fprintf(w, `{"response":{"numFound":100000,"docs":[%s]}}`, strings.Join(docs, ","))
		})
		at, err := newPDOK(a.host(), a.URL).At(t.Context(), torenstraat)
		require.NoError(t, err)
		assert.Len(t, at, pdokRows*pdokPages)
		assert.EqualValues(t, pdokPages, a.asked.Load())
		assert.Equal(t, "499", at[499].Extension)
	})
}

// The real answers of the register lie beside the workspace, where they are there at all.
func TestPDOKsRealAnswers(t *testing.T) {
	folder := os.Getenv("WATTLE_ADDRESS_DATA")
	for _, near := range []string{"../../../shared/data/address", "../../../../shared/data/address"} {
		if _, err := os.Stat(filepath.Join(near, "pdok-free.json")); folder == "" && err == nil {
			folder = near
		}
	}
	if folder == "" {
		t.Skip("no real answers here: WATTLE_ADDRESS_DATA says where they are")
	}
	for name, c := range map[string]struct {
		place Place
		want  Address
	}{
		"pdok-free.json":   {Place{"3581WS", "1"}, Address{"Bolstraat", "1", "", "3581WS", "Utrecht"}},
		"pdok-lookup.json": {Place{"3526KP", "93"}, Address{"Europalaan", "93", "", "3526KP", "Utrecht"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAnswering(t, file(t, filepath.Join(folder, name)))
			r := newPDOK(a.host(), a.URL)
			at, err := r.At(t.Context(), c.place)
			require.NoError(t, err)
			assert.Equal(t, []Address{c.want}, at)
			at, err = r.At(t.Context(), Place{c.place.ZipCode, "2"})
			require.NoError(t, err)
			assert.Empty(t, at, "what is only like it is not it")
		})
	}
}

func FuzzReadPDOK(f *testing.F) {
	for _, seed := range []string{"testdata/pdok-several.json", "testdata/pdok-none.json"} {
		data, err := os.ReadFile(seed)
		require.NoError(f, err)
		f.Add(data)
	}
	for _, seed := range []string{"", "null", `{"response":null}`, `{"response":{"docs":[null]}}`, `{"response":{"docs":[{"type":"adres","postcode":"2513 rz","huisnummer":"12"}]}}`,
		"{\"response\":{\"docs\":[{\"type\":\"adres\",\"postcode\":\"2513RZ\",\"huisnummer\":12,\"straatnaam\":\"\u202e\\u0000a\",\"woonplaatsnaam\":\"b\",\"huis_nlt\":\"12-\"}]}}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		at, _, err := readPDOK(data, torenstraat)
		if err != nil {
			assert.ErrorIs(t, err, source.ErrDown)
			assert.Empty(t, at)
			return
		}
		for _, a := range distinct(at) {
			if a.ZipCode != torenstraat.ZipCode || string(a.Number) != torenstraat.Number || a.Street == "" || a.City == "" ||
				a.Street != tidy(a.Street) || len([]rune(a.Street)) > maxName || len([]rune(a.Extension)) > maxExtension {
				t.Errorf("taken: %+v", a)
			}
			if _, err := json.Marshal(a); err != nil {
				t.Error(err)
			}
		}
	})
}
