package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

const project = `{"project_code":"WND-01","project_name":"Windmolen De Grutto","project_type":"WIND","member_offer_settings":[{"from_date":"2020-01-01","min_price":"1","max_price":"2"}]}`

func participation(debtor, id, project string) string {
	return `{"debtor_number":"` + debtor + `","participation_identifier":"` + id + `","project_code":"` + project + `","share":"20",` +
		`"address":{"street_name":"Molenweg","house_number":"12","postal_code":"1234AB","city":"Delft"}}` + "\n"
}

func pastOffer(debtor, id, buyer string) string {
	return `{"debtor_number":"` + debtor + `","identifier":"` + id +
		`","project_code":"WND-01","status":"SOLD","date":"2026-02-01","price_per_share":"1.00","shares":"5",` +
		`"buyer_debtor_number":"` + buyer + `"}` + "\n"
}

func pastOrder(debtor, id, offer string) string {
	return `{"debtor_number":"` + debtor + `","identifier":"` + id + `","offer":"` + offer +
		`","shares":"5","status":"COMPLETED","placed":"2026-02-03T10:00:00Z",` +
		`"paid":"2026-02-04T10:00:00Z","ended":"2026-02-20T10:00:00Z","transfer_date":"2026-02-20",` +
		`"address":{"street_name":"Molenweg","house_number":"12","postal_code":"1234AB","city":"Delft"}}` + "\n"
}

// Records that look wrong are stored, and the report counts them per suspected error.
func TestWarnings(t *testing.T) {
	t.Parallel()
	storetest.EachConfig(t, func(t *testing.T, db store.Config) {
		_, take := portal(t, &db)
		t.Run("11-import-warnings", func(t *testing.T) {
			const address = `"addresses":[{"address_type":"INVOICE","street":"Molenweg","house_number":"12","city":"Delft","zip_code":`
			relations := take(imports.Options{}, file(t, "relation.ndjson",
				`{"debtor_number":"1","email":"not-an-email","phone_number":"12","bank_account_number":"NL00WATT0000000000",`+address+`"99"}]}`+"\n"+
					`{"debtor_number":"2","email":"f@voorbeeld.example","phone_number":"+31 6-12345678","bank_account_number":"NL38 WATT 0000 0011 17",`+
					address+`"1234 ab"}]}`+"\n"+
					`{"debtor_number":"3",`+address+`"2000"}]}`+"\n"+
					`{"debtor_number":"4","email":"b@voorbeeld"}`+"\n"+
					`{"debtor_number":"","email":"c"}`+"\n"))
			require.Equal(t, 1, relations.Refused, "%v", relations.Reasons)
			require.Equal(t, 2, relations.Warned)
			require.Equal(t, []string{"2 × email: account.email_invalid, first in line 1: it is not an email address", "1 × addresses.0.zip_code: invalid, first in line 1",
				"1 × bank_account_number: invalid, first in line 1", "1 × phone_number: account.phone_invalid, first in line 1: it is not a Dutch phone number, or an international one that begins with +"}, relations.Warnings)

			agreement := func(debtor, id string) string {
				return `{"debtor_number":"` + debtor + `","agreement_identifier":"` + id + `","agreement_identifier_with_sequence":"` + id +
					`-1","product_category":"ENERGY","status":"ACTIVE","period":{"from":"2024-01-01"}}` + "\n"
			}
			agreements := take(imports.Options{}, file(t, "agreement.ndjson", agreement("2", "A1")+agreement("404", "A2")+agreement("1", "A3")+
				agreement("404", "A4")))
			require.Zero(t, agreements.Refused, "%v", agreements.Reasons)
			require.Equal(t, 2, agreements.Warned)
			require.Equal(t, []string{"2 × debtor_number: not_found, first in line 2: nothing has this id or number"}, agreements.Warnings)
			connection := take(imports.Options{}, file(t, "connection.ndjson", `{"debtor_number":"404","ean_code":"`+power+
				`","commodity":"ELECTRICITY","meter_type":"SMART"}`))
			require.Equal(t, []string{"1 × debtor_number: not_found, first in line 1: nothing has this id or number"}, connection.Warnings)
			take(imports.Options{}, file(t, "project.ndjson", project))
			participations := take(imports.Options{}, file(t, "participation.ndjson", participation("405", "P-1", "WND-01")+
				participation("1", "P-2", "WND-01")+participation("406", "P-3", "none")))
			require.Equal(t, 1, participations.Refused, "%v", participations.Reasons)
			unknown := []string{"1 × debtor_number: not_found, first in line 1: nothing has this id or number"}
			require.Equal(t, unknown, participations.Warnings, "not of what was refused")
			access := take(imports.Options{}, file(t, "market_access.ndjson", `{"debtor_number":"407","state":"APPROVED"}`+"\n"+
				`{"debtor_number":"1","state":"APPROVED"}`))
			require.Equal(t, unknown, access.Warnings)
			offers := take(imports.Options{}, file(t, "market_offer.ndjson", pastOffer("408", "O-1", "409")+pastOffer("1", "O-2", "2")+
				pastOffer("1", "O-3", "")))
			require.Zero(t, offers.Refused, "%v", offers.Reasons)
			require.Equal(t, []string{"1 × buyer_debtor_number: not_found, first in line 1: nothing has this id or number", "1 × debtor_number: not_found, first in line 1: nothing has this id or number"},
				offers.Warnings)
			orders := take(imports.Options{}, file(t, "market_order.ndjson", pastOrder("410", "D-1", "O-2")+pastOrder("2", "D-2", "O-3")))
			require.Zero(t, orders.Refused, "%v", orders.Reasons)
			require.Equal(t, unknown, orders.Warnings)
			const sent = `"title":"Onderhoud","message":"<p>Een dag.</p>","published":"2026-01-02T09:00:00+01:00"}` + "\n"
			notifications := take(imports.Options{}, file(t, "notification.ndjson", `{"id":"n1","debtor_number":"411",`+sent+`{"id":"n2",`+sent+
				`{"id":"n3","debtor_number":"1",`+sent))
			require.Equal(t, unknown, notifications.Warnings)
			invoice := take(imports.Options{}, file(t, "invoice.ndjson",
				`{"debtor_number":"404","agreement_identifier_with_sequence":"A2-1","invoice_id":"F1","invoice_type":"PERIODICAL",`+
					`"amount":"1.00","balance":"0.00","issue_date":"2026-01-05","due_date":"2026-01-19","payment_status":"PAID"}`))
			require.Zero(t, invoice.Refused, "the agreement was stored: %v", invoice.Reasons)
		})
	})
}
