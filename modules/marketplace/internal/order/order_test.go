package order

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
)

func TestOrderInJSON(t *testing.T) {
	placed, withdrawal := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), 14
	paid := placed.Add(time.Hour)
	today := value.Day{Year: 2026, Month: 11, Day: 21}
	row := Row{ID: "o-1", Reference: "B-1", Status: Bought, Amount: 19700, AdministrationCosts: 1250, Shares: 5,
		TransferDate: value.Day{Year: 2026, Month: 12, Day: 21}, PlacedAt: placed, ExpiresAt: placed.AddDate(0, 0, 14), PaidAt: &paid,
		WithdrawalDays: &withdrawal}
	const address = `{"street_name":"Dam","house_number":"1","house_postfix":"a","postal_code":"1012JS","city":"Amsterdam"}`
	lines := []Line{
		{OfferID: "a-1", OfferReference: "A-1", ProjectCode: "WP", ProjectName: "Windpark", Shares: 3, Price: 4900, Address: address},
		{OfferID: "a-2", OfferReference: "A-2", ProjectCode: "ZON", ProjectName: "Zonneveld", Shares: 2, Price: 2500, Address: address},
	}
	t.Run("3-order-fields", func(t *testing.T) {
		for _, isPrivate := range []bool{true, false} {
			row.PrivateDeal = isPrivate
			private := jsonOf(t, isPrivate)
			assert.JSONEq(t, `{"deal_reference":"B-1","deal_identifier":"o-1","status":"BOUGHT","private_deal":`+private+`,
				"private_order":`+private+`,"amount":197.00,"administration_costs":12.50,"amount_due":209.50,"shares":5,
				"transfer_date":"2026-12-21","expiration_date":"2026-12-04T10:00:00Z","placed":"2026-11-20T10:00:00Z",
				"paid":"2026-11-20T11:00:00Z","withdraw_until":"2026-12-04","offers":[
					{"identifier":"a-1","reference":"A-1","project_code":"WP","project_name":"Windpark","shares":3,"price_per_share":49.00,
						"status":"BOUGHT","address":`+address+`},
					{"identifier":"a-2","reference":"A-2","project_code":"ZON","project_name":"Zonneveld","shares":2,"price_per_share":25.00,
						"status":"BOUGHT","address":`+address+`}]}`, jsonOf(t, row.Show(lines, time.UTC, today)))
		}
	})
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}
