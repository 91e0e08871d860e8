package marketplace_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/test/fixture"
)

const day = 24 * time.Hour

func TestOrders(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(*testing.T, *fixture.Shop){
		"basket": baskets, "placing": placingOrders, "refused": ordersRefused, "paying": payingOrders, "ending": endingOrders,
		"late": latePayments, "staff": staffOrders, "sandbox": sandboxPages,
	} {
		t.Run(name, func(t *testing.T) { fixture.Shops(t, portaltest.Options{}, run) })
	}
}

func baskets(t *testing.T, s *fixture.Shop) {
	seller, buyer := s.With(t, 100), s.With(t, 0)
	dear := s.Offer(t, seller, 10, 40, fixture.Object{"date": "2026-11-20"})
	cheap := s.Offer(t, seller, 5, 25, nil)
	t.Run("7.6-get-basket", func(t *testing.T) {
		b := fixture.Body[fixture.Basket](t, buyer.Do(http.MethodGet, "/sustainable/basket", nil), 200)
		assert.Empty(t, b.Items)
		assert.Equal(t, "0.00", b.Total.String())
		assert.Empty(t, b.First, "there is no first day of nothing")
	})
	t.Run("7.6-post-basket,7.6-get-basket,3-basket-fields,3-basket-amounts", func(t *testing.T) {
		first := buyer.Adds(t, dear, 3)
		b := fixture.Body[fixture.Basket](t, buyer.Post("/sustainable/basket",
			fixture.Object{"offer": fixture.Object{"identifier": cheap, "reference": "AANBOD0002", "project_code": fixture.MarketProject,
				"shares": 2, "address": fixture.Place(7)}, "basket": first}), 200)
		require.Len(t, b.Items, 2)
		i := b.Items[0]
		assert.Equal(t, []any{dear, "AANBOD0001", "Windpark Molenbocht", fixture.MarketProject, int64(3), "40.00", "120.00"},
			[]any{i.Identifier, i.Reference, i.ProjectName, i.ProjectCode, i.Shares, i.Price.String(), i.Amount.String()})
		assert.Equal(t, fixture.Place(7), i.Address)
		assert.Equal(t, "50.00", b.Items[1].Amount.String())
		assert.Equal(t, "170.00", b.Total.String())
		assert.Equal(t, "2026-12-21", b.First)
		assert.Equal(t, int64(4), buyer.Adds(t, dear, 4).Items[0].Shares, "the same offer again: this number")
		b.Items[0].Shares, b.Items[0].Amount, b.Total = 4, "160.00", "210.00"
		assert.Equal(t, b, fixture.Body[fixture.Basket](t, buyer.Do(http.MethodGet, "/sustainable/basket", nil), 200))
		assert.Empty(t, fixture.Body[fixture.Basket](t, seller.Do(http.MethodGet, "/sustainable/basket", nil), 200).Items, "another one's")
	})
	t.Run("4-basket-storage-reconcile", func(t *testing.T) { // the data of the browser is only compared
		b := fixture.Body[fixture.Basket](t, buyer.Post("/sustainable/basket",
			fixture.Object{"offer": fixture.Object{"identifier": cheap, "shares": 1, "address": fixture.Place(7)},
				"basket": fixture.Object{"items": []fixture.Object{{"identifier": dear, "shares": 9, "price_per_share": 0.01, "amount": 0.09}},
					"total_amount": 0.09, "start_date": "2020-01-01", "x": 1}}), 200)
		require.Len(t, b.Items, 2)
		assert.Equal(t, []any{int64(4), "40.00", "185.00"}, []any{b.Items[0].Shares, b.Items[0].Price.String(), b.Total.String()})
		assert.Empty(t, fixture.Body[fixture.Basket](t, seller.Do(http.MethodGet, "/sustainable/basket", nil), 200).Items, "another one's")
	})
	t.Run("5.7-basket-needs-address,5.7-shares-clamp,7.6-basket-own-offer", func(t *testing.T) {
		add := func(m fixture.Member, changes fixture.Object) portaltest.Answer {
			return m.Post("/sustainable/basket", fixture.Object{"offer": fixture.With(fixture.Object{"identifier": dear, "shares": 1,
				"address": fixture.Place(7)}, changes)})
		}
		assert.Equal(t, []string{"offer.identifier marketplace.own_offer"}, fixture.RefusedFields(t, add(seller, nil)))
		for _, n := range []int{0, -1, 11, 1 << 40} {
			assert.Equal(t, []string{"offer.shares marketplace.shares_range"}, fixture.RefusedFields(t, add(buyer, fixture.Object{"shares": n})))
		}
		assert.Equal(t, []string{"offer.address marketplace.address_required"},
			fixture.RefusedFields(t, add(buyer, fixture.Object{"address": nil})))
		assert.Equal(t, []string{"offer.address marketplace.address_required"},
			fixture.RefusedFields(t, add(buyer, fixture.Object{"address": fixture.With(fixture.Place(7), fixture.Object{"city": " "})})))
		created := s.Offer(t, seller, 1, 30, fixture.Object{"status": "CREATED"})
		personal := s.Offer(t, seller, 1, 30, fixture.Object{"offer_publication_type": "DIRECT"})
		for name, a := range map[string]portaltest.Answer{
			"unknown":             add(buyer, fixture.Object{"identifier": "nobody"}),
			"not approved":        add(buyer, fixture.Object{"identifier": created}),
			"somebody's personal": add(buyer, fixture.Object{"identifier": personal}),
			"another reference":   add(buyer, fixture.Object{"reference": "AANBOD0002"}),
			"another project":     add(buyer, fixture.Object{"project_code": "ZON"}),
		} {
			assert.Equal(t, []any{409, "marketplace.offer_unavailable"}, []any{a.Status, a.Code()}, name)
		}
		b := fixture.Body[fixture.Basket](t, buyer.Do(http.MethodGet, "/sustainable/basket", nil), 200)
		require.Len(t, b.Items, 2, "nothing of it stayed")
		assert.EqualValues(t, 4, b.Items[0].Shares)
		for _, n := range []int64{1, 10, 4} { // all shares of the offer
			b = fixture.Body[fixture.Basket](t, add(buyer, fixture.Object{"shares": n}), 200)
			assert.Equal(t, []int64{n, 1}, []int64{b.Items[0].Shares, b.Items[1].Shares}, "the answer is the updated basket")
		}
	})
	t.Run("7.6-basket-delete-post,7.6-basket-delete,7.6-basket-delete-reconcile", func(t *testing.T) {
		b := fixture.Body[fixture.Basket](t, buyer.Post("/sustainable/basket/"+dear+"/delete", nil), 200)
		require.Len(t, b.Items, 1)
		assert.Equal(t, cheap, b.Items[0].Identifier)
		for method, path := range map[string]string{http.MethodDelete: "/sustainable/basket/" + dear, http.MethodPost: "/sustainable/basket/" +
			dear + "/delete"} {
			a := buyer.Do(method, path, nil)
			assert.Equal(t, []any{404, "not_found"}, []any{a.Status, a.Code()}, "it is out already")
		}
		assert.Equal(t, b, fixture.Body[fixture.Basket](t, buyer.Do(http.MethodGet, "/sustainable/basket", nil), 200))
		buyer.Adds(t, dear, 4)
		assert.Equal(t, b, fixture.Body[fixture.Basket](t, buyer.Do(http.MethodDelete, "/sustainable/basket/"+dear, nil), 200),
			"as by the other call")
		assert.Equal(t, b, fixture.Body[fixture.Basket](t, buyer.Do(http.MethodGet, "/sustainable/basket", nil), 200))
		assert.Empty(t, fixture.Body[fixture.Basket](t, buyer.Do(http.MethodDelete, "/sustainable/basket/"+cheap, nil), 200).Items)
	})
	t.Run("a basket has an end", func(t *testing.T) {
		var last portaltest.Answer
		for range 26 {
			last = buyer.Post("/sustainable/basket",
				fixture.Object{"offer": fixture.Object{"identifier": s.Offer(t, seller, 1, 30, nil), "shares": 1, "address": fixture.Place(7)}})
		}
		assert.Equal(t, "marketplace.basket_full", last.Code())
	})
}

func placingOrders(t *testing.T, s *fixture.Shop) {
	seller, buyer := s.With(t, 100), s.With(t, 0)
	offer, other := s.Offer(t, seller, 20, 40, nil), s.Offer(t, seller, 20, 25, nil)
	t.Run("7.6-post-order,3-order-fields,4-order-status-enum,7.6-get-orders,9-order-reservation,9-reservation-link-reconcile", func(t *testing.T) {
		buyer.Adds(t, offer, 3)
		shown := buyer.Adds(t, other, 2)
		p := buyer.Places(t, fixture.Object{"basket": shown})
		require.Equal(t, "SUCCESS", p.Status)
		assert.Empty(t, p.Basket.Items)
		require.NotNil(t, p.Order)
		assert.Equal(t, "CREATED", p.Order.Status)
		o := buyer.Order(t, p.Order.ID, "AWAITING_PAYMENT") // without another request
		assert.Equal(t, []any{"170.00", int64(5), "2026-12-21", false, false},
			[]any{o.Amount.String(), o.Shares, o.TransferDate, o.PrivateDeal, o.PrivateOrder})
		assert.Equal(t, 14*day, o.Expires.Sub(o.Placed))
		require.Len(t, o.Offers, 2)
		assert.ElementsMatch(t, []string{"AANBOD0001 3 40.00", "AANBOD0002 2 25.00"}, []string{
			fmt.Sprint(o.Offers[0].Reference, " ", o.Offers[0].Shares, " ", o.Offers[0].Price),
			fmt.Sprint(o.Offers[1].Reference, " ", o.Offers[1].Shares, " ", o.Offers[1].Price)})
		assert.Equal(t, fixture.Place(7), o.Offers[0].Address)
		assert.EqualValues(t, 17, s.SharesLeft(t, buyer, offer))
		_, offered := seller.Balance(t)
		assert.EqualValues(t, 40, offered, "reserved shares are offered ones still")
		buyer.Mailed(t, "staat klaar om te betalen")

		next := buyer.Buy(t, offer, 1, fixture.Object{"start_date": "2027-01-15"})
		assert.Equal(t, "2027-01-15", next.TransferDate, "the day that was asked for")
		all := fixture.Body[[]fixture.Order](t, buyer.Do(http.MethodGet, "/sustainable/orders", nil), 200)
		require.Len(t, all, 2)
		assert.Equal(t, []fixture.Order{next, o}, all, "newest first")
		assert.Empty(t, fixture.Body[[]fixture.Order](t, seller.Do(http.MethodGet, "/sustainable/orders", nil), 200), "another one's")
	})
	t.Run("7.6-get-paylink,7.6-paylink-id,9-payment-link-life,9-reservation-link-reconcile", func(t *testing.T) {
		o := buyer.Buy(t, offer, 1, nil)
		link := buyer.Link(t, o.ID)
		assert.Equal(t, link, buyer.Link(t, o.ID), "while it is of use it is the same")
		assert.Equal(t, link, fixture.Body[map[string]string](t, buyer.Do(http.MethodGet, "/sustainable/orders/"+o.ID+"/paylink", nil),
			200)["url"])
		assert.Equal(t, 404, buyer.Do(http.MethodDelete, "/sustainable/orders/"+o.Reference, nil).Status, "as in a DELETE")
		assert.True(t, strings.HasPrefix(link, s.LabelURL("alpha")+"/api/v0/sustainable/sandbox/"), link)
		for _, c := range []struct {
			who  fixture.Member
			id   string
			want int
		}{{seller, o.ID, 404}, {buyer, o.Reference, 404}, {buyer, "nobody", 404}} {
			assert.Equal(t, c.want, c.who.Do(http.MethodGet, "/sustainable/orders/"+c.id+"/paylink", nil).Status)
		}
		s.Later(t, 7*day, &buyer, &seller)
		second := buyer.Link(t, o.ID)
		assert.NotEqual(t, link, second, "a link lives for 7 days, then there is a new one")
		s.Later(t, 6*day, &buyer, &seller)
		assert.Equal(t, second, buyer.Link(t, o.ID), "which lives as long as the order")
		s.Later(t, day, &buyer, &seller)
		assert.Equal(t, "EXPIRED", buyer.Order(t, o.ID, "EXPIRED").Status)
		assert.Equal(t, "marketplace.not_payable", buyer.Do(http.MethodGet, "/sustainable/orders/"+o.ID+"/paylink", nil).Code())
	})
	t.Run("7.6-prefix-reconcile", func(t *testing.T) {
		for path, status := range map[string]int{"//api/v0/sustainable/orders": 200, "//api/v0/orders": 404} {
			assert.Equal(t, status, s.Do(portaltest.Call{Path: path, Bearer: buyer.Bearer}).Status, path)
		}
	})
	t.Run("7.6-post-paylink", func(t *testing.T) {
		o := buyer.Buy(t, offer, 1, fixture.Object{"start_date": "2027-06-01"})
		link := buyer.Link(t, o.ID)
		path := "/sustainable/orders/" + o.ID + "/paylink"
		assert.Equal(t, link, fixture.Body[struct{ URL string }](t, buyer.Do(http.MethodGet, path, nil), 200).URL, "clients in the field GET it")
		assert.Equal(t, 405, s.Do(portaltest.Call{Method: http.MethodHead, Path: path, Bearer: buyer.Bearer}).Status)
		helper := s.Impersonator("alpha", buyer.Relation).Bearer
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			a := s.Do(portaltest.Call{Method: method, Path: path, Bearer: helper})
			assert.Equal(t, []any{403, "read_only"}, []any{a.Status, a.Code()}, method)
		}
		var described struct {
			Paths map[string]map[string]struct {
				Effect     string `json:"x-effect"`
				Deprecated bool
			}
		}
		s.Do(portaltest.Call{Path: "/openapi.json"}).JSON(t, &described)
		both := described.Paths["/sustainable/orders/{id}/paylink"]
		require.Len(t, both, 2)
		assert.Equal(t, []any{"write", "write", false, true}, []any{both["post"].Effect, both["get"].Effect, both["post"].Deprecated,
			both["get"].Deprecated})
	})
	t.Run("3-basket-start-date-alias", func(t *testing.T) { // the browser may use either name for the day: the server uses its own value
		for _, name := range []string{"start_date", "first_valid_start_date"} {
			seen := fixture.Object{"items": []any{fixture.Object{"identifier": offer, "shares": 1, "price_per_share": 40, "amount": 40}},
				"total_amount": 40, name: "2026-12-22"}
			b := fixture.Body[fixture.Basket](t, buyer.Post("/sustainable/basket",
				fixture.Object{"offer": fixture.Object{"identifier": offer, "shares": 1, "address": fixture.Place(7)}, "basket": seen}), 200)
			require.Len(t, b.Items, 1)
			p := buyer.Places(t, fixture.Object{"basket": seen, "start_date": "2027-06-01"})
			require.Equal(t, "SUCCESS", p.Status, name)
			fixture.Body[fixture.Order](t, buyer.Do(http.MethodDelete, "/sustainable/orders/"+p.Order.ID, nil), 200)
		}
	})
	t.Run("11-order-key-replicas", func(t *testing.T) {
		placed := func() int {
			return len(fixture.Body[[]fixture.Order](t, buyer.Do(http.MethodGet, "/sustainable/orders", nil), 200))
		}
		before := placed()
		send := func(key string, body fixture.Object) portaltest.Answer {
			return s.Do(portaltest.Call{Method: http.MethodPost, Path: "/sustainable/basket/order", Bearer: buyer.Bearer, Body: body,
				Header: map[string]string{"Idempotency-Key": key}})
		}
		request := fixture.OrderRequest(fixture.Object{"start_date": "2027-02-01"})
		buyer.Adds(t, offer, 1)
		first := fixture.Body[fixture.Placed](t, send("k1", request), 200)
		require.Equal(t, "SUCCESS", first.Status)
		second := fixture.Body[fixture.Placed](t, send("k1", request), 200)
		require.Equal(t, "SUCCESS", second.Status)
		assert.Equal(t, first.Order.ID, second.Order.ID)
		assert.Len(t, second.Order.Offers, 1)
		assert.Equal(t, before+1, placed())
		a := send("k1", fixture.OrderRequest(fixture.Object{"start_date": "2027-02-02"}))
		assert.Equal(t, []any{422, "marketplace.key_reused"}, []any{a.Status, a.Code()})
	})
	t.Run("a double click orders once", func(t *testing.T) {
		before := len(fixture.Body[[]fixture.Order](t, buyer.Do(http.MethodGet, "/sustainable/orders", nil), 200))
		buyer.Adds(t, offer, 1)
		var wg sync.WaitGroup
		statuses := make(chan string, 8)
		for range 8 {
			wg.Go(func() { statuses <- buyer.Places(t, fixture.Object{"start_date": "2027-02-01"}).Status })
		}
		wg.Wait()
		close(statuses)
		count := map[string]int{}
		for x := range statuses {
			count[x]++
		}
		assert.Equal(t, map[string]int{"SUCCESS": 1, "BASKET_EMPTY": 7}, count)
		assert.Len(t, fixture.Body[[]fixture.Order](t, buyer.Do(http.MethodGet, "/sustainable/orders", nil), 200), before+1)
	})
}

func ordersRefused(t *testing.T, s *fixture.Shop) {
	seller, buyer, rival := s.With(t, 100), s.With(t, 0), s.With(t, 0)
	offer, other := s.Offer(t, seller, 5, 40, nil), s.Offer(t, seller, 5, 25, nil)
	none := func(t *testing.T) {
		t.Helper()
		assert.Empty(t, fixture.Body[[]fixture.Order](t, buyer.Do(http.MethodGet, "/sustainable/orders", nil), 200), "nothing was ordered")
		assert.EqualValues(t, 5, s.SharesLeft(t, buyer, offer))
	}
	t.Run("7.6-order-waiver,5.7-checkout-date-min", func(t *testing.T) {
		assert.Equal(t, "BASKET_EMPTY", buyer.Places(t, nil).Status)
		buyer.Adds(t, offer, 2)
		for want, all := range map[string][]fixture.Object{
			"WITHDRAWAL_NOT_WAIVED": {{"waiveWithdrawalPeriod": false}, {"waiveWithdrawalPeriod": nil}},
			"START_DATE_INVALID": {{"start_date": "2026-12-20"}, {"start_date": ""}, {"start_date": nil}, {"start_date": "2027-02-30"},
				{"start_date": "soon"}},
		} {
			for _, changes := range all {
				p := buyer.Places(t, changes)
				assert.Equal(t, want, p.Status, "%v", changes)
				assert.Len(t, p.Basket.Items, 1)
				assert.Nil(t, p.Order)
			}
		}
		none(t)
	})
	t.Run("tampered baskets", func(t *testing.T) {
		shown := fixture.Body[fixture.Object](t, buyer.Do(http.MethodGet, "/sustainable/basket", nil), 200)
		item := shown["items"].([]any)[0].(fixture.Object)
		for name, basket := range map[string]fixture.Object{
			"cheaper": fixture.With(shown, fixture.Object{"items": []fixture.Object{fixture.With(item,
				fixture.Object{"price_per_share": 0.01, "amount": 0.02})}, "total_amount": 0.02}),
			"more":    fixture.With(shown, fixture.Object{"items": []fixture.Object{fixture.With(item, fixture.Object{"shares": 5})}}),
			"total":   fixture.With(shown, fixture.Object{"total_amount": 1}),
			"empty":   {"items": []fixture.Object{}, "total_amount": 0},
			"another": fixture.With(shown, fixture.Object{"items": []fixture.Object{fixture.With(item, fixture.Object{"identifier": other})}}),
		} {
			p := buyer.Places(t, fixture.Object{"basket": basket})
			assert.Equal(t, "BASKET_CHANGED", p.Status, name)
			assert.Equal(t, "80.00", p.Basket.Total.String(), name)
		}
		for name, basket := range map[string]any{"text": "x", "list": []int{1},
			"amount": fixture.With(shown, fixture.Object{"total_amount": "0.001x"})} {
			a := buyer.Post("/sustainable/basket/order", fixture.OrderRequest(fixture.Object{"basket": basket}))
			assert.Equal(t, http.StatusBadRequest, a.Status, name)
		}
		none(t)
	})
	t.Run("9-basket-as-shown", func(t *testing.T) {
		shown := fixture.Body[fixture.Object](t, buyer.Do(http.MethodGet, "/sustainable/basket", nil), 200)
		item := shown["items"].([]any)[0].(fixture.Object)
		at := func(address fixture.Object) fixture.Object {
			return fixture.Object{"basket": fixture.With(shown,
				fixture.Object{"items": []fixture.Object{fixture.With(item, fixture.Object{"address": address})}})}
		}
		elsewhere := fixture.With(item["address"].(fixture.Object), fixture.Object{"house_number": "999"})
		p := buyer.Places(t, at(elsewhere))
		assert.Equal(t, "BASKET_CHANGED", p.Status, "another tab has chosen another address")
		none(t)
		without := fixture.With(item, fixture.Object{"address": nil})
		for name, good := range map[string]fixture.Object{
			"as shown":   at(item["address"].(fixture.Object)),
			"no address": {"basket": fixture.With(shown, fixture.Object{"items": []fixture.Object{without}})},
		} {
			good["start_date"] = "soon" // checked after the basket
			assert.Equal(t, "START_DATE_INVALID", buyer.Places(t, good).Status, name)
		}
		none(t)
	})
	t.Run("7.6-order-basket-stale", func(t *testing.T) {
		buyer.Adds(t, offer, 4)
		buyer.Adds(t, other, 1)
		rival.Buy(t, offer, 3, nil)
		p := buyer.Places(t, nil)
		assert.Equal(t, "OFFER_UNAVAILABLE", p.Status)
		require.Len(t, p.Basket.Items, 1, "what can be ordered stays")
		assert.Equal(t, other, p.Basket.Items[0].Identifier)
		assert.Nil(t, p.Order)
		assert.EqualValues(t, 2, s.SharesLeft(t, buyer, offer))
		assert.EqualValues(t, 5, s.SharesLeft(t, buyer, other), "nothing half-done")
		buyer.Adds(t, offer, 1)
		fixture.Body[fixture.Object](t, seller.Post("/sustainable/offers/retract", fixture.Object{"reference": "AANBOD0001", "shares": 2}), 200)
		p = buyer.Places(t, nil)
		assert.Equal(t, "OFFER_UNAVAILABLE", p.Status)
		assert.Len(t, p.Basket.Items, 1)
		assert.Equal(t, "SUCCESS", buyer.Places(t, nil).Status)
	})
	t.Run("who may not", func(t *testing.T) {
		for _, c := range []portaltest.Call{{Path: "/sustainable/basket"}, {Path: "/sustainable/orders"},
			{Method: http.MethodPost, Path: "/sustainable/basket/order", Body: fixture.Object{}},
			{Method: http.MethodDelete, Path: "/sustainable/orders/x"}, {Path: "/sustainable/orders/x/paylink"}} {
			assert.Equal(t, http.StatusUnauthorized, s.Do(c).Status, c.Path)
		}
		helper := s.Impersonator("alpha", buyer.Relation).Bearer
		for _, c := range []portaltest.Call{{Method: http.MethodPost, Path: "/sustainable/basket/order", Body: fixture.OrderRequest(nil)},
			{Path: "/sustainable/orders/x/paylink"},
			{Method: http.MethodDelete, Path: "/sustainable/basket/x"}} {
			c.Bearer = helper
			assert.Equal(t, []any{403, "read_only"}, []any{s.Do(c).Status, s.Do(c).Code()}, c.Path)
		}
		assert.Equal(t, http.StatusOK, s.Do(portaltest.Call{Path: "/sustainable/orders", Bearer: helper}).Status)
	})
}
