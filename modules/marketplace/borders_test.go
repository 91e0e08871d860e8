package marketplace

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

func TestPages(t *testing.T) {
	for elements, pages := range map[int64]int{0: 0, 1: 1, 9: 1, 10: 1, 11: 2, 20: 2, 21: 3} {
		assert.Equal(t, pages, newPage[int](0, 10, elements).TotalPages, "%d", elements)
	}
}

func TestOfferAsItIsSold(t *testing.T) {
	o := offer.Offer{Shares: 20, Left: 8, Reserved: 5, Held: 3, Transferred: 4, Status: offer.Active, Type: offer.Public}
	m := marketOffer(o, true, projectDocument{}, nil, nil)
	assert.Equal(t, []int64{8, 20, 7}, []int64{m.Shares, m.Offered, m.Sold})
	for _, over := range []state.Status{offer.Sold, offer.Rejected, offer.Revoked} {
		o.Status = over
		assert.Equal(t, int64(20), marketOffer(o, true, projectDocument{}, nil, nil).Shares, over)
	}
}

func TestOfferRecord(t *testing.T) {
	whole := map[string]any{"identifier": "A", "debtor_number": "1", "participation_identifier": "P", "date": "2026-01-02", "price_per_share": 100, "shares": 3}
	read := func(more map[string]any) string {
		fields := maps.Clone(whole)
		maps.Copy(fields, more)
		data, _ := json.Marshal(fields) // texts and numbers
		_, wrong := readOffer(record.Row{Line: 1, Data: data})
		out := []string{}
		for _, w := range wrong {
			out = append(out, w.Field+" "+w.Code)
		}
		return strings.Join(out, ", ")
	}
	type fields = map[string]any
	for _, good := range []fields{nil, {"offer_publication_type": offer.Direct, "direct_offer_code": "ABCDEFGHJK2"}, {"shares": 999999999},
		{"status": string(offer.Rejected), "rejection_reason": offer.RejectShares}, {"participation_identifier": "", "project_code": "W"}} {
		assert.Empty(t, read(good), "%v", good)
	}
	for want, bad := range map[string]fields{
		"shares invalid": {"shares": 0}, "price_per_share invalid": {"price_per_share": 1.5}, "shares  invalid": {"shares": "1234567890"},
		"offer_publication_type invalid": {"offer_publication_type": "OTHER"}, "status invalid": {"status": "GONE"}, "rejection_reason " + offer.CodeReasonUnknown: {"status": string(offer.Rejected)},
		"direct_offer_code invalid": {"direct_offer_code": "ABCDEFGHJK2"}, "identifier invalid": {"identifier": "../x"}, "identifier required": {"identifier": ""},
		"participation_identifier required": {"participation_identifier": ""},
	} {
		assert.Equal(t, strings.ReplaceAll(want, "  ", " "), read(bad))
	}
}
