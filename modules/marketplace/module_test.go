package marketplace

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/access"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// The module contract, in-process and as a plugin. Members 1 and 2 may trade; 3 has not asked for access yet.
func TestConformance(t *testing.T) {
	w := &world{t: t, contract: map[string]bool{}, files: map[string]string{"reports/WP.pdf": "%PDF-1.7"},
		homes: map[string][]map[string]any{},
		accounts: []account{{ID: "a2", Relation: member("2").Relation, Role: module.RoleCustomer, Email: "twee@voorbeeld.example", Name: "Twee",
			Locale: "nl"}}}
	settings := testSettings()
	settings.Access.Approval = true
	one, two, three := member("1"), member("2"), member("3")
	call := func(who module.Scope, method, path, body string) moduletest.Call {
		return moduletest.Call{Method: method, Path: operation.Base + path, Body: body, As: who}
	}
	imported := func(identifier string) string {
		return value.StableID(moduletest.LabelOne, "imported offer", identifier)
	}
	record := func(identifier, kind, status, extra string) moduletest.Record {
		return moduletest.Record{Kind: offer.ImportKind, Data: fmt.Sprintf(`{"identifier":%q,"reference":"R-%s","debtor_number":"2","participation_identifier":"P2","offer_publication_type":%q,
			"status":%q,"date":"2026-01-02","price_per_share":100,"shares":3%s}`, identifier, identifier, kind, status, extra)}
	}
	const address = `{"street_name":"Dam","house_number":"1","postal_code":"1012JS","city":"Amsterdam"}`
	wanted := func(identifier string) string {
		return fmt.Sprintf(`{"offer":{"identifier":%q,"shares":1,"address":%s}}`, imported(identifier), address)
	}
	event := func(kind string, data any) module.Event {
		raw, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		return module.Event{Type: kind, Key: kind, Data: raw}
	}
	var state []moduletest.Call
	for _, who := range []module.Scope{one, two, three} {
		for _, path := range []string{"/projects", "/offers", "/market/projects", "/market?personal=true", "/basket", "/orders",
			"/participations/moves", "/access"} {
			state = append(state, call(who, "", path, ""))
		}
	}
	ask := call(three, "POST", "/access", "")
	nobody := "what it needs has an id that only its making tells"
	approval, paid, days := "needs a decision of staff on an offer: TestApproval",
		"needs an order that is paid or not: TestMoneyThatComesBack, TestWithdrawal", "needs days to pass: TestInterleavings"
	moduletest.Run(t, Module, moduletest.Options{
		Main: "./plugin", Settings: settings, Siblings: w.siblings(), State: state,
		Records: []moduletest.Record{
			{Kind: project.ImportKind, Data: projectRecordOf("WP")},
			{Kind: participation.ImportKind, Data: shareRecord("1", "P1", "WP", 20)},
			{Kind: participation.ImportKind, Data: shareRecord("2", "P2", "WP", 30)},
			{Kind: participation.ImportKind, Data: shareRecord("2", "P9", "NERGENS", 1)},
			record("open", offer.Public, "ACTIVE", ""), record("soon", offer.Public, "APPROVED", ""),
			record("code", offer.Direct, "ACTIVE", `,"direct_offer_code":"ABCDEFGHJK2"`),
			record("past", offer.Public, "SOLD", ""), {Kind: order.ImportKind, Data: orderRecord("past", "COMPLETED", "")},
			{Kind: access.ImportKind, Data: `{"debtor_number":"1","state":"APPROVED"}`},
			{Kind: access.ImportKind, Data: `{"debtor_number":"2","state":"APPROVED"}`},
		},
		Prepare: []moduletest.Call{call(one, "POST", "/basket", wanted("open"))},
		Writes: map[string]moduletest.Call{
			"createOffer":  call(one, "POST", "/offers", `{"participation_identifier":"P1","date":"2026-12-31","number_of_shares":1,"price":100}`),
			"retractOffer": call(two, "POST", "/offers/retract", `{"reference":"R-open"}`),
			"createTransfer": call(one, "POST", "/transfers",
				`{"participation_identifier":"P1","number_of_shares":1,"buyer_email_address":"twee@voorbeeld.example","date":"2026-12-31"}`),
			"activateOffer": call(one, "POST", "/activation/direct/ABCDEFGHJK2", ""),
			"moveShares": call(one, "POST", "/participations/move",
				`{"date":"2026-12-31","items":[{"participationIdentifier":"P1","shares":1,"address":`+address+`}]}`),
			"requestAccess": ask,

			"addToBasket":            call(one, "POST", "/basket", wanted("open")),
			"removeFromBasket":       call(one, "DELETE", "/basket/"+imported("open"), ""),
			"removeFromBasketByPost": call(one, "POST", "/basket/"+imported("open")+"/delete", ""),
			"placeOrder":             call(one, "POST", "/basket/order", `{"waiveWithdrawalPeriod":true,"start_date":"2026-12-31"}`),
		},
		Skip: map[string]string{
			"cancelMove": nobody, "cancelOrder": nobody, "createPayLink": nobody, "getPayLink": nobody, "withdrawOrder": nobody,
			"paymentWebhook": nobody, "useSandbox": nobody, "refundPayment": nobody, "seePayment": nobody, "cancelSale": nobody,
			marketplaceapi.EventOfferApproved: approval, marketplaceapi.EventOfferRejected: approval,
			marketplaceapi.EventAuditFailed: "needs a ledger that is not whole: TestAuditSees",
			marketplaceapi.EventOrderBought: paid, marketplaceapi.EventOrdersTransfer: paid, marketplaceapi.EventOrdersRemind: paid,
			marketplaceapi.EventOrdersExpire: paid, marketplaceapi.EventPaymentCase: paid, marketplaceapi.EventRefund: paid,
			marketplaceapi.EventTransferDue: days, marketplaceapi.EventSharesTransferred: days, marketplaceapi.EventOfferSold: days,
			marketplaceapi.EventSharesMoved: days, marketplaceapi.EventMoveCancelled: days,
			"marketplace.offer": "two offers are two requests, and a rejection needs a reason of the set: TestOffers",
		},
		Changes: map[string]moduletest.Call{access.ChangeKind: ask},
		Events: []module.Event{
			event(marketplaceapi.EventOfferDue, marketplaceapi.OfferDue{Offer: imported("soon")}),
			event(marketplaceapi.EventTransferDue, marketplaceapi.OfferDue{Offer: imported("open")}),
			event(marketplaceapi.EventMoveDue, marketplaceapi.MoveDue{Move: "none"}),
			event(marketplaceapi.EventNotice, marketplaceapi.Notice{Kind: notice.OfferSold, Relation: two.Relation, Shares: 1}),
			event(marketplaceapi.EventSwept, struct{}{}), event(marketplaceapi.EventAudit, struct{}{}),
			event(marketplaceapi.EventOrdersPlaced, marketplaceapi.Orders{Orders: []string{"none"}}),
			event(marketplaceapi.EventOrdersRemind, marketplaceapi.Orders{Orders: []string{"none"}}),
			event(marketplaceapi.EventOrdersExpire, marketplaceapi.Orders{Orders: []string{"none"}}),
			event(marketplaceapi.EventOrdersTransfer, marketplaceapi.Orders{Orders: []string{"none"}}),
			event(marketplaceapi.EventRefund, marketplaceapi.RefundDue{Payment: "none"}),
		},
	})
}

// Everything that the manifest declares is implemented, and nothing else is.
func TestManifestDeclaresWhatIsHandled(t *testing.T) {
	s := newService(module.Host{}).(*service)
	assert.ElementsMatch(t, manifest.Handles, slices.Collect(maps.Keys(s.events)))
	assert.ElementsMatch(t, manifest.Imports, slices.Collect(maps.Keys(s.records)))
	assert.ElementsMatch(t, manifest.Changes, slices.Collect(maps.Keys(s.changes)))
}
