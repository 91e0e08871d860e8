package marketplace

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

// fields are those of a record.
type fields = map[string]any

// with returns a record with some fields replaced.
func with(whole, more fields) record.Row {
	out := maps.Clone(whole)
	maps.Copy(out, more)
	return record.Row{Line: 7, Data: []byte(jsonOf(out))}
}

// refusals returns what was refused, as "field code, field code".
func refusals(t *testing.T, wrong []record.Refusal) string {
	out := []string{}
	for _, w := range wrong {
		assert.Equal(t, 7, w.Line)
		out = append(out, w.Field+" "+w.Code)
	}
	return strings.Join(out, ", ")
}

func TestProjectRecord(t *testing.T) {
	project := fields{"project_code": "WP", "project_name": "Windpark", "project_type": "WIND"}
	setting := func(low, high any) fields {
		return fields{"member_offer_settings": []fields{{"from_date": "2026-01-01", "min_price": low, "max_price": high, "allow_selling": "true"}}}
	}
	day := value.Day{Year: 2026, Month: 1, Day: 1}
	t.Run("3-project-offer-settings", func(t *testing.T) {
		for _, c := range []struct {
			low, high any
			want      offer.OfferSetting
		}{
			{0, "25.50", offer.OfferSetting{From: day, Max: 2550, AllowSelling: true}}, {"49", 49, offer.OfferSetting{From: day, Min: 4900, Max: 4900, AllowSelling: true}}, // a price that is fixed
		} {
			d, wrong := readProject(with(project, setting(c.low, c.high)))
			require.Empty(t, wrong)
			assert.Equal(t, []offer.OfferSetting{c.want}, d.Settings)
		}
	})
	t.Run("3-project-admin-costs", func(t *testing.T) {
		d, wrong := readProject(with(project, fields{"administration_costs": []fields{{"from_date": "2026-01-01", "amount": 12.5}}}))
		require.Empty(t, wrong)
		assert.Equal(t, []order.Cost{{From: day, Amount: 1250}}, d.Costs)
	})
	for want, bad := range map[string]fields{
		"project_code required": {"project_code": " "}, "project_code invalid": {"project_code": "W/P"}, "report invalid": {"report": "perhaps"},
		"member_offer_settings.0.max_price invalid": setting(50, 49), "member_offer_settings.0.min_price invalid": setting(-1, 49),
		"member_offer_settings.0.min_price invalid, member_offer_settings.0.max_price invalid": setting("cheap", "dear"),
		"member_offer_settings.0.min_price required":                                           setting("", 49),
		"member_agreement_location invalid":                                                    {"member_agreement_location": "http://voorbeeld.example/a.pdf"},
		"administration_costs.0.from_date invalid":                                             {"administration_costs": []fields{{"from_date": "1-1-2026", "amount": 0}}},
	} {
		_, wrong := readProject(with(project, bad))
		assert.Equal(t, want, refusals(t, wrong))
	}
	for _, link := range []string{"", "https://voorbeeld.example/a.pdf", "/statuten"} {
		d, wrong := readProject(with(project, fields{"statutes_location": link}))
		require.Empty(t, wrong)
		assert.Equal(t, link, d.Statutes)
	}
}

func TestParticipationRecord(t *testing.T) {
	whole := fields{"debtor_number": "1", "participation_identifier": "P-1", "project_code": "WP", "share": 20,
		"address": fields{"street_name": "Dam", "house_number": "1", "postal_code": "1012JS", "city": "Amsterdam"}}
	made := func(start, end string, peak, offPeak any) fields {
		return fields{"production": fields{"period_start_date": start, "period_end_date": end, "peak": peak, "off_peak": offPeak}}
	}
	number := func(n float64) *float64 { return &n }
	day := func(d int) *value.Day { return &value.Day{Year: 2026, Month: 1, Day: d} }
	t.Run("what its shares made", func(t *testing.T) {
		for _, c := range []struct {
			more fields
			want participation.Yield
		}{
			{nil, participation.Yield{}},
			{made("2026-01-01", "2026-01-31", "12.5", 0), participation.Yield{PeriodStart: day(1), PeriodEnd: day(31), Peak: number(12.5), OffPeak: number(0)}},
			{made("2026-01-01", "2026-01-01", "", 1e12), participation.Yield{PeriodStart: day(1), PeriodEnd: day(1), OffPeak: number(1e12)}}, // a day, and the most that there can be
		} {
			p, wrong := readParticipation(with(whole, c.more))
			require.Empty(t, wrong, "%v", c.more)
			assert.Equal(t, c.want, p.Production)
		}
		for want, bad := range map[string]fields{
			"production.period_end_date invalid":    made("2026-01-02", "2026-01-01", 1, 1),
			"production.peak invalid":               made("2026-01-01", "2026-01-31", -0.5, 1),
			"production.off_peak invalid":           made("2026-01-01", "2026-01-31", 1, 1000000000001),
			"production.peak invalid ":              made("2026-01-01", "2026-01-31", "much", 1),
			"production.peak invalid  ":             made("2026-01-01", "2026-01-31", "NaN", 1),
			"production.off_peak invalid ":          made("2026-01-01", "2026-01-31", 1, "Inf"),
			"production.period_start_date required": made("", "2026-01-31", 1, 1),
		} {
			_, wrong := readParticipation(with(whole, bad))
			assert.Equal(t, strings.TrimSpace(want), refusals(t, wrong))
		}
	})
	for share, want := range map[string]string{"0": "", "999999999": "", "1000000000": "share invalid", "-1": "share invalid", "1.5": "share invalid", "": "share required"} {
		p, wrong := readParticipation(with(whole, fields{"share": share}))
		assert.Equal(t, want, refusals(t, wrong), share)
		if want == "" {
			assert.Equal(t, share, jsonOf(p.share))
		}
	}
	history := func(pairs ...any) fields {
		var out []fields
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, fields{"from_date": pairs[i], "share": pairs[i+1]})
		}
		return fields{"shares": out}
	}
	for want, more := range map[string]fields{
		"":                             history("2025-01-01", 30, "2026-01-01", 20),
		"shares.1.from_date invalid":   history("2026-01-01", 30, "2026-01-01", 20),
		"shares " + codeImportLast:     history("2025-01-01", 20, "2026-01-01", 30),
		"shares.0.share invalid":       history("2025-01-01", -1, "2026-01-01", 20),
		"shares.0.from_date required":  history("", 1, "2026-01-01", 20),
		"shares.1.from_date invalid  ": history("2026-01-02", 30, "2026-01-01", 20),
	} {
		_, wrong := readParticipation(with(whole, more))
		assert.Equal(t, strings.TrimSpace(want), refusals(t, wrong))
	}
}

// An imported participation has one entry for each day on which its shares changed.
func TestIssue(t *testing.T) {
	day := func(d int) value.Day { return value.Day{Year: 2026, Month: 1, Day: d} }
	p := importedParticipation{share: 20, history: []participation.ShareFrom{{From: day(1), Share: 30}, {From: day(2), Share: 30}, {From: day(3), Share: 20}}}
	assert.Equal(t, []ledger.Grant{{Participation: "P", Shares: 30, From: day(1)}, {Participation: "P", Shares: -10, From: day(3)}}, p.issue("P"))
	assert.Equal(t, []ledger.Grant{{Participation: "P", Shares: 20}}, importedParticipation{share: 20}.issue("P"))
	assert.Empty(t, importedParticipation{}.issue("P"))
}

func TestOfferRecordsCode(t *testing.T) {
	whole := fields{"identifier": "A", "debtor_number": "1", "participation_identifier": "P", "date": "2026-01-02", "price_per_share": 0, "shares": 3}
	for want, more := range map[string]fields{
		"":                           nil, // for nothing
		"direct_offer_code invalid":  {"offer_publication_type": offer.Direct, "direct_offer_code": "ABC"},
		"direct_offer_code invalid ": {"offer_publication_type": offer.Public, "direct_offer_code": "ABCDEFGHJK2"},
		"price_per_share invalid":    {"price_per_share": "-1"},
		"price_per_share invalid ":   {"price_per_share": "free"},
		"rejection_reason " + offer.CodeReasonUnknown: {"status": "REJECTED", "rejection_reason": "OTHER"},
	} {
		_, wrong := readOffer(with(whole, more))
		assert.Equal(t, strings.TrimSpace(want), refusals(t, wrong))
	}
	o, wrong := readOffer(with(whole, fields{"offer_publication_type": offer.Direct, "direct_offer_code": "abcdefghjk2"}))
	require.Empty(t, wrong)
	assert.Equal(t, []any{"ABCDEFGHJK2", offer.Created}, []any{o.code, o.status})
}

func TestOrderRecord(t *testing.T) {
	read := func(more string) (importedOrder, string) {
		o, wrong := readOrder(record.Row{Line: 7, Data: []byte(orderRecord("sold", "COMPLETED", more))})
		return o, refusals(t, wrong)
	}
	zone := time.FixedZone("", 3600)
	t.Run("when it was placed, paid and ended", func(t *testing.T) {
		o, wrong := read("")
		require.Empty(t, wrong)
		assert.Equal(t, []string{"2025-03-01T13:32:00Z", "2025-03-01T23:00:00Z", "2025-04-10T07:05:00Z"},
			[]string{o.placed.in(zone).Format(time.RFC3339), o.paid.in(zone).Format(time.RFC3339), o.ended.in(zone).Format(time.RFC3339)})
		assert.Equal(t, "O-SOLD", o.reference)
		assert.False(t, o.placed.isZero())
		assert.False(t, o.paid.isZero())
		o, wrong = read(`{"status":"EXPIRED","paid":""}`)
		require.Empty(t, wrong)
		assert.True(t, o.paid.isZero())
		for more, want := range map[string]string{
			`{"placed":"0001-01-01T00:00:00Z"}`: "placed invalid", `{"placed":"Tuesday"}`: "placed invalid", `{"placed":"2025-02-30T10:00:00Z"}`: "placed invalid",
			`{"status":""}`: "status required", `{"status":"AWAITING_PAYMENT"}`: "status invalid", `{"shares":""}`: "shares required", `{"shares":0}`: "shares invalid",
			`{"paid":""}`: "paid required", `{"identifier":"a b"}`: "identifier invalid",
		} {
			_, got := read(more)
			assert.Equal(t, want, got, more)
		}
	})
}
