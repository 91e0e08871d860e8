package order

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
)

func TestBasketBorders(t *testing.T) {
	line := func(shares int64, o *offer.Offer) BasketLine {
		return BasketLine{basketRow: basketRow{RelationID: "me", Shares: shares}, offer: o}
	}
	open := func(left int64) *offer.Offer {
		return &offer.Offer{RelationID: "you", Status: offer.Active, Type: offer.Public, Left: left, Price: 4900}
	}
	assert.True(t, line(3, open(3)).isOrderable())
	assert.True(t, line(1, open(3)).isOrderable())
	assert.False(t, line(4, open(3)).isOrderable())
	assert.False(t, line(0, open(3)).isOrderable())
	mine := open(3)
	mine.RelationID = "me"
	assert.False(t, line(1, mine).isOrderable())
	direct := open(3)
	direct.Type = offer.Direct
	assert.False(t, line(1, direct).isOrderable())
	direct.BuyerRelation = "me"
	assert.True(t, line(1, direct).isOrderable())
	b := NewBasket([]BasketLine{line(2, open(9)), line(3, open(9)), line(1, nil)}, value.Day{Year: 2026, Month: time.November, Day: 20},
		TransferSettings{}, nil)
	assert.Equal(t, []value.Cents{9800, 14700, 24500}, []value.Cents{b.Items[0].Amount, b.Items[1].Amount, b.Total})
}
