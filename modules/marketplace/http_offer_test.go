package marketplace

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

type m = map[string]any

// market is a world with two projects and three members: 1 has 20 shares of WP and 5 of ZON, 2 has 10 of WP, 3 has none.
func openMarket(t testing.TB, o moduletest.Options, set Settings) *world {
	t.Helper()
	w := openWorld(t, o, set)
	w.load("project", projectRecordOf("WP"), projectRecordOf("ZON"))
	w.load("participation", shareRecord("1", "P-1", "WP", 20), shareRecord("1", "P-2", "ZON", 5), shareRecord("2", "P-3", "WP", 10))
	return w
}

func newOffer(participation string, shares int, extra ...any) m {
	out := m{"date": "2026-11-20", "price": 100, "number_of_shares": shares, "participation_identifier": participation}
	for i := 0; i < len(extra); i += 2 {
		out[extra[i].(string)] = extra[i+1]
	}
	return out
}

func keysOfJSON(t testing.TB, raw []byte) []string {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal(raw, &fields))
	return slices.Sorted(maps.Keys(fields))
}

func TestProjects(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		one, two, three := member("1"), member("2"), member("3")
		var wind, other m
		require.NoError(t, json.Unmarshal([]byte(projectRecordOf("WP")), &wind))
		require.NoError(t, json.Unmarshal([]byte(projectRecordOf("ZON")), &other))
		wind["member_offer_settings"] = []m{{"from_date": "2025-01-01", "min_price": 40, "max_price": 60.5, "allow_selling": false},
			{"from_date": "2026-01-01", "min_price": 50, "max_price": 250, "allow_selling": true}}
		wind["administration_costs"] = []m{{"from_date": "2026-01-01", "amount": 12.5}, {"from_date": "2027-01-01", "amount": 15}}
		other["project_type"] = "HYDRO"
		w.load("project", jsonOf(wind), jsonOf(other))
		w.offered(two, jsonOf(newOffer("P-3", 1)))
		raw := call[json.RawMessage](w, 200, one, "GET", "/sustainable/projects", nil)
		t.Run("7.6-get-projects,7.6-projects-array,3-project-fields,3-project-type,3-project-offer-settings,3-project-admin-costs", func(t *testing.T) {
			var projects []m
			require.NoError(t, json.Unmarshal(raw, &projects), "a bare array")
			require.Len(t, projects, 2)
			p := projects[0]
			require.Len(t, p["participations"], 1)
			assert.Equal(t, "P-1", p["participations"].([]any)[0].(m)["participation_identifier"])
			assert.Equal(t, "P-2", projects[1]["participations"].([]any)[0].(m)["participation_identifier"])
			delete(p, "participations")
			assert.JSONEq(t, `{"project_code":"WP","project_name":"Windpark WP","project_type":"WIND","place":"Grootegast",
				"project_ean_number":"871600000000000017","project_start_date":"2020-01-01","project_end_date":"2040-12-31",
				"unit_of_measurement":"KWH","energy_supplier":"Stroomgilde","report":true,"offer_count":1,
				"statutes_location":"https://voorbeeld.example/statuten.pdf",
				"member_agreement_location":"https://voorbeeld.example/overeenkomst.pdf",
				"production":{"current_power":null,"total_production":null,"todays_production":null},
				"current_power":null,"power_percentage":null,"todays_production":null,"total_production":null,"measured_at":null,
				"member_offer_settings":[{"from_date":"2025-01-01","min_price":40,"max_price":60.5,"allow_selling":false},
					{"from_date":"2026-01-01","min_price":50,"max_price":250,"allow_selling":true}],
				"administration_costs":[{"from_date":"2026-01-01","amount":12.5},{"from_date":"2027-01-01","amount":15}]}`, jsonOf(p))
			assert.Equal(t, "HYDRO", projects[1]["project_type"], "any type is kept; only WIND is wind")
		})
		t.Run("3-participation-fields,3-participation-provider-id,7.6-projects-array,3-mixed-case-reconcile", func(t *testing.T) {
			w.load("participation", `{"debtor_number":"4","participation_identifier":"P-9","provider_identifier":"NW-77","project_code":"WP","share":9,"ean":"871600000000000031",
				"supplier":"Stroomgilde","supplierFromDate":"2021-01-01","supplierToDate":"2030-01-01",
				"production":{"period_start_date":"2026-01-01","period_end_date":"2026-10-31","peak":1234.567,"off_peak":"876.5"},
				"shares":[{"from_date":"2021-01-01","share":4},{"from_date":"2023-05-01","share":9}],
				"address":{"street_name":"Molenweg","house_number":"18","house_postfix":"a","postal_code":"9861GT","city":"Grootegast"}}`)
			call[any](w, 201, member("4"), "POST", "/sustainable/offers", newOffer("P-9", 2))
			call[any](w, 200, member("4"), "POST", "/sustainable/participations/move",
				m{"date": "2026-12-01", "items": []m{{"participationIdentifier": "P-9", "shares": 1, "address": home(9)}}})
			p := call[[]project.Project](w, 200, member("4"), "GET", "/sustainable/projects", nil)[0].Participations[0]
			all, err := json.Marshal(p)
			require.NoError(t, err)
			assert.JSONEq(t, `{"participation_identifier":"P-9","provider_identifier":"NW-77","project_code":"WP","share":9,"offered_share":2,"reserved_share":0,"sold_share":0,"availableShares":7,"moving_share":1,
				"supplier":"Stroomgilde","supplierFromDate":"2021-01-01","supplierToDate":"2030-01-01","projectEndDate":"2040-12-31","mutation_date":"2023-05-01","ean":"871600000000000031",
				"address":{"street_name":"Molenweg","house_number":"18","house_postfix":"a","postal_code":"9861GT","city":"Grootegast"},
				"production":{"period_start_date":"2026-01-01","period_end_date":"2026-10-31","peak":1234.567,"off_peak":876.5},
				"shares":[{"from_date":"2021-01-01","share":4},{"from_date":"2023-05-01","share":9}]}`, string(all))
			without := call[[]project.Project](w, 200, two, "GET", "/sustainable/projects", nil)[0].Participations[0]
			all, err = json.Marshal(without)
			require.NoError(t, err)
			assert.NotContains(t, string(all), "provider_identifier")
			assert.Contains(t, string(all), `"production":{"period_start_date":null,"period_end_date":null,"peak":null,"off_peak":null}`)
		})
		t.Run("7.6-get-projects-by-codes", func(t *testing.T) {
			w.load("project", strings.ReplaceAll(jsonOf(other), "//voorbeeld.example", "//zon.example"))
			got := call[[]m](w, 200, three, "GET", "/sustainable/projects?projectCodes=ZON,WP,NIX", nil)
			require.Len(t, got, 2)
			for i, site := range []string{"https://voorbeeld.example", "https://zon.example"} {
				assert.Equal(t, []any{[]string{"WP", "ZON"}[i], site + "/statuten.pdf", site + "/overeenkomst.pdf", []any{}},
					[]any{got[i]["project_code"], got[i]["statutes_location"], got[i]["member_agreement_location"], got[i]["participations"]})
			}
			assert.Empty(t, call[[]project.Project](w, 200, three, "GET", "/sustainable/projects", nil), "who has nothing gets an empty list")
			assert.Empty(t, call[[]project.Project](w, 200, three, "GET", "/sustainable/projects?projectCodes=NIX", nil))
			assert.Equal(t, got[1:], call[[]m](w, 200, three, "GET", "/sustainable/projects?projectCodes=ZON", nil), "only those asked for")
		})
		t.Run("7.6-get-project-report,7.6-project-report-shape", func(t *testing.T) {
			w.files["reports/WP.pdf"] = "%PDF-1.7 report"
			status, body := w.do(one, "GET", "/sustainable/projects/WP/report", nil)
			assert.Equal(t, 200, status)
			assert.Equal(t, "%PDF-1.7 report", string(body))
			assert.Equal(t, `attachment; filename="WP.pdf"; filename*=UTF-8''WP.pdf`,
				w.header(one, "/sustainable/projects/WP/report", "Content-Disposition"))
			w.refused(404, "not_found", one, "GET", "/sustainable/projects/NIX/report", nil)
			w.refused(404, "file_not_found", one, "GET", "/sustainable/projects/ZON/report", nil)
			assert.Equal(t, "application/pdf", w.header(one, "/sustainable/projects/WP/report", "Content-Type"))
			w.files["reports/ZON.pdf"] = "%PDF-1.7 another"
			_, body = w.do(one, "GET", "/sustainable/projects/ZON/report", nil)
			assert.Equal(t, "%PDF-1.7 another", string(body))
			assert.Equal(t, `attachment; filename="ZON.pdf"; filename*=UTF-8''ZON.pdf`,
				w.header(one, "/sustainable/projects/ZON/report", "Content-Disposition"))
		})
		t.Run("7.6-get-market-projects", func(t *testing.T) {
			w.offered(one, jsonOf(newOffer("P-1", 3)))
			w.offered(one, jsonOf(newOffer("P-1", 2)))
			got := call[json.RawMessage](w, 200, two, "GET", "/sustainable/market/projects", nil)
			about := `"place":"Grootegast","project_start_date":"2020-01-01"` // the label does not have module production
			assert.JSONEq(t, `[{"project_code":"WP","project_name":"Windpark WP","project_type":"WIND","offer_count":2,`+about+
				`},{"project_code":"ZON","project_name":"Windpark ZON","project_type":"HYDRO","offer_count":0,`+about+`}]`, string(got))
			assert.Equal(t, 2, call[[]project.Project](w, 200, two, "GET", "/sustainable/projects", nil)[0].OfferCount)
			assert.Equal(t, 1, call[[]project.Project](w, 200, one, "GET", "/sustainable/projects", nil)[0].OfferCount,
				"that of the other member: one's own are not for oneself")
		})
		t.Run("3-participation-available", func(t *testing.T) {
			p := call[[]project.Project](w, 200, one, "GET", "/sustainable/projects", nil)[0].Participations[0]
			assert.Equal(t, []int64{20, 5, 15}, []int64{p.Share, p.Offered, p.Available})
			moduletest.RunCases(t, ruleVectors+"3-participation-available.json", func(g struct {
				Share   int64 `json:"share"`
				Offered int64 `json:"offered_share"`
			}, _ value.Day, _ struct{}) int64 {
				return ledger.Balance{Share: g.Share, Offered: g.Offered}.Available()
			})
		})
		w.requireConsistent()
	})
}

func TestCreateOffer(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		one, two := member("1"), member("2")
		const path = "/sustainable/offers"
		t.Run("7.6-post-offers,7.6-post-offers-status,7.6-post-offers-type-reconcile,3-offer-create-fields,3-market-offer-fields,3-market-offer-my-offer-alias", func(t *testing.T) {
			raw := call[json.RawMessage](w, 201, one, "POST", path, newOffer("P-1", 4, "project_code", "WP"))
			assert.Equal(t, []string{"address", "date", "direct_offer_code", "identifier", "myOffer", "my_offer", "offer_publication_type",
				"old_address", "participation_identifier", "place",
				"price_per_share", "private_offer", "project_code", "project_end_date", "project_name", "project_type", "reference", "rejection_reason",
				"seller", "shares", "shares_offered", "shares_sold", "status"}, keysOfJSON(t, raw))
			var got offer.MarketOffer
			require.NoError(t, json.Unmarshal(raw, &got))
			assert.Equal(t, "CREATED", got.Status)
			assert.Equal(t, offer.Public, got.Type)
			assert.False(t, got.Private)
			assert.True(t, got.Mine && got.MineToo)
			assert.Empty(t, got.Code)
			assert.Equal(t, int64(4), got.Shares)
			assert.Equal(t, value.Cents(10000), got.Price)
			form := call[offer.MarketOffer](w, 201, one, "POST", path, m{"participation_identifier": "P-1", "offer_type": "personal",
				"buyer_email_address": "sanne@voorbeeld.example", "date": "2026-11-28", "number_of_shares": 3, "price": 75, "project_code": "WP"})
			assert.Equal(t, []any{"P-1", offer.Direct, "2026-11-28", int64(3), value.Cents(7500), "WP"}, []any{form.Participation,
				form.Type, form.Date.String(), form.Shares, form.Price, form.ProjectCode})
			row, err := offer.ByID(w.system(), w.s.host.DB, form.Identifier)
			require.NoError(t, err)
			assert.Equal(t, "sanne@voorbeeld.example", row.BuyerEmail)
			named := call[offer.MarketOffer](w, 201, one, "POST", path, newOffer("P-1", 1, "buyer_email_address", "sanne@voorbeeld.example"))
			assert.Equal(t, offer.Direct, named.Type)
			personal := call[offer.MarketOffer](w, 201, one, "POST", path, newOffer("P-2", 1, "buyer_email_address", "sanne@voorbeeld.example",
				"project_code", "ZON", "date", "2026-11-22", "price", 77))
			assert.Equal(t, []any{offer.Direct, true, "CREATED", "P-2", "ZON", "2026-11-22", value.Cents(7700), int64(1)},
				[]any{personal.Type, personal.Private, personal.Status, personal.Participation, personal.ProjectCode, personal.Date.String(),
					personal.Price, personal.Shares})
			assert.Equal(t, []any{"P-1", "WP", "2026-11-20"}, []any{got.Participation, got.ProjectCode, got.Date.String()})
			for id, buyer := range map[string]string{got.Identifier: "", personal.Identifier: "sanne@voorbeeld.example"} {
				row, err := offer.ByID(w.system(), w.s.host.DB, id)
				require.NoError(t, err)
				assert.Equal(t, buyer, row.BuyerEmail)
			}
			onMarket := func() string {
				status, body := w.do(two, "POST", "/sustainable/market", m{"filters": m{"my_offer": false}})
				assert.Equal(t, 200, status)
				return string(body)
			}
			assert.NotContains(t, onMarket(), got.Reference, "nobody buys what waits for approval")
			approved, _ := w.decide(w.changeOf(got.Identifier), module.Processed, "")
			assert.Equal(t, 200, approved)
			assert.Contains(t, onMarket(), got.Reference)
		})
		t.Run("3-enum-publication-type,3-publication-type-mapping,3-offer-type-enum", func(t *testing.T) {
			got := call[offer.MarketOffer](w, 201, one, "POST", path, newOffer("P-2", 1, "offer_type", "personal", "buyer_email_address",
				"sanne@voorbeeld.example"))
			assert.Equal(t, "DIRECT", got.Type)
			assert.True(t, got.Private)
			assert.Len(t, got.Code, 11)
			public := call[offer.MarketOffer](w, 201, one, "POST", path, newOffer("P-2", 1, "offer_type", "public"))
			assert.Equal(t, []any{"PUBLIC", false, ""}, []any{public.Type, public.Private, public.Code})
			for _, other := range []string{"PRIVATE", "PUBLIC", "DIRECT", "transfer"} {
				w.refused(400, "offer_type marketplace.invalid_input", one, "POST", path, newOffer("P-2", 1, "offer_type", other))
			}
			w.accounts = []account{{ID: "a", Relation: two.Relation, Role: module.RoleCustomer, Email: "joost@voorbeeld.example"}}
			created := call[offer.MarketOffer](w, 201, one, "POST", "/sustainable/transfers",
				m{"participation_identifier": "P-2", "number_of_shares": 1, "buyer_email_address": "joost@voorbeeld.example", "date": "2026-11-21"})
			assert.Equal(t, []any{"PRIVATE", true, ""}, []any{created.Type, created.Private, created.Code})
		})
		t.Run("5.7-offer-required,5.7-offer-shares,5.7-offer-buyer-email,5.7-offer-price-range,5.7-offer-date-horizon", func(t *testing.T) {
			for want, body := range map[string]m{
				"price marketplace.required":                                 newOffer("P-1", 1, "price", nil),
				"price marketplace.max_price":                                newOffer("P-1", 1, "price", 251),
				"price marketplace.min_price":                                newOffer("P-1", 1, "price", 49.99),
				"number_of_shares marketplace.not_enough_shares":             newOffer("P-1", 13),
				"number_of_shares marketplace.invalid_input":                 newOffer("P-1", 0),
				"date marketplace.date_range":                                newOffer("P-1", 1, "date", "2026-11-19"),
				"date marketplace.required":                                  newOffer("P-1", 1, "date", ""),
				"participation_identifier marketplace.required":              newOffer("", 1),
				"participation_identifier marketplace.participation_unknown": newOffer("P-3", 1), // belongs to another member
				"project_code marketplace.project_differs":                   newOffer("P-1", 1, "project_code", "ZON"),
				"buyer_email_address marketplace.required":                   newOffer("P-1", 1, "offer_type", "personal"),
			} {
				w.refused(400, want, one, "POST", path, body)
			}
			w.refused(400, "date marketplace.date_range", one, "POST", path, newOffer("P-1", 1, "date", "2027-02-19"))
			call[offer.MarketOffer](w, 201, one, "POST", path, newOffer("P-1", 1, "date", "2027-02-18"))
			got := call[offer.MarketOffer](w, 201, one, "POST", path, newOffer("P-1", 1, "price", 250.99))
			assert.Equal(t, value.Cents(25000), got.Price)
			// shares of a planned move cannot be offered
			seven := member("7")
			w.load("participation", shareRecord("7", "P-7", "WP", 10))
			call[any](w, 200, seven, "POST", "/sustainable/participations/move",
				m{"date": "2026-12-01", "items": []m{{"participationIdentifier": "P-7", "shares": 3, "address": home(9)}}})
			w.refused(400, "number_of_shares marketplace.not_enough_shares", seven, "POST", path, newOffer("P-7", 8))
			call[offer.MarketOffer](w, 201, seven, "POST", path, newOffer("P-7", 7))
			w.refused(400, "number_of_shares marketplace.not_enough_shares", seven, "POST", path, newOffer("P-7", 1))
		})
		t.Run("a price, an owner or a status of the browser's is not believed", func(t *testing.T) {
			got := call[offer.MarketOffer](w, 201, one, "POST", path, newOffer("P-1", 1, "price_per_share", 1, "status", "ACTIVE", "relation_id",
				two.Relation))
			assert.Equal(t, "CREATED", got.Status)
			assert.Equal(t, value.Cents(10000), got.Price)
			w.refused(400, "invalid", one, "POST", path, `{"price":`)
			w.refused(400, "invalid", one, "POST", path, `[]`)
		})
		t.Run("the same request makes one offer", func(t *testing.T) {
			body := newOffer("P-3", 2)
			first := w.keyed(t, 201, two, path, "once-1", body)
			second := w.keyed(t, 201, two, path, "once-1", body)
			assert.Equal(t, first.Identifier, second.Identifier)
			status, raw := w.withKey(two, path, "once-1", newOffer("P-3", 3))
			assert.Equal(t, 422, status, "%s", raw)
			assert.Contains(t, string(raw), "marketplace.key_reused")
			other := w.keyed(t, 201, one, path, "once-1", newOffer("P-1", 1))
			assert.NotEqual(t, first.Identifier, other.Identifier, "of another member")
		})
		w.requireConsistent()
	})
}

func TestApproval(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		one, two := member("1"), member("2")
		statusOf := func(id string) string {
			for _, o := range call[operation.PageOf[offer.MarketOffer]](w, 200, one, "POST", "/sustainable/market?size=100",
				m{"filters": m{"my_offer": true}}).Content {
				if o.Identifier == id {
					return o.Status + " " + o.Rejection
				}
			}
			return ""
		}
		free := func() int64 {
			row, err := participation.Named(w.system(), w.s.host.DB, module.Label(w.system(), "test"), "P-1")
			require.NoError(t, err)
			return row.Free()
		}
		create := func(body m) string {
			return call[offer.MarketOffer](w, 201, one, "POST", "/sustainable/offers", body).Identifier
		}
		t.Run("4-offer-lifecycle-enum,4-offer-transitions", func(t *testing.T) {
			now, later := create(newOffer("P-1", 2)), create(newOffer("P-1", 2, "date", "2026-11-25"))
			assert.Equal(t, "CREATED ", statusOf(now))
			for _, id := range []string{now, later} {
				status, _ := w.decide(w.changeOf(id), module.Processed, "")
				require.Equal(t, 200, status)
			}
			assert.Equal(t, "AVAILABLE ", statusOf(now), "its day is today")
			assert.Equal(t, "APPROVED ", statusOf(later))
			w.days(4)
			assert.Equal(t, "APPROVED ", statusOf(later))
			w.days(1)
			assert.Equal(t, "AVAILABLE ", statusOf(later), "its day has come")
			refused := create(newOffer("P-1", 1, "date", "2026-11-25"))
			w.decide(w.changeOf(refused), module.Rejected, offer.RejectProvider)
			assert.Equal(t, "CLOSED REJECTED_BY_PROVIDER", statusOf(refused))
			call[offer.MarketOffer](w, 200, one, "POST", "/sustainable/offers/retract", m{"reference": w.reference(now)})
			lives := []string{}
			for _, o := range call[operation.PageOf[offer.StaffOffer]](w, 200, staffMember(), "GET", "/sustainable/staff/offers", nil).Content {
				lives = append(lives, o.Lifecycle)
			}
			assert.ElementsMatch(t, []string{"REVOKED", "ACTIVE", "REJECTED"}, lives)
		})
		t.Run("an event that got lost is made up for by the sweep", func(t *testing.T) {
			id := create(newOffer("P-1", 1, "date", "2026-11-28"))
			w.decide(w.changeOf(id), module.Processed, "")
			w.Clock.Advance(5 * 24 * time.Hour)
			require.NoError(t, w.s.sweep(w.system(), module.Event{}))
			require.NoError(t, w.s.sweep(w.system(), module.Event{}))
			assert.Equal(t, "AVAILABLE ", statusOf(id))
			w.pump() // the event arrives after all
			assert.Equal(t, "AVAILABLE ", statusOf(id))
		})
		t.Run("only the reasons that there are: the shares are free again", func(t *testing.T) {
			before := free()
			id := create(newOffer("P-1", 3, "date", "2026-12-05"))
			assert.Equal(t, before-3, free())
			for _, reason := range []string{"", "because", "REJECTED"} {
				status, _ := w.decide(w.changeOf(id), module.Rejected, reason)
				assert.Equal(t, 400, status, reason)
			}
			status, c := w.decide(w.changeOf(id), module.Rejected, offer.RejectShares)
			assert.Equal(t, 200, status)
			assert.Equal(t, offer.RejectShares, c.Reason)
			assert.Equal(t, before, free())
			status, _ = w.decide(w.changeOf(id), module.Processed, "")
			assert.Equal(t, 409, status, "decided once")
		})
		t.Run("4-rejection-triggers", func(t *testing.T) {
			id := create(newOffer("P-2", 1, "date", "2026-12-05"))
			closed := projectRecordOf("ZON")
			var p m
			require.NoError(t, json.Unmarshal([]byte(closed), &p))
			p["member_offer_settings"] = append(p["member_offer_settings"].([]any),
				m{"from_date": "2026-11-01", "min_price": 50, "max_price": 250, "allow_selling": false})
			w.load("project", jsonOf(p))
			w.refused(400, "participation_identifier marketplace.selling_not_allowed", one, "POST", "/sustainable/offers",
				newOffer("P-2", 1, "date", "2026-12-05"))
			status, c := w.decide(w.changeOf(id), module.Processed, "")
			assert.Equal(t, 200, status)
			assert.Equal(t, module.Rejected, c.State, "approved by staff, and yet")
			assert.Equal(t, "CLOSED SELLING_NOT_ALLOWED", statusOf(id))
			record := func(id, participation, project string, shares int) string {
				return fmt.Sprintf(`{"identifier":%q,"debtor_number":"1","participation_identifier":%q,"project_code":%q,"date":"2026-12-05","price_per_share":100,"shares":%d}`,
					id, participation, project, shares)
			}
			w.load("participation", shareRecord("1", "P-4", "WP", 6))
			w.load("market_offer", record("R1", "P-NIX", "WP", 1), record("R2", "", "WP", 1), record("R3", "P-4", "WP", 7),
				record("R4", "P-4", "WP", 6), record("R5", "P-4", "WP", 1), record("R6", "", "ZON", 1))
			want := map[string]string{"R1": "CLOSED PARTICIPATION_UNKNOWN", "R2": "CLOSED MULTIPLE_PARTICIPATIONS_PROJECT",
				"R3": "CLOSED INSUFFICIENT_SHARES", "R4": "CREATED ", "R5": "CLOSED INSUFFICIENT_SHARES", // R4 takes all of them
				"R6": "CLOSED SELLING_NOT_ALLOWED"} // refers to the member's only participation in the project
			for id, status := range want {
				imported := value.StableID(moduletest.LabelOne, "imported offer", id)
				assert.Equal(t, status, statusOf(imported), id)
				assert.Equal(t, map[bool]string{true: "CREATED", false: "REJECTED"}[id == "R4"], w.lifecycle(imported), id)
			}
		})
		t.Run("who is told", func(t *testing.T) {
			id := create(newOffer("P-1", 1, "date", "2026-12-05", "buyer_email_address", "sanne@voorbeeld.example"))
			w.decide(w.changeOf(id), module.Processed, "")
			kinds := map[string]int{}
			for _, r := range w.queued("event") {
				var e module.Event
				require.NoError(t, json.Unmarshal(r.Payload, &e))
				if e.Type == marketplaceapi.EventNotice {
					var n notice.Notice
					require.NoError(t, json.Unmarshal(e.Data, &n))
					kinds[string(n.Kind)]++
				}
			}
			assert.Positive(t, kinds["offer_approved"])
			assert.Positive(t, kinds["offer_rejected"])
			assert.Equal(t, 1, kinds["code"])
		})
		_ = two
		w.requireConsistent()
	})
}

func TestRetract(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		one, two := member("1"), member("2")
		const path = "/sustainable/offers/retract"
		t.Run("7.6-post-retract,7.6-retract-shares,5.7-shares-clamp", func(t *testing.T) {
			made, other := w.offered(one, jsonOf(newOffer("P-1", 10))), w.offered(one, jsonOf(newOffer("P-2", 3)))
			w.refused(404, "not_found", two, "POST", path, m{"reference": made.Reference})
			w.refused(404, "not_found", one, "POST", path, m{"reference": "NIX"})
			for _, n := range []any{0, -1, 11, 1.5} {
				w.refused(400, "shares marketplace.shares_range", one, "POST", path, m{"reference": made.Reference, "shares": n})
			}
			got := call[offer.MarketOffer](w, 200, one, "POST", path, m{"reference": made.Reference, "shares": 1})
			assert.Equal(t, []int64{9, 9}, []int64{got.Shares, got.Offered})
			w.refused(400, "shares marketplace.shares_range", one, "POST", path, m{"reference": made.Reference, "shares": 10})
			got = call[offer.MarketOffer](w, 200, one, "POST", path, m{"reference": made.Reference, "shares": 3})
			assert.Equal(t, []int64{6, 6}, []int64{got.Shares, got.Offered})
			assert.Equal(t, "AVAILABLE", got.Status)
			p := call[[]project.Project](w, 200, one, "GET", "/sustainable/projects", nil)[0].Participations[0]
			assert.Equal(t, int64(6), p.Offered)
			got = call[offer.MarketOffer](w, 200, one, "POST", path, m{"reference": made.Reference, "shares": 6})
			assert.Equal(t, "CLOSED", got.Status)
			assert.Equal(t, "REVOKED", w.lifecycle(made.Identifier))
			assert.Equal(t, int64(6), got.Shares, "what it was")
			w.refused(409, "marketplace.transition", one, "POST", path, m{"reference": made.Reference})
			assert.Equal(t, "ACTIVE", w.lifecycle(other.Identifier), "another offer of the same member")
			assert.Equal(t, "CLOSED", call[offer.MarketOffer](w, 200, one, "POST", path, m{"reference": other.Reference}).Status, "all by default")
			assert.Equal(t, "REVOKED", w.lifecycle(other.Identifier))
			assert.Zero(t, call[[]project.Project](w, 200, one, "GET", "/sustainable/projects", nil)[0].Participations[0].Offered)
		})
		t.Run("4-offer-transitions,4-offer-status-reconcile", func(t *testing.T) {
			waiting := call[offer.MarketOffer](w, 201, one, "POST", "/sustainable/offers", newOffer("P-1", 5))
			change := w.changeOf(waiting.Identifier)
			got := call[offer.MarketOffer](w, 200, one, "POST", path, m{"reference": waiting.Reference, "shares": 2})
			assert.Equal(t, "CREATED", got.Status)
			status, _ := w.decide(change, module.Processed, "")
			assert.Equal(t, 409, status, "staff decide on what is offered now")
			change = w.changeOf(waiting.Identifier)
			call[offer.MarketOffer](w, 200, one, "POST", path, m{"reference": waiting.Reference}) // from CREATED to REVOKED
			status, _ = w.decide(change, module.Processed, "")
			assert.Equal(t, 409, status)
			approved := w.offered(one, jsonOf(newOffer("P-1", 5, "date", "2026-12-01")))
			assert.Equal(t, "APPROVED", w.lifecycle(approved.Identifier))
			shown := call[operation.PageOf[offer.MarketOffer]](w, 200, one, "POST", "/sustainable/market", m{"filters": m{"my_offer": true}})
			assert.True(t, slices.ContainsFunc(shown.Content, func(o offer.MarketOffer) bool {
				return o.Identifier == approved.Identifier && o.Status == "APPROVED"
			}))
			call[offer.MarketOffer](w, 200, one, "POST", path, m{"reference": approved.Reference}) // from APPROVED to REVOKED
			w.days(30)
			assert.Equal(t, "REVOKED", w.lifecycle(approved.Identifier), "its day changes nothing")
			rejected := call[offer.MarketOffer](w, 201, one, "POST", "/sustainable/offers", newOffer("P-1", 5, "date", "2026-12-21"))
			w.decide(w.changeOf(rejected.Identifier), module.Rejected, offer.RejectProvider)
			w.refused(409, "marketplace.transition", one, "POST", path, m{"reference": rejected.Reference})
		})
		w.requireConsistent()
	})
}

func TestMarket(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		one, two, three := member("1"), member("2"), member("3")
		w.load("participation", shareRecord("5", "P-5", "ZON", 50), shareRecord("6", "P-6", "WP", 50))
		for i := range 12 {
			w.offered(member("5"), jsonOf(newOffer("P-5", i+1-i/6*6, "price", 100+i)))
			w.offered(member("6"), jsonOf(newOffer("P-6", 1, "price", 100+i)))
		}
		mine := w.offered(two, jsonOf(newOffer("P-3", 1, "price", 60)))
		post := func(as module.Scope, query string, body any) operation.PageOf[offer.MarketOffer] {
			return call[operation.PageOf[offer.MarketOffer]](w, 200, as, "POST", "/sustainable/market"+query, body)
		}
		names := func(p operation.PageOf[offer.MarketOffer]) (out []string) {
			for _, o := range p.Content {
				out = append(out, fmt.Sprint(int64(o.Price)/100, " ", o.ProjectCode))
			}
			return out
		}
		t.Run("7.6-post-market,9-market-page-size,9-market-sort,9-market-page-base,9-market-page-base-reconcile", func(t *testing.T) {
			first := post(two, "", m{"filters": m{"my_offer": false}})
			assert.Equal(t, []string{"100 WP", "100 ZON", "101 WP", "101 ZON", "102 WP", "102 ZON", "103 WP", "103 ZON", "104 WP", "104 ZON"},
				names(first))
			assert.Equal(t, []int{0, 10, 3, 24}, []int{first.Number, first.Size, first.TotalPages, first.TotalElements})
			assert.Equal(t, first, post(two, "?page=0", m{"filters": m{"my_offer": false}}))
			last := post(two, "?page=2", m{"filters": m{"my_offer": false}})
			assert.Equal(t, []string{"110 WP", "110 ZON", "111 WP", "111 ZON"}, names(last))
			assert.Empty(t, post(two, "?page=3", m{"filters": m{"my_offer": false}}).Content)
			assert.Equal(t, []string{"111 ZON", "111 WP", "110 ZON"},
				names(post(two, "?size=3&sort=price,desc&sort=projectName,desc", m{"filters": m{"my_offer": false}})))
			assert.Equal(t, []string{"100 WP", "101 WP"}, names(post(two, "?size=2", m{"filters": m{"my_offer": false, "project_code": "WP"}})))
			assert.Equal(t, []string{"60 WP"}, names(post(two, "", m{"filters": m{"my_offer": true}})))
			assert.Equal(t, "60 WP", names(post(two, "", m{}))[0], "without my_offer all, one's own among them")
			assert.Equal(t, mine.Identifier, post(three, "?size=1", nil).Content[0].Identifier)
			w.refused(400, "sort marketplace.sort_unknown", two, "POST", "/sustainable/market?sort=relation_id,asc", m{})
			w.refused(400, "sort marketplace.sort_unknown", two, "POST", "/sustainable/market?sort=price%3Bdrop,asc", m{})
			w.refused(400, "invalid", two, "POST", "/sustainable/market?page=-1", m{})
			w.refused(400, "invalid", two, "POST", "/sustainable/market?size=101", m{})
		})
		t.Run("7.6-get-offers,9-market-page-base-reconcile", func(t *testing.T) {
			raw := call[json.RawMessage](w, 200, two, "GET", "/sustainable/offers", nil)
			assert.Subset(t, keysOfJSON(t, raw), []string{"content", "totalPages"})
			zero := call[json.RawMessage](w, 200, two, "GET", "/sustainable/offers?page=0", nil)
			assert.JSONEq(t, string(zero), string(raw), "without a page it is the first")
			got := call[operation.PageOf[offer.MarketOffer]](w, 200, two, "GET", "/sustainable/offers", nil)
			assert.Len(t, got.Content, 10)
			assert.Equal(t, 3, got.TotalPages)
			got = call[operation.PageOf[offer.MarketOffer]](w, 200, two, "GET", "/sustainable/offers?project_code=ZON&page=1", nil)
			assert.Equal(t, []string{"110 ZON", "111 ZON"}, names(got))
			assert.Equal(t, 2, got.TotalPages)
			w.refused(404, "not_found", two, "GET", "/sustainable/offers?project_code=NIX", nil)
		})
		t.Run("what is the owner's alone", func(t *testing.T) {
			seen := post(three, "?size=1", m{"filters": m{"my_offer": false}}).Content[0]
			assert.False(t, seen.Mine || seen.MineToo)
			assert.Nil(t, seen.Address)
			assert.Nil(t, seen.OldAddress)
			assert.Empty(t, seen.Participation+seen.Code+seen.Rejection)
			own := post(two, "?size=1", m{"filters": m{"my_offer": true}}).Content[0]
			assert.Equal(t, "Grootegast", own.Address.City)
			assert.Equal(t, "P-3", own.Participation)
		})
		t.Run("7.6-get-personal-market,3-order-fields", func(t *testing.T) {
			w.refused(404, "not_found", three, "GET", "/sustainable/market?personal=true", nil)
			direct := w.offered(one, jsonOf(newOffer("P-1", 3, "buyer_email_address", "sanne@voorbeeld.example")))
			assert.NotContains(t, jsonOf(post(three, "?size=100", m{})), direct.Identifier, "the market does not show it")
			call[any](w, 200, three, "POST", "/sustainable/activation/direct/"+direct.Code, nil)
			got := call[[]offer.MarketOffer](w, 200, three, "GET", "/sustainable/market?personal=true", nil)
			require.Len(t, got, 1)
			assert.Equal(t, direct.Identifier, got[0].Identifier)
			assert.False(t, got[0].Mine)
			assert.Empty(t, got[0].Code)
			w.refused(404, "not_found", two, "GET", "/sustainable/market?personal=true", nil)
			w.refused(404, "not_found", two, "GET", "/sustainable/market?personal=true&empty=false", nil)
			assert.Len(t, call[[]offer.MarketOffer](w, 200, three, "GET", "/sustainable/market", nil), 10)
			call[any](w, 200, three, "POST", "/sustainable/basket",
				m{"offer": m{"identifier": post(three, "?size=1", nil).Content[0].Identifier, "shares": 1, "address": home(7)}})
			private := w.in(t).orders(three, direct.Identifier, 1, w.on(40)) // an order with shares of a public offer too
			assert.Equal(t, []any{2, true, true}, []any{len(private.Offers), private.PrivateDeal, private.PrivateOrder})
			call[any](w, 200, three, "DELETE", "/sustainable/orders/"+private.ID, nil)
		})
		t.Run("9-market-empty", func(t *testing.T) {
			none := call[[]offer.MarketOffer](w, 200, two, "GET", "/sustainable/market?personal=true&empty=true", nil)
			assert.NotNil(t, none, "a list, not null")
			assert.Empty(t, none)
			assert.Len(t, call[[]offer.MarketOffer](w, 200, three, "GET", "/sustainable/market?personal=true&empty=true", nil), 1)
		})
		t.Run("staff find offers", func(t *testing.T) {
			got := call[operation.PageOf[offer.StaffOffer]](w, 200, staffMember(), "GET", "/sustainable/staff/offers?status=ACTIVE&page=1", nil)
			assert.Equal(t, []int{26, 2, 1}, []int{got.TotalElements, got.TotalPages, len(got.Content)})
			got = call[operation.PageOf[offer.StaffOffer]](w, 200, staffMember(), "GET", "/sustainable/staff/offers?q="+mine.Reference, nil)
			require.Len(t, got.Content, 1)
			assert.Equal(t, two.Relation, got.Content[0].Relation)
			assert.Equal(t, []string{"Lid 2", "2", "Grootegast"}, []string{got.Content[0].Seller, got.Content[0].Debtor,
				got.Content[0].Address.City}, "as its owner sees it")
			w.lookups = 0
			got = call[operation.PageOf[offer.StaffOffer]](w, 200, staffMember(), "GET", "/sustainable/staff/offers", nil)
			assert.Len(t, got.Content, 25)
			assert.Equal(t, 1, w.lookups, "one call a page")
			for _, o := range got.Content {
				assert.Equal(t, map[string]string{member("1").Relation: "Lid 1", member("2").Relation: "Lid 2"}[o.Relation], o.Seller)
			}
			assert.Empty(t, call[operation.PageOf[offer.StaffOffer]](w, 200, staffMember(), "GET", "/sustainable/staff/offers?q=%25", nil).Content)
			assert.Equal(t, 13, call[operation.PageOf[offer.StaffOffer]](w, 200, staffMember(), "GET", "/sustainable/staff/offers?q=windpark+zon",
				nil).TotalElements+1)
		})
		t.Run("7.6-prefix-reconcile", func(t *testing.T) {
			for path := range w.s.OpenAPI().Paths {
				if path != "/marketplace/changes/{id}/decide" {
					assert.True(t, strings.HasPrefix(path, "/sustainable/"), path)
				}
			}
			// also in other modules
			first := map[string]bool{} // first segments of all paths
			files, err := filepath.Glob("../../schemas/openapi/*.json")
			require.NoError(t, err)
			for _, file := range files {
				var api struct{ Paths map[string]any }
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				require.NoError(t, json.Unmarshal(text, &api))
				for path := range api.Paths {
					if under, is := strings.CutPrefix(path, "/sustainable/"); is {
						first["sustainable "+strings.Split(under, "/")[0]] = true
					} else if path != "/notifications/unsubscribe/{token}" {
						first[strings.Split(path, "/")[1]] = true
					}
				}
			}
			for _, group := range []string{"projects", "offers", "market", "basket", "orders", "notices", "notifications", "production",
				"transfers", "activation"} {
				assert.Equal(t, []bool{true, false}, []bool{first["sustainable "+group], first[group]}, group)
			}
		})
		w.requireConsistent()
	})
}

// header returns a header of the response to a GET request.
func (w *world) header(as module.Scope, path, name string) string {
	w.t.Helper()
	as.Label, as.Role, as.Locale = moduletest.LabelOne, module.RoleCustomer, "nl"
	r, err := http.NewRequestWithContext(w.Hub.Enter(w.t.Context(), as, manifest.Key), "GET", "http://"+manifest.Key+path, nil)
	require.NoError(w.t, err)
	res, err := w.s.host.Client.Do(r)
	require.NoError(w.t, err)
	require.NoError(w.t, res.Body.Close())
	return res.Header.Get(name)
}

// lifecycle returns the stored status of an offer.
func (w *world) lifecycle(id string) string {
	w.t.Helper()
	row, err := offer.ByID(w.system(), w.s.host.DB, id)
	require.NoError(w.t, err)
	return string(row.Status)
}

func (w *world) reference(id string) string {
	w.t.Helper()
	row, err := offer.ByID(w.system(), w.s.host.DB, id)
	require.NoError(w.t, err)
	return row.Reference
}

// withKey sends a POST request with an idempotency key.
func (w *world) withKey(as module.Scope, path, key string, body any) (int, []byte) {
	w.t.Helper()
	return w.Do(w.t.Context(), moduletest.Call{Method: "POST", Path: path, Body: jsonOf(body), As: as, Key: key})
}

func (w *world) keyed(t *testing.T, status int, as module.Scope, path, key string, body any) (out offer.MarketOffer) {
	t.Helper()
	got, raw := w.withKey(as, path, key, body)
	require.Equal(t, status, got, "%s", raw)
	require.NoError(t, json.Unmarshal(raw, &out))
	return out
}
