package outbox

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

var (
	deliveriesDesc = prometheus.NewDesc("wattle_deliveries", "Deliveries of events and mails: due ones that wait, and dead letters.", []string{"state"}, nil)
	overdueDesc    = prometheus.NewDesc("wattle_delivery_overdue_seconds", "For how long the delivery that waits longest has been due.", nil, nil)
)

// Describe implements prometheus.Collector.
func (o *Outbox) Describe(ch chan<- *prometheus.Desc) {
	ch <- deliveriesDesc
	ch <- overdueDesc
}

// Collect implements prometheus.Collector. It asks the database, so that every replica tells the same.
func (o *Outbox) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var late, lost int64
	var oldest []delivery
	now, read := o.now(), o.Store.Read()
	err := read.NewSelect().Model(&oldest).Column("due_at").Where("state = ? AND due_at <= ?", waiting, now).OrderExpr("due_at").Limit(1).Scan(ctx)
	if err == nil {
		late, err = read.NewSelect().Model((*delivery)(nil)).Where("state = ? AND due_at <= ?", waiting, now).Count(ctx)
	}
	if err == nil {
		lost, err = read.NewSelect().Model((*delivery)(nil)).Where("state = ?", dead).Count(ctx)
	}
	if err != nil {
		ch <- prometheus.NewInvalidMetric(deliveriesDesc, err)
		return
	}
	overdue := 0.0
	if len(oldest) > 0 {
		overdue = now.Sub(oldest[0].Due).Seconds()
	}
	ch <- prometheus.MustNewConstMetric(deliveriesDesc, prometheus.GaugeValue, float64(late), "waiting")
	ch <- prometheus.MustNewConstMetric(deliveriesDesc, prometheus.GaugeValue, float64(lost), "dead")
	ch <- prometheus.MustNewConstMetric(overdueDesc, prometheus.GaugeValue, overdue)
}
