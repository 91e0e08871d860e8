package marketplace_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/test/fixture"
)

func accessToTheMarket(t *testing.T, s *portaltest.Portal) {
	do := func(host, token, method, path string, body any) portaltest.Answer {
		return s.Do(portaltest.Call{Method: method, Host: host + ".localhost", Path: "/sustainable" + path, Bearer: token, Body: body})
	}
	state := func(host, token string) string {
		t.Helper()
		return fixture.Body[struct{ State string }](t, do(host, token, http.MethodGet, "/access", nil), 200).State
	}
	free := s.Customer("alpha", "vrij").Bearer
	t.Run("6-market-access-approval", func(t *testing.T) {
		assert.Equal(t, "OPEN", state("alpha", free), "where everybody may trade there is nothing to ask")
		a := do("alpha", free, http.MethodPost, "/access", nil)
		assert.Equal(t, []any{http.StatusConflict, "marketplace.access_approved"}, []any{a.Status, a.Code()})
	})
	decideAccess := func(relation, state string) {
		t.Helper()
		staff, id := s.Staff("beta").Bearer, ""
		s.Eventually(func() bool {
			var list struct {
				Items []struct{ ID, Relation string }
			}
			s.Do(portaltest.Call{Host: "beta.localhost", Path: "/staff/changes?state=PENDING&kind=marketplace.access", Bearer: staff}).JSON(t, &list)
			for _, c := range list.Items {
				if c.Relation == relation {
					id = c.ID
				}
			}
			return id != ""
		})
		a := s.Do(portaltest.Call{Host: "beta.localhost", Method: http.MethodPost, Path: "/staff/changes/" + id + "/decision", Bearer: staff,
			Body: fixture.Object{"state": state, "reason": "Nog geen lid"}})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	}
	heard := func(to, word string) {
		t.Helper()
		s.Eventually(func() bool {
			return slices.ContainsFunc(fixture.MailsTo(t, s, to), func(m portaltest.Mail) bool { return strings.Contains(fmt.Sprint(m.Mail), word) })
		})
	}
	member := s.Customer("beta", "wacht").Bearer
	// Operations that buy or sell.
	trades := []struct {
		method, path string
		body         fixture.Object
	}{
		{http.MethodPost, "/offers", fixture.Object{"participation_identifier": "P", "date": "2026-12-01", "number_of_shares": 1, "price": 40}},
		{http.MethodPost, "/transfers", fixture.Object{"participation_identifier": "P", "date": "2026-12-01", "number_of_shares": 1,
			"buyer_email_address": "a@b.example"}},
		{http.MethodPost, "/activation/direct/ABCDEFGHJK2", nil},
		{http.MethodPost, "/basket", fixture.Object{"offer": fixture.Object{"identifier": "x", "reference": "x", "shares": 1, "project_code": "x",
			"address": fixture.Place(1)}, "basket": fixture.Object{"items": []any{}, "total_amount": 0}}},
		{http.MethodPost, "/basket/order", fixture.Object{"waiveWithdrawalPeriod": true,
			"basket": fixture.Object{"items": []any{}, "total_amount": 0}, "start_date": "2027-01-31"}},
	}
	shut := func(t *testing.T) {
		t.Helper()
		for _, c := range trades {
			var body any
			if c.body != nil {
				body = c.body
			}
			a := do("beta", member, c.method, c.path, body)
			assert.Equal(t, []any{http.StatusForbidden, "marketplace.access_pending"}, []any{a.Status, a.Code()}, c.path)
		}
		assert.Equal(t, http.StatusOK, do("beta", member, http.MethodGet, "/projects", nil).Status, "one's own participations are one's own")
		assert.Equal(t, http.StatusOK, do("beta", member, http.MethodGet, "/participations/moves", nil).Status)
	}
	t.Run("6-market-access-api", func(t *testing.T) { // every new operation for members must be added to one of the lists
		want := []string{"POST /access", "POST /offers/retract", "DELETE /basket/{identifier}", "POST /basket/{identifier}/delete",
			"DELETE /orders/{id}", "GET /orders/{id}/paylink", "POST /orders/{id}/paylink", "POST /orders/{id}/withdrawal",
			"POST /participations/move", "DELETE /participations/moves/{id}"} // these neither buy nor sell
		for _, c := range trades {
			want = append(want, c.method+" "+strings.Replace(c.path, "ABCDEFGHJK2", "{id}", 1))
		}
		var described struct {
			Paths map[string]map[string]struct {
				Access string `json:"x-access"`
				Effect string `json:"x-effect"`
			}
		}
		s.Do(portaltest.Call{Path: "/openapi.json"}).JSON(t, &described)
		var writes []string
		for path, methods := range described.Paths {
			for method, o := range methods {
				if name, ok := strings.CutPrefix(path, "/sustainable"); ok && o.Access == "customer" && o.Effect == "write" {
					writes = append(writes, strings.ToUpper(method)+" "+name)
				}
			}
		}
		assert.ElementsMatch(t, want, writes)
	})
	t.Run("6-market-access-approval,6-market-access-api", func(t *testing.T) {
		assert.Equal(t, "NONE", state("beta", member))
		shut(t)
		assert.Equal(t, "PENDING", fixture.Body[struct{ State string }](t, do("beta", member, http.MethodPost, "/access", nil), 200).State)
		assert.Equal(t, "PENDING", state("beta", member))
		shut(t)
		a := do("beta", member, http.MethodPost, "/access", nil)
		assert.Equal(t, []any{http.StatusConflict, problem.CodePending}, []any{a.Status, a.Code()})
		decideAccess("wacht", module.Rejected)
		assert.Equal(t, "REJECTED", state("beta", member))
		shut(t)
		heard("wacht@klant.example", "Nog geen lid")
		fixture.Body[fixture.Object](t, do("beta", member, http.MethodPost, "/access", nil), 200)
		assert.Equal(t, "PENDING", state("beta", member))
		decideAccess("wacht", module.Processed)
		assert.Equal(t, "APPROVED", state("beta", member))
		heard("wacht@klant.example", "kopen en verkopen")
		for _, c := range trades {
			var body any
			if c.body != nil {
				body = c.body
			}
			assert.NotEqual(t, http.StatusForbidden, do("beta", member, c.method, c.path, body).Status, c.path)
		}
		assert.Equal(t, "NONE", state("beta", s.Customer("beta", "ander").Bearer), "of this member only")
		assert.Equal(t, http.StatusConflict, do("beta", member, http.MethodPost, "/access", nil).Status)
	})
	t.Run("who may trade can come from the back office", func(t *testing.T) {
		load := func(debtor, state string) []record.Refusal {
			return s.Import("beta", "market_access", fixture.Object{"debtor_number": debtor, "state": state})
		}
		old := s.Customer("beta", account.RelationID("beta", "77001")).Bearer
		assert.Equal(t, "NONE", state("beta", old))
		assert.Empty(t, load("77001", "APPROVED"))
		assert.Equal(t, "APPROVED", state("beta", old))
		assert.Empty(t, load("77001", "REJECTED"))
		fixture.Body[fixture.Object](t, do("beta", old, http.MethodPost, "/access", nil), 200)
		assert.Empty(t, load("77001", "APPROVED"))
		assert.Equal(t, "PENDING", state("beta", old), "what waits for staff is theirs")
		assert.Equal(t, []record.Refusal{{Line: 1, Field: "state", Code: problem.CodeInvalid}}, load("77001", "OPEN"))
		assert.Equal(t, []record.Refusal{{Line: 1, Field: "debtor_number", Code: problem.CodeRequired}}, load("", "APPROVED"))
	})
	t.Run("asked by many at a time it is one request", func(t *testing.T) {
		many := s.Customer("beta", "ongeduld").Bearer
		got := make([]int, 6)
		var sent sync.WaitGroup
		for i := range got {
			sent.Go(func() { got[i] = do("beta", many, http.MethodPost, "/access", nil).Status })
		}
		sent.Wait()
		slices.Sort(got)
		assert.Equal(t, []int{200, 409, 409, 409, 409, 409}, got)
	})
}
