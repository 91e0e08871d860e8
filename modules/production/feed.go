package production

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/source"
)

const (
	feedInterval = 10 * time.Minute // the feed has new measurements every ten minutes
	maxFeedAge   = 2 * time.Hour    // older measurements are not shown
)

// feed is a weather feed with its last response, which is used while the feed is down.
type feed struct {
	source *source.Source
	url    string
	now    func() time.Time

	mu   sync.Mutex
	last Weather
	at   time.Time
}

// weather returns the weather of the feed, at most maxFeedAge old. It returns an error that wraps source.ErrDown if none is available.
func (f *feed) weather(ctx context.Context) (Weather, error) {
	f.mu.Lock() // concurrent callers wait for the same response
	defer f.mu.Unlock()
	age := f.now().Sub(f.at)
	if !f.at.IsZero() && age >= 0 && age < feedInterval {
		return f.last, nil
	}
	var got Weather
	err := f.source.Get(ctx, f.url, func(data []byte) (err error) {
		got, err = readBuienradar(data)
		return err
	})
	if err == nil {
		f.last, f.at = got, f.now()
		return got, nil
	}
	if errors.Is(err, source.ErrDown) && !f.at.IsZero() && age >= 0 && age < maxFeedAge {
		return f.last, nil
	}
	return Weather{}, err
}

// weather returns the weather from the label's provider. The embedded provider generates weather for the station of the label and the
// stations of its projects.
func (s *service) weather(ctx context.Context, projects map[string]projectRow) (Weather, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return Weather{}, err
	}
	if set.Weather.Provider != "buienradar" {
		stations := []string{set.Weather.Station}
		for _, code := range slices.Sorted(maps.Keys(projects)) {
			if name := projects[code].WeatherStation; name != "" && !slices.Contains(stations, name) {
				stations = append(stations, name)
			}
		}
		return inventWeather(s.host.Now(), stations...), nil
	}
	s.mu.Lock()
	f := s.feeds[set.Weather.URL]
	if f == nil {
		f = &feed{source: source.New(s.host.Web), url: set.Weather.URL, now: s.host.Now}
		s.feeds[set.Weather.URL] = f
	}
	s.mu.Unlock()
	return f.weather(ctx)
}
