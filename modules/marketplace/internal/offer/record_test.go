package offer

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/fields/fieldstest"
)

func TestOfferRecord(t *testing.T) {
	valid := map[string]any{"identifier": "A", "debtor_number": "1", "participation_identifier": "P", "date": "2026-01-02",
		"price_per_share": 100, "shares": 3}
	read := func(more map[string]any) string {
		all := maps.Clone(valid)
		maps.Copy(all, more)
		data, _ := json.Marshal(all) // numbers as strings and as numbers
		_, refusals := readOffer(record.Row{Line: 1, Data: data})
		out := []string{}
		for _, w := range refusals {
			out = append(out, w.Field+" "+w.Code)
		}
		return strings.Join(out, ", ")
	}
	type values = fieldstest.Values
	for _, good := range []values{nil, {"offer_publication_type": Direct, "direct_offer_code": "ABCDEFGHJK2"}, {"shares": 999999999},
		{"status": string(Rejected), "rejection_reason": RejectShares}, {"participation_identifier": "", "project_code": "W"}} {
		assert.Empty(t, read(good), "%v", good)
	}
	for want, bad := range map[string]fieldstest.Values{
		"shares invalid": {"shares": 0}, "price_per_share invalid": {"price_per_share": 1.5}, "shares  invalid": {"shares": "1234567890"},
		"offer_publication_type invalid": {"offer_publication_type": "OTHER"}, "status invalid": {"status": "GONE"}, "rejection_reason " +
			CodeReasonUnknown: {"status": string(Rejected)},
		"direct_offer_code invalid": {"direct_offer_code": "ABCDEFGHJK2"}, "identifier invalid": {"identifier": "../x"},
		"identifier required":               {"identifier": ""},
		"participation_identifier required": {"participation_identifier": ""},
	} {
		assert.Equal(t, strings.ReplaceAll(want, "  ", " "), read(bad))
	}
}

func TestOfferRecordsCode(t *testing.T) {
	valid := fieldstest.Values{"identifier": "A", "debtor_number": "1", "participation_identifier": "P", "date": "2026-01-02",
		"price_per_share": 0, "shares": 3}
	for want, more := range map[string]fieldstest.Values{
		"":                                      nil, // free of charge
		"direct_offer_code invalid":             {"offer_publication_type": Direct, "direct_offer_code": "ABC"},
		"direct_offer_code invalid ":            {"offer_publication_type": Public, "direct_offer_code": "ABCDEFGHJK2"},
		"price_per_share invalid":               {"price_per_share": "-1"},
		"price_per_share invalid ":              {"price_per_share": "free"},
		"rejection_reason " + CodeReasonUnknown: {"status": "REJECTED", "rejection_reason": "OTHER"},
	} {
		_, refusals := readOffer(fieldstest.With(t, valid, more))
		assert.Equal(t, strings.TrimSpace(want), fieldstest.Refused(t, refusals))
	}
	o, refusals := readOffer(fieldstest.With(t, valid, fieldstest.Values{"offer_publication_type": Direct,
		"direct_offer_code": "abcdefghjk2"}))
	require.Empty(t, refusals)
	assert.Equal(t, []any{"ABCDEFGHJK2", Created}, []any{o.code, o.status})
}
