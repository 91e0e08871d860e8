package usage

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
)

const (
	kindConnection         = "connection"
	kindReading            = "reading"
	kindInterval           = "interval"
	kindIntervalDay        = "interval_day"
	eventRetrievalAdvanced = "usage.retrieval_advanced"
)

type Source interface{}
type stored struct{ db module.DB }

func connectionsOf(ctx context.Context, db module.DB, rows module.Rows) ([]Connection, error) {
	return nil, nil
}
func (s *service) Handle(ctx context.Context, e module.Event) error { return nil }
func (s *service) Import(ctx context.Context, kind string, rows []module.Row) (refused []module.Refusal, err error) {
	return nil, nil
}
