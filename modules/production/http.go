//go:generate go test . -run TestOpenAPI -update

package production

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
)

// Codes of this module's problems, which are the ids of their texts in the browser.
const codeWeatherDown = "production.weather_down"

func (s *service) routes() {
	module.Route(s.API, huma.Operation{Method: http.MethodGet, Path: "/weather", OperationID: "getWeather", // 7.2-get-weather
		Summary: "What the weather stations measured last"}, module.Customer, module.Read, s.getWeather)
}

// Handle hears of no event.
func (s *service) Handle(_ context.Context, e module.Event) error {
	return errors.New("production: does not handle " + e.Type)
}

type weatherAnswer struct{ Body Weather }

func (s *service) getWeather(ctx context.Context, _ *struct{}) (*weatherAnswer, error) {
	w, err := s.weather(ctx)
	if errors.Is(err, module.ErrDown) {
		s.host.Log.WarnContext(ctx, "no weather", "error", err)
		return nil, module.Fail(http.StatusServiceUnavailable, codeWeatherDown)
	}
	return &weatherAnswer{w}, err
}
