package offer

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

func TestOfferAsItIsSold(t *testing.T) {
	o := Offer{Shares: 20, Left: 8, Reserved: 5, Held: 3, Transferred: 4, Status: Active, Type: Public}
	m := marketOffer(o, true, project.Document{}, nil, nil)
	assert.Equal(t, []int64{8, 20, 7}, []int64{m.Shares, m.Offered, m.Sold})
	for _, over := range []state.Status{Sold, Rejected, Revoked} {
		o.Status = over
		assert.Equal(t, int64(20), marketOffer(o, true, project.Document{}, nil, nil).Shares, over)
	}
}
