package main_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/config"
	"github.com/wattle-portal/wattle/core/internal/mail"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/modules/marketplace/mollietest"
)

const day = 24 * time.Hour

// shop is a label where members buy and sell.
type shop struct {
	*members
	offers int
}

type addressSeen = object

type basketShown struct {
	Items []struct {
		Identifier  string
		Reference   string
		ProjectName string `json:"project_name"`
		ProjectCode string `json:"project_code"`
		Address     addressSeen
		Shares      int64
		Price       json.Number `json:"price_per_share"`
		Amount      json.Number
	}
	Total json.Number `json:"total_amount"`
	First string      `json:"first_valid_start_date"`
}

type orderShown struct {
	Reference    string `json:"deal_reference"`
	ID           string `json:"deal_identifier"`
	Status       string
	PrivateDeal  bool `json:"private_deal"`
	PrivateOrder bool `json:"private_order"`
	Amount       json.Number
	Shares       int64
	TransferDate string    `json:"transfer_date"`
	Expires      time.Time `json:"expiration_date"`
	Placed       time.Time
	Paid         time.Time
	Withdraw     string `json:"withdraw_until"`
	Offers       []struct {
		Reference   string
		ProjectCode string `json:"project_code"`
		ProjectName string `json:"project_name"`
		Shares      int64
		Price       json.Number `json:"price_per_share"`
		Address     addressSeen
	}
}

type placedShown struct {
	Status string
	Basket basketShown
	Order  *orderShown
}

type paymentShown struct {
	ID        string
	Order     string `json:"deal_identifier"`
	Reference string `json:"deal_reference"`
	State     string
	Late      bool
	Note      string
	MayRefund bool   `json:"may_refund"`
	MaySee    bool   `json:"may_see"`
	Seen      string `json:"seen_at"`
	Buyer     string `json:"buyer_name"`
	Debtor    string `json:"debtor_number"`
	Provider  string `json:"provider_id"`
}

// offer puts shares of a member up for sale, and gives the offer's identifier.
func (s *shop) offer(t *testing.T, seller member, shares, price int, changes object) string {
	t.Helper()
	s.offers++
	name := fmt.Sprintf("AANBOD%04d", s.offers)
	require.Empty(t, records(t, s.Server, "market_offer", with(object{"identifier": name, "debtor_number": seller.debtor, "participation_identifier": seller.participation,
		"status": "ACTIVE", "date": "2026-11-01", "price_per_share": price, "shares": shares}, changes)))
	return value.StableID("alpha", "imported offer", name)
}

func (c customer) adds(t *testing.T, offer string, shares int) basketShown {
	t.Helper()
	return fine[basketShown](t, c.post("/sustainable/basket", object{"offer": object{"identifier": offer, "shares": shares, "address": place(7)}}), 200)
}

func wishes(changes object) object {
	return with(object{"waiveWithdrawalPeriod": true, "start_date": "2026-12-21"}, changes)
}

func (c customer) places(t *testing.T, changes object) placedShown {
	t.Helper()
	return fine[placedShown](t, c.post("/sustainable/basket/order", wishes(changes)), 200)
}

// buys orders shares of one offer and waits until they can be paid.
func (c customer) orders(t *testing.T, offer string, shares int, changes object) orderShown {
	t.Helper()
	c.adds(t, offer, shares)
	p := c.places(t, changes)
	require.Equal(t, "SUCCESS", p.Status)
	return c.order(t, p.Order.ID, "AWAITING_PAYMENT")
}

// order waits until an order has a status.
func (c customer) order(t *testing.T, id, status string) (found orderShown) {
	t.Helper()
	soon(t, c.s, func() bool {
		for _, o := range fine[[]orderShown](t, c.do(http.MethodGet, "/sustainable/orders", nil), 200) {
			if o.ID == id {
				found = o
			}
		}
		return found.Status == status
	})
	return found
}

func (c customer) link(t *testing.T, id string) string {
	t.Helper()
	return fine[struct{ URL string }](t, c.post("/sustainable/orders/"+id+"/paylink", nil), 200).URL
}

// chooses does something on the page of the sandbox and gives where that leads.
func chooses(t *testing.T, s *apptest.Server, link, what string) string {
	t.Helper()
	u, err := url.Parse(link)
	require.NoError(t, err)
	a := s.Do(apptest.Call{Method: http.MethodPost, Path: "/" + u.Path, Body: "do=" + what, Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}})
	require.Equal(t, http.StatusSeeOther, a.Status, string(a.Body))
	return a.Header.Get("Location")
}

// later moves the clock; whoever goes on has to sign in again.
func (s *shop) later(t *testing.T, d time.Duration, all ...*member) {
	t.Helper()
	require.NoError(t, s.Advance(t.Context(), d))
	for _, m := range all {
		m.customer = s.login(t, m.debtor, m.email)
	}
}

func (s *shop) payments(t *testing.T, query string) []paymentShown {
	t.Helper()
	a := s.Do(apptest.Call{Path: "/sustainable/staff/payments?" + query, Bearer: s.Staff("alpha")})
	return fine[struct{ Content []paymentShown }](t, a, 200).Content
}

// sees says for staff that a payment has been seen to.
func (s *shop) sees(payment string) apptest.Answer {
	return s.Do(apptest.Call{Method: http.MethodPost, Path: "/sustainable/staff/payments/" + payment + "/seen", Bearer: s.Staff("alpha")})
}

func (s *shop) paymentOf(t *testing.T, order string) (found []paymentShown) {
	t.Helper()
	for _, p := range s.payments(t, "") {
		if p.Order == order {
			found = append(found, p)
		}
	}
	return found
}

// balance is what a seller has, of which is offered.
func (m member) balance(t *testing.T) (share, offered int64) {
	t.Helper()
	for _, p := range fine[[]struct{ Participations []participationSeen }](t, m.do(http.MethodGet, "/sustainable/projects", nil), 200) {
		for _, x := range p.Participations {
			if x.Identifier == m.participation {
				return x.Share, x.Offered
			}
		}
	}
	return 0, 0
}

// left is how many shares of an offer can be bought.
func (s *shop) left(t *testing.T, viewer member, offer string) int64 {
	t.Helper()
	page := fine[struct {
		Content []struct {
			Identifier string
			Shares     int64
		}
	}](t, viewer.post("/sustainable/market?size=100", object{"filters": object{}}), 200)
	for _, o := range page.Content {
		if o.Identifier == offer {
			return o.Shares
		}
	}
	return 0
}

// mailed waits for a mail with a text in its subject.
func (m member) mailed(t *testing.T, subject string) {
	t.Helper()
	soon(t, m.s, func() bool {
		all, err := m.s.Mail.List(t.Context())
		require.NoError(t, err)
		return slices.ContainsFunc(all, func(x mail.Message) bool { return x.Mail.To == m.email && strings.Contains(x.Subject, subject) })
	})
}

func shops(t *testing.T, o apptest.Options, run func(*testing.T, *shop)) {
	o.Modules = []module.Module{account.Module, billing.Module, marketplace.Module}
	if o.Labels == nil {
		o.Labels = []apptest.Label{{Key: "alpha", CUE: `modules: marketplace: payment: provider: "sandbox"`},
			{Key: "beta", CUE: "modules: marketplace: access: approval: true"}}
	}
	apptest.Each(t, o, func(t *testing.T, s *apptest.Server) {
		all := &shop{members: &members{customers: &customers{Server: s, t: t}}}
		all.project()
		run(t, all)
	})
}

func TestOrders(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(*testing.T, *shop){
		"basket": baskets, "placing": placingOrders, "refused": ordersRefused, "paying": payingOrders, "ending": endingOrders, "late": latePayments,
		"staff": staffOrders, "sandbox": sandboxPages,
	} {
		t.Run(name, func(t *testing.T) { shops(t, apptest.Options{}, run) })
	}
}

func baskets(t *testing.T, s *shop) {
	seller, buyer := s.with(t, 100), s.with(t, 0)
	dear := s.offer(t, seller, 10, 40, object{"date": "2026-11-20"})
	cheap := s.offer(t, seller, 5, 25, nil)
	t.Run("7.6-get-basket", func(t *testing.T) {
		b := fine[basketShown](t, buyer.do(http.MethodGet, "/sustainable/basket", nil), 200)
		assert.Empty(t, b.Items)
		assert.Equal(t, "0.00", b.Total.String())
		assert.Empty(t, b.First, "there is no first day of nothing")
	})
	t.Run("7.6-post-basket,3-basket-fields,3-basket-amounts", func(t *testing.T) {
		first := buyer.adds(t, dear, 3)
		b := fine[basketShown](t, buyer.post("/sustainable/basket", object{"offer": object{"identifier": cheap, "reference": "AANBOD0002", "project_code": marketProject, "shares": 2,
			"address": place(7)}, "basket": first}), 200)
		require.Len(t, b.Items, 2)
		i := b.Items[0]
		assert.Equal(t, []any{dear, "AANBOD0001", "Windpark Molenbocht", marketProject, int64(3), "40.00", "120.00"},
			[]any{i.Identifier, i.Reference, i.ProjectName, i.ProjectCode, i.Shares, i.Price.String(), i.Amount.String()})
		assert.Equal(t, place(7), i.Address)
		assert.Equal(t, "50.00", b.Items[1].Amount.String())
		assert.Equal(t, "170.00", b.Total.String())
		assert.Equal(t, "2026-12-21", b.First)
		assert.Equal(t, int64(4), buyer.adds(t, dear, 4).Items[0].Shares, "the same offer again: this number")
		assert.Len(t, fine[basketShown](t, buyer.do(http.MethodGet, "/sustainable/basket", nil), 200).Items, 2)
	})
	t.Run("4-basket-storage-reconcile", func(t *testing.T) { // what a browser sends along is compared and never taken over
		b := fine[basketShown](t, buyer.post("/sustainable/basket", object{"offer": object{"identifier": cheap, "shares": 1, "address": place(7)},
			"basket": object{"items": []object{{"identifier": dear, "shares": 9, "price_per_share": 0.01, "amount": 0.09}}, "total_amount": 0.09, "start_date": "2020-01-01", "x": 1}}), 200)
		require.Len(t, b.Items, 2)
		assert.Equal(t, []any{int64(4), "40.00", "185.00"}, []any{b.Items[0].Shares, b.Items[0].Price.String(), b.Total.String()})
		assert.Empty(t, fine[basketShown](t, seller.do(http.MethodGet, "/sustainable/basket", nil), 200).Items, "another one's")
	})
	t.Run("5.7-basket-needs-address,7.6-basket-own-offer", func(t *testing.T) {
		add := func(m member, changes object) apptest.Answer {
			return m.post("/sustainable/basket", object{"offer": with(object{"identifier": dear, "shares": 1, "address": place(7)}, changes)})
		}
		assert.Equal(t, []string{"offer.identifier marketplace.own_offer"}, refusedFields(t, add(seller, nil)))
		for _, n := range []int{0, -1, 11, 1 << 40} {
			assert.Equal(t, []string{"offer.shares marketplace.shares_range"}, refusedFields(t, add(buyer, object{"shares": n})))
		}
		assert.Equal(t, []string{"offer.address marketplace.address_required"}, refusedFields(t, add(buyer, object{"address": nil})))
		assert.Equal(t, []string{"offer.address marketplace.address_required"}, refusedFields(t, add(buyer, object{"address": with(place(7), object{"city": " "})})))
		created := s.offer(t, seller, 1, 30, object{"status": "CREATED"})
		personal := s.offer(t, seller, 1, 30, object{"offer_publication_type": "DIRECT"})
		for name, a := range map[string]apptest.Answer{
			"unknown":             add(buyer, object{"identifier": "nobody"}),
			"not approved":        add(buyer, object{"identifier": created}),
			"somebody's personal": add(buyer, object{"identifier": personal}),
			"another reference":   add(buyer, object{"reference": "AANBOD0002"}),
			"another project":     add(buyer, object{"project_code": "ZON"}),
		} {
			assert.Equal(t, []any{409, "marketplace.offer_unavailable"}, []any{a.Status, a.Code()}, name)
		}
		assert.Len(t, fine[basketShown](t, buyer.do(http.MethodGet, "/sustainable/basket", nil), 200).Items, 2, "nothing of it stayed")
	})
	t.Run("7.6-basket-delete-post,7.6-basket-delete,7.6-basket-delete-reconcile", func(t *testing.T) {
		b := fine[basketShown](t, buyer.post("/sustainable/basket/"+dear+"/delete", nil), 200)
		require.Len(t, b.Items, 1)
		assert.Equal(t, cheap, b.Items[0].Identifier)
		for method, path := range map[string]string{http.MethodDelete: "/sustainable/basket/" + dear, http.MethodPost: "/sustainable/basket/" + dear + "/delete"} {
			a := buyer.do(method, path, nil)
			assert.Equal(t, []any{404, "not_found"}, []any{a.Status, a.Code()}, "it is out already")
		}
		assert.Equal(t, b, fine[basketShown](t, buyer.do(http.MethodGet, "/sustainable/basket", nil), 200))
		assert.Empty(t, fine[basketShown](t, buyer.do(http.MethodDelete, "/sustainable/basket/"+cheap, nil), 200).Items)
	})
	t.Run("a basket has an end", func(t *testing.T) {
		var last apptest.Answer
		for range 26 {
			last = buyer.post("/sustainable/basket", object{"offer": object{"identifier": s.offer(t, seller, 1, 30, nil), "shares": 1, "address": place(7)}})
		}
		assert.Equal(t, "marketplace.basket_full", last.Code())
	})
}

func placingOrders(t *testing.T, s *shop) {
	seller, buyer := s.with(t, 100), s.with(t, 0)
	offer, other := s.offer(t, seller, 20, 40, nil), s.offer(t, seller, 20, 25, nil)
	t.Run("7.6-post-order,3-order-fields,4-order-status-enum,7.6-get-orders,9-order-reservation", func(t *testing.T) {
		buyer.adds(t, offer, 3)
		shown := buyer.adds(t, other, 2)
		p := buyer.places(t, object{"basket": shown})
		require.Equal(t, "SUCCESS", p.Status)
		assert.Empty(t, p.Basket.Items)
		require.NotNil(t, p.Order)
		assert.Equal(t, "CREATED", p.Order.Status)
		o := buyer.order(t, p.Order.ID, "AWAITING_PAYMENT") // by itself
		assert.Equal(t, []any{"170.00", int64(5), "2026-12-21", false, false}, []any{o.Amount.String(), o.Shares, o.TransferDate, o.PrivateDeal, o.PrivateOrder})
		assert.Equal(t, 14*day, o.Expires.Sub(o.Placed))
		require.Len(t, o.Offers, 2)
		assert.ElementsMatch(t, []string{"AANBOD0001 3 40.00", "AANBOD0002 2 25.00"}, []string{
			fmt.Sprint(o.Offers[0].Reference, " ", o.Offers[0].Shares, " ", o.Offers[0].Price), fmt.Sprint(o.Offers[1].Reference, " ", o.Offers[1].Shares, " ", o.Offers[1].Price)})
		assert.Equal(t, place(7), o.Offers[0].Address)
		assert.EqualValues(t, 17, s.left(t, buyer, offer))
		_, offered := seller.balance(t)
		assert.EqualValues(t, 40, offered, "reserved shares are offered ones still")
		buyer.mailed(t, "staat klaar om te betalen")

		next := buyer.orders(t, offer, 1, nil)
		all := fine[[]orderShown](t, buyer.do(http.MethodGet, "/sustainable/orders", nil), 200)
		require.Len(t, all, 2)
		assert.Equal(t, next.ID, all[0].ID, "newest first")
		assert.Empty(t, fine[[]orderShown](t, seller.do(http.MethodGet, "/sustainable/orders", nil), 200), "another one's")
	})
	t.Run("7.6-get-paylink,7.6-paylink-id,9-payment-link-life,9-reservation-link-reconcile", func(t *testing.T) {
		o := buyer.orders(t, offer, 1, nil)
		link := buyer.link(t, o.ID)
		assert.Equal(t, link, buyer.link(t, o.ID), "while it is of use it is the same")
		assert.True(t, strings.HasPrefix(link, s.Labels.ByKey("alpha").URL+"/api/v0/sustainable/sandbox/"), link)
		for _, c := range []struct {
			who  member
			id   string
			want int
		}{{seller, o.ID, 404}, {buyer, o.Reference, 404}, {buyer, "nobody", 404}} {
			assert.Equal(t, c.want, c.who.do(http.MethodGet, "/sustainable/orders/"+c.id+"/paylink", nil).Status)
		}
		s.later(t, 7*day, &buyer, &seller)
		second := buyer.link(t, o.ID)
		assert.NotEqual(t, link, second, "a link lives for 7 days, then there is a new one")
		s.later(t, 6*day, &buyer, &seller)
		assert.Equal(t, second, buyer.link(t, o.ID), "which lives as long as the order")
		s.later(t, day, &buyer, &seller)
		assert.Equal(t, "EXPIRED", buyer.order(t, o.ID, "EXPIRED").Status)
		assert.Equal(t, "marketplace.not_payable", buyer.do(http.MethodGet, "/sustainable/orders/"+o.ID+"/paylink", nil).Code())
	})
	t.Run("7.6-post-paylink", func(t *testing.T) {
		o := buyer.orders(t, offer, 1, object{"start_date": "2027-06-01"})
		link := buyer.link(t, o.ID)
		path := "/sustainable/orders/" + o.ID + "/paylink"
		assert.Equal(t, link, fine[struct{ URL string }](t, buyer.do(http.MethodGet, path, nil), 200).URL, "clients in the field GET it")
		assert.Equal(t, 405, s.Do(apptest.Call{Method: http.MethodHead, Path: path, Bearer: buyer.token}).Status)
		helper := s.Impersonator("alpha", buyer.relation)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			a := s.Do(apptest.Call{Method: method, Path: path, Bearer: helper})
			assert.Equal(t, []any{403, "read_only"}, []any{a.Status, a.Code()}, method)
		}
		var described struct {
			Paths map[string]map[string]struct {
				Effect     string `json:"x-effect"`
				Deprecated bool
			}
		}
		s.Do(apptest.Call{Path: "/openapi.json"}).JSON(t, &described)
		both := described.Paths["/sustainable/orders/{id}/paylink"]
		require.Len(t, both, 2)
		assert.Equal(t, []any{"write", "write", false, true}, []any{both["post"].Effect, both["get"].Effect, both["post"].Deprecated, both["get"].Deprecated})
	})
	t.Run("3-basket-start-date-alias", func(t *testing.T) { // a browser may have the day under either name: it is the server's that counts
		for _, name := range []string{"start_date", "first_valid_start_date"} {
			seen := object{"items": []any{object{"identifier": offer, "shares": 1, "price_per_share": 40, "amount": 40}}, "total_amount": 40, name: "2026-12-22"}
			b := fine[basketShown](t, buyer.post("/sustainable/basket", object{"offer": object{"identifier": offer, "shares": 1, "address": place(7)}, "basket": seen}), 200)
			require.Len(t, b.Items, 1)
			p := buyer.places(t, object{"basket": seen, "start_date": "2027-06-01"})
			require.Equal(t, "SUCCESS", p.Status, name)
			fine[orderShown](t, buyer.do(http.MethodDelete, "/sustainable/orders/"+p.Order.ID, nil), 200)
		}
	})
	t.Run("the same key orders once", func(t *testing.T) {
		send := func(key string, body object) apptest.Answer {
			return s.Do(apptest.Call{Method: http.MethodPost, Path: "/sustainable/basket/order", Bearer: buyer.token, Body: body, Header: map[string]string{"Idempotency-Key": key}})
		}
		wish := wishes(object{"start_date": "2027-02-01"})
		buyer.adds(t, offer, 1)
		first := fine[placedShown](t, send("k1", wish), 200)
		require.Equal(t, "SUCCESS", first.Status)
		again := fine[placedShown](t, send("k1", wish), 200)
		require.Equal(t, "SUCCESS", again.Status)
		assert.Equal(t, first.Order.ID, again.Order.ID)
		assert.Len(t, again.Order.Offers, 1)
		a := send("k1", wishes(object{"start_date": "2027-02-02"}))
		assert.Equal(t, []any{422, "marketplace.key_reused"}, []any{a.Status, a.Code()})
	})
	t.Run("a double click orders once", func(t *testing.T) {
		before := len(fine[[]orderShown](t, buyer.do(http.MethodGet, "/sustainable/orders", nil), 200))
		buyer.adds(t, offer, 1)
		var wg sync.WaitGroup
		statuses := make(chan string, 8)
		for range 8 {
			wg.Go(func() { statuses <- buyer.places(t, object{"start_date": "2027-02-01"}).Status })
		}
		wg.Wait()
		close(statuses)
		count := map[string]int{}
		for x := range statuses {
			count[x]++
		}
		assert.Equal(t, map[string]int{"SUCCESS": 1, "BASKET_EMPTY": 7}, count)
		assert.Len(t, fine[[]orderShown](t, buyer.do(http.MethodGet, "/sustainable/orders", nil), 200), before+1)
	})
}

func ordersRefused(t *testing.T, s *shop) {
	seller, buyer, rival := s.with(t, 100), s.with(t, 0), s.with(t, 0)
	offer, other := s.offer(t, seller, 5, 40, nil), s.offer(t, seller, 5, 25, nil)
	none := func(t *testing.T) {
		t.Helper()
		assert.Empty(t, fine[[]orderShown](t, buyer.do(http.MethodGet, "/sustainable/orders", nil), 200), "nothing was ordered")
		assert.EqualValues(t, 5, s.left(t, buyer, offer))
	}
	t.Run("7.6-order-waiver", func(t *testing.T) {
		assert.Equal(t, "BASKET_EMPTY", buyer.places(t, nil).Status)
		buyer.adds(t, offer, 2)
		for want, all := range map[string][]object{
			"WITHDRAWAL_NOT_WAIVED": {{"waiveWithdrawalPeriod": false}, {"waiveWithdrawalPeriod": nil}},
			"START_DATE_INVALID":    {{"start_date": "2026-12-20"}, {"start_date": ""}, {"start_date": nil}, {"start_date": "2027-02-30"}, {"start_date": "soon"}},
		} {
			for _, changes := range all {
				p := buyer.places(t, changes)
				assert.Equal(t, want, p.Status, "%v", changes)
				assert.Len(t, p.Basket.Items, 1)
				assert.Nil(t, p.Order)
			}
		}
		none(t)
	})
	t.Run("tampered baskets", func(t *testing.T) {
		shown := fine[object](t, buyer.do(http.MethodGet, "/sustainable/basket", nil), 200)
		item := shown["items"].([]any)[0].(object)
		for name, basket := range map[string]object{
			"cheaper": with(shown, object{"items": []object{with(item, object{"price_per_share": 0.01, "amount": 0.02})}, "total_amount": 0.02}),
			"more":    with(shown, object{"items": []object{with(item, object{"shares": 5})}}),
			"total":   with(shown, object{"total_amount": 1}),
			"empty":   {"items": []object{}, "total_amount": 0},
			"another": with(shown, object{"items": []object{with(item, object{"identifier": other})}}),
		} {
			p := buyer.places(t, object{"basket": basket})
			assert.Equal(t, "BASKET_CHANGED", p.Status, name)
			assert.Equal(t, "80.00", p.Basket.Total.String(), name)
		}
		for name, basket := range map[string]any{"text": "x", "list": []int{1}, "amount": with(shown, object{"total_amount": "0.001x"})} {
			assert.Equal(t, http.StatusBadRequest, buyer.post("/sustainable/basket/order", wishes(object{"basket": basket})).Status, name)
		}
		none(t)
	})
	t.Run("7.6-order-basket-stale", func(t *testing.T) {
		buyer.adds(t, offer, 4)
		buyer.adds(t, other, 1)
		rival.orders(t, offer, 3, nil)
		p := buyer.places(t, nil)
		assert.Equal(t, "OFFER_UNAVAILABLE", p.Status)
		require.Len(t, p.Basket.Items, 1, "what can be ordered stays")
		assert.Equal(t, other, p.Basket.Items[0].Identifier)
		assert.Nil(t, p.Order)
		assert.EqualValues(t, 2, s.left(t, buyer, offer))
		assert.EqualValues(t, 5, s.left(t, buyer, other), "nothing half-done")
		buyer.adds(t, offer, 1)
		fine[object](t, seller.post("/sustainable/offers/retract", object{"reference": "AANBOD0001", "shares": 2}), 200)
		p = buyer.places(t, nil)
		assert.Equal(t, "OFFER_UNAVAILABLE", p.Status)
		assert.Len(t, p.Basket.Items, 1)
		assert.Equal(t, "SUCCESS", buyer.places(t, nil).Status)
	})
	t.Run("who may not", func(t *testing.T) {
		for _, c := range []apptest.Call{{Path: "/sustainable/basket"}, {Path: "/sustainable/orders"}, {Method: http.MethodPost, Path: "/sustainable/basket/order", Body: object{}},
			{Method: http.MethodDelete, Path: "/sustainable/orders/x"}, {Path: "/sustainable/orders/x/paylink"}} {
			assert.Equal(t, http.StatusUnauthorized, s.Do(c).Status, c.Path)
		}
		helper := s.Impersonator("alpha", buyer.relation)
		for _, c := range []apptest.Call{{Method: http.MethodPost, Path: "/sustainable/basket/order", Body: wishes(nil)}, {Path: "/sustainable/orders/x/paylink"},
			{Method: http.MethodDelete, Path: "/sustainable/basket/x"}} {
			c.Bearer = helper
			assert.Equal(t, []any{403, "read_only"}, []any{s.Do(c).Status, s.Do(c).Code()}, c.Path)
		}
		assert.Equal(t, http.StatusOK, s.Do(apptest.Call{Path: "/sustainable/orders", Bearer: helper}).Status)
	})
}

func payingOrders(t *testing.T, s *shop) {
	seller, buyer := s.with(t, 100), s.with(t, 0)
	offer := s.offer(t, seller, 20, 40, nil)
	t.Run("7.6-paylink-return,2.4-thank-you-encoding", func(t *testing.T) {
		o := buyer.orders(t, offer, 3, nil)
		link := buyer.link(t, o.ID)
		to := chooses(t, s.Server, link, "pay")
		n, ok := strings.CutPrefix(to, "/thank-you?n=")
		require.True(t, ok, to)
		raw, err := base64.RawURLEncoding.DecodeString(n)
		require.NoError(t, err)
		assert.JSONEq(t, fmt.Sprintf(`[%q,120.00]`, o.Reference), string(raw))
		o = buyer.order(t, o.ID, "BOUGHT")
		assert.False(t, o.Paid.IsZero())
		assert.Equal(t, "2026-12-04", o.Withdraw)
		share, offered := seller.balance(t)
		assert.Equal(t, []int64{100, 20}, []int64{share, offered})
		buyer.mailed(t, "betaling ontvangen")
		seller.mailed(t, "verkocht")
		assert.Equal(t, "marketplace.not_payable", buyer.do(http.MethodGet, "/sustainable/orders/"+o.ID+"/paylink", nil).Code())

		cancelled := buyer.orders(t, offer, 1, nil)
		link = buyer.link(t, cancelled.ID)
		assert.Equal(t, "/payment-cancelled", chooses(t, s.Server, link, "cancel"))
		buyer.order(t, cancelled.ID, "AWAITING_PAYMENT")
		next := buyer.link(t, cancelled.ID)
		assert.NotEqual(t, link, next, "it can be tried again")
		assert.Contains(t, chooses(t, s.Server, next, "fail"), "/sandbox/")
		chooses(t, s.Server, buyer.link(t, cancelled.ID), "pay")
		buyer.order(t, cancelled.ID, "BOUGHT")
	})
	t.Run("7.6-paylink-status", func(t *testing.T) {
		o := buyer.orders(t, offer, 1, nil)
		fine[orderShown](t, buyer.do(http.MethodDelete, "/sustainable/orders/"+o.ID, nil), 200)
		a := buyer.do(http.MethodGet, "/sustainable/orders/"+o.ID+"/paylink", nil)
		assert.Equal(t, []any{409, "marketplace.not_payable"}, []any{a.Status, a.Code()})
	})
	t.Run("4-order-status-other-set", func(t *testing.T) {
		o := buyer.orders(t, offer, 2, nil)
		chooses(t, s.Server, buyer.link(t, o.ID), "pay")
		buyer.order(t, o.ID, "BOUGHT")
		s.later(t, 31*day, &buyer, &seller)
		o = buyer.order(t, o.ID, "COMPLETED")
		share, _ := seller.balance(t)
		assert.EqualValues(t, 94, share, "3, 1 and 2 have been handed over")
		assert.EqualValues(t, 6, buyer.has(t)["Molenweg 7"].Share)
		buyer.mailed(t, "De delen zijn van jou")
		a := buyer.do(http.MethodDelete, "/sustainable/orders/"+o.ID, nil)
		assert.Equal(t, []any{409, "marketplace.transition"}, []any{a.Status, a.Code()})
	})
}

func endingOrders(t *testing.T, s *shop) {
	seller, buyer := s.with(t, 100), s.with(t, 0)
	offer := s.offer(t, seller, 20, 40, nil)
	cancel := func(o orderShown) apptest.Answer {
		return buyer.do(http.MethodDelete, "/sustainable/orders/"+o.ID, nil)
	}
	t.Run("7.6-delete-order,4-order-release-shares,4-order-cancel-statuses", func(t *testing.T) {
		o := buyer.orders(t, offer, 3, nil)
		assert.EqualValues(t, 17, s.left(t, buyer, offer))
		assert.Equal(t, 404, seller.do(http.MethodDelete, "/sustainable/orders/"+o.ID, nil).Status, "another one's")
		assert.Equal(t, "CANCELLED", fine[orderShown](t, cancel(o), 200).Status)
		assert.EqualValues(t, 20, s.left(t, buyer, offer))
		buyer.mailed(t, "is geannuleerd")
		assert.Equal(t, []any{409, "marketplace.transition"}, []any{cancel(o).Status, cancel(o).Code()})

		expired := buyer.orders(t, offer, 20, object{"start_date": "2027-06-01"})
		assert.EqualValues(t, 0, s.left(t, buyer, offer))
		s.later(t, 12*day, &buyer, &seller)
		buyer.mailed(t, "Vergeet je bestelling")
		s.later(t, 2*day, &buyer, &seller)
		buyer.order(t, expired.ID, "EXPIRED")
		assert.EqualValues(t, 20, s.left(t, buyer, offer), "they are for sale again")
		buyer.mailed(t, "is verlopen")
		assert.Equal(t, "marketplace.transition", cancel(expired).Code())
		_, offered := seller.balance(t)
		assert.EqualValues(t, 20, offered)
	})
	pays := func(t *testing.T, n int, start string) orderShown {
		t.Helper()
		o := buyer.orders(t, offer, n, object{"start_date": start})
		chooses(t, s.Server, buyer.link(t, o.ID), "pay")
		return buyer.order(t, o.ID, "BOUGHT")
	}
	t.Run("9-withdrawal-period,9-withdrawal-reconcile,9-withdrawal-function", func(t *testing.T) {
		o := pays(t, 4, "2027-06-01")
		s.later(t, 14*day, &buyer, &seller)
		r := fine[struct {
			Reference, At, Refund string
			Amount                json.Number
		}](t, buyer.post("/sustainable/orders/"+o.ID+"/withdrawal", nil), 200)
		assert.Equal(t, []any{o.Reference, "160.00"}, []any{r.Reference, r.Amount.String()})
		assert.Contains(t, []string{"REFUNDING", "REFUNDED"}, r.Refund)
		again := fine[object](t, buyer.post("/sustainable/orders/"+o.ID+"/withdrawal", nil), 200)
		assert.Equal(t, r.At, again["at"], "asked again it is the same receipt")
		buyer.order(t, o.ID, "CANCELLED")
		buyer.mailed(t, "Bewijs dat je van de koop afziet")
		seller.mailed(t, "ziet van de koop af")
		soon(t, s.Server, func() bool { return s.paymentOf(t, o.ID)[0].State == "REFUNDED" })
		assert.EqualValues(t, 20, s.left(t, buyer, offer))

		late := pays(t, 1, "2027-06-01")
		deleted := pays(t, 1, "2027-06-01")
		assert.Equal(t, "CANCELLED", fine[orderShown](t, cancel(deleted), 200).Status, "cancelling a paid order undoes it too")
		soon(t, s.Server, func() bool { return s.paymentOf(t, deleted.ID)[0].State == "REFUNDED" })
		s.later(t, 15*day, &buyer, &seller)
		assert.Empty(t, buyer.order(t, late.ID, "BOUGHT").Withdraw)
		for _, a := range []apptest.Answer{cancel(late), buyer.post("/sustainable/orders/"+late.ID+"/withdrawal", nil)} {
			assert.Equal(t, []any{409, "marketplace.withdrawal_over"}, []any{a.Status, a.Code()})
		}
		unpaid := buyer.orders(t, offer, 1, object{"start_date": "2027-06-01"})
		assert.Equal(t, "marketplace.transition", buyer.post("/sustainable/orders/"+unpaid.ID+"/withdrawal", nil).Code(), "there is nothing to withdraw from")
	})
	t.Run("a sold out offer that is undone stays sold", func(t *testing.T) {
		last := s.offer(t, seller, 2, 30, nil)
		o := buyer.orders(t, last, 2, object{"start_date": "2027-06-01"})
		chooses(t, s.Server, buyer.link(t, o.ID), "pay")
		buyer.order(t, o.ID, "BOUGHT")
		_, before := seller.balance(t)
		fine[object](t, buyer.post("/sustainable/orders/"+o.ID+"/withdrawal", nil), 200)
		assert.EqualValues(t, 0, s.left(t, buyer, last))
		_, after := seller.balance(t)
		assert.Equal(t, before-2, after, "they are the seller's, and no longer offered")
	})
}

func latePayments(t *testing.T, s *shop) {
	seller, buyer, rival := s.with(t, 100), s.with(t, 0), s.with(t, 0)
	t.Run("honoured when the shares are still there", func(t *testing.T) {
		offer := s.offer(t, seller, 5, 40, nil)
		o := buyer.orders(t, offer, 5, object{"start_date": "2027-06-01"})
		link := buyer.link(t, o.ID)
		s.later(t, 14*day, &buyer, &seller, &rival)
		buyer.order(t, o.ID, "EXPIRED")
		chooses(t, s.Server, link, "pay")
		all := fine[[]orderShown](t, buyer.do(http.MethodGet, "/sustainable/orders", nil), 200)
		require.Len(t, all, 2)
		assert.Equal(t, []any{"BOUGHT", int64(5), "200.00", "2027-06-01"}, []any{all[0].Status, all[0].Shares, all[0].Amount.String(), all[0].TransferDate})
		assert.Equal(t, "EXPIRED", all[1].Status, "an ended order stays ended")
		p := s.paymentOf(t, all[0].ID)
		require.Len(t, p, 1)
		assert.Equal(t, []any{"PAID", true, "HONOURED"}, []any{p[0].State, p[0].Late, p[0].Note})
		waiting := s.payments(t, "attention=true")
		require.Len(t, waiting, 1, "staff see it")
		assert.True(t, waiting[0].MaySee)
		assert.Equal(t, 404, s.sees("nobody").Status)
		require.Equal(t, 200, s.sees(p[0].ID).Status)
		assert.Empty(t, s.payments(t, "attention=true"), "until somebody has")
		assert.Equal(t, []any{409, "marketplace.transition"}, []any{s.sees(p[0].ID).Status, s.sees(p[0].ID).Code()})
		log := fine[struct{ Items []struct{ Who, What string } }](t, buyer.do(http.MethodGet, "/account/access-log", nil), 200).Items
		assert.Contains(t, fmt.Sprint(log), "{staff marketplace.payment_seen}")
		fine[object](t, buyer.post("/sustainable/orders/"+all[0].ID+"/withdrawal", nil), 200)
		soon(t, s.Server, func() bool { return s.paymentOf(t, all[0].ID)[0].State == "REFUNDED" })
	})
	t.Run("refunded when they are gone", func(t *testing.T) {
		offer := s.offer(t, seller, 5, 40, nil)
		o := buyer.orders(t, offer, 5, object{"start_date": "2027-06-01"})
		link := buyer.link(t, o.ID)
		s.later(t, 14*day, &buyer, &seller, &rival)
		rival.orders(t, offer, 1, object{"start_date": "2027-06-01"})
		chooses(t, s.Server, link, "pay")
		soon(t, s.Server, func() bool { return s.paymentOf(t, o.ID)[0].State == "REFUNDED" })
		p := s.paymentOf(t, o.ID)[0]
		assert.Equal(t, []any{true, "SHARES_GONE"}, []any{p.Late, p.Note})
		require.Len(t, s.payments(t, "attention=true"), 1)
		require.Equal(t, 200, s.sees(p.ID).Status)
		assert.Empty(t, s.payments(t, "attention=true"))
		buyer.order(t, o.ID, "EXPIRED")
		assert.EqualValues(t, 4, s.left(t, buyer, offer))
		buyer.mailed(t, "terug")
	})
	t.Run("refunded when its order was cancelled, or paid already", func(t *testing.T) {
		offer := s.offer(t, seller, 5, 40, nil)
		o := buyer.orders(t, offer, 1, object{"start_date": "2027-06-01"})
		link := buyer.link(t, o.ID)
		fine[object](t, buyer.do(http.MethodDelete, "/sustainable/orders/"+o.ID, nil), 200)
		chooses(t, s.Server, link, "pay")
		soon(t, s.Server, func() bool { return s.paymentOf(t, o.ID)[0].State == "REFUNDED" })
		assert.Equal(t, "ORDER_CANCELLED", s.paymentOf(t, o.ID)[0].Note)

		o = buyer.orders(t, offer, 1, object{"start_date": "2027-06-01"})
		first := buyer.link(t, o.ID)
		s.later(t, 8*day, &buyer, &seller, &rival)
		second := buyer.link(t, o.ID)
		require.NotEqual(t, first, second)
		chooses(t, s.Server, first, "pay")
		chooses(t, s.Server, second, "pay")
		buyer.order(t, o.ID, "BOUGHT")
		states := map[string]string{}
		soon(t, s.Server, func() bool {
			for _, p := range s.paymentOf(t, o.ID) {
				states[p.State] = p.Note
			}
			return states["REFUNDED"] != ""
		})
		assert.Equal(t, "PAID_TWICE", states["REFUNDED"])
		assert.Contains(t, states, "PAID")
	})
}

func staffOrders(t *testing.T, s *shop) {
	seller, buyer := s.with(t, 100), s.with(t, 0)
	offer := s.offer(t, seller, 50, 40, nil)
	var all []orderShown
	for range 3 {
		all = append(all, buyer.orders(t, offer, 1, nil))
	}
	ask := func(bearer, query string) apptest.Answer {
		return s.Do(apptest.Call{Path: "/sustainable/staff/orders?" + query, Bearer: bearer})
	}
	type page struct {
		Content []struct {
			ID       string `json:"deal_identifier"`
			Relation string
			Status   string
		}
		Number, Size, TotalPages, TotalElements int
	}
	staff := s.Staff("alpha")
	p := fine[page](t, ask(staff, ""), 200)
	assert.Equal(t, []int{0, 25, 1, 3}, []int{p.Number, p.Size, p.TotalPages, p.TotalElements})
	require.Len(t, p.Content, 3)
	assert.Equal(t, all[2].ID, p.Content[0].ID)
	for query, want := range map[string]int{"status=AWAITING_PAYMENT": 3, "status=BOUGHT": 0, "q=" + all[0].Reference: 1, "q=" + strings.ToLower(all[0].Reference): 1,
		"q=" + buyer.debtor: 3, "q=AANBOD0001": 3, "q=%25": 0, "page=1": 0} {
		assert.Len(t, fine[page](t, ask(staff, query), 200).Content, want, query)
	}
	assert.Equal(t, http.StatusBadRequest, ask(staff, "page=-1").Status)
	pay := s.paymentOf(t, all[0].ID)
	require.Len(t, pay, 1)
	assert.Empty(t, s.payments(t, "attention=true"))
	assert.Equal(t, buyer.debtor, pay[0].Debtor)
	assert.NotEmpty(t, pay[0].Buyer)
	type named struct {
		Content []struct {
			Buyer  string `json:"buyer_name"`
			Debtor string `json:"debtor_number"`
		}
	}
	for _, o := range fine[named](t, ask(staff, ""), 200).Content {
		assert.Equal(t, []string{pay[0].Buyer, buyer.debtor}, []string{o.Buyer, o.Debtor})
	}
	looks := func() (n int) {
		for _, x := range fine[struct{ Items []struct{ Who, What string } }](t, buyer.do(http.MethodGet, "/account/access-log?limit=200", nil), 200).Items {
			if x.Who == "staff" && x.What == "marketplace.orders_viewed" {
				n++
			}
		}
		return n
	}
	seen := looks()
	fine[page](t, ask(staff, ""), 200)
	assert.Equal(t, seen, looks(), "a list of all is no look at one member")
	fine[page](t, ask(staff, "q="+buyer.debtor), 200)
	assert.Equal(t, seen+1, looks())
	for _, path := range []string{"/sustainable/staff/orders", "/sustainable/staff/payments"} {
		assert.Equal(t, 403, s.Do(apptest.Call{Path: path, Bearer: buyer.token}).Status)
		assert.Equal(t, 401, s.Do(apptest.Call{Path: path}).Status)
		assert.Equal(t, 403, s.Do(apptest.Call{Path: path, Bearer: s.Impersonator("alpha", buyer.relation)}).Status)
	}
	refund := func(id string) apptest.Answer {
		return s.Do(apptest.Call{Method: http.MethodPost, Path: "/sustainable/staff/payments/" + id + "/refund", Bearer: staff})
	}
	assert.Equal(t, 409, refund(pay[0].ID).Status, "nothing is paid")
	assert.Equal(t, 409, s.sees(pay[0].ID).Status, "nothing to see")
	assert.Equal(t, 404, refund("nobody").Status)
	chooses(t, s.Server, buyer.link(t, all[0].ID), "pay")
	buyer.order(t, all[0].ID, "BOUGHT")
	assert.Equal(t, 409, refund(pay[0].ID).Status, "an order stands for it")
}

func sandboxPages(t *testing.T, s *shop) {
	seller, buyer := s.with(t, 100), s.with(t, 0)
	offer := s.offer(t, seller, 50, 1500, nil)
	o := buyer.orders(t, offer, 2, nil)
	link, err := url.Parse(buyer.link(t, o.ID))
	require.NoError(t, err)
	page := s.Do(apptest.Call{Path: "/" + link.Path})
	require.Equal(t, 200, page.Status)
	assert.Equal(t, "text/html; charset=utf-8", page.Header.Get("Content-Type"))
	text := string(page.Body)
	for _, want := range []string{"Proefbetaling: er gaat geen geld om", o.Reference, "€ 3.000,00", "Alpha Energie", `value="pay"`, `lang="nl"`} {
		assert.Contains(t, text, want)
	}
	policy := page.Header.Get("Content-Security-Policy")
	assert.NotContains(t, policy, "unsafe")
	_, style, _ := strings.Cut(text, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	assert.Contains(t, policy, "'sha256-"+sha256Base64(style)+"'", "the page may draw itself")
	english := string(s.Do(apptest.Call{Path: "/" + link.Path + "?lang=en"}).Body)
	assert.Contains(t, english, "Test payment: no money moves")
	assert.Contains(t, string(s.Do(apptest.Call{Path: "/" + link.Path, Header: map[string]string{"Accept-Language": "en"}}).Body), "no money moves")
	for _, path := range []string{"/sustainable/sandbox/nobody", "/sustainable/sandbox/" + o.ID} {
		assert.Equal(t, 404, s.Do(apptest.Call{Path: path}).Status, path)
	}
	assert.Equal(t, 404, s.Do(apptest.Call{Path: "/" + link.Path, Host: "beta.localhost"}).Status, "another label's")
	for _, body := range []string{"", "do=steal", "do", "%", "<script>"} {
		assert.Equal(t, 400, s.Do(apptest.Call{Method: http.MethodPost, Path: "/" + link.Path, Body: body, Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}).Status, body)
	}
	chooses(t, s.Server, link.String(), "pay")
	assert.Contains(t, chooses(t, s.Server, link.String(), "cancel"), "/sandbox/", "what is paid cannot be cancelled")
	buyer.order(t, o.ID, "BOUGHT")
	assert.Contains(t, string(s.Do(apptest.Call{Path: "/" + link.Path}).Body), "Deze betaling is voldaan.")
}

// TestMollieOrders pays with a provider that behaves as Mollie does, and badly.
func TestMollieOrders(t *testing.T) {
	t.Parallel()
	stub := mollietest.New(t)
	secrets := filepath.Join(t.TempDir(), "secrets")
	require.NoError(t, os.WriteFile(secrets, []byte("MOLLIE_KEY="+mollietest.Key+"\n"), 0o600))
	c := config.Config{SecretFile: secrets, Demo: true, Addr: "127.0.0.1:0", Labels: t.TempDir()}
	require.NoError(t, c.Check())
	shops(t, apptest.Options{Config: c, Labels: []apptest.Label{{Key: "alpha", CUE: fmt.Sprintf(`modules: marketplace: payment: {provider: "mollie", key: "MOLLIE_KEY", url: %q}`, stub.URL+"/v2")},
		{Key: "beta", CUE: `modules: marketplace: payment: provider: "sandbox"`}}}, func(t *testing.T, s *shop) {
		seller, buyer := s.with(t, 100), s.with(t, 0)
		offer := s.offer(t, seller, 50, 40, nil)
		hook := func(body string) int {
			return s.Do(apptest.Call{Method: http.MethodPost, Path: "/sustainable/payments/webhook", Body: body, Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}).Status
		}
		paid := func(t *testing.T) (orderShown, string) {
			t.Helper()
			o := buyer.orders(t, offer, 1, nil)
			return o, s.paymentOf(t, o.ID)[0].Provider
		}
		t.Run("a webhook is asked about and never believed", func(t *testing.T) {
			o, id := paid(t)
			sent := stub.Payments[id].Sent
			assert.Equal(t, object{"currency": "EUR", "value": "40.00"}, sent["amount"])
			home := s.Labels.ByKey("alpha").URL
			assert.Equal(t, home+"/api/v0/sustainable/payments/webhook", sent["webhookUrl"])
			assert.Equal(t, home+"/payment-cancelled", sent["cancelUrl"])
			assert.True(t, strings.HasPrefix(sent["redirectUrl"].(string), home+"/thank-you?n="))
			assert.Equal(t, stub.URL+"/checkout/"+id, buyer.link(t, o.ID))
			assert.Equal(t, 200, hook("id="+id+"&status=paid"))
			buyer.order(t, o.ID, "AWAITING_PAYMENT")
			stub.Became(id, "paid")
			var wg sync.WaitGroup
			for range 8 { // duplicates, at once
				wg.Go(func() { assert.Equal(t, 200, hook("id="+id)) })
			}
			wg.Wait()
			assert.Equal(t, "BOUGHT", buyer.order(t, o.ID, "BOUGHT").Status)
			stub.Became(id, "expired") // what comes later and says less changes nothing
			assert.Equal(t, 200, hook("id="+id))
			buyer.order(t, o.ID, "BOUGHT")
		})
		t.Run("wrong ids and junk change nothing", func(t *testing.T) {
			asked := stub.Asked.Load()
			for _, body := range []string{"id=tr_unknown", "id=", "id=../../x", "%", "id=" + strings.Repeat("a", 500), "{\"id\":\"tr_1\"}", "id=tr_1%00"} {
				assert.Equal(t, 200, hook(body), body)
			}
			assert.Equal(t, asked, stub.Asked.Load(), "a stranger does not make us ask")
			assert.Equal(t, 200, s.Do(apptest.Call{Method: http.MethodPost, Host: "beta.localhost", Path: "/sustainable/payments/webhook", Body: "id=tr_0000000001",
				Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}).Status, "another label's")
		})
		t.Run("states in any order", func(t *testing.T) {
			o, id := paid(t)
			for _, status := range []string{"failed", "open", "expired", "paid", "canceled"} {
				stub.Became(id, status)
				require.Equal(t, 200, hook("id="+id))
			}
			buyer.order(t, o.ID, "BOUGHT")
		})
		t.Run("another amount is for staff", func(t *testing.T) {
			o, id := paid(t)
			stub.Payments[id].Sent["amount"] = object{"currency": "EUR", "value": "0.01"}
			stub.Became(id, "paid")
			require.Equal(t, 200, hook("id="+id))
			buyer.order(t, o.ID, "AWAITING_PAYMENT")
			p := s.paymentOf(t, o.ID)[0]
			assert.Equal(t, []any{"PAID", true, "AMOUNT_DIFFERS", true}, []any{p.State, p.Late, p.Note, p.MayRefund})
			assert.Len(t, s.payments(t, "attention=true"), 1)
			assert.True(t, p.MaySee)
			a := s.Do(apptest.Call{Method: http.MethodPost, Path: "/sustainable/staff/payments/" + p.ID + "/refund", Bearer: s.Staff("alpha")})
			require.Equal(t, 200, a.Status, string(a.Body))
			soon(t, s.Server, func() bool { return s.paymentOf(t, o.ID)[0].State == "REFUNDED" })
			assert.Equal(t, 1, stub.Payments[id].RefundsAccepted)
			assert.Empty(t, s.payments(t, "attention=true"), "who had it given back has seen it")
			p = s.paymentOf(t, o.ID)[0]
			assert.Equal(t, []any{"BY_STAFF", false}, []any{p.Note, p.MaySee})
			assert.Contains(t, string(buyer.do(http.MethodGet, "/account/access-log", nil).Body), "marketplace.payment_refunded")
		})
		t.Run("9-money-back-before-transfer,9-money-back-told", func(t *testing.T) {
			o, id := paid(t)
			stub.Became(id, "paid")
			require.Equal(t, 200, hook("id="+id))
			buyer.order(t, o.ID, "BOUGHT")
			stub.Change(id, func(p *mollietest.Payment) { p.ChargedBack = "40.00" })
			var wg sync.WaitGroup
			for range 8 { // duplicates, at once
				wg.Go(func() { assert.Equal(t, 200, hook("id="+id)) })
			}
			wg.Wait()
			buyer.order(t, o.ID, "CANCELLED")
			p := s.paymentOf(t, o.ID)[0]
			assert.Equal(t, []any{"CHARGED_BACK", "CHARGED_BACK", true}, []any{p.State, p.Note, p.MaySee})
			buyer.mailed(t, "is geannuleerd")
			seller.mailed(t, "verkoop gaat niet door")
			assert.Zero(t, stub.Payments[id].RefundsAccepted, "the bank has given it back already")
			require.Equal(t, 200, s.sees(p.ID).Status)
		})
		t.Run("9-money-back-refund-failed", func(t *testing.T) {
			o, id := paid(t)
			stub.Became(id, "paid")
			require.Equal(t, 200, hook("id="+id))
			buyer.order(t, o.ID, "BOUGHT")
			fine[object](t, buyer.post("/sustainable/orders/"+o.ID+"/withdrawal", nil), 200)
			soon(t, s.Server, func() bool { return s.paymentOf(t, o.ID)[0].State == "REFUNDED" })
			stub.Change(id, func(p *mollietest.Payment) { p.Refunded, p.Refunds = "", nil })
			require.Equal(t, 200, hook("id="+id))
			assert.Equal(t, "REFUNDED", s.paymentOf(t, o.ID)[0].State, "Mollie has not listed it yet")
			stub.Change(id, func(p *mollietest.Payment) {
				p.Refunded, p.Refunds = "", []mollietest.Back{{ID: "re_1", Value: "40.00", Status: "failed"}}
			})
			require.Equal(t, 200, hook("id="+id))
			p := s.paymentOf(t, o.ID)[0]
			assert.Equal(t, []any{"REFUNDING", "REFUND_FAILED", true}, []any{p.State, p.Note, p.MayRefund})
			require.Equal(t, 200, s.Do(apptest.Call{Method: http.MethodPost, Path: "/sustainable/staff/payments/" + p.ID + "/refund", Bearer: s.Staff("alpha")}).Status)
			soon(t, s.Server, func() bool { return s.paymentOf(t, o.ID)[0].State == "REFUNDED" })
			assert.Equal(t, 2, stub.Payments[id].RefundsAccepted)
		})
		t.Run("a provider that is down", func(t *testing.T) {
			o, id := paid(t)
			down := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
			stub.How.Store(&down)
			assert.Equal(t, 503, hook("id="+id), "it is to try again")
			link := buyer.link(t, o.ID)
			assert.Equal(t, stub.URL+"/checkout/"+id, link, "its page may be there")
			buyer.adds(t, offer, 1)
			waiting := buyer.places(t, nil)
			require.Equal(t, "SUCCESS", waiting.Status, "an order can be placed")
			require.NoError(t, s.Advance(t.Context(), 0))
			buyer.order(t, waiting.Order.ID, "CREATED")
			assert.Equal(t, 409, buyer.do(http.MethodGet, "/sustainable/orders/"+waiting.Order.ID+"/paylink", nil).Status)
			stub.How.Store(nil)
			fine[orderShown](t, buyer.do(http.MethodDelete, "/sustainable/orders/"+waiting.Order.ID, nil), 200)
		})
	})
}

func sha256Base64(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}
