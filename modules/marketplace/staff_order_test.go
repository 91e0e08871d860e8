package marketplace_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/test/fixture"
)

func staffOrders(t *testing.T, s *fixture.Shop) {
	seller, buyer := s.With(t, 100), s.With(t, 0)
	offer := s.Offer(t, seller, 50, 40, nil)
	var all []fixture.Order
	for range 3 {
		all = append(all, buyer.Buy(t, offer, 1, nil))
	}
	ask := func(bearer, query string) portaltest.Answer {
		return s.Do(portaltest.Call{Path: "/sustainable/staff/orders?" + query, Bearer: bearer})
	}
	type page struct {
		Content []struct {
			ID       string `json:"deal_identifier"`
			Relation string
			Status   string
		}
		Number, Size, TotalPages, TotalElements int
	}
	staff := s.Staff("alpha").Bearer
	p := fixture.Body[page](t, ask(staff, ""), 200)
	assert.Equal(t, []int{0, 25, 1, 3}, []int{p.Number, p.Size, p.TotalPages, p.TotalElements})
	require.Len(t, p.Content, 3)
	assert.Equal(t, all[2].ID, p.Content[0].ID)
	for query, want := range map[string]int{"status=AWAITING_PAYMENT": 3, "status=BOUGHT": 0, "q=" + all[0].Reference: 1, "q=" +
		strings.ToLower(all[0].Reference): 1,
		"q=" + buyer.Debtor: 3, "q=AANBOD0001": 3, "q=%25": 0, "page=1": 0} {
		assert.Len(t, fixture.Body[page](t, ask(staff, query), 200).Content, want, query)
	}
	assert.Equal(t, http.StatusBadRequest, ask(staff, "page=-1").Status)
	pay := s.PaymentsOf(t, all[0].ID)
	require.Len(t, pay, 1)
	assert.Empty(t, s.Payments(t, "attention=true"))
	assert.Equal(t, buyer.Debtor, pay[0].Debtor)
	assert.NotEmpty(t, pay[0].Buyer)
	type named struct {
		Content []struct {
			Buyer  string `json:"buyer_name"`
			Debtor string `json:"debtor_number"`
		}
	}
	for _, o := range fixture.Body[named](t, ask(staff, ""), 200).Content {
		assert.Equal(t, []string{pay[0].Buyer, buyer.Debtor}, []string{o.Buyer, o.Debtor})
	}
	looks := func() (n int) {
		for _, x := range fixture.Body[struct{ Items []struct{ Who, What string } }](t,
			buyer.Do(http.MethodGet, "/account/access-log?limit=200", nil), 200).Items {
			if x.Who == "staff" && x.What == "marketplace.orders_viewed" {
				n++
			}
		}
		return n
	}
	seen := looks()
	fixture.Body[page](t, ask(staff, ""), 200)
	assert.Equal(t, seen, looks(), "a list of all is not a look at one member")
	fixture.Body[page](t, ask(staff, "q="+buyer.Debtor), 200)
	assert.Equal(t, seen+1, looks())
	for _, path := range []string{"/sustainable/staff/orders", "/sustainable/staff/payments"} {
		assert.Equal(t, 403, s.Do(portaltest.Call{Path: path, Bearer: buyer.Bearer}).Status)
		assert.Equal(t, 401, s.Do(portaltest.Call{Path: path}).Status)
		assert.Equal(t, 403, s.Do(portaltest.Call{Path: path, Bearer: s.Impersonator("alpha", buyer.Relation).Bearer}).Status)
	}
	refund := func(id string) portaltest.Answer {
		return s.Do(portaltest.Call{Method: http.MethodPost, Path: "/sustainable/staff/payments/" + id + "/refund", Bearer: staff})
	}
	assert.Equal(t, 409, refund(pay[0].ID).Status, "nothing is paid")
	assert.Equal(t, 409, s.MarkHandled(pay[0].ID).Status, "nothing to see")
	assert.Equal(t, 404, refund("nobody").Status)
	fixture.Choose(t, s.Portal, buyer.Link(t, all[0].ID), "pay")
	buyer.Order(t, all[0].ID, "BOUGHT")
	assert.Equal(t, 409, refund(pay[0].ID).Status, "an order stands for it")
}

func sandboxPages(t *testing.T, s *fixture.Shop) {
	seller, buyer := s.With(t, 100), s.With(t, 0)
	offer := s.Offer(t, seller, 50, 1500, nil)
	o := buyer.Buy(t, offer, 2, nil)
	link, err := url.Parse(buyer.Link(t, o.ID))
	require.NoError(t, err)
	page := s.Do(portaltest.Call{Path: "/" + link.Path})
	require.Equal(t, 200, page.Status)
	assert.Equal(t, "text/html; charset=utf-8", page.Header.Get("Content-Type"))
	text := string(page.Body)
	for _, want := range []string{"Proefbetaling: er gaat geen geld om", o.Reference, "€ 3.000,00", "Alpha Energie", `value="pay"`,
		`lang="nl"`} {
		assert.Contains(t, text, want)
	}
	policy := page.Header.Get("Content-Security-Policy")
	assert.NotContains(t, policy, "unsafe")
	_, style, _ := strings.Cut(text, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	assert.Contains(t, policy, "'sha256-"+sha256Base64(style)+"'", "the page may draw itself")
	english := string(s.Do(portaltest.Call{Path: "/" + link.Path + "?lang=en"}).Body)
	assert.Contains(t, english, "Test payment: no money moves")
	assert.Contains(t, string(s.Do(portaltest.Call{Path: "/" + link.Path, Header: map[string]string{"Accept-Language": "en"}}).Body),
		"no money moves")
	for _, path := range []string{"/sustainable/sandbox/nobody", "/sustainable/sandbox/" + o.ID} {
		assert.Equal(t, 404, s.Do(portaltest.Call{Path: path}).Status, path)
	}
	assert.Equal(t, 404, s.Do(portaltest.Call{Path: "/" + link.Path, Host: "beta.localhost"}).Status, "another label's")
	for _, body := range []string{"", "do=steal", "do", "%", "<script>"} {
		assert.Equal(t, 400, s.Do(portaltest.Call{Method: http.MethodPost, Path: "/" + link.Path, Body: body,
			Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}).Status, body)
	}
	fixture.Choose(t, s.Portal, link.String(), "pay")
	assert.Contains(t, fixture.Choose(t, s.Portal, link.String(), "cancel"), "/sandbox/", "what is paid cannot be cancelled")
	buyer.Order(t, o.ID, "BOUGHT")
	assert.Contains(t, string(s.Do(portaltest.Call{Path: "/" + link.Path}).Body), "Deze betaling is voldaan.")
}
