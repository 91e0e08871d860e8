package production

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/source"
)

// Weather contains the last measurements of the weather stations (7.2-weather-shape).
type Weather struct {
	Stations []Station  `json:"stations" nullable:"false" doc:"Weather stations of the feed"`
	Station  *string    `json:"station" doc:"Station to show: of the project, or else of the label; null: the feed has neither"`
	Measured *time.Time `json:"measured,omitempty" doc:"Time of the measurements; absent when unknown"`
	Source   *Source    `json:"source,omitempty" doc:"Provider that must be shown with a link next to the weather"`
}

// Station is a weather station with its measurements (3-weather-fields). Some stations lack a thermometer or an anemometer.
type Station struct {
	Station     string   `json:"station" doc:"Name of the station"`
	Overcast    string   `json:"overcast" doc:"Sky in Dutch, for example Zwaar bewolkt en regen"`
	Temperature *float64 `json:"temperature" doc:"Temperature in degrees Celsius; null: not measured"`
	Wind        *float64 `json:"wind_strength" doc:"Wind speed in m/s; null: not measured"`
}

// Source is the provider of the weather.
type Source struct {
	Name string `json:"name" doc:"Name of the provider"`
	URL  string `json:"url" doc:"Link to the provider's site"`
}

// dutch is the time zone of the times in the feed, which have no offset.
const dutch = "Europe/Amsterdam"

// readBuienradar parses the feed. It returns a wrapped source.ErrDown for data in another format. A station without a name is left out.
func readBuienradar(data []byte) (Weather, error) {
	var answer struct {
		Actual *struct {
			Stations []struct {
				Name        string   `json:"stationname"`
				At          string   `json:"timestamp"`
				Description string   `json:"weatherdescription"`
				Temperature *float64 `json:"temperature"`
				Wind        *float64 `json:"windspeed"`
			} `json:"stationmeasurements"`
		} `json:"actual"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return Weather{}, fmt.Errorf("%w: %w", source.ErrDown, err)
	}
	if answer.Actual == nil {
		return Weather{}, fmt.Errorf("%w: not the weather feed", source.ErrDown)
	}
	zone, err := time.LoadLocation(dutch)
	if err != nil {
		return Weather{}, err
	}
	w := Weather{Stations: []Station{}, Source: &Source{"Buienradar", "https://www.buienradar.nl"}}
	for _, s := range answer.Actual.Stations {
		name := strings.TrimSpace(strings.TrimPrefix(s.Name, "Meetstation "))
		if name == "" {
			continue
		}
		w.Stations = append(w.Stations, Station{name, strings.TrimSpace(s.Description), s.Temperature, s.Wind})
		if at, err := time.ParseInLocation("2006-01-02T15:04:05", s.At, zone); err == nil && (w.Measured == nil || at.After(*w.Measured)) {
			w.Measured = new(at.UTC())
		}
	}
	return w, nil
}

// first returns the first of the names that is a station in the feed, or nil.
func (w Weather) first(names ...string) *string {
	for _, name := range names {
		for _, s := range w.Stations {
			if name != "" && s.Station == name {
				return &name
			}
		}
	}
	return nil
}

// inventWeather returns invented weather for the demo. It is plausible for the season, and differs by day and station.
func inventWeather(now time.Time, stations ...string) Weather {
	day := now.YearDay()
	season := math.Cos(float64(day-20) / 365 * 2 * math.Pi) // 1 in the coldest week
	sky := []string{"Vrijwel onbewolkt", "Licht bewolkt", "Half bewolkt", "Zwaar bewolkt", "Zwaar bewolkt en lichte regen", "Mist"}
	at := now.UTC().Truncate(10 * time.Minute)
	w := Weather{Stations: []Station{}, Measured: &at}
	for n, name := range stations {
		temperature := math.Round((10.5-7.5*season+float64(day*7%9-4)*.8+float64(n)*.7)*10) / 10
		wind := math.Round((4.5+1.5*season+float64(day*5%7-3)*.6+float64(n)*.9)*10) / 10
		w.Stations = append(w.Stations, Station{name, sky[(day*11+n)%len(sky)], &temperature, &wind})
	}
	return w
}
