package source

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A service that refuses requests is not down. If it refuses the caller, asks for fewer requests or fails, it receives no requests for a
// while.
func TestBreaker(t *testing.T) {
	t.Parallel()
	for status, opens := range map[int]bool{400: false, 404: false, 409: false, 410: false, 422: false, 308: true, 401: true, 403: true,
		429: true, 500: true, 503: true} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			var says, calls atomic.Int64
			says.Store(int64(status))
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				calls.Add(1)
				w.WriteHeader(int(says.Load()))
			}))
			t.Cleanup(server.Close)
			s := New(server.Client())
			get := func() error {
				return s.Get(t.Context(), server.URL, func([]byte) error { return nil })
			}
			for range BreakAfter {
				err := get()
				require.ErrorIs(t, err, ErrDown)
				var refused *Refused
				if status < 500 && status != 429 {
					require.ErrorAs(t, err, &refused)
					assert.Equal(t, status, refused.Status)
				} else {
					assert.NotErrorAs(t, err, &refused, "it may be accepted later")
				}
			}
			assert.EqualValues(t, BreakAfter, calls.Load(), "none is retried, and at most %d calls fail", BreakAfter)
			says.Store(http.StatusOK)
			if err := get(); opens {
				assert.ErrorIs(t, err, ErrDown)
				assert.EqualValues(t, BreakAfter, calls.Load())
			} else {
				assert.NoError(t, err)
			}
		})
	}
	t.Run("an answer ends a row of failures", func(t *testing.T) {
		t.Parallel()
		var calls atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(map[bool]int{true: 422, false: 401}[calls.Add(1)%BreakAfter == 0])
		}))
		t.Cleanup(server.Close)
		s := New(server.Client())
		for range 3 * BreakAfter {
			require.ErrorAs(t, s.Get(t.Context(), server.URL, func([]byte) error { return nil }), new(*Refused))
		}
		assert.EqualValues(t, 3*BreakAfter, calls.Load())
	})
	t.Run("a canceled request says nothing of the service", func(t *testing.T) {
		t.Parallel()
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		t.Cleanup(server.Close)
		s := New(server.Client())
		gone, leave := context.WithCancel(t.Context())
		leave()
		for range 2 * BreakAfter {
			require.ErrorIs(t, s.Get(gone, server.URL, func([]byte) error { return nil }), context.Canceled)
		}
		require.NoError(t, s.Get(t.Context(), server.URL, func([]byte) error { return nil }))
	})
}
