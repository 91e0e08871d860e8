package marketplace

import (
	"context"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
)

// Kinds of record.
const (
	importProject       = "project"
	importParticipation = "participation"
	importOffer         = "market_offer"
)

// Import stores projects, participations and offers.
func (s *service) Import(_ context.Context, kind string, _ []module.Row) ([]module.Refusal, error) {
	return nil, fmt.Errorf("marketplace: does not import %q", kind)
}
