package production

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/source"
)

var morning = time.Date(2026, 11, 20, 10, 5, 0, 0, time.UTC)

func TestReadBuienradar(t *testing.T) {
	data, err := os.ReadFile("testdata/buienradar.json")
	require.NoError(t, err)
	w, err := readBuienradar(data)
	require.NoError(t, err)
	t.Run("3-weather-fields,7.2-weather-shape", func(t *testing.T) {
		got, err := json.Marshal(w)
		require.NoError(t, err)
		assert.JSONEq(t, `{"stations": [
			{"station": "De Bilt", "overcast": "Half bewolkt", "temperature": 6.4, "wind_strength": 5.2},
			{"station": "Cadzand", "overcast": "Zwaar bewolkt", "temperature": null, "wind_strength": 9.1},
			{"station": "Wijk aan Zee", "overcast": "Mist", "temperature": 4, "wind_strength": null}],
			"station": null, "measured": "2026-11-20T10:00:00Z", "source": {"name": "Buienradar", "url": "https://www.buienradar.nl"}}`, string(got))
	})
	t.Run("a real answer", func(t *testing.T) {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", "weather", "buienradar-2.0.json"))
		if os.IsNotExist(err) {
			t.Skip("the real answer is not on this machine")
		}
		require.NoError(t, err)
		w, err := readBuienradar(data)
		require.NoError(t, err)
		require.Len(t, w.Stations, 52)
		bilt := w.Stations[4]
		assert.Equal(t, Station{"De Bilt", "Zwaar bewolkt en regen", new(2.9), new(6.57)}, bilt)
		for _, s := range w.Stations {
			assert.NotContains(t, s.Station, "Meetstation")
		}
	})
}

func FuzzReadBuienradar(f *testing.F) {
	data, err := os.ReadFile("testdata/buienradar.json")
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte(`{"actual":{"stationmeasurements":[null]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := readBuienradar(data)
		if err != nil {
			assert.ErrorIs(t, err, source.ErrDown)
			return
		}
		assert.NotNil(t, w.Stations)
	})
}

// radar is the feed as a test wants it.
func radar(t *testing.T, how *atomic.Pointer[http.HandlerFunc]) (*feed, *atomic.Int64, *time.Time) {
	t.Helper()
	asked, now := &atomic.Int64{}, morning
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		(*how.Load())(w, r)
	}))
	t.Cleanup(server.Close)
	return &feed{source: source.New(server.Client()), url: server.URL, now: func() time.Time { return now }}, asked, &now
}

func TestFeed(t *testing.T) {
	fine := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/buienradar.json") })
	var how atomic.Pointer[http.HandlerFunc]
	how.Store(&fine)
	t.Run("asked once in ten minutes, also by many at a time", func(t *testing.T) {
		f, asked, now := radar(t, &how)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				w, err := f.weather(t.Context())
				assert.NoError(t, err)
				assert.Len(t, w.Stations, 3)
			})
		}
		all.Wait()
		assert.EqualValues(t, 1, asked.Load())
		*now = now.Add(feedFresh)
		_, err := f.weather(t.Context())
		require.NoError(t, err)
		assert.EqualValues(t, 2, asked.Load())
	})
	for name, body := range map[string]string{"html": "<!doctype html>", "another form": `{"stations":[]}`, "cut off": `{"actual":{"stat`, "empty": ""} {
		t.Run("down: "+name, func(t *testing.T) {
			f, _, now := radar(t, &how)
			w, err := f.weather(t.Context())
			require.NoError(t, err)
			junk := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) })
			how.Store(&junk)
			t.Cleanup(func() { how.Store(&fine) })
			*now = now.Add(feedOld - time.Minute)
			again, err := f.weather(t.Context())
			require.NoError(t, err)
			assert.Equal(t, w, again, "what was measured last, and when")
			*now = now.Add(time.Minute)
			_, err = f.weather(t.Context())
			require.ErrorIs(t, err, source.ErrDown)
		})
	}
}

func TestMadeUp(t *testing.T) {
	days := map[string]bool{}
	for d := range 365 {
		w := madeUp(morning.AddDate(0, 0, d), "De Bilt")
		s := w.Stations[0]
		assert.Equal(t, "De Bilt", s.Station)
		assert.NotEmpty(t, s.Overcast)
		assert.True(t, *s.Temperature > -10 && *s.Temperature < 30 && *s.Wind > 0 && *s.Wind < 15, "%v %v", *s.Temperature, *s.Wind)
		days[strings.Join([]string{s.Overcast, time.Duration(*s.Temperature * 1e9).String(), time.Duration(*s.Wind * 1e9).String()}, " ")] = true
	}
	assert.Greater(t, len(days), 150, "days differ")
}
