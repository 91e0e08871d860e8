package staff

import (
	"context"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
)

// Handle takes no events.
func (*service) Handle(_ context.Context, e module.Event) error {
	return fmt.Errorf("staff: does not handle %s", e.Type)
}
