package participation

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/fields/fieldstest"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

func TestParticipationRecord(t *testing.T) {
	valid := fieldstest.Values{"debtor_number": "1", "participation_identifier": "P-1", "project_code": "WP", "share": 20,
		"address": fieldstest.Values{"street_name": "Dam", "house_number": "1", "postal_code": "1012JS", "city": "Amsterdam"}}
	made := func(start, end string, peak, offPeak any) fieldstest.Values {
		return fieldstest.Values{"production": fieldstest.Values{"period_start_date": start, "period_end_date": end, "peak": peak,
			"off_peak": offPeak}}
	}
	number := func(n float64) *float64 { return &n }
	day := func(d int) *value.Day { return &value.Day{Year: 2026, Month: 1, Day: d} }
	t.Run("what its shares made", func(t *testing.T) {
		for _, c := range []struct {
			more fieldstest.Values
			want Yield
		}{
			{nil, Yield{}},
			{made("2026-01-01", "2026-01-31", "12.5", 0), Yield{PeriodStart: day(1), PeriodEnd: day(31), Peak: number(12.5), OffPeak: number(0)}},
			// a day, and the maximum values
			{made("2026-01-01", "2026-01-01", "", 1e12), Yield{PeriodStart: day(1), PeriodEnd: day(1), OffPeak: number(1e12)}},
		} {
			p, refusals := readParticipation(fieldstest.With(t, valid, c.more))
			require.Empty(t, refusals, "%v", c.more)
			assert.Equal(t, c.want, p.Production)
		}
		for want, bad := range map[string]fieldstest.Values{
			"production.period_end_date invalid":    made("2026-01-02", "2026-01-01", 1, 1),
			"production.peak invalid":               made("2026-01-01", "2026-01-31", -0.5, 1),
			"production.off_peak invalid":           made("2026-01-01", "2026-01-31", 1, 1000000000001),
			"production.peak invalid ":              made("2026-01-01", "2026-01-31", "much", 1),
			"production.peak invalid  ":             made("2026-01-01", "2026-01-31", "NaN", 1),
			"production.off_peak invalid ":          made("2026-01-01", "2026-01-31", 1, "Inf"),
			"production.period_start_date required": made("", "2026-01-31", 1, 1),
		} {
			_, refusals := readParticipation(fieldstest.With(t, valid, bad))
			assert.Equal(t, strings.TrimSpace(want), fieldstest.Refused(t, refusals))
		}
	})
	for share, want := range map[string]string{"0": "", "999999999": "", "1000000000": "share invalid", "-1": "share invalid",
		"1.5": "share invalid", "": "share required"} {
		p, refusals := readParticipation(fieldstest.With(t, valid, fieldstest.Values{"share": share}))
		assert.Equal(t, want, fieldstest.Refused(t, refusals), share)
		if want == "" {
			assert.Equal(t, share, strconv.FormatInt(p.share, 10))
		}
	}
	history := func(pairs ...any) fieldstest.Values {
		var out []fieldstest.Values
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, fieldstest.Values{"from_date": pairs[i], "share": pairs[i+1]})
		}
		return fieldstest.Values{"shares": out}
	}
	for want, more := range map[string]fieldstest.Values{
		"":                             history("2025-01-01", 30, "2026-01-01", 20),
		"shares.1.from_date invalid":   history("2026-01-01", 30, "2026-01-01", 20),
		"shares " + codeImportLast:     history("2025-01-01", 20, "2026-01-01", 30),
		"shares.0.share invalid":       history("2025-01-01", -1, "2026-01-01", 20),
		"shares.0.from_date required":  history("", 1, "2026-01-01", 20),
		"shares.1.from_date invalid  ": history("2026-01-02", 30, "2026-01-01", 20),
	} {
		_, refusals := readParticipation(fieldstest.With(t, valid, more))
		assert.Equal(t, strings.TrimSpace(want), fieldstest.Refused(t, refusals))
	}
}

// An imported participation gets one entry for each day on which its shares changed.
func TestIssue(t *testing.T) {
	day := func(d int) value.Day { return value.Day{Year: 2026, Month: 1, Day: d} }
	p := importedParticipation{share: 20, history: []ShareFrom{{From: day(1), Share: 30}, {From: day(2), Share: 30},
		{From: day(3), Share: 20}}}
	assert.Equal(t, []ledger.Grant{{Participation: "P", Shares: 30, From: day(1)}, {Participation: "P", Shares: -10, From: day(3)}},
		p.issue("P"))
	assert.Equal(t, []ledger.Grant{{Participation: "P", Shares: 20}}, importedParticipation{share: 20}.issue("P"))
	assert.Empty(t, importedParticipation{}.issue("P"))
}
