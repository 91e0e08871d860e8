package interval

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

func TestParseInterval(t *testing.T) {
	loc := metertest.Amsterdam(t)
	read := func(c meter.Connection, record string) string {
		var r Record
		require.NoError(t, json.Unmarshal([]byte(record), &r), record)
		i, recordErr := r.Parse(c, metertest.Today, loc)
		if recordErr != nil {
			return recordErr.Field + ":" + recordErr.Code
		}
		return i.Day.String() + "#" + string(rune('a'+i.Slot))
	}
	for record, want := range map[string]string{
		`{"start":"2024-10-27T02:00:00+02:00","normal":1}`:                     "2024-10-27#c",
		`{"start":"2024-10-27T02:00:00+01:00","normal":1}`:                     "2024-10-27#d",
		`{"start":"2024-10-27T02:00:00","normal":1}`:                           "start:usage.offset_needed",
		`{"start":"2024-03-31T02:00:00","normal":1}`:                           "start:usage.no_such_time",
		`{"start":"2024-03-31T03:00:00","low":"0.224"}`:                        "2024-03-31#c",
		`{"start":"2024-10-27T02:15:00+01:00","normal":1}`:                     "start:usage.not_aligned",
		`{"start":"2024-01-01T00:45:00+01:00","normal":1,"seconds":900}`:       "2024-01-01#d",
		`{"start":"2024-01-01T00:45:00+01:00","normal":1,"seconds":"86400"}`:   "start:usage.not_aligned",
		`{"start":"2024-01-01","normal":1,"seconds":"86400"}`:                  "2024-01-01#a",
		`{"start":"2024-01-01","normal":1}`:                                    "start:usage.time",
		`{"start":"2024-01-01T00:00:00+01:00","normal":1,"seconds":60}`:        "seconds:usage.seconds",
		`{"start":"2024-01-01T00:00:00+01:00","normal":1,"seconds":"veel"}`:    "seconds:usage.seconds",
		`{"start":"2026-11-22T00:00:00+01:00","normal":1}`:                     "start:usage.in_future",
		`{"start":"2024-01-01T00:00:00+01:00","consumption":1}`:                "consumption:usage.register",
		`{"start":"2024-01-01T00:00:00+01:00","normal":1,"feedin_low":0.0001}`: "feedin_low:usage.decimals",
		`{"start":"2024-01-01T00:00:00+01:00","normal":""}`:                    ":usage.nothing",
		`{"normal":1}`: "start:required",
	} {
		assert.Equal(t, want, read(metertest.Power, record), record)
	}
	assert.Equal(t, "normal:usage.register", read(metertest.Gas, `{"start":"2024-01-01T00:00:00+01:00","normal":1}`))
	assert.Equal(t, "2024-01-01#a", read(metertest.Gas, `{"start":"2024-01-01T00:00:00+01:00","consumption":1}`))
}

func TestParseIntervalDay(t *testing.T) {
	loc := metertest.Amsterdam(t)
	read := func(c meter.Connection, d string, n int, more string) string {
		list := make([]int, n)
		data, err := json.Marshal(list)
		require.NoError(t, err)
		var r DayRecord
		require.NoError(t, json.Unmarshal([]byte(`{"day":"`+d+`","normal":`+string(data)+more+`}`), &r))
		_, _, recordErr := r.Parse(c, metertest.Today, loc)
		if recordErr != nil {
			return recordErr.Field + ":" + recordErr.Code
		}
		return ""
	}
	assert.Empty(t, read(metertest.Power, "2024-10-27", 25, ""))
	assert.Empty(t, read(metertest.Power, "2024-03-31", 23, ""))
	assert.Empty(t, read(metertest.Power, "2024-03-31", 92, `,"seconds":900`))
	assert.Empty(t, read(metertest.Power, "2024-03-31", 1, `,"seconds":86400`))
	assert.Equal(t, "normal:usage.day_length", read(metertest.Power, "2024-10-27", 24, ""))
	assert.Equal(t, "normal:usage.day_length", read(metertest.Power, "2024-03-31", 24, ""))
	assert.Equal(t, "normal:usage.register", read(metertest.Gas, "2024-03-30", 24, ""))
	assert.Equal(t, "low:usage.negative", read(metertest.Power, "2024-03-30", 24, `,"low":[-1`+repeat(",0", 23)+`]`))
	assert.Equal(t, "day:usage.in_future", read(metertest.Power, "2026-11-22", 24, ""))
	assert.Equal(t, "day:usage.time", read(metertest.Power, "22-11-2026", 24, ""))
	assert.Equal(t, "day:"+problem.CodeRequired, read(metertest.Power, "", 24, ""))
	assert.Equal(t, ":usage.nothing", func() string {
		var r DayRecord
		require.NoError(t, json.Unmarshal([]byte(`{"day":"2024-03-30","normal":[null`+repeat(",null", 23)+`]}`), &r))
		_, _, recordErr := r.Parse(metertest.Power, metertest.Today, loc)
		return recordErr.Field + ":" + recordErr.Code
	}())
}

func repeat(s string, n int) (out string) {
	for range n {
		out += s
	}
	return out
}
