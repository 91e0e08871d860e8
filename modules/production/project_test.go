package production

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/problem"
)

func TestReadProject(t *testing.T) {
	for record, want := range map[string]projectRow{
		`{"project_code":"WND-WJ","rated_power":900.5,"weather_station":"Lauwersoog"}`: {ProjectCode: "WND-WJ", RatedPower: 900_500,
			WeatherStation: "Lauwersoog"},
		`{"project_code":"A","rated_power":"0.001"}`:                        {ProjectCode: "A", RatedPower: 1},
		`{"project_code":"A","rated_power":100000000,"weather_station":""}`: {ProjectCode: "A", RatedPower: maxRated},
	} {
		row, invalid := readProject([]byte(record))
		require.Nil(t, invalid, record)
		assert.Equal(t, want, row, record)
	}
	for record, want := range map[string]fault{
		`{`:                                                {"", problem.CodeMalformed},
		`{"project_code":7}`:                               {"project_code", problem.CodeInvalid},
		`{"rated_power":1}`:                                {"project_code", problem.CodeRequired},
		`{"project_code":"-A","rated_power":1}`:            {"project_code", problem.CodeInvalid},
		`{"project_code":"A","rated_power":"x"}`:           {"rated_power", codeNumber},
		`{"project_code":"A","rated_power":-1}`:            {"rated_power", codeNegative},
		`{"project_code":"A"}`:                             {"rated_power", problem.CodeRequired},
		`{"project_code":"A","rated_power":0}`:             {"rated_power", problem.CodeRequired},
		`{"project_code":"A","rated_power":0.0004}`:        {"rated_power", problem.CodeRequired},
		`{"project_code":"A","rated_power":100000000.001}`: {"rated_power", codeNumber},
		`{"project_code":"A","rated_power":1,"weather_station":"De\u0000 Bilt"}`: {"weather_station", problem.CodeInvalid},
	} {
		_, invalid := readProject([]byte(record))
		if assert.NotNil(t, invalid, record) {
			assert.Equal(t, want, *invalid, record)
		}
	}
}
