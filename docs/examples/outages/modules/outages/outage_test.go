package outages

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/problem"
)

var noon = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

func at(hours int) time.Time   { return noon.Add(time.Duration(hours) * time.Hour) }
func end(hours int) *time.Time { t := at(hours); return &t }

func TestReadAreas(t *testing.T) {
	assert.Equal(t, areas{"1234", "2555BX", "3511CD"}, readAreas([]string{"3511 cd, 1234", "2555BX\n1234"}))
	assert.Equal(t, areas{}, readAreas([]string{" ", ""}))
}

func TestAreasHave(t *testing.T) {
	a := areas{"1234", "2555BX"}
	for zip, want := range map[string]bool{"1234AA": true, "2555BX": true, "2555BY": false, "": false, "12": false} {
		assert.Equal(t, want, a.has(zip), zip)
	}
}

func TestAreasInAColumn(t *testing.T) {
	written, err := areas{"1234", "2555BX"}.Value()
	require.NoError(t, err)
	var read areas
	require.NoError(t, read.Scan(written))
	assert.Equal(t, areas{"1234", "2555BX"}, read)
	assert.Error(t, read.Scan(5))
}

func TestState(t *testing.T) {
	for name, c := range map[string]struct {
		o    outage
		want string
	}{
		"announced":                         {outage{Planned: true, StartsAt: at(1), ExpectedEnd: end(3)}, statePlanned},
		"begins now":                        {outage{Planned: true, StartsAt: at(0), ExpectedEnd: end(3)}, stateActive},
		"planned work is over at its end":   {outage{Planned: true, StartsAt: at(-3), ExpectedEnd: end(0)}, stateEnded},
		"a fault lasts after its estimate":  {outage{StartsAt: at(-3), ExpectedEnd: end(-1)}, stateActive},
		"a fault that was reported as over": {outage{StartsAt: at(-3), EndedAt: end(0)}, stateEnded},
		"an end that is still to come":      {outage{StartsAt: at(-3), EndedAt: end(1)}, stateActive},
	} {
		assert.Equal(t, c.want, c.o.state(noon), name)
	}
}

func TestIsShown(t *testing.T) {
	s := Settings{AnnounceDays: 2, KeepDays: 1}
	shown := func(o outage) bool { return o.isShown(noon, s) }
	assert.True(t, shown(outage{StartsAt: at(48)}))
	assert.False(t, shown(outage{StartsAt: at(49)}))
	assert.True(t, shown(outage{StartsAt: at(-900)}))
	assert.True(t, shown(outage{StartsAt: at(-30), EndedAt: end(-23)}))
	assert.False(t, shown(outage{StartsAt: at(-30), EndedAt: end(-24)}))
	assert.False(t, shown(outage{Planned: true, StartsAt: at(-30), ExpectedEnd: end(-24)}))
}

func TestCheck(t *testing.T) {
	valid := outage{Areas: areas{"1234"}, StartsAt: at(0)}
	assert.Empty(t, valid.check())
	for name, c := range map[string]struct {
		change func(*outage)
		want   problem.FieldError
	}{
		"no area": {func(o *outage) { o.Areas = nil }, problem.FieldError{Field: "areas", Code: problem.CodeRequired}},
		"too many areas": {func(o *outage) { o.Areas = make(areas, maxAreas+1) },
			problem.FieldError{Field: "areas", Code: problem.CodeTooLong}},
		"no postal code": {func(o *outage) { o.Areas = areas{"0123"} }, problem.FieldError{Field: "areas", Code: codeArea}},
		"no start": {func(o *outage) { o.StartsAt = time.Time{} },
			problem.FieldError{Field: "starts_at", Code: problem.CodeRequired}},
		"planned without end":   {func(o *outage) { o.Planned = true }, problem.FieldError{Field: "expected_end", Code: codeEndRequired}},
		"expected before":       {func(o *outage) { o.ExpectedEnd = end(-1) }, problem.FieldError{Field: "expected_end", Code: codeEndBefore}},
		"ended before it began": {func(o *outage) { o.EndedAt = end(-1) }, problem.FieldError{Field: "ended_at", Code: codeEndBefore}},
	} {
		o := valid
		c.change(&o)
		assert.Equal(t, []problem.FieldError{c.want}, o.check(), name)
	}
}

func TestSaysSame(t *testing.T) {
	a := outage{Commodity: "gas", Areas: areas{"1234"}, StartsAt: at(0), ExpectedEnd: end(2)}
	same := a
	same.ExpectedEnd, same.ChangedAt, same.Mails = end(2), at(1), 3
	assert.True(t, a.hasSameContent(&same))
	for name, change := range map[string]func(*outage){
		"commodity": func(o *outage) { o.Commodity = "electricity" }, "planned": func(o *outage) { o.Planned = true },
		"areas": func(o *outage) { o.Areas = areas{"1235"} }, "operator": func(o *outage) { o.Operator = "Net" },
		"nl": func(o *outage) { o.TextNL = "x" }, "en": func(o *outage) { o.TextEN = "x" }, "start": func(o *outage) { o.StartsAt = at(1) },
		"expected": func(o *outage) { o.ExpectedEnd = nil }, "ended": func(o *outage) { o.EndedAt = end(1) },
	} {
		other := a
		change(&other)
		assert.False(t, a.hasSameContent(&other), name)
	}
}

func TestChangeFrom(t *testing.T) {
	open, over := &outage{StartsAt: at(-3)}, &outage{StartsAt: at(-3), EndedAt: end(-1)}
	assert.Equal(t, changeReported, open.changeFrom(nil, noon))
	assert.Empty(t, over.changeFrom(nil, noon), "an outage of the past is not news")
	assert.Empty(t, open.changeFrom(open, noon))
	assert.Equal(t, changeEnded, over.changeFrom(open, noon))
	assert.Empty(t, over.changeFrom(over, noon))
}
