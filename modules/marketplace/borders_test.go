package marketplace

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// What staff can do about a payment follows from what it stands for.
func TestWhatStaffCanDo(t *testing.T) {
	refunding := string(payment.Refunding)
	for want, all := range map[bool][]paymentRow{
		true:  {{State: string(payment.Paid), Note: noteAmount}, {State: refunding}},
		false: {{State: string(payment.Paid)}, {State: string(payment.Open), Note: noteAmount}, {State: string(payment.Refunded), Note: noteAmount}, {}},
	} {
		for _, p := range all {
			assert.Equal(t, want, p.refundable(), "%+v", p)
		}
	}
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	assert.True(t, paymentRow{Late: true, State: string(payment.Paid)}.seeable())
	assert.True(t, paymentRow{Late: true, State: refunding, Note: stuckNotes[0]}.seeable())
	for _, p := range []paymentRow{{State: string(payment.Paid)}, {Late: true, State: string(payment.Paid), SeenAt: &at}, {Late: true, State: refunding},
		{State: refunding, Note: stuckNotes[0]}} {
		assert.False(t, p.seeable(), "%+v", p)
	}
	assert.True(t, paymentRow{State: refunding, Note: parkedNotes[0]}.parked())
	assert.False(t, paymentRow{State: refunding}.parked())
	assert.False(t, paymentRow{State: string(payment.Paid), Note: parkedNotes[0]}.parked())

	part := paymentRow{Bought: true, Refunded: 1, State: string(payment.Paid)}
	assert.True(t, part.cancellableSale(orderBought))
	assert.False(t, part.cancellableSale(orderCompleted))
	for _, p := range []paymentRow{{Refunded: 1, State: string(payment.Paid)}, {Bought: true, State: string(payment.Paid)}, {Bought: true, Refunded: 1, State: refunding}} {
		assert.False(t, p.cancellableSale(orderBought), "%+v", p)
	}
	assert.Equal(t, string(payment.Refunded), paymentRow{State: string(payment.Refunded)}.shown())
	assert.Equal(t, string(payment.ChargedBack), paymentRow{State: string(payment.Refunded), ChargedBack: 1}.shown())
}

func TestPages(t *testing.T) {
	for elements, pages := range map[int64]int{0: 0, 1: 1, 9: 1, 10: 1, 11: 2, 20: 2, 21: 3} {
		assert.Equal(t, pages, newPage[int](0, 10, elements).TotalPages, "%d", elements)
	}
}

func TestOfferAsItIsSold(t *testing.T) {
	o := offerRow{Shares: 20, Left: 8, Reserved: 5, Held: 3, Transferred: 4, Status: offerActive, Type: typePublic}
	m := o.market(true, projectDocument{}, nil, nil)
	assert.Equal(t, []int64{8, 20, 7}, []int64{m.Shares, m.Offered, m.Sold})
	for _, over := range []status{offerSold, offerRejected, offerRevoked} {
		o.Status = over
		assert.Equal(t, int64(20), o.market(true, projectDocument{}, nil, nil).Shares, over)
	}
}

func TestBasketBorders(t *testing.T) {
	line := func(shares int64, o *offerRow) basketLine {
		return basketLine{basketRow: basketRow{RelationID: "me", Shares: shares}, offer: o}
	}
	open := func(left int64) *offerRow {
		return &offerRow{RelationID: "you", Status: offerActive, Type: typePublic, Left: left, Price: 4900}
	}
	assert.True(t, line(3, open(3)).good())
	assert.True(t, line(1, open(3)).good())
	assert.False(t, line(4, open(3)).good())
	assert.False(t, line(0, open(3)).good())
	mine := open(3)
	mine.RelationID = "me"
	assert.False(t, line(1, mine).good())
	direct := open(3)
	direct.Type = typeDirect
	assert.False(t, line(1, direct).good())
	direct.BuyerRelation = "me"
	assert.True(t, line(1, direct).good())
	b := newBasket([]basketLine{line(2, open(9)), line(3, open(9)), line(1, nil)}, value.Day{Year: 2026, Month: time.November, Day: 20}, TransferSettings{})
	assert.Equal(t, []value.Cents{9800, 14700, 24500}, []value.Cents{b.Items[0].Amount, b.Items[1].Amount, b.Total})
}

func TestPlainAddress(t *testing.T) {
	assert.True(t, Address{StreetName: strings.Repeat("é", maxPart), City: "Assen"}.plain())
	for _, bad := range []string{strings.Repeat("a", maxPart+1), "a\u0007", "a\u202eb", "a\ufffd"} {
		assert.False(t, Address{StreetName: bad}.plain(), "%q", bad)
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
	for _, good := range []fields{nil, {"offer_publication_type": typeDirect, "direct_offer_code": "ABCDEFGHJK2"}, {"shares": 999999999},
		{"status": string(offerRejected), "rejection_reason": rejectShares}, {"participation_identifier": "", "project_code": "W"}} {
		assert.Empty(t, read(good), "%v", good)
	}
	for want, bad := range map[string]fields{
		"shares invalid": {"shares": 0}, "price_per_share invalid": {"price_per_share": 1.5}, "shares  invalid": {"shares": "1234567890"},
		"offer_publication_type invalid": {"offer_publication_type": "OTHER"}, "status invalid": {"status": "GONE"}, "rejection_reason " + codeReasonUnknown: {"status": string(offerRejected)},
		"direct_offer_code invalid": {"direct_offer_code": "ABCDEFGHJK2"}, "identifier invalid": {"identifier": "../x"}, "identifier required": {"identifier": ""},
		"participation_identifier required": {"participation_identifier": ""},
	} {
		assert.Equal(t, strings.ReplaceAll(want, "  ", " "), read(bad))
	}
}
