package project

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/fields/fieldstest"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

func TestProjectRecord(t *testing.T) {
	project := fieldstest.Values{"project_code": "WP", "project_name": "Windpark", "project_type": "WIND"}
	setting := func(low, high any) fieldstest.Values {
		return fieldstest.Values{"member_offer_settings": []fieldstest.Values{{"from_date": "2026-01-01", "min_price": low, "max_price": high,
			"allow_selling": "true"}}}
	}
	day := value.Day{Year: 2026, Month: 1, Day: 1}
	t.Run("3-project-offer-settings", func(t *testing.T) {
		for _, c := range []struct {
			low, high any
			want      OfferSetting
		}{
			// a fixed price
			{0, "25.50", OfferSetting{From: day, Max: 2550, AllowSelling: true}},
			{"49", 49, OfferSetting{From: day, Min: 4900, Max: 4900, AllowSelling: true}},
		} {
			d, refusals := readProject("acme", fieldstest.With(t, project, setting(c.low, c.high)))
			require.Empty(t, refusals)
			assert.Equal(t, []OfferSetting{c.want}, d.Settings)
		}
	})
	t.Run("3-project-admin-costs", func(t *testing.T) {
		d, refusals := readProject("acme", fieldstest.With(t, project,
			fieldstest.Values{"administration_costs": []fieldstest.Values{{"from_date": "2026-01-01", "amount": 12.5}}}))
		require.Empty(t, refusals)
		assert.Equal(t, []Cost{{From: day, Amount: 1250}}, d.Costs)
	})
	t.Run("9-offer-seller", func(t *testing.T) {
		d, refusals := readProject("acme", fieldstest.With(t, project, fieldstest.Values{"owner_debtor_number": "10240000"}))
		require.Empty(t, refusals)
		assert.Equal(t, sibling.RelationID("acme", "10240000"), d.Owner)
		d, refusals = readProject("acme", fieldstest.With(t, project, nil))
		require.Empty(t, refusals)
		assert.Empty(t, d.Owner)
	})
	for want, bad := range map[string]fieldstest.Values{
		"project_code required": {"project_code": " "}, "project_code invalid": {"project_code": "W/P"}, "report invalid": {"report": "perhaps"},
		"member_offer_settings.0.max_price invalid": setting(50, 49), "member_offer_settings.0.min_price invalid": setting(-1, 49),
		"member_offer_settings.0.min_price invalid, member_offer_settings.0.max_price invalid": setting("cheap", "dear"),
		"member_offer_settings.0.min_price required":                                           setting("", 49),
		"member_agreement_location invalid":                                                    {"member_agreement_location": "http://voorbeeld.example/a.pdf"},
		"administration_costs.0.from_date invalid":                                             {"administration_costs": []fieldstest.Values{{"from_date": "1-1-2026", "amount": 0}}},
	} {
		_, refusals := readProject("acme", fieldstest.With(t, project, bad))
		assert.Equal(t, want, fieldstest.Refused(t, refusals))
	}
	for _, link := range []string{"", "https://voorbeeld.example/a.pdf", "/statuten"} {
		d, refusals := readProject("acme", fieldstest.With(t, project, fieldstest.Values{"statutes_location": link}))
		require.Empty(t, refusals)
		assert.Equal(t, link, d.Statutes)
	}
}
