package marketplace

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
)

func (s *service) offerRoutes() {}

func (s *service) offerDue(context.Context, module.Event) error { return nil }

func (s *service) sweepOffers(context.Context) error { return nil }

func (s *service) offerDecided(context.Context, module.Tx, module.Change) error { return nil }
