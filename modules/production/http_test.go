package production_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/production"
)

func TestProduction(t *testing.T) {
	t.Parallel()
	o := portaltest.Options{Modules: []module.Module{production.Module}, Labels: []portaltest.Label{{Key: "alpha"},
		{Key: "beta", CUE: `modules: production: weather: {provider: "buienradar", url: "http://127.0.0.1:1/feed"}`}}}
	portaltest.Each(t, o, func(t *testing.T, s *portaltest.Portal) {
		ask := func(label string) portaltest.Answer {
			relation := value.StableID(label, "relation", "weather")
			return s.Do(portaltest.Call{Host: label + ".localhost", Path: "/weather", Bearer: s.Customer(label, relation).Bearer})
		}
		t.Run("7.2-weather-shape,7.2-get-weather", func(t *testing.T) {
			var got struct {
				Stations []struct {
					Station  string   `json:"station"`
					Overcast string   `json:"overcast"`
					Degrees  *float64 `json:"temperature"`
					Wind     *float64 `json:"wind_strength"`
				} `json:"stations"`
			}
			a := ask("alpha")
			require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			a.JSON(t, &got)
			require.Len(t, got.Stations, 1)
			assert.Equal(t, "De Bilt", got.Stations[0].Station)
			assert.NotNil(t, got.Stations[0].Degrees)
			assert.NotNil(t, got.Stations[0].Wind)
		})
		t.Run("a feed that is down", func(t *testing.T) {
			a := ask("beta")
			assert.Equal(t, http.StatusServiceUnavailable, a.Status)
			assert.Equal(t, "production.weather_down", a.Code())
		})
		t.Run("without a session", func(t *testing.T) {
			assert.Equal(t, http.StatusUnauthorized, s.Do(portaltest.Call{Path: "/weather"}).Status)
		})
	})
}
