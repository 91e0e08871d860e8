package offer

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
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

func TestMarketOfferInJSON(t *testing.T) {
	o := Offer{ID: "o-1", Reference: "A-1", ProjectCode: "WP", ProjectName: "as it was called", Type: Direct, Status: Active,
		Date: value.Day{Year: 2026, Month: 11, Day: 25}, Price: 4900, Shares: 20, Left: 8, Reserved: 5, Held: 3, Transferred: 4,
		Code: "ABCDEFGHJK2", RejectionReason: RejectProvider}
	d := project.Document{Record: project.Record{Name: "Windpark", Type: "WIND", Place: "Grootegast"},
		End: value.Day{Year: 2040, Month: 12, Day: 31}}
	p := &ledger.Participation{ParticipationIdentifier: "P-1"}
	at := &participation.Address{StreetName: "Molenweg", HouseNumber: "18", HousePostfix: "a", PostalCode: "9861GT", City: "Grootegast"}
	const everyone = `"reference":"A-1","identifier":"o-1","date":"2026-11-25","project_code":"WP","project_name":"Windpark",
		"project_type":"WIND","project_end_date":"2040-12-31","place":"Grootegast","shares":8,"shares_offered":20,"shares_sold":7,
		"price_per_share":49.00,"status":"AVAILABLE","seller":"UNKNOWN","private_offer":true,"offer_publication_type":"DIRECT",`
	const home = `{"street_name":"Molenweg","house_number":"18","house_postfix":"a","postal_code":"9861GT","city":"Grootegast"}`
	t.Run("3-market-offer-fields,3-market-offer-my-offer-alias", func(t *testing.T) {
		assert.JSONEq(t, `{`+everyone+`"my_offer":true,"myOffer":true,"rejection_reason":"REJECTED_BY_PROVIDER",
			"direct_offer_code":"ABCDEFGHJK2","participation_identifier":"P-1","address":`+home+`,"old_address":`+home+`}`,
			jsonOf(marketOffer(o, true, d, p, at)))
		assert.JSONEq(t, `{`+everyone+`"my_offer":false,"myOffer":false,"rejection_reason":"","direct_offer_code":"",
			"participation_identifier":"","address":null,"old_address":null}`, jsonOf(marketOffer(o, false, d, p, at)))
		for kind, private := range map[string]bool{Public: false, Direct: true, Private: true} {
			o.Type = kind
			assert.Equal(t, private, marketOffer(o, false, d, p, at).Private, kind)
		}
	})
}

func TestVisibleOffer(t *testing.T) {
	t.Run("9-offer-page", func(t *testing.T) {
		assert.False(t, (*Offer)(nil).Visible("me"))
		for _, c := range []struct {
			o    Offer
			want bool
		}{
			{Offer{Type: Public, Status: Active}, true},
			{Offer{Type: Public, Status: Approved}, false},
			{Offer{Type: Public, Status: Sold}, false},
			{Offer{Type: Public, Status: Created, RelationID: "me"}, true},
			{Offer{Type: Direct, Status: Active}, false},
			{Offer{Type: Direct, Status: Active, BuyerRelation: "you"}, false},
			{Offer{Type: Direct, Status: Active, BuyerRelation: "me"}, true},
			{Offer{Type: Direct, Status: Approved, BuyerRelation: "me"}, true},
			{Offer{Type: Direct, Status: Revoked, BuyerRelation: "me"}, false},
			{Offer{Type: Private, Status: Active, BuyerRelation: "me"}, false},
		} {
			assert.Equal(t, c.want, c.o.Visible("me"), c.o)
		}
	})
	t.Run("9-offer-seller", func(t *testing.T) {
		for owner, want := range map[string]string{"": "UNKNOWN", "seller": "PROJECT", "another": "MEMBER"} {
			m := marketOffer(Offer{RelationID: "seller"}, false, project.Document{Owner: owner}, nil, nil)
			assert.Equal(t, want, m.Seller)
			assert.NotContains(t, jsonOf(m), "another")
		}
	})
}
