package outages

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// outage is an interruption of power or gas in some areas.
type outage struct {
	bun.BaseModel `bun:"table:outages_outages"`
	Label         string `bun:"label_key,pk"`
	ID            string `bun:"id,pk"`
	Commodity     string
	Planned       bool
	Areas         areas
	Operator      string
	TextNL        string     `bun:"text_nl"`
	TextEN        string     `bun:"text_en"`
	StartsAt      time.Time  `bun:"starts_at"`
	ExpectedEnd   *time.Time `bun:"expected_end"`
	EndedAt       *time.Time `bun:"ended_at"`
	ChangedAt     time.Time  `bun:"changed_at"`
	Mails         int64
}

// subscription is an address for which a customer gets emails.
type subscription struct {
	bun.BaseModel `bun:"table:outages_subscriptions"`
	Label         string `bun:"label_key,pk"`
	Relation      string `bun:"relation_id,pk"`
	ZipCode       string `bun:"zip_code,pk"`
	Area          string
}

// outageBy returns an outage, or problem.ErrNotFound for an unknown one.
func outageBy(ctx context.Context, q module.Querier, rows module.Rows, id string) (*outage, error) {
	o := new(outage)
	err := rows.Select(q, o).Where("id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, problem.ErrNotFound
	}
	return o, err
}

// store adds or replaces an outage. It returns the current outage and the previous one, which is nil if the outage is new. A report without
// ChangedAt is dated now, and changes nothing if its content is the same. A report older than the stored one changes nothing either. In
// both cases, the stored outage is returned.
func store(ctx context.Context, tx module.Tx, rows module.Rows, o *outage, now time.Time) (current, before *outage, err error) {
	if before, err = outageBy(ctx, tx, rows, o.ID); errors.Is(err, problem.ErrNotFound) {
		before = nil
	} else if err != nil {
		return nil, nil, err
	}
	isDatedNow := o.ChangedAt.IsZero()
	if isDatedNow {
		o.ChangedAt = now
	}
	if before != nil {
		o.Mails = before.Mails
		switch {
		case isDatedNow && o.hasSameContent(before), !isDatedNow && o.ChangedAt.Before(before.ChangedAt):
			return before, before, nil
		case isDatedNow && before.ChangedAt.After(now): // the clock of the source is ahead
			o.ChangedAt = before.ChangedAt
		}
	}
	_, err = rows.Insert(tx, o).On("CONFLICT (label_key, id) DO UPDATE").
		Set("commodity = EXCLUDED.commodity").Set("planned = EXCLUDED.planned").Set("areas = EXCLUDED.areas").Set("operator = EXCLUDED.operator").
		Set("text_nl = EXCLUDED.text_nl").Set("text_en = EXCLUDED.text_en").Set("starts_at = EXCLUDED.starts_at").
		Set("expected_end = EXCLUDED.expected_end").Set("ended_at = EXCLUDED.ended_at").Set("changed_at = EXCLUDED.changed_at").Exec(ctx)
	return o, before, err
}

// addMails adds to the number of emails about an outage.
func addMails(ctx context.Context, tx module.Tx, rows module.Rows, id string, n int) error {
	_, err := rows.Update(tx, (*outage)(nil)).Set("mails = mails + ?", n).Where("id = ?", id).Exec(ctx)
	return err
}

// subscribers returns the relations with an address in the areas that follow after, sorted.
func subscribers(ctx context.Context, q module.Querier, rows module.Rows, in areas, after string, limit int64) (relations []string,
	err error) {
	var short, long []string
	for _, a := range in {
		if len(a) == areaDigits {
			short = append(short, a)
		} else {
			long = append(long, a)
		}
	}
	err = rows.Select(q, (*subscription)(nil)).Distinct().Column("relation_id").Where("relation_id > ?", after).
		WhereGroup(" AND ", func(s *bun.SelectQuery) *bun.SelectQuery {
			if len(short) > 0 {
				s = s.WhereOr("area IN (?)", bun.In(short))
			}
			if len(long) > 0 {
				s = s.WhereOr("zip_code IN (?)", bun.In(long))
			}
			return s
		}).Order("relation_id").Limit(limit).Scan(ctx, &relations)
	return relations, err
}

// replaceSubscription replaces the customer's subscribed addresses with the given postal codes.
func replaceSubscription(ctx context.Context, tx module.Tx, mine module.Rows, zipCodes []string) error {
	if _, err := mine.Delete(tx, (*subscription)(nil)).Exec(ctx); err != nil || len(zipCodes) == 0 {
		return err
	}
	all := make([]subscription, len(zipCodes))
	for i, zip := range zipCodes {
		all[i] = subscription{Label: mine.Key(), Relation: mine.Relation(), ZipCode: zip, Area: zip[:min(areaDigits, len(zip))]}
	}
	_, err := mine.Insert(tx, &all).Exec(ctx)
	return err
}

// deleteBefore deletes the outages that ended before a given time.
func deleteBefore(ctx context.Context, tx module.Tx, rows module.Rows, t time.Time) error {
	_, err := rows.Delete(tx, (*outage)(nil)).Where("COALESCE(ended_at, CASE WHEN planned THEN expected_end END) < ?", t).Exec(ctx)
	return err
}
