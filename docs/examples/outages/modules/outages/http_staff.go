package outages

import (
	"context"
	"time"

	"example.org/outages/modules/outages/outagesapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Report is an outage as reported by staff or a grid operator.
type Report struct {
	Commodity   string     `json:"commodity" enum:"electricity,gas"`
	Planned     bool       `json:"planned,omitempty" doc:"Planned work, and no fault"`
	Areas       []string   `json:"areas" maxItems:"500" nullable:"false" doc:"Postal codes: 1234AB, or 1234 for all that begin with it"`
	StartsAt    time.Time  `json:"starts_at"`
	ExpectedEnd *time.Time `json:"expected_end,omitempty" nullable:"true" doc:"Required for planned work"`
	EndedAt     *time.Time `json:"ended_at,omitempty" nullable:"true"`
	Operator    string     `json:"operator,omitempty" maxLength:"80" doc:"Name of the grid operator"`
	Text        Text       `json:"text,omitempty"`
}

// Reported is an outage as staff and back offices see it.
type Reported struct {
	ID    string `json:"id"`
	State string `json:"state" enum:"planned,active,ended"`
	Report
	ChangedAt time.Time `json:"changed_at" doc:"When it was reported last"`
	Mails     int64     `json:"mails" doc:"Number of mails sent so far"`
}

type (
	reportInput struct {
		ID   string `path:"id" maxLength:"64" pattern:"^[A-Za-z0-9._-]+$"`
		Body struct {
			Report
			ChangedAt *time.Time `json:"changed_at,omitempty" nullable:"true" doc:"When the source changed it: an older report changes nothing; absent: now"`
		}
	}
	reportedOutput struct{ Body Reported }
	listInput      struct {
		After string `query:"after" maxLength:"200" doc:"The value of next on the previous page"`
	}
	listOutput struct {
		Body struct {
			Items []Reported `json:"items" nullable:"false"`
			Next  string     `json:"next,omitempty" doc:"Value of after for the next page; absent on the last page"`
		}
	}
	idInput struct {
		ID string `path:"id" maxLength:"64"`
	}
)

func (o *outage) reported(now time.Time) Reported {
	return Reported{ID: o.ID, State: o.state(now), ChangedAt: o.ChangedAt, Mails: o.Mails,
		Report: Report{Commodity: o.Commodity, Planned: o.Planned, Areas: o.Areas,
			StartsAt: o.StartsAt, ExpectedEnd: o.ExpectedEnd, EndedAt: o.EndedAt, Operator: o.Operator, Text: Text{o.TextNL, o.TextEN}}}
}

// save implements the form of staff and the push operation of grid operators.
func (s *service) save(ctx context.Context, in *reportInput) (*reportedOutput, error) {
	rows, now := module.Label(ctx, "staff and grid operators report outages of areas"), s.host.Now()
	b := in.Body
	o := &outage{Label: rows.Key(), ID: in.ID, Commodity: b.Commodity, Planned: b.Planned, Areas: readAreas(b.Areas), Operator: b.Operator,
		TextNL: b.Text.NL, TextEN: b.Text.EN, StartsAt: b.StartsAt, ExpectedEnd: b.ExpectedEnd, EndedAt: b.EndedAt}
	if b.ChangedAt != nil {
		o.ChangedAt = *b.ChangedAt
	}
	if err := problem.Refuse(o.check()...); err != nil {
		return nil, err
	}
	out := new(reportedOutput)
	return out, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		current, err := s.report(ctx, tx, rows, o, now)
		if err == nil {
			out.Body = current.reported(now)
		}
		return err
	})
}

// report stores an outage, and publishes the change that subscribers are notified of.
func (s *service) report(ctx context.Context, tx module.Tx, rows module.Rows, o *outage, now time.Time) (*outage, error) {
	current, before, err := store(ctx, tx, rows, o, now)
	if err != nil {
		return nil, err
	}
	change := current.changeFrom(before, now)
	if change == "" {
		return current, nil
	}
	return current, module.Publish(ctx, tx, outagesapi.EventChanged, o.ID,
		outagesapi.Changed{Change: change, Commodity: o.Commodity, Planned: o.Planned})
}

// staffPage is the number of outages on a page for staff.
const staffPage = 50

func (s *service) list(ctx context.Context, in *listInput) (*listOutput, error) {
	var all []outage
	rows := module.Label(ctx, "staff read all outages")
	q := rows.Select(s.host.DB, &all).Order("starts_at DESC", "id").Limit(staffPage + 1)
	if in.After != "" {
		last, err := outageBy(ctx, s.host.DB, rows, in.After)
		if err != nil {
			return nil, err
		}
		q = q.Where("(starts_at < ? OR starts_at = ? AND id > ?)", last.StartsAt, last.StartsAt, last.ID)
	}
	if err := q.Scan(ctx); err != nil {
		return nil, err
	}
	out, now := new(listOutput), s.host.Now()
	out.Body.Items = []Reported{}
	if len(all) > staffPage {
		all = all[:staffPage]
		out.Body.Next = all[staffPage-1].ID
	}
	for i := range all {
		out.Body.Items = append(out.Body.Items, all[i].reported(now))
	}
	return out, nil
}

func (s *service) delete(ctx context.Context, in *idInput) (*struct{}, error) {
	rows := module.Label(ctx, "staff delete a report by mistake")
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		o, err := outageBy(ctx, tx, rows, in.ID)
		if err == nil {
			_, err = rows.Delete(tx, o).WherePK().Exec(ctx)
		}
		return err
	})
}
