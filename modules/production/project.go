package production

import (
	"github.com/wattle-portal/wattle/core/problem"
)

// maxRated is more than the rated power of any project: 100 GW, in W.
const maxRated = 100_000_000_000

type projectRecord struct {
	Project string  `json:"project_code"`
	Rated   measure `json:"rated_power"` // kW
	Station string  `json:"weather_station"`
}

// readProject parses a record of kind production_project.
func readProject(data []byte) (row projectRow, invalid *fault) {
	var r projectRecord
	if invalid := decode(data, &r); invalid != nil {
		return row, invalid
	}
	rated, code := r.Rated.amount()
	switch {
	case r.Project == "":
		return row, &fault{"project_code", problem.CodeRequired}
	case !projectPattern.MatchString(r.Project):
		return row, &fault{"project_code", problem.CodeInvalid}
	case code != "":
		return row, &fault{"rated_power", code}
	case rated == nil || *rated == 0:
		return row, &fault{"rated_power", problem.CodeRequired}
	case *rated > maxRated:
		return row, &fault{"rated_power", codeNumber}
	case r.Station != "" && !isPlainText(r.Station, maxName):
		return row, &fault{"weather_station", problem.CodeInvalid}
	}
	return projectRow{ProjectCode: r.Project, RatedPower: int64(*rated), WeatherStation: r.Station}, nil
}
