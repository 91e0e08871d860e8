package billing

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
)

const (
	kindAgreement = "agreement"
	kindInvoice   = "invoice"
)

func (s *service) Import(ctx context.Context, kind string, rows []module.Row) (refused []module.Refusal, err error) {
	return nil, nil
}
