package order

import (
	"context"
	"encoding/json"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Publish publishes an event about several orders, to be delivered from due on. Its key is the id of the first order. The events have no
// sequence because no subscriber needs their order.
func Publish(ctx context.Context, tx module.Tx, kind string, ids []string, due time.Time) error {
	data, err := json.Marshal(marketplaceapi.Orders{Orders: ids})
	if err != nil {
		return err
	}
	return tx.Publish(ctx, module.Event{Type: kind, Key: ids[0], Seq: 1, Due: due, Data: data})
}
