package outbox

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

var (
	deliveriesDesc = prometheus.NewDesc("wattle_deliveries",
		"Deliveries of events and mails: due for the first time (waiting), failed and tried again (retrying), dead letters (dead).",
		[]string{"state"}, nil)
	oldestDesc = prometheus.NewDesc("wattle_delivery_oldest_seconds",
		"Age of the oldest delivery in a state, since it was queued; 0 without one.", []string{"state"}, nil)
	overdueDesc = prometheus.NewDesc("wattle_delivery_overdue_seconds",
		"Age of the oldest delivery that is due or tried again, since it was queued.", nil, nil)
)

// Describe implements prometheus.Collector.
func (o *Outbox) Describe(ch chan<- *prometheus.Desc) {
	ch <- deliveriesDesc
	ch <- oldestDesc
	ch <- overdueDesc
}

// counted is the number of deliveries in a state, and since when the oldest of them has been in it.
type counted struct {
	State   string    `bun:"state"`
	Failed  bool      `bun:"failed"`
	N       int64     `bun:"n"`
	Created time.Time `bun:"created"`
}

// Collect implements prometheus.Collector. It queries the database, so that every replica returns the same values (9-deliveries-metric).
func (o *Outbox) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	now := o.now()
	var rows []counted
	// A delivery that has failed counts as an outage, even before its next attempt is due. A delivery that has never failed and is due
	// later is planned, and counts from its due time.
	for _, state := range []string{waiting, dead} { // each state has its own index
		var some []counted
		q := o.Store.Read().NewSelect().Model((*delivery)(nil)).ColumnExpr("d.state, d.error <> '' AS failed, count(*) AS n").
			ColumnExpr("min(CASE WHEN d.error = '' AND d.due_at > d.created_at THEN d.due_at ELSE d.created_at END) AS created").
			Where("d.state = ?", state).GroupExpr("d.state, d.error <> ''")
		if state == waiting {
			q = q.Where("d.error <> '' OR d.due_at <= ?", now)
		}
		if err := q.Scan(ctx, &some); err != nil {
			ch <- prometheus.NewInvalidMetric(deliveriesDesc, err)
			return
		}
		rows = append(rows, some...)
	}
	number, age := map[string]int64{}, map[string]float64{}
	for _, r := range rows {
		state := "waiting"
		switch {
		case r.State == dead:
			state = "dead"
		case r.Failed:
			state = "retrying"
		}
		number[state] += r.N
		age[state] = max(age[state], now.Sub(r.Created).Seconds())
	}
	for _, state := range []string{"waiting", "retrying", "dead"} {
		ch <- prometheus.MustNewConstMetric(deliveriesDesc, prometheus.GaugeValue, float64(number[state]), state)
		ch <- prometheus.MustNewConstMetric(oldestDesc, prometheus.GaugeValue, age[state], state)
	}
	ch <- prometheus.MustNewConstMetric(overdueDesc, prometheus.GaugeValue, max(age["waiting"], age["retrying"]))
}
