package staff

import (
	"context"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
)

// Handle returns an error: the module subscribes to no event.
func (*service) Handle(_ context.Context, e module.Event) error {
	return fmt.Errorf("staff: does not handle %s", e.Type)
}
