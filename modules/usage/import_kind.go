package usage

import (
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
)

// intervalSeconds contains the possible lengths of intervals in records.
var intervalSeconds = []string{"900", "3600", "86400"}

// recordKinds describes the records of an import.
var recordKinds = []record.Kind{{
	Name: meter.KindConnection, Doc: "A connection to the grid where a customer is supplied. The natural key is ean_code.",
	Fields: meter.ConnectionRecord{}, Required: []string{"debtor_number", "ean_code", "commodity", "meter_type"},
	Example: `{"debtor_number":"10001","ean_code":"871687120000000011","commodity":"ELECTRICITY","meter_type":"SMART","meter_number":"E0001","location_id":"L1",
		"agreement_identifier":"A1"}`,
}, {
	Name: meter.KindReading, Doc: "The reading of a meter at the start of a day, in kWh or m3 (gas: consumption). The natural key is ean_code, measurement_date and meter_number.",
	Fields: reading.Record{}, Required: []string{"ean_code", "measurement_date"},
	Example: `{"ean_code":"871687120000000011","measurement_date":"2026-01-01","consumption_normal":"12345.678","consumption_low":"9876","feedin_normal":"0","feedin_low":"0"}`,
}, {
	Name: meter.KindInterval, Doc: "What was used and fed in within a quarter of an hour, an hour or a day, in kWh or m3 (gas: consumption). The natural key is ean_code and start.",
	Fields: interval.Record{}, Required: []string{"ean_code", "start"}, Values: map[string][]string{"seconds": intervalSeconds},
	Example: `{"ean_code":"871687120000000011","start":"2026-01-15T10:00:00+01:00","seconds":"3600","normal":"0.25","feedin_normal":"1.2"}`,
}, {
	Name: meter.KindIntervalDay, Doc: "The intervals of a whole day: lists as long as the day has intervals, null for what was not measured. The natural key is ean_code and day.",
	Fields: interval.DayRecord{}, Required: []string{"ean_code", "day"}, Values: map[string][]string{"seconds": intervalSeconds},
	Example: `{"ean_code":"871687120000000011","day":"2026-01-16","seconds":"3600","normal":["0.1","0.1","0.1","0.1","0.1","0.1","0.2","0.4","0.3","0.2","0.2","0.2","0.3","0.2","0.2",
		"0.2","0.3","0.6","0.8","0.7","0.5","0.4","0.3","0.2"]}`,
}}
