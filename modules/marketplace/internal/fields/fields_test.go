package fields

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

// read reads the field "v" of a record and returns the value and the error codes.
func read[T any](t *testing.T, data string, of func(Reading, record.Loose) T) (got T, codes string) {
	t.Helper()
	var in struct {
		V record.Loose `json:"v"`
	}
	c, ok := Read(record.Row{Line: 1, Data: []byte(`{"v":` + data + `}`)}, &in)
	require.True(t, ok)
	got = of(c, in.V)
	var all []string
	for _, r := range c.Refusals() {
		assert.Equal(t, "v", r.Field)
		all = append(all, r.Code)
	}
	return got, strings.Join(all, ", ")
}

// check reads values and compares the error codes of each.
func check[T any](t *testing.T, of func(Reading, record.Loose) T, refused map[string]string) {
	t.Helper()
	for data, want := range refused {
		_, codes := read(t, data, of)
		assert.Equal(t, want, codes, data)
	}
}

func TestFields(t *testing.T) {
	check(t, func(c Reading, v record.Loose) string { return c.ID("v", v) }, map[string]string{
		`"A-1"`: "", `""`: "required", `"../x"`: "invalid", `"` + strings.Repeat("a", 64) + `"`: "", `"` + strings.Repeat("a", 65) +
			`"`: "invalid"})
	check(t, func(c Reading, v record.Loose) string { return c.Link("v", v) }, map[string]string{
		`""`: "", `"/statuten"`: "", `"https://voorbeeld.example"`: "", `"http://voorbeeld.example"`: "invalid"})
	check(t, func(c Reading, v record.Loose) value.Cents { return c.Cents("v", v) }, map[string]string{
		`0`: "", `"12.50"`: "", `""`: "required", `-1`: "invalid", `"much"`: "invalid"})
	check(t, func(c Reading, v record.Loose) int64 { return c.Count("v", v) }, map[string]string{
		`0`: "", `999999999`: "", `1000000000`: "invalid", `-1`: "invalid", `1.5`: "invalid", `""`: "required"})
	check(t, func(c Reading, v record.Loose) bool { return c.Bool("v", v) }, map[string]string{`""`: "", `true`: "", `"perhaps"`: "invalid"})
	yes, _ := read(t, `"true"`, func(c Reading, v record.Loose) bool { return c.Bool("v", v) })
	assert.True(t, yes)
}

func TestMoment(t *testing.T) {
	moment := func(c Reading, v record.Loose) Moment { return c.Moment("v", v) }
	check(t, moment, map[string]string{`""`: "", `"2025-03-02"`: "", `"2025-03-01T14:32:00+01:00"`: "", `"2025-03-01T25:00:00Z"`: "invalid",
		`"0001-01-01T00:00:00Z"`: "invalid", `"Tuesday"`: "invalid"})
	zone := time.FixedZone("", 3600)
	for data, want := range map[string]string{`"2025-03-02"`: "2025-03-01T23:00:00Z", `"2025-03-01T14:32:00+01:00"`: "2025-03-01T13:32:00Z"} {
		m, _ := read(t, data, moment)
		assert.False(t, m.IsZero())
		assert.Equal(t, want, m.In(zone).Format(time.RFC3339))
	}
	none, _ := read(t, `""`, moment)
	assert.True(t, none.IsZero())
}
