package outages

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// outageRecord is a line in a CSV file or an object in an NDJSON file.
type outageRecord struct {
	ID          record.Loose `json:"id"`
	Commodity   record.Loose `json:"commodity"`
	Planned     record.Loose `json:"planned"`
	Areas       record.Loose `json:"areas"`
	StartsAt    record.Loose `json:"starts_at"`
	ExpectedEnd record.Loose `json:"expected_end"`
	EndedAt     record.Loose `json:"ended_at"`
	Operator    record.Loose `json:"operator"`
	TextNL      record.Loose `json:"text_nl"`
	TextEN      record.Loose `json:"text_en"`
	ChangedAt   record.Loose `json:"changed_at"`
}

// Import stores outages by id, as reports at changed_at or, if that is absent, at the current time. A repeated import changes nothing.
func (s *service) Import(ctx context.Context, _ string, records []record.Row) (refused []record.Refusal, err error) {
	rows, now := module.Label(ctx, "a file has the outages of all areas"), s.host.Now()
	zone, err := time.LoadLocation(module.ScopeOf(ctx).Zone)
	if err != nil {
		return nil, err
	}
	var read []*outage
	for _, r := range records {
		o, refusals := readRecord(r, rows.Key(), zone)
		if refused = append(refused, refusals...); len(refusals) == 0 {
			read = append(read, o)
		}
	}
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		for _, o := range read {
			if _, err := s.report(ctx, tx, rows, o, now); err != nil {
				return err
			}
		}
		return nil
	})
}

func readRecord(row record.Row, label string, zone *time.Location) (*outage, []record.Refusal) {
	var in outageRecord
	r, ok := record.Read(row, &in)
	if !ok {
		return nil, r.Refusals()
	}
	o := &outage{Label: label, ID: r.Required("id", in.ID), Commodity: r.Required("commodity", in.Commodity),
		Planned: in.Planned.Text() == "true",
		Areas:   readAreas([]string{in.Areas.Text()}), Operator: in.Operator.Text(), TextNL: in.TextNL.Text(), TextEN: in.TextEN.Text()}
	if o.Commodity != "" && o.Commodity != "electricity" && o.Commodity != "gas" {
		r.Refuse("commodity", problem.CodeInvalid)
	}
	if p := in.Planned.Text(); p != "" && p != "true" && p != "false" {
		r.Refuse("planned", problem.CodeInvalid)
	}
	for field, text := range map[string]struct {
		of  string
		max int
	}{"operator": {o.Operator, maxOperatorLength}, "text_nl": {o.TextNL, maxTextLength}, "text_en": {o.TextEN, maxTextLength}} {
		if utf8.RuneCountInString(text.of) > text.max {
			r.Refuse(field, problem.CodeTooLong)
		}
	}
	moment := func(field string, v record.Loose) *time.Time {
		if v.Text() == "" {
			return nil
		}
		t, ok := readMoment(v.Text(), zone)
		if !ok {
			r.Refuse(field, problem.CodeInvalid)
			return nil
		}
		return &t
	}
	if start := moment("starts_at", in.StartsAt); start != nil {
		o.StartsAt = *start
	}
	if changed := moment("changed_at", in.ChangedAt); changed != nil {
		o.ChangedAt = *changed
	}
	o.ExpectedEnd, o.EndedAt = moment("expected_end", in.ExpectedEnd), moment("ended_at", in.EndedAt)
	if len(r.Refusals()) == 0 { // a time that cannot be parsed is not reported as missing as well
		for _, e := range o.check() {
			r.Refuse(e.Field, e.Code)
		}
	}
	return o, r.Refusals()
}

// readMoment parses a time with an offset, or a day and time in the label's time zone.
func readMoment(s string, zone *time.Location) (time.Time, bool) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.UTC(), true
	}
	t, err := time.ParseInLocation("2006-01-02 15:04", s, zone)
	return t.UTC(), err == nil
}
