//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package outages

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/module"
)

// Text is a text in both languages; either language may be empty.
type Text struct {
	NL string `json:"nl" maxLength:"1000"`
	EN string `json:"en" maxLength:"1000"`
}

// Outage is an outage as customers see it.
type Outage struct {
	ID          string     `json:"id"`
	Commodity   string     `json:"commodity" enum:"electricity,gas"`
	Planned     bool       `json:"planned" doc:"Planned work, and no fault"`
	State       string     `json:"state" enum:"planned,active,ended"`
	StartsAt    time.Time  `json:"starts_at"`
	ExpectedEnd *time.Time `json:"expected_end" nullable:"true" doc:"null: unknown"`
	EndedAt     *time.Time `json:"ended_at" nullable:"true" doc:"null: it has not ended, or planned work ended as expected"`
	Operator    string     `json:"operator" doc:"Name of the grid operator; empty: unknown"`
	Text        Text       `json:"text" doc:"What is the matter; empty: unknown"`
	Addresses   []address  `json:"addresses" nullable:"false" doc:"Addresses of the customer in its area"`
}

// Near contains the outages near a customer.
type Near struct {
	Items      []Outage  `json:"items" nullable:"false" doc:"Active ones first, then planned ones, then those that ended"`
	Addresses  []address `json:"addresses" nullable:"false" doc:"All addresses of the customer"`
	Subscribed bool      `json:"subscribed" doc:"Whether the customer gets mails"`
}

type nearOutput struct{ Body Near }

// order is the order of states on the page.
var order = []string{stateActive, statePlanned, stateEnded}

func (s *service) listNear(ctx context.Context, _ *struct{}) (*nearOutput, error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	settings, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	out := &nearOutput{Near{Items: []Outage{}}}
	if out.Body.Addresses, err = s.addresses(ctx); err != nil {
		return nil, err
	}
	if out.Body.Subscribed, err = mine.Select(s.host.DB, (*subscription)(nil)).Exists(ctx); err != nil {
		return nil, err
	}
	now := s.host.Now()
	var all []outage
	rows := module.Label(ctx, "outages are of areas, and not of customers")
	if err := rows.Select(s.host.DB, &all).Where("starts_at <= ?", now.AddDate(0, 0, settings.AnnounceDays+1)).Order("starts_at DESC",
		"id").Scan(ctx); err != nil {
		return nil, err
	}
	for i := range all {
		if one := all[i].near(out.Body.Addresses, now); all[i].isShown(now, *settings) && len(one.Addresses) > 0 {
			out.Body.Items = append(out.Body.Items, one)
		}
	}
	slices.SortStableFunc(out.Body.Items, func(a, b Outage) int {
		if by := cmp.Compare(slices.Index(order, a.State), slices.Index(order, b.State)); by != 0 || a.State != statePlanned {
			return by
		}
		return a.StartsAt.Compare(b.StartsAt) // planned outages: soonest first; others stay newest first
	})
	return out, nil
}

// near returns an outage as a customer with these addresses sees it.
func (o *outage) near(addresses []address, now time.Time) Outage {
	out := Outage{ID: o.ID, Commodity: o.Commodity, Planned: o.Planned, State: o.state(now), StartsAt: o.StartsAt, ExpectedEnd: o.ExpectedEnd,
		EndedAt: o.EndedAt, Operator: o.Operator, Text: Text{o.TextNL, o.TextEN}, Addresses: []address{}}
	for _, a := range addresses {
		if o.Areas.has(a.ZipCode) {
			out.Addresses = append(out.Addresses, a)
		}
	}
	return out
}

type subscribeInput struct {
	Body struct {
		Subscribed bool `json:"subscribed"`
	}
}

func (s *service) subscribe(ctx context.Context, in *subscribeInput) (*struct{}, error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	zipCodes := []string{}
	if in.Body.Subscribed {
		addresses, err := s.addresses(ctx)
		if err != nil {
			return nil, err
		}
		for _, a := range addresses {
			if a.ZipCode != "" && !slices.Contains(zipCodes, a.ZipCode) {
				zipCodes = append(zipCodes, a.ZipCode)
			}
		}
	}
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return replaceSubscription(ctx, tx, mine, zipCodes) })
}
