package marketplace

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
)

func (s *service) transferDue(context.Context, module.Event) error { return nil }

func (s *service) sweepTransfers(context.Context) error { return nil }
