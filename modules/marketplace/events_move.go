package marketplace

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
)

func (s *service) moveDue(context.Context, module.Event) error { return nil }

func (s *service) sweepMoves(context.Context) error { return nil }
