package production_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/modules/production"
	"github.com/wattle-portal/wattle/test/fixture"
)

type yield struct {
	Code         string   `json:"project_code"`
	Own          int64    `json:"own_shares"`
	All          int64    `json:"all_shares"`
	Power        *float64 `json:"current_power"`
	ProjectPower *float64 `json:"project_power"`
	Today        *float64 `json:"todays_production"`
	Year         *float64 `json:"year_production"`
	LastYear     *float64 `json:"last_year_production"`
	SoFar        *float64 `json:"year_through_yesterday"`
	SameDays     *float64 `json:"same_days_last_year"`
	YearValue    *float64 `json:"year_value"`
	LastValue    *float64 `json:"last_year_value"`
}

// A member buys shares in the marketplace. They are transferred on 21 December, within the month that the test requests afterwards.
func TestProductionOfAPurchase(t *testing.T) {
	t.Parallel()
	o := portaltest.Options{Modules: []module.Module{account.Module, billing.Module, marketplace.Module, production.Module},
		CUE:    fixture.SandboxPayments + "\nmodules: production: yield_prices: [{from: \"2025-01-01\", price: 0.1}]",
		Labels: []portaltest.Label{{Key: "alpha"}}}
	portaltest.Each(t, o, func(t *testing.T, s *portaltest.Portal) {
		shop := &fixture.Shop{Members: &fixture.Members{Customers: &fixture.Customers{Portal: s, T: t}}}
		shop.Project()
		seller, other, buyer := shop.With(t, 60), shop.With(t, 40), shop.With(t, 0)
		require.Empty(t, fixture.Body[[]yield](t, buyer.Do(http.MethodGet, "/sustainable/yields", nil), 200), "without shares there is nothing")
		order := buyer.Buy(t, shop.Offer(t, seller, 15, 40, nil), 15, nil)
		fixture.Choose(t, s, buyer.Link(t, order.ID), "pay")
		require.Equal(t, "2026-12-21", buyer.Order(t, order.ID, "BOUGHT").TransferDate)
		shop.Later(t, 33*24*time.Hour, &seller, &other, &buyer)
		today := value.DayOf(s.Now())
		require.Equal(t, "2026-12-23", today.String())
		buyer.Order(t, order.ID, "COMPLETED")
		t.Run("9-yield-price", func(t *testing.T) {
			price := fixture.Body[struct{ Price *float64 }](t, buyer.Do(http.MethodGet, "/sustainable/yield-price", nil), 200)
			assert.Equal(t, new(0.1), price.Price)
		})

		var records []fixture.Object
		for n := range 10 { // 24 kWh on each of ten days
			records = append(records, fixture.ProducedOn(fixture.MarketProject, today.AddDays(n-9).String(), 1, 24))
		}
		records = append(records, fixture.ProducedOn(fixture.MarketProject, "2025-03-01", 10, 24),
			fixture.ProducedOn(fixture.MarketProject, "2025-12-31", 10, 24))
		require.Empty(t, fixture.Records(t, s, "production_day", records...))

		t.Run("9-production-share-then", func(t *testing.T) {
			const view = fixture.MarketProject + "?view_type=SHARES_IN_PROJECT&timeframe_type="
			of := func(m fixture.Member, timeframe string) []any { return values(m.Production(t, view+timeframe)) }
			month := of(buyer, "MONTH_DAYS")
			assert.Equal(t, append(slices.Repeat([]any{0.0}, 7), 3.6, 3.6, 3.6), month[13:23], "from the day of the transfer on: 15%")
			assert.Equal(t, append(slices.Repeat([]any{14.4}, 7), 10.8, 10.8, 10.8), of(seller, "MONTH_DAYS")[13:23], "60%, then 45%")
			assert.Equal(t, 3*3.6, of(buyer, "YEAR_MONTHS")[11])
			assert.Equal(t, 7*14.4+3*10.8, of(seller, "YEAR_MONTHS")[11])
			assert.Equal(t, 7*14.4+3*10.8, of(seller, "YEAR3_YEARS")[2])
			assert.Equal(t, []any{0.0, 0.15}, []any{of(buyer, "DAY_HOURS&timeframe_offset=-3")[12], of(buyer, "DAY_HOURS&timeframe_offset=-2")[0]})
			for _, timeframe := range []string{"DAY_HOURS", "MONTH_DAYS", "WEEK4_WEEKS", "YEAR_MONTHS", "YEAR3_YEARS"} {
				total := values(seller.Production(t, fixture.MarketProject+"?timeframe_type="+timeframe))
				parts := [][]any{of(seller, timeframe), of(other, timeframe), of(buyer, timeframe)}
				for i, all := range total {
					if all == nil {
						assert.Equal(t, []any{nil, nil, nil}, []any{parts[0][i], parts[1][i], parts[2][i]})
						continue
					}
					assert.InDelta(t, all, parts[0][i].(float64)+parts[1][i].(float64)+parts[2][i].(float64), 0.0015,
						"%s %d: each part is rounded to the Wh", timeframe, i)
				}
			}
		})
		t.Run("9-yields", func(t *testing.T) {
			of := func(m fixture.Member) yield {
				all := fixture.Body[[]yield](t, m.Do(http.MethodGet, "/sustainable/yields", nil), 200)
				require.Len(t, all, 1)
				return all[0]
			}
			kW, whole, nothing := 0.45, 1.0, 0.0
			assert.Equal(t, yield{Code: fixture.MarketProject, Own: 45, All: 100, Power: &kW, ProjectPower: &whole, Today: new(10.8),
				Year: new(7*14.4 + 3*10.8), LastYear: new(.6 * 480),
				SoFar: new(7*14.4 + 2*10.8), SameDays: new(.6 * 240), YearValue: new(13.32), LastValue: new(28.8)}, of(seller))
			assert.Equal(t, yield{Code: fixture.MarketProject, Own: 15, All: 100, Power: new(.15), ProjectPower: &whole, Today: new(3.6),
				Year: new(10.8), LastYear: &nothing,
				SoFar: new(7.2), SameDays: &nothing, YearValue: new(1.08), LastValue: &nothing}, of(buyer), "nothing of before the transfer")
			t.Run("9-production-euro", func(t *testing.T) {
				type valued struct {
					Euro *float64 `json:"euro"`
				}
				sum := func(timeframe, kind string) (sum float64, known bool) {
					path := "/sustainable/production/" + fixture.MarketProject + "?view_type=" + kind + "&timeframe_type=" + timeframe
					for _, p := range fixture.Body[[]valued](t, seller.Do(http.MethodGet, path, nil), 200) {
						if p.Euro != nil {
							sum, known = sum+*p.Euro, true
						}
					}
					return sum, known
				}
				for _, timeframe := range []string{"YEAR_MONTHS", "MONTH_DAYS", "WEEK4_WEEKS"} {
					euro, _ := sum(timeframe, "SHARES_IN_PROJECT")
					assert.InDelta(t, 13.32, euro, 1e-6, "%s: the value of this year, as in yields", timeframe)
				}
				_, known := sum("YEAR_MONTHS", "TOTAL_PROJECT")
				assert.False(t, known, "a whole project has no value of a member")
			})
			// The response contains each project in which the caller has shares, and no other.
			require.Empty(t, fixture.Records(t, s, "project", fixture.Object{"project_code": "ZON", "project_name": "Zon", "project_type": "SOLAR"}))
			for debtor, n := range map[string]int{other.Debtor: 30, "9": 70} {
				require.Empty(t, fixture.Records(t, s, "participation", fixture.Object{"debtor_number": debtor,
					"participation_identifier": "ZON-" + debtor, "project_code": "ZON", "share": n, "address": fixture.Place(n),
					"shares": []fixture.Object{{"from_date": "2026-01-01", "share": n}}}))
			}
			require.Empty(t, fixture.Records(t, s, "production_day", fixture.ProducedOn("ZON", today.String(), 2, 24)))
			codes := func(m fixture.Member) (out []any) {
				for _, y := range fixture.Body[[]yield](t, m.Do(http.MethodGet, "/sustainable/yields", nil), 200) {
					out = append(out, y.Code, y.Own, *y.Today)
				}
				return out
			}
			assert.Equal(t, []any{fixture.MarketProject, int64(40), 9.6, "ZON", int64(30), 14.4}, codes(other))
			assert.Equal(t, []any{fixture.MarketProject, int64(45), 10.8}, codes(seller))
			require.Empty(t, fixture.Records(t, s, "participation", fixture.Object{"debtor_number": other.Debtor,
				"participation_identifier": other.Participation, "project_code": fixture.MarketProject, "share": 0, "address": fixture.Place(102)}))
			assert.Equal(t, []any{"ZON", int64(30), 14.4}, codes(other), "without shares in the other one")
			assert.Equal(t, http.StatusUnauthorized, s.Do(portaltest.Call{Path: "/sustainable/yields"}).Status)
		})
	})
}
