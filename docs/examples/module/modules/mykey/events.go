// {job}

package mykey

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// keepDays is the number of days for which a note is kept.
const keepDays = 365

// Handle deletes old notes at night. An event may arrive twice, and in any order.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	var night event.Tick
	if err := json.Unmarshal(e.Data, &night); err != nil {
		return fmt.Errorf("mykey: data of event %s: %w", e.ID, err)
	}
	first := value.DayOf(night.Tick).AddDays(-keepDays)
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		rows := module.Label(ctx, "the night deletes old notes of all customers")
		_, err := rows.Delete(tx, (*noteRow)(nil)).Where("day < ?", first).Exec(ctx)
		return err
	})
}

// {/job}
