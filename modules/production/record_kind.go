package production

import "github.com/wattle-portal/wattle/core/record"

// recordKinds describes the records of an import.
var recordKinds = []record.Kind{{
	Name: kindProject, Doc: "A project of which production is known: its rated power in kW. The natural key is project_code.",
	Fields: projectRecord{}, Required: []string{"project_code", "rated_power"},
	Example: `{"project_code":"WND-01","rated_power":"900","weather_station":"Lauwersoog"}`,
}, {
	Name: kindDay, Doc: "The hours of a day of a project, in kWh: as many as the day has, null for what was not measured. The natural key is project_code and day.",
	Fields: dayRecord{}, Required: []string{"project_code", "day", "hours"}, Values: map[string][]string{"unit": {"kWh", "KWH"}},
	Example: `{"project_code":"WND-01","day":"2026-01-15","unit":"kWh","hours":["12","14.5","13","11","9.5","8","7","6","5.5","5","4","4","3.5","4","5","6","7","9","11","12","13","14","15","15.5"]}`,
}, {
	Name: kindHour, Doc: "An hour of a project. start has its offset. The natural key is project_code and start.",
	Fields: hourRecord{}, Required: []string{"project_code", "start", "kwh"},
	Example: `{"project_code":"WND-01","start":"2026-01-16T10:00:00+01:00","kwh":"12.5"}`,
}, {
	Name: kindMeasurement, Doc: "A measurement of a meter of a project: power in kW, counter in kWh. At most 35 days old. The natural key is project_code, meter and at.",
	Fields: measurementRecord{}, Required: []string{"project_code", "meter", "at"},
	Values:  map[string][]string{"quality": record.Texts([]Quality{AsMeasured, Estimated, Corrected})},
	Example: `{"project_code":"WND-01","meter":"T1","at":"YESTERDAYT10:05:00Z","power":"612.4","counter":"1204233.5","quality":"measured"}`,
}}
