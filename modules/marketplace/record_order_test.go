package marketplace

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/settlement"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// orderRecord returns the record of an order of member 1 that ended elsewhere, with some fields replaced.
func orderRecord(id, status, more string) string {
	fields := map[string]any{"identifier": "O-" + id, "debtor_number": "1", "offer": id, "shares": 3, "status": status,
		"placed": "2025-03-01T14:32:00+01:00", "paid": "2025-03-02", "ended": "2025-04-10T09:05:00+02:00", "transfer_date": "2025-04-10",
		"address": map[string]string{"street_name": "Dam", "house_number": "1", "postal_code": "1012JS", "city": "Amsterdam"}}
	if more != "" {
		if err := json.Unmarshal([]byte(more), &fields); err != nil {
			panic(err)
		}
	}
	return jsonOf(fields)
}

// Imported orders are only history: their buyer and staff can read them, and neither shares nor money move.
func TestPastOrders(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		record := func(identifier, status, created string) string {
			return jsonOf(map[string]any{"identifier": identifier, "debtor_number": "2", "participation_identifier": "P-2", "status": status,
				"date": "2025-02-01", "price_per_share": 100, "shares": 3, "created": created})
		}
		w.load("market_offer", record("sold", "SOLD", "2025-01-30T16:45:00+01:00"))
		w.load("market_offer", record("gone", "REVOKED", "2025-01-30"))
		t.Run("9-orders-imported", func(t *testing.T) {
			before := w.balance("P-2")
			w.load("market_order", orderRecord("sold", "COMPLETED", ""))
			w.load("market_order", orderRecord("gone", "EXPIRED", `{"paid":"","placed":"2025-02-03","reference":"oud-7"}`))
			w.load("market_order", orderRecord("sold", "CANCELLED", `{"identifier":"third","shares":1}`))
			w.load("market_order", orderRecord("sold", "EXPIRED", "")) // a second import with other values does not change the order
			got := call[[]order.Order](w, 200, member("1"), "GET", "/sustainable/orders", nil)
			require.Len(t, got, 3)
			byReference := map[string]order.Order{}
			for _, o := range got {
				byReference[o.Reference] = o
			}
			done := byReference["O-SOLD"]
			assert.Equal(t, []any{order.Completed, value.Cents(30000), int64(3), value.Day{Year: 2025, Month: time.April, Day: 10}},
				[]any{done.Status, done.Amount, done.Shares, done.TransferDate})
			assert.Equal(t, "2025-03-01T13:32:00Z", done.Placed.UTC().Format(time.RFC3339), "with its time of day")
			assert.Equal(t, "2025-03-01T23:00:00Z", done.Paid.UTC().Format(time.RFC3339), "a day begins at midnight of the label")
			assert.Equal(t, "Amsterdam", done.Offers[0].Address.City)
			assert.True(t, done.Withdraw.IsZero())
			assert.Equal(t, order.Expired, byReference["oud-7"].Status)
			assert.True(t, byReference["oud-7"].Paid.IsZero())
			third := byReference["THIRD"]
			assert.Equal(t, []any{order.Cancelled, value.Cents(10000), int64(1)}, []any{third.Status, third.Amount, third.Shares})
			staffs := call[operation.PageOf[order.StaffOrder]](w, 200, staffMember(), "GET", "/sustainable/staff/orders", nil).Content
			require.Len(t, staffs, 3)
			for _, o := range staffs {
				assert.Equal(t, "2025-04-10T07:05:00Z", o.Ended.UTC().Format(time.RFC3339), o.Reference)
				assert.Equal(t, []any{byReference[o.Reference].Placed.UTC(), byReference[o.Reference].Paid.UTC(), member("1").Relation},
					[]any{o.Placed.UTC(), o.Paid.UTC(), o.Relation}, o.Reference)
			}
			assert.Equal(t, before, w.balance("P-2"), "its shares moved elsewhere")
			assert.Empty(t, call[operation.PageOf[settlement.StaffPayment]](w, 200, staffMember(), "GET", "/sustainable/staff/payments",
				nil).Content)
			assert.Empty(t, w.queued("mail"))
			w.refused(409, state.CodeTransition, member("1"), "DELETE", "/sustainable/orders/"+done.ID, nil)
			w.requireConsistent() // the ledger is unchanged
		})
		t.Run("9-orders-imported", func(t *testing.T) {
			w.load("participation", shareRecord("2", "P-7", "WP", 4))
			made := w.offered(member("2"), jsonOf(newOffer("P-7", 4))).Reference
			for what, record := range map[string]string{
				"offer not_found ":                      orderRecord(made, "EXPIRED", ""), // for an offer that was not imported
				"status invalid":                        orderRecord("sold", "BOUGHT", ""),
				"status invalid ":                       orderRecord("sold", "AWAITING_PAYMENT", ""),
				"status invalid  ":                      orderRecord("sold", "CREATED", ""),
				"offer not_found":                       orderRecord("none", "EXPIRED", ""),
				"shares marketplace.not_enough_shares":  orderRecord("sold", "EXPIRED", `{"identifier":"o4","shares":4}`),
				"shares marketplace.not_enough_shares ": orderRecord("gone", "COMPLETED", `{"identifier":"o5"}`), // for an offer that was not sold
				"shares invalid":                        orderRecord("sold", "EXPIRED", `{"shares":0}`),
				"reference invalid":                     orderRecord("sold", "EXPIRED", `{"identifier":"o6","reference":"oud-7"}`),
				"placed invalid":                        orderRecord("sold", "EXPIRED", `{"placed":"2025-03-01T25:00:00Z"}`),
				"placed required":                       orderRecord("sold", "EXPIRED", `{"placed":""}`),
				"ended required":                        orderRecord("sold", "EXPIRED", `{"ended":""}`),
				"paid required":                         orderRecord("sold", "COMPLETED", `{"paid":""}`),
				"address.city required": orderRecord("sold", "EXPIRED",
					`{"address":{"street_name":"Dam","house_number":"1","postal_code":"1012JS","city":""}}`),
			} {
				refused := w.tryLoad("market_order", record)
				require.Len(t, refused, 1, what)
				assert.Equal(t, strings.TrimSpace(what), refused[0].Field+" "+refused[0].Code)
			}
		})
		t.Run("9-offers-created", func(t *testing.T) {
			created := map[string]string{}
			for _, id := range []string{"sold", "gone"} {
				var rows []offer.Offer
				require.NoError(t, w.s.host.DB.Find(w.system(), module.Label(w.system(), "test"), &rows, "AND o.reference = ?", strings.ToUpper(id)))
				require.Len(t, rows, 1)
				created[id] = rows[0].CreatedAt.UTC().Format(time.RFC3339)
			}
			assert.Equal(t, map[string]string{"sold": "2025-01-30T15:45:00Z", "gone": "2025-01-29T23:00:00Z"}, created)
			read := map[string]string{}
			for _, o := range call[operation.PageOf[offer.StaffOffer]](w, 200, staffMember(), "GET", "/sustainable/staff/offers", nil).Content {
				if id := strings.ToLower(o.Reference); created[id] != "" {
					read[id] = o.Created.Format(time.RFC3339)
				}
			}
			assert.Equal(t, created, read, "as staff read it")
			refused := w.tryLoad("market_offer", record("bad", "SOLD", "2025-01-30T16:45"))
			require.Len(t, refused, 1)
			assert.Equal(t, "created invalid", refused[0].Field+" "+refused[0].Code, "a moment without its offset")
		})
	})
}
