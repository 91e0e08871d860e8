package production

import (
	"context"
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

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
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
	t.Run("a station without a name and an invalid time are ignored", func(t *testing.T) {
		w, err := readBuienradar([]byte(`{"actual":{"stationmeasurements":[{"stationname":"Meetstation Ell","timestamp":"2026-07-01T11:50:00","weatherdescription":" Mist "},
			{"stationname":"Meetstation  ","timestamp":"2026-07-01T13:00:00"},{"stationname":"Arcen","timestamp":"2026-07-01T12:00:00"},
			{"stationname":"Hoorn","timestamp":"2026-07-01T11:40:00"},{"stationname":"Huibertgat","timestamp":"gisteren"}]}}`))
		require.NoError(t, err)
		assert.Equal(t, []Station{{Station: "Ell", Overcast: "Mist"}, {Station: "Arcen"}, {Station: "Hoorn"}, {Station: "Huibertgat"}},
			w.Stations)
		if assert.NotNil(t, w.Measured) {
			assert.Equal(t, time.Date(2026, 7, 1, 10, 0, 0, 0, time.UTC), *w.Measured, "the newest time, in the zone of the feed")
		}
		w, err = readBuienradar([]byte(`{"actual":{"stationmeasurements":[{"stationname":"Ell"}]}}`))
		require.NoError(t, err)
		assert.Nil(t, w.Measured, "the feed has no time")
	})
	t.Run("a real response", func(t *testing.T) {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", "weather", "buienradar-2.0.json"))
		if os.IsNotExist(err) {
			t.Skip("the file with the real response is not on this machine")
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

// newFeed returns a feed with a test server, a counter of its requests, and its clock.
func newFeed(t *testing.T, how *atomic.Pointer[http.HandlerFunc]) (*feed, *atomic.Int64, *time.Time) {
	t.Helper()
	requests, now := &atomic.Int64{}, morning
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		(*how.Load())(w, r)
	}))
	t.Cleanup(server.Close)
	return &feed{source: source.New(server.Client()), url: server.URL, now: func() time.Time { return now }}, requests, &now
}

func TestFeed(t *testing.T) {
	valid := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/buienradar.json") })
	var how atomic.Pointer[http.HandlerFunc]
	how.Store(&valid)
	t.Run("one request in ten minutes, also for concurrent callers", func(t *testing.T) {
		f, requests, now := newFeed(t, &how)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				w, err := f.weather(t.Context())
				assert.NoError(t, err)
				assert.Len(t, w.Stations, 3)
			})
		}
		all.Wait()
		assert.EqualValues(t, 1, requests.Load())
		*now = now.Add(feedInterval)
		_, err := f.weather(t.Context())
		require.NoError(t, err)
		assert.EqualValues(t, 2, requests.Load())
	})
	for name, body := range map[string]string{"html": "<!doctype html>", "another form": `{"stations":[]}`, "cut off": `{"actual":{"stat`,
		"empty": ""} {
		t.Run("down: "+name, func(t *testing.T) {
			f, _, now := newFeed(t, &how)
			w, err := f.weather(t.Context())
			require.NoError(t, err)
			junk := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) })
			how.Store(&junk)
			t.Cleanup(func() { how.Store(&valid) })
			*now = now.Add(maxFeedAge - time.Minute)
			second, err := f.weather(t.Context())
			require.NoError(t, err)
			assert.Equal(t, w, second, "the last weather, with its time")
			*now = now.Add(time.Minute)
			_, err = f.weather(t.Context())
			require.ErrorIs(t, err, source.ErrDown)
		})
	}
}

// When the clock is set back, the last weather is in the future and is not returned.
func TestFeedWithClockSetBack(t *testing.T) {
	valid := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/buienradar.json") })
	var how atomic.Pointer[http.HandlerFunc]
	how.Store(&valid)
	f, requests, now := newFeed(t, &how)
	_, err := f.weather(t.Context())
	require.NoError(t, err)
	*now = now.Add(-time.Hour)
	_, err = f.weather(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 2, requests.Load(), "a second request")
	*now = now.Add(-time.Hour)
	away := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	how.Store(&away)
	_, err = f.weather(t.Context())
	assert.ErrorIs(t, err, source.ErrDown)
}

// A canceled call is not a failure of the feed: the next caller gets new weather.
func TestFeedWithCanceledCaller(t *testing.T) {
	valid := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/buienradar.json") })
	var how atomic.Pointer[http.HandlerFunc]
	how.Store(&valid)
	f, _, now := newFeed(t, &how)
	_, err := f.weather(t.Context())
	require.NoError(t, err)
	*now = now.Add(feedInterval)
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err = f.weather(gone)
	require.ErrorIs(t, err, context.Canceled)
	w, err := f.weather(t.Context())
	require.NoError(t, err)
	assert.Len(t, w.Stations, 3)
}

func TestFirst(t *testing.T) {
	t.Run("7.2-weather-shape,7.2-get-weather", func(t *testing.T) {
		w := Weather{Stations: []Station{{Station: "Arcen"}, {Station: "De Bilt"}, {Station: "Cadzand"}}}
		assert.Equal(t, "Cadzand", *w.first("Cadzand", "De Bilt"), "the station of the project")
		assert.Equal(t, "De Bilt", *w.first("Nergens", "De Bilt"), "the station of the project is not in the feed")
		assert.Equal(t, "De Bilt", *w.first("", "De Bilt"), "the project has no station")
		assert.Nil(t, w.first("Nergens", ""), "no station in the feed")
		assert.Nil(t, Weather{}.first("De Bilt"))
	})
}

func TestInventWeather(t *testing.T) {
	for on, want := range map[string][]Station{
		"01-01": {{"De Bilt", "Mist", new(5.8), new(7.1)}, {"Ell", "Vrijwel onbewolkt", new(6.5), new(8.0)},
			{"Hoorn", "Licht bewolkt", new(7.2), new(8.9)}},
		"01-20": {{"De Bilt", "Zwaar bewolkt en lichte regen", new(3.8), new(5.4)}, {"Ell", "Mist", new(4.5), new(6.3)},
			{"Hoorn", "Vrijwel onbewolkt", new(5.2), new(7.2)}},
		"04-10": {{"De Bilt", "Half bewolkt", new(11.5), new(4.8)}, {"Ell", "Zwaar bewolkt", new(12.2), new(5.7)},
			{"Hoorn", "Zwaar bewolkt en lichte regen", new(12.9), new(6.6)}},
		"07-22": {{"De Bilt", "Licht bewolkt", new(21.2), new(1.2)}, {"Ell", "Half bewolkt", new(21.9), new(2.1)},
			{"Hoorn", "Zwaar bewolkt", new(22.6), new(3.0)}},
		"11-20": {{"De Bilt", "Vrijwel onbewolkt", new(3.6), new(5.2)}, {"Ell", "Licht bewolkt", new(4.3), new(6.1)},
			{"Hoorn", "Half bewolkt", new(5.0), new(7.0)}},
	} {
		now, err := time.Parse(time.RFC3339, "2026-"+on+"T10:19:59Z")
		require.NoError(t, err)
		w := inventWeather(now, "De Bilt", "Ell", "Hoorn")
		assert.Equal(t, want, w.Stations, "%s: winter is colder than summer, and stations differ", on)
		assert.Equal(t, now.Truncate(time.Hour).Add(10*time.Minute), *w.Measured)
		assert.Nil(t, w.Source, "invented weather has no source")
	}
	assert.NotNil(t, inventWeather(morning).Stations)
	days := map[string]bool{}
	for d := range 365 {
		w := inventWeather(morning.AddDate(0, 0, d), "De Bilt")
		s := w.Stations[0]
		assert.Equal(t, "De Bilt", s.Station)
		assert.NotEmpty(t, s.Overcast)
		assert.True(t, *s.Temperature > -10 && *s.Temperature < 30 && *s.Wind > 0 && *s.Wind < 15, "%v %v", *s.Temperature, *s.Wind)
		days[strings.Join([]string{s.Overcast, time.Duration(*s.Temperature * 1e9).String(), time.Duration(*s.Wind * 1e9).String()}, " ")] = true
	}
	assert.Greater(t, len(days), 150, "days differ")
}

// TestWeather requests the weather of a label with the embedded provider, and of a label with a feed.
func TestWeather(t *testing.T) {
	ask := func(w *world, project string) Weather {
		return get[Weather](w, "/weather?project="+project, module.Scope{})
	}
	t.Run("7.2-get-weather,7.2-weather-shape", func(t *testing.T) {
		w := openWorld(t, moduletest.Options{})
		for code, station := range map[string]string{"W1": "Lauwersoog", "W2": "", "W3": "De Bilt", "W4": "Cadzand", "W5": "Cadzand"} {
			require.Empty(t, w.load(moduletest.LabelOne, kindProject, `{"project_code":"`+code+`","rated_power":1,"weather_station":"`+station+`"}`))
		}
		for project, want := range map[string]string{"W1": "Lauwersoog", "W2": "De Bilt", "W3": "De Bilt", "W4": "Cadzand", "": "De Bilt",
			"NONE": "De Bilt"} {
			got := ask(w, project)
			if assert.NotNil(t, got.Station, project) {
				assert.Equal(t, want, *got.Station, project)
			}
			var names []string
			for _, s := range got.Stations {
				names = append(names, s.Station)
			}
			assert.Equal(t, []string{"De Bilt", "Lauwersoog", "Cadzand"}, names, "the stations of the label and its projects, each once")
		}
	})
	t.Run("a feed", func(t *testing.T) {
		var requests atomic.Int64
		feed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			http.ServeFile(w, r, "testdata/buienradar.json")
		}))
		t.Cleanup(feed.Close)
		w := openWorld(t, moduletest.Options{Settings: Settings{Weather: WeatherSettings{Provider: "buienradar", URL: feed.URL,
			Station: "Vlissingen"}, DefaultProject: "WND-WJ"}})
		now := noon
		w.s.host.Web, w.s.host.Now = feed.Client(), func() time.Time { return now }
		require.Empty(t, w.load(moduletest.LabelOne, kindProject, `{"project_code":"W1","rated_power":1,"weather_station":"Cadzand"}`))
		assert.Equal(t, "Cadzand", *ask(w, "W1").Station)
		assert.Nil(t, ask(w, "").Station, "the station of the label is not in the feed")
		assert.EqualValues(t, 1, requests.Load(), "one request for all callers")
		feed.Close()
		now = now.Add(maxFeedAge)
		status, answer := w.Do(t.Context(), moduletest.Call{Path: "/weather"})
		assert.Equal(t, http.StatusServiceUnavailable, status)
		assert.Contains(t, string(answer), codeWeatherDown)
	})
}
