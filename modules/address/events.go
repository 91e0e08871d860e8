package address

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
)

// Handle implements module.Instance; the module handles no events.
func (*service) Handle(context.Context, module.Event) error { return nil }
