package main_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/mail"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
)

// Members of a cooperative: those who trade at label alpha, where everybody may, and at beta, where staff let them in.
func TestMarketplaceMembers(t *testing.T) {
	t.Parallel()
	modules := []module.Module{account.Module, billing.Module, marketplace.Module}
	labels := []apptest.Label{{Key: "alpha"}, {Key: "beta", CUE: "modules: marketplace: access: approval: true"}}
	apptest.Each(t, apptest.Options{Modules: modules, Labels: labels}, func(t *testing.T, s *apptest.Server) {
		all := &members{customers: &customers{Server: s, t: t}}
		all.project()
		t.Run("moves", func(t *testing.T) { movesOfShares(t, all) })
		t.Run("moves to come", func(t *testing.T) { movesToCome(t, all) })
		t.Run("moves that are refused", func(t *testing.T) { movesRefused(t, all) })
		t.Run("codes", func(t *testing.T) { codesOfOffers(t, all) })
		t.Run("transfers", func(t *testing.T) { transfersToMembers(t, all) })
		t.Run("transfers that are refused", func(t *testing.T) { transfersRefused(t, all) })
		t.Run("history", func(t *testing.T) { historyOfShares(t, all) })
		t.Run("access", func(t *testing.T) { accessToTheMarket(t, s) })
	})
}

// members makes members of label alpha, with shares of one project.
type members struct {
	*customers
	made int
}

// member is one of them, with one participation.
type member struct {
	customer
	participation string
	email         string
}

const marketProject = "MB"

func (m *members) project() {
	m.t.Helper()
	require.Empty(m.t, records(m.t, m.Server, "project", object{"project_code": marketProject, "project_name": "Windpark Molenbocht", "project_type": "WIND",
		"member_offer_settings": []object{{"from_date": "2024-01-01", "min_price": 20, "max_price": 60, "allow_selling": true}}}))
}

func place(n int) object {
	return object{"street_name": "Molenweg", "house_number": fmt.Sprint(n), "house_postfix": "", "postal_code": "9861GT", "city": "Grootegast"}
}

// with makes a member with shares at Molenweg; 0 shares: without a participation.
func (m *members) with(t *testing.T, shares int) member {
	t.Helper()
	m.made++
	debtor := fmt.Sprintf("20240%03d", m.made)
	out := member{participation: "P" + debtor, email: "lid" + debtor + "@leden.example"}
	require.Empty(t, records(t, m.Server, "relation", object{"debtor_number": debtor, "salutation": "MR", "initials": "J.", "last_name": "Lid" + debtor, "email": out.email,
		"addresses": []object{{"address_type": "SHIPPING", "street": "Molenweg", "house_number": fmt.Sprint(100 + m.made), "zip_code": "9861GT", "city": "Grootegast"}}}))
	out.customer = m.login(t, debtor, out.email)
	if shares > 0 {
		require.Empty(t, records(t, m.Server, "participation", object{"debtor_number": debtor, "participation_identifier": out.participation,
			"project_code": marketProject, "share": shares, "address": place(100 + m.made)}))
	}
	return out
}

func (m *members) login(t *testing.T, debtor, email string) customer {
	t.Helper()
	relation := account.RelationID("alpha", debtor)
	return customer{m.Server, debtor, "lid." + debtor, relation, m.SignIn(identity.Account{Label: "alpha", Relation: relation, Username: "lid." + debtor, Email: email,
		Name: "Lid " + debtor, Role: identity.Customer, Locale: "nl"})}
}

// electric gives a member a contract for electricity.
func (m *members) electric(t *testing.T, of member) member {
	t.Helper()
	require.Empty(t, records(t, m.Server, "agreement", energyAt(of.customer, "E"+of.debtor+"-1")))
	return of
}

func (c customer) post(path string, body any) apptest.Answer {
	return c.do(http.MethodPost, path, body)
}

// fine is an answer that must be so, as JSON.
func fine[T any](t *testing.T, a apptest.Answer, status int) (out T) {
	t.Helper()
	require.Equal(t, status, a.Status, string(a.Body))
	if len(a.Body) > 0 {
		a.JSON(t, &out)
	}
	return out
}

// refused says which fields an answer refuses, and why.
func refusedFields(t *testing.T, a apptest.Answer) (out []string) {
	t.Helper()
	require.Equal(t, http.StatusBadRequest, a.Status, string(a.Body))
	var p problem.Problem
	a.JSON(t, &p)
	for _, e := range p.Errors {
		out = append(out, e.Field+" "+e.Code)
	}
	return out
}

type participationSeen struct {
	Identifier string `json:"participation_identifier"`
	Share      int64  `json:"share"`
	Offered    int64  `json:"offered_share"`
	Moving     int64  `json:"moving_share"`
	Available  int64  `json:"availableShares"`
	Address    object `json:"address"`
}

// has are the participations of a member, by where they are.
func (c customer) has(t *testing.T) map[string]participationSeen {
	t.Helper()
	out := map[string]participationSeen{}
	for _, p := range fine[[]struct{ Participations []participationSeen }](t, c.do(http.MethodGet, "/sustainable/projects", nil), 200) {
		for _, x := range p.Participations {
			out[fmt.Sprint(x.Address["street_name"], " ", x.Address["house_number"])] = x
		}
	}
	return out
}

type moveSeen struct {
	ID            string `json:"id"`
	Participation string `json:"participation_identifier"`
	Date          string `json:"date"`
	Shares        int64  `json:"shares"`
	Address       object `json:"address"`
	Old           object `json:"old_address"`
}

const moveShares, comingMoves = "/sustainable/participations/move", "/sustainable/participations/moves"

func moving(date string, items ...object) object { return object{"date": date, "items": items} }

func (m member) toNew(shares any, at object) object {
	return object{"participationIdentifier": m.participation, "shares": shares, "address": at}
}

func movesOfShares(t *testing.T, all *members) {
	m := all.with(t, 20)
	home := m.has(t)
	require.Len(t, home, 1)
	t.Run("7.6-post-move-shares,7.6-move-shares-path,3-move-shares-fields,5.8-new-address", func(t *testing.T) {
		at := place(1)
		got := fine[[]moveSeen](t, m.post(moveShares, moving("2026-11-20", m.toNew(5, at))), 200)
		require.Len(t, got, 1)
		assert.Equal(t, int64(5), got[0].Shares)
		assert.Equal(t, at, got[0].Address)
		has := m.has(t)
		assert.Equal(t, int64(5), has["Molenweg 1"].Share)
		assert.Equal(t, int64(15), has[fmt.Sprint("Molenweg ", 100+all.made)].Share)
	})
	t.Run("5.8-existing-address", func(t *testing.T) {
		other := m.has(t)["Molenweg 1"].Identifier
		fine[[]moveSeen](t, m.post(moveShares, moving("2026-11-20", object{"participationIdentifier": m.participation, "shares": 15, "toParticipationIdentifier": other})), 200)
		has := m.has(t)
		assert.Len(t, has, 1, "a participation without shares is not shown")
		assert.Equal(t, int64(20), has["Molenweg 1"].Share)
	})
}

// later moves the clock, and does what is due then; who was signed in must sign in again.
func (m *members) later(t *testing.T, d time.Duration) {
	t.Helper()
	require.NoError(t, m.Advance(t.Context(), d))
}

// on is a day so many days from today.
func (m *members) on(days int) string {
	return value.DayOf(m.Clock.Now()).AddDays(days).String()
}

// again signs a member in again.
func (m *members) again(t *testing.T, of member) member {
	t.Helper()
	of.customer = m.login(t, of.debtor, of.email)
	return of
}

// heard waits until a mail to a member holds all of some words.
func (m member) heard(t *testing.T, words ...string) {
	t.Helper()
	soon(t, m.s, func() bool {
		return slices.ContainsFunc(mailTo(t, m.s, m.email), func(found mail.Message) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(fmt.Sprint(found.Mail), w) })
		})
	})
}

// at is the participation of a member at Molenweg.
func (m member) at(t *testing.T, number int) participationSeen {
	t.Helper()
	return m.has(t)[fmt.Sprint("Molenweg ", number)]
}

func movesToCome(t *testing.T, all *members) {
	m := all.with(t, 20)
	home := 100 + all.made
	day := all.on(10)
	var coming []moveSeen
	t.Run("3-future-move-fields,7.6-get-future-moves", func(t *testing.T) {
		assert.Empty(t, fine[[]moveSeen](t, m.do(http.MethodGet, comingMoves, nil), 200))
		fine[[]moveSeen](t, m.post(moveShares, moving(all.on(20), m.toNew(2, place(3)))), 200)
		fine[[]moveSeen](t, m.post(moveShares, moving(all.on(0), m.toNew(1, place(4)))), 200) // at once: not to come
		fine[[]moveSeen](t, m.post(moveShares, moving(day, m.toNew(5, with(place(2), object{"house_postfix": "bis"})))), 200)
		coming = fine[[]moveSeen](t, m.do(http.MethodGet, comingMoves, nil), 200)
		require.Len(t, coming, 2, "the next one first")
		want := place(home)
		assert.Equal(t, []any{m.participation, day, int64(5), with(place(2), object{"house_postfix": "bis"}), want},
			[]any{coming[0].Participation, coming[0].Date, coming[0].Shares, coming[0].Address, coming[0].Old})
		assert.Equal(t, all.on(20), coming[1].Date)
		assert.Empty(t, fine[[]moveSeen](t, all.with(t, 1).do(http.MethodGet, comingMoves, nil), 200), "of others")
	})
	t.Run("shares on their way are not free, and still there", func(t *testing.T) {
		assert.Equal(t, []int64{19, 7}, []int64{m.at(t, home).Share, m.at(t, home).Moving})
		a := m.post(moveShares, moving(all.on(0), m.toNew(13, place(5))))
		assert.Equal(t, []any{http.StatusConflict, "marketplace.shares_offered"}, []any{a.Status, a.Code()})
	})
	t.Run("a move to come can be taken back, once and again", func(t *testing.T) {
		stranger := all.with(t, 1)
		assert.Equal(t, http.StatusNotFound, stranger.do(http.MethodDelete, comingMoves+"/"+coming[1].ID, nil).Status)
		for range 2 {
			assert.Equal(t, http.StatusNoContent, m.do(http.MethodDelete, comingMoves+"/"+coming[1].ID, nil).Status)
		}
		assert.Equal(t, int64(5), m.at(t, home).Moving)
		assert.Len(t, fine[[]moveSeen](t, m.do(http.MethodGet, comingMoves, nil), 200), 1)
		assert.Equal(t, http.StatusNotFound, m.do(http.MethodDelete, comingMoves+"/nothing", nil).Status)
	})
	t.Run("on its day it is made, once", func(t *testing.T) {
		all.later(t, 9*24*time.Hour)
		m = all.again(t, m)
		assert.Equal(t, int64(19), m.at(t, home).Share, "not before its day")
		all.later(t, 24*time.Hour)
		m = all.again(t, m)
		soon(t, m.s, func() bool { return m.at(t, 2).Share == 5 })
		assert.Equal(t, []int64{14, 0}, []int64{m.at(t, home).Share, m.at(t, home).Moving})
		all.later(t, time.Hour) // the sweep
		m = all.again(t, m)
		assert.Equal(t, int64(5), m.at(t, 2).Share)
		assert.Empty(t, fine[[]moveSeen](t, m.do(http.MethodGet, comingMoves, nil), 200))
		a := m.do(http.MethodDelete, comingMoves+"/"+coming[0].ID, nil)
		assert.Equal(t, []any{http.StatusConflict, "marketplace.transition"}, []any{a.Status, a.Code()})
		m.heard(t, "Je delen zijn verhuisd", "Windpark Molenbocht", "5 delen", "Molenweg 2 bis, 9861GT Grootegast")
	})
}

func movesRefused(t *testing.T, all *members) {
	m := all.with(t, 20)
	home := 100 + all.made
	today, tomorrow := all.on(0), all.on(1)
	move := func(date string, items ...object) apptest.Answer { return m.post(moveShares, moving(date, items...)) }
	t.Run("5.8-required", func(t *testing.T) {
		assert.Equal(t, []string{"date marketplace.required", "items.0.participationIdentifier marketplace.required", "items.0.shares marketplace.required",
			"items.0.address marketplace.required"}, refusedFields(t, move("", object{})))
		assert.Equal(t, []string{"items marketplace.required"}, refusedFields(t, move(today)))
	})
	t.Run("5.8-existing-address,5.8-new-address,3-move-shares-address-type", func(t *testing.T) {
		neither := object{"participationIdentifier": m.participation, "shares": 1}
		assert.Equal(t, []string{"items.0.address marketplace.required"}, refusedFields(t, move(today, neither)))
		assert.Equal(t, []string{"items.0.address marketplace.required"}, refusedFields(t, move(today, with(neither, object{"toParticipationIdentifier": ""}))))
		assert.Equal(t, []string{"items.0.toParticipationIdentifier marketplace.participation_unknown"},
			refusedFields(t, move(today, with(neither, object{"toParticipationIdentifier": all.with(t, 3).participation}))), "another's")
		assert.Equal(t, []string{"items.0.address.postal_code marketplace.required", "items.0.address.house_number marketplace.required",
			"items.0.address.street_name marketplace.required", "items.0.address.city marketplace.required"}, refusedFields(t, move(today, m.toNew(1, object{}))))
		assert.Contains(t, refusedFields(t, move(today, with(m.toNew(1, place(8)), object{"toParticipationIdentifier": m.participation}))), "items.0.address marketplace.invalid_input", "one or the other")
		assert.Equal(t, []string{"items.0.address marketplace.same_address"}, refusedFields(t, move(today, m.toNew(1, with(place(home), object{"postal_code": "9861 gt"})))))
	})
	t.Run("5.8-shares-range", func(t *testing.T) {
		for _, n := range []any{0, -1, 21, 1.5, 1e12} {
			assert.Equal(t, []string{"items.0.shares marketplace.invalid_input"}, refusedFields(t, move(today, m.toNew(n, place(8)))), n)
		}
		assert.Equal(t, http.StatusBadRequest, move(today, m.toNew("veel", place(8))).Status)
	})
	t.Run("5.8-date-min", func(t *testing.T) {
		assert.Equal(t, []string{"date marketplace.date_past"}, refusedFields(t, move(all.on(-1), m.toNew(1, place(8)))))
		assert.Equal(t, []string{"date marketplace.date_invalid"}, refusedFields(t, move("2027-02-29", m.toNew(1, place(8)))))
	})
	t.Run("shares of others", func(t *testing.T) {
		other := all.with(t, 5)
		assert.Equal(t, []string{"items.0.participationIdentifier marketplace.participation_unknown"}, refusedFields(t, move(today, other.toNew(1, place(8)))))
		assert.Equal(t, int64(5), other.at(t, 100+all.made).Share)
	})
	t.Run("5.8-shares-offered-reconcile", func(t *testing.T) {
		fine[object](t, m.post("/sustainable/offers", object{"participation_identifier": m.participation, "project_code": marketProject, "date": tomorrow,
			"number_of_shares": 8, "price": 40}), 201)
		a := move(today, m.toNew(13, place(8)))
		assert.Equal(t, []any{http.StatusConflict, "marketplace.shares_offered"}, []any{a.Status, a.Code()})
		a = move(today, m.toNew(6, place(8)), m.toNew(7, place(9)))
		assert.Equal(t, []any{http.StatusConflict, "marketplace.shares_offered"}, []any{a.Status, a.Code()}, "together too many")
		assert.Len(t, m.has(t), 1, "nothing of it was done")
		fine[[]moveSeen](t, move(today, m.toNew(5, place(8)), m.toNew(7, place(9))), 200)
		assert.Equal(t, []int64{8, 5, 7}, []int64{m.at(t, home).Share, m.at(t, 8).Share, m.at(t, 9).Share})
	})
	t.Run("sent again it is one move", func(t *testing.T) {
		send := func(key string, body object) apptest.Answer {
			return m.s.Do(apptest.Call{Method: http.MethodPost, Path: moveShares, Bearer: m.token, Body: body, Header: map[string]string{"Idempotency-Key": key}})
		}
		from := m.at(t, 9).Identifier
		body := moving(today, object{"participationIdentifier": from, "shares": 2, "address": place(10)}, object{"participationIdentifier": from, "shares": 1, "address": place(11)})
		answers := make([]apptest.Answer, 8)
		var sent sync.WaitGroup
		for i := range answers {
			sent.Go(func() { answers[i] = send("same", body) })
		}
		sent.Wait()
		for _, a := range answers {
			assert.Equal(t, fine[[]moveSeen](t, answers[0], 200), fine[[]moveSeen](t, a, 200))
		}
		assert.Equal(t, []int64{4, 2, 1}, []int64{m.at(t, 9).Share, m.at(t, 10).Share, m.at(t, 11).Share})
		a := send("same", moving(today, object{"participationIdentifier": from, "shares": 1, "address": place(10)}))
		assert.Equal(t, []any{http.StatusUnprocessableEntity, "marketplace.key_reused"}, []any{a.Status, a.Code()})
		assert.Equal(t, http.StatusBadRequest, send("no good key", body).Status)
	})
	t.Run("of one participation by many at a time no share goes twice", func(t *testing.T) {
		one := all.with(t, 10)
		var sent sync.WaitGroup
		done := make([]int, 12)
		for i := range done {
			sent.Go(func() { done[i] = one.post(moveShares, moving(today, one.toNew(3, place(200+i)))).Status })
		}
		sent.Wait()
		slices.Sort(done)
		assert.Equal(t, []int{200, 200, 200}, done[:3])
		for _, status := range done[3:] { // more than there are, or more than are left
			assert.Contains(t, []int{http.StatusBadRequest, http.StatusConflict}, status)
		}
		total := int64(0)
		for _, p := range one.has(t) {
			total += p.Share
		}
		assert.Equal(t, int64(10), total)
	})
	t.Run("what no address has", func(t *testing.T) {
		for field := range place(1) {
			for _, bad := range []string{"a\nb", "\x7f", "\u202e12", strings.Repeat("x", 201)} {
				assert.Contains(t, refusedFields(t, move(today, m.toNew(1, with(place(13), object{field: bad})))), "items.0.address marketplace.invalid_input", "%s %q", field, bad)
			}
		}
		assert.Len(t, m.has(t), 5)
	})
	t.Run("names that cannot be", func(t *testing.T) {
		for _, name := range []string{"%00", "%ff", "..%2f..", "P'--", strings.Repeat("x", 101)} {
			for _, a := range []apptest.Answer{m.do(http.MethodGet, "/sustainable/participations/"+name+"/history", nil), m.do(http.MethodGet, "/sustainable/participations/"+name+"/receipt", nil),
				m.do(http.MethodDelete, comingMoves+"/"+name, nil)} {
				assert.Contains(t, []int{http.StatusNotFound, http.StatusBadRequest}, a.Status, name)
			}
		}
		bad := object{"participationIdentifier": "P\x7f", "shares": 1, "toParticipationIdentifier": "P\x7f"}
		assert.Equal(t, []string{"items.0.participationIdentifier marketplace.participation_unknown"}, refusedFields(t, move(today, bad)))
		assert.Equal(t, []string{"participation_identifier marketplace.participation_unknown"}, refusedFields(t, m.post(transferPath, with(m.handing(1, "a@b.example", today), object{"participation_identifier": "P\x7f"}))))
		assert.Contains(t, refusedFields(t, m.post(transferPath, m.handing(1, "a\x7f@b.example", today))), "buyer_email_address marketplace.invalid_input")
		for _, a := range []apptest.Answer{move(today, m.toNew(1, with(place(13), object{"city": "a\x00b"}))), m.post(transferPath, m.handing(1, "a\x00@b.example", today))} {
			assert.Equal(t, http.StatusBadRequest, a.Status, "a NUL is refused at the door")
		}
	})
	t.Run("who only looks along moves nothing", func(t *testing.T) {
		helper := m.s.Impersonator("alpha", m.relation)
		a := m.s.Do(apptest.Call{Method: http.MethodPost, Path: moveShares, Bearer: helper, Body: moving(today, m.toNew(1, place(12)))})
		assert.Equal(t, []any{http.StatusForbidden, problem.CodeReadOnly}, []any{a.Status, a.Code()})
		assert.Equal(t, http.StatusOK, m.s.Do(apptest.Call{Path: comingMoves, Bearer: helper}).Status)
		assert.Equal(t, http.StatusUnauthorized, m.s.Do(apptest.Call{Path: comingMoves}).Status)
	})
}

// offered makes a personal offer that staff have approved, and gives its identifier and code.
func (m *members) offered(t *testing.T, by member, shares int, date string) (id, code string) {
	t.Helper()
	o := fine[struct {
		ID   string `json:"identifier"`
		Code string `json:"direct_offer_code"`
	}](t, by.post("/sustainable/offers", object{"participation_identifier": by.participation, "project_code": marketProject, "date": date,
		"number_of_shares": shares, "price": 40, "buyer_email_address": "koper@leden.example"}), 201)
	return o.ID, o.Code
}

func (m member) redeem(code string) apptest.Answer {
	return m.post("/sustainable/activation/direct/"+url.PathEscape(code), nil)
}

// personal are the personal offers of a member.
func (m member) personal(t *testing.T) (ids []string) {
	t.Helper()
	a := m.do(http.MethodGet, "/sustainable/market?personal=true", nil)
	if a.Status == http.StatusNotFound {
		return nil
	}
	for _, o := range fine[[]struct {
		ID string `json:"identifier"`
	}](t, a, 200) {
		ids = append(ids, o.ID)
	}
	return ids
}

func codesOfOffers(t *testing.T, all *members) {
	seller, buyer, other := all.with(t, 20), all.with(t, 0), all.with(t, 0)
	id, code := all.offered(t, seller, 4, all.on(0))
	t.Run("7.6-activation-invalid,5.7-redeem-length", func(t *testing.T) {
		for _, wrong := range []string{"A", "ABCDEFGHJK", "ABCDEFGHJK23", "ABCDE%FGHJK2", "äbcdefghjk23"} {
			a := buyer.redeem(wrong)
			assert.Equal(t, []any{http.StatusBadRequest, "marketplace.code_invalid"}, []any{a.Status, a.Code()}, wrong)
		}
		unknown := func(who member, code, why string) {
			t.Helper()
			a := who.redeem(code)
			assert.Equal(t, []any{http.StatusNotFound, "marketplace.code_unknown"}, []any{a.Status, a.Code()}, why)
		}
		unknown(buyer, "ABCDEFGHJK2", "nobody's")
		unknown(buyer, code, "not approved yet")
		decide(t, seller.customer, "marketplace.offer", module.Processed)
		unknown(seller, code, "one's own")
		fine[object](t, other.redeem(code), 200)
		unknown(buyer, code, "used by another")
		stranger := all.Customer("beta", "vreemd")
		assert.NotEqual(t, http.StatusOK, all.Do(apptest.Call{Method: http.MethodPost, Host: "beta.localhost", Path: "/sustainable/activation/direct/" + code, Bearer: stranger}).Status, "of another label")
	})
	t.Run("7.6-post-activation,7.6-activation-effect", func(t *testing.T) {
		id, code = all.offered(t, seller, 5, all.on(0))
		decide(t, seller.customer, "marketplace.offer", module.Processed)
		assert.Empty(t, buyer.personal(t))
		for _, entered := range []string{" " + strings.ToLower(code) + " ", code, code} {
			got := fine[struct{ Offer object }](t, buyer.redeem(entered), 200)
			assert.Equal(t, id, got.Offer["identifier"])
			assert.Equal(t, false, got.Offer["my_offer"])
			assert.Empty(t, got.Offer["direct_offer_code"], "the code is its owner's")
		}
		assert.Equal(t, []string{id}, buyer.personal(t))
		assert.NotContains(t, other.personal(t), id)
		assert.Equal(t, http.StatusNotFound, other.redeem(code).Status)
	})
	t.Run("before its day it is there, and cannot be bought", func(t *testing.T) {
		id, code := all.offered(t, seller, 1, all.on(5))
		decide(t, seller.customer, "marketplace.offer", module.Processed)
		assert.Equal(t, "APPROVED", fine[struct{ Offer object }](t, buyer.redeem(code), 200).Offer["status"])
		assert.Contains(t, buyer.personal(t), id)
	})
	t.Run("of many at a time one gets it", func(t *testing.T) {
		_, code := all.offered(t, seller, 1, all.on(0))
		decide(t, seller.customer, "marketplace.offer", module.Processed)
		many := make([]member, 6)
		for i := range many {
			many[i] = all.with(t, 0)
		}
		got := make([]int, len(many))
		var sent sync.WaitGroup
		for i, m := range many {
			sent.Go(func() { got[i] = m.redeem(code).Status })
		}
		sent.Wait()
		slices.Sort(got)
		assert.Equal(t, []int{200, 404, 404, 404, 404, 404}, got)
	})
	t.Run("a code whose offer is over", func(t *testing.T) {
		o := fine[struct {
			Reference string `json:"reference"`
			Code      string `json:"direct_offer_code"`
		}](t, seller.post("/sustainable/offers", object{"participation_identifier": seller.participation, "date": all.on(0), "number_of_shares": 1, "price": 40,
			"buyer_email_address": "koper@leden.example"}), 201)
		decide(t, seller.customer, "marketplace.offer", module.Processed)
		fine[object](t, seller.post("/sustainable/offers/retract", object{"reference": o.Reference}), 200)
		assert.Equal(t, http.StatusNotFound, buyer.redeem(o.Code).Status)
	})
	t.Run("the code comes by mail", func(t *testing.T) {
		soon(t, all.Server, func() bool {
			return slices.ContainsFunc(mailTo(t, all.Server, "koper@leden.example"), func(m mail.Message) bool { return m.Mail.Code == code && strings.Contains(m.Mail.Button.Path, code) })
		})
	})
	t.Run("who tries code after code is stopped", func(t *testing.T) {
		guesser, got := all.with(t, 0), 0
		for range 61 {
			got = guesser.redeem("ABCDEFGHJK2").Status
		}
		assert.Equal(t, http.StatusTooManyRequests, got)
	})
}

const transferPath = "/sustainable/transfers"

func (m member) handing(shares any, to, date string) object {
	return object{"participation_identifier": m.participation, "number_of_shares": shares, "buyer_email_address": to, "date": date}
}

func transfersToMembers(t *testing.T, all *members) {
	giver, receiver := all.with(t, 20), all.electric(t, all.with(t, 0))
	home := 100 + all.made
	t.Run("7.6-post-transfers,1-personal-transfer", func(t *testing.T) {
		o := fine[object](t, giver.post(transferPath, giver.handing(6, strings.ToUpper(receiver.email), all.on(3))), 201)
		assert.Equal(t, []any{"CREATED", "PRIVATE", true, 6.0, 0.0, all.on(3)}, []any{o["status"], o["offer_publication_type"], o["private_offer"], o["shares"], o["price_per_share"], o["date"]})
		assert.Equal(t, int64(6), giver.at(t, home-1).Offered)
		decide(t, giver.customer, "marketplace.offer", module.Processed)
		giver.heard(t, "Je overdracht is goedgekeurd")
		assert.Empty(t, receiver.personal(t), "nothing to be bought")
		assert.Empty(t, receiver.has(t))
		all.later(t, 2*24*time.Hour)
		receiver = all.again(t, receiver)
		assert.Empty(t, receiver.has(t), "not before its day")
		all.later(t, 24*time.Hour)
		giver, receiver = all.again(t, giver), all.again(t, receiver)
		soon(t, all.Server, func() bool { return receiver.at(t, home).Share == 6 })
		assert.Equal(t, []int64{14, 0}, []int64{giver.at(t, home-1).Share, giver.at(t, home-1).Offered})
		receiver.heard(t, "Je hebt delen gekregen", "Lid "+giver.debtor, "6 delen", "Windpark Molenbocht")
		giver.heard(t, "Je delen zijn overgedragen", "6 delen")
	})
	t.Run("today, to who has shares already", func(t *testing.T) {
		fine[object](t, giver.post(transferPath, giver.handing(14, receiver.email, all.on(0))), 201)
		decide(t, giver.customer, "marketplace.offer", module.Processed)
		soon(t, all.Server, func() bool { return receiver.at(t, home).Share == 20 })
		assert.Empty(t, giver.has(t))
		page := fine[struct{ Content []object }](t, giver.post("/sustainable/market", object{"filters": object{"my_offer": true}}), 200)
		require.NotEmpty(t, page.Content)
		assert.Equal(t, "TRANSFERRED", page.Content[0]["status"])
	})
	t.Run("what staff reject stays", func(t *testing.T) {
		one := all.with(t, 3)
		fine[object](t, one.post(transferPath, one.handing(3, receiver.email, all.on(0))), 201)
		rejectOffer(t, one.customer)
		assert.Equal(t, int64(0), one.at(t, 100+all.made).Offered)
		one.heard(t, "Je overdracht is niet goedgekeurd", "niet goedgekeurd")
	})
	t.Run("the receiver's contract ends before the day", func(t *testing.T) {
		one, to := all.with(t, 3), all.electric(t, all.with(t, 0))
		fine[object](t, one.post(transferPath, one.handing(3, to.email, all.on(5))), 201)
		decide(t, one.customer, "marketplace.offer", module.Processed)
		require.Empty(t, records(t, all.Server, "agreement", with(energyAt(to.customer, "E"+to.debtor+"-1"), object{"status": "TERMINATED", "period": object{"from": "2024-01-01", "to": all.on(1)}})))
		all.later(t, 5*24*time.Hour)
		one = all.again(t, one)
		one.heard(t, "Je overdracht gaat niet door", "stroomcontract")
		assert.Equal(t, []int64{3, 0}, []int64{one.at(t, 100+all.made-1).Share, one.at(t, 100+all.made-1).Offered})
	})
}

// rejectOffer lets staff reject the pending offer of a member.
func rejectOffer(t *testing.T, c customer) {
	t.Helper()
	staff, id := c.s.Staff("alpha"), ""
	soon(t, c.s, func() bool {
		var list struct {
			Items []struct{ ID, Relation string }
		}
		c.s.Do(apptest.Call{Path: "/staff/changes?state=PENDING&kind=marketplace.offer", Bearer: staff}).JSON(t, &list)
		for _, change := range list.Items {
			if change.Relation == c.relation {
				id = change.ID
			}
		}
		return id != ""
	})
	a := c.s.Do(apptest.Call{Method: http.MethodPost, Path: "/staff/changes/" + id + "/decision", Bearer: staff, Body: object{"state": "REJECTED", "reason": "REJECTED_BY_PROVIDER"}})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
}

func transfersRefused(t *testing.T, all *members) {
	giver, receiver := all.with(t, 20), all.electric(t, all.with(t, 0))
	home := 100 + all.made - 1
	today := all.on(0)
	hand := func(to string, changes object) apptest.Answer {
		return giver.post(transferPath, with(giver.handing(1, to, today), changes))
	}
	refused := func(a apptest.Answer, status int, code string) {
		t.Helper()
		assert.Equal(t, []any{status, code}, []any{a.Status, a.Code()}, string(a.Body))
	}
	t.Run("7.6-transfers-payload", func(t *testing.T) {
		refused(hand("niemand@leden.example", nil), http.StatusNotFound, "marketplace.member_unknown")
		all.Staff("alpha")
		refused(hand("medewerker@alpha.example", nil), http.StatusNotFound, "marketplace.member_unknown")
		refused(hand(all.with(t, 0).email, nil), http.StatusConflict, "marketplace.receiver_contract")
		got := fine[object](t, hand(receiver.email, nil), 201)
		assert.Equal(t, []any{1.0, today, giver.participation}, []any{got["shares"], got["date"], got["participation_identifier"]})
	})
	t.Run("a couple with one address is nobody", func(t *testing.T) {
		one := all.electric(t, all.with(t, 0))
		fine[object](t, hand(one.email, nil), 201)
		all.login(t, all.with(t, 0).debtor, one.email)
		refused(hand(one.email, nil), http.StatusNotFound, "marketplace.member_unknown")
	})
	t.Run("who has never signed in is nobody yet", func(t *testing.T) {
		_, err := all.Identity.Upsert(t.Context(), identity.Account{Label: "alpha", Relation: account.RelationID("alpha", "9999001"), Username: "lid.slaapt", Email: "slaapt@leden.example",
			Name: "Slaper", Role: identity.Customer}, "Tijdelijk2026", true)
		require.NoError(t, err)
		refused(hand("slaapt@leden.example", nil), http.StatusNotFound, "marketplace.member_unknown")
	})
	t.Run("5.7-transfer-contract", func(t *testing.T) {
		none := all.with(t, 0)
		refused(hand(none.email, nil), http.StatusConflict, "marketplace.receiver_contract")
		record := energyAt(none.customer, "E"+none.debtor+"-1")
		for _, ended := range []object{{"status": "TERMINATED"}, {"period": object{"from": "2024-01-01", "to": all.on(-1)}}, {"period": object{"from": all.on(1)}}, {"addresses": nil, "products": nil}} {
			require.Empty(t, records(t, all.Server, "agreement", with(record, ended)))
			refused(hand(none.email, nil), http.StatusConflict, "marketplace.receiver_contract")
		}
		require.Empty(t, records(t, all.Server, "agreement", record))
		fine[object](t, hand(none.email, nil), 201)
	})
	t.Run("form", func(t *testing.T) {
		for want, changes := range map[string]object{
			"participation_identifier marketplace.required":              {"participation_identifier": "", "number_of_shares": nil, "date": today},
			"participation_identifier marketplace.participation_unknown": {"participation_identifier": "P-nobody"},
			"number_of_shares marketplace.invalid_input":                 {"number_of_shares": 1.5},
			"number_of_shares marketplace.not_enough_shares":             {"number_of_shares": 21},
			"buyer_email_address marketplace.required":                   {"buyer_email_address": " "},
			"buyer_email_address marketplace.invalid_input":              {"buyer_email_address": "a@b.example\r\nBcc: c@d.example"},
			"buyer_email_address marketplace.receiver_self":              {"buyer_email_address": giver.email},
			"date marketplace.date_range":                                {"date": all.on(-1)},
		} {
			assert.Contains(t, refusedFields(t, hand(receiver.email, changes)), want)
		}
		assert.Contains(t, refusedFields(t, hand(receiver.email, object{"date": all.on(91)})), "date marketplace.date_range")
	})
	t.Run("sent again it is one transfer", func(t *testing.T) {
		before := giver.at(t, home).Offered
		send := func(shares int) apptest.Answer {
			return giver.s.Do(apptest.Call{Method: http.MethodPost, Path: transferPath, Bearer: giver.token, Body: giver.handing(shares, receiver.email, today), Header: map[string]string{"Idempotency-Key": "t1"}})
		}
		first := fine[object](t, send(2), 201)
		assert.Equal(t, first["identifier"], fine[object](t, send(2), 201)["identifier"])
		assert.Equal(t, before+2, giver.at(t, home).Offered)
		assert.Equal(t, http.StatusUnprocessableEntity, send(3).Status)
	})
	t.Run("who looks for member after member is stopped", func(t *testing.T) {
		curious, got := all.with(t, 5), 0
		for i := range 21 {
			got = curious.post(transferPath, curious.handing(1, fmt.Sprintf("gok%d@leden.example", i), today)).Status
		}
		assert.Equal(t, http.StatusTooManyRequests, got)
	})
}

func historyOfShares(t *testing.T, all *members) {
	m := all.with(t, 200)
	type entry struct {
		Sequence      int64
		Kind, By, Ref string
		Change, After struct{ Share, Offered, Moving int64 }
		Hash          string
	}
	type history struct {
		Entries []entry
		Next    int64
	}
	path := "/sustainable/participations/" + m.participation
	fine[[]moveSeen](t, m.post(moveShares, moving(all.on(0), m.toNew(2, place(301)))), 200)
	coming := fine[[]moveSeen](t, m.post(moveShares, moving(all.on(1), m.toNew(3, place(302)))), 200)
	fine[object](t, m.do(http.MethodDelete, comingMoves+"/"+coming[0].ID, nil), 204)
	fine[object](t, m.post("/sustainable/offers", object{"participation_identifier": m.participation, "date": all.on(0), "number_of_shares": 8, "price": 40}), 201)
	t.Run("newest first, each with what it led to", func(t *testing.T) {
		h := fine[history](t, m.do(http.MethodGet, path+"/history", nil), 200)
		assert.Equal(t, []string{"5 OFFERED customer 0 198 8 0", "4 MOVE_CANCELLED customer 0 198 0 0", "3 MOVE_PLANNED customer 0 198 0 3", "2 MOVED_OUT customer -2 198 0 0",
			"1 ISSUED system 200 200 0 0"}, spaced(h.Entries, func(e entry) string {
			return fmt.Sprintf("%d %s %s %d %d %d %d", e.Sequence, e.Kind, e.By, e.Change.Share, e.After.Share, e.After.Offered, e.After.Moving)
		}))
		assert.Zero(t, h.Next)
		assert.Len(t, h.Entries[0].Hash, 64)
	})
	t.Run("page by page", func(t *testing.T) {
		for i := range 60 {
			fine[[]moveSeen](t, m.post(moveShares, moving(all.on(0), m.toNew(1, place(400+i)))), 200)
		}
		first := fine[history](t, m.do(http.MethodGet, path+"/history", nil), 200)
		require.Len(t, first.Entries, 50)
		second := fine[history](t, m.do(http.MethodGet, fmt.Sprintf("%s/history?before=%d", path, first.Next), nil), 200)
		require.Len(t, second.Entries, 15)
		assert.Zero(t, second.Next)
		assert.Equal(t, first.Entries[49].Sequence-1, second.Entries[0].Sequence)
		assert.Equal(t, first.Entries[49].After.Share-first.Entries[49].Change.Share, second.Entries[0].After.Share)
		assert.Equal(t, int64(200), second.Entries[14].After.Share)
	})
	t.Run("as a file", func(t *testing.T) {
		a := m.do(http.MethodGet, path+"/receipt", nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, "application/pdf", a.Header.Get("Content-Type"))
		assert.Contains(t, a.Header.Get("Content-Disposition"), "deelname-"+m.participation+".pdf")
		assert.True(t, bytes.HasPrefix(a.Body, []byte("%PDF-")))
		assert.True(t, bytes.Contains(a.Body, []byte("/Count 2")), "65 lines are two pages")
		if keep := os.Getenv("KEEP_RECEIPT"); keep != "" {
			require.NoError(t, os.WriteFile(keep, a.Body, 0o600))
		}
	})
	t.Run("of others", func(t *testing.T) {
		stranger := all.with(t, 1)
		for _, what := range []string{"history", "receipt"} {
			assert.Equal(t, http.StatusNotFound, stranger.do(http.MethodGet, path+"/"+what, nil).Status)
			assert.Equal(t, http.StatusNotFound, stranger.do(http.MethodGet, "/sustainable/participations/nobody/"+what, nil).Status)
			assert.Equal(t, http.StatusUnauthorized, m.s.Do(apptest.Call{Path: path + "/" + what}).Status)
		}
	})
}

func spaced[T any](all []T, text func(T) string) []string {
	out := make([]string, len(all))
	for i, x := range all {
		out[i] = text(x)
	}
	return out
}

func accessToTheMarket(t *testing.T, s *apptest.Server) {
	do := func(host, token, method, path string, body any) apptest.Answer {
		return s.Do(apptest.Call{Method: method, Host: host + ".localhost", Path: "/sustainable" + path, Bearer: token, Body: body})
	}
	state := func(host, token string) string {
		t.Helper()
		return fine[struct{ State string }](t, do(host, token, http.MethodGet, "/access", nil), 200).State
	}
	free := s.Customer("alpha", "vrij")
	t.Run("where everybody may trade there is nothing to ask", func(t *testing.T) {
		assert.Equal(t, "OPEN", state("alpha", free))
		a := do("alpha", free, http.MethodPost, "/access", nil)
		assert.Equal(t, []any{http.StatusConflict, "marketplace.access_approved"}, []any{a.Status, a.Code()})
	})
	decideAccess := func(relation, state string) {
		t.Helper()
		staff, id := s.Staff("beta"), ""
		soon(t, s, func() bool {
			var list struct {
				Items []struct{ ID, Relation string }
			}
			s.Do(apptest.Call{Host: "beta.localhost", Path: "/staff/changes?state=PENDING&kind=marketplace.access", Bearer: staff}).JSON(t, &list)
			for _, c := range list.Items {
				if c.Relation == relation {
					id = c.ID
				}
			}
			return id != ""
		})
		a := s.Do(apptest.Call{Host: "beta.localhost", Method: http.MethodPost, Path: "/staff/changes/" + id + "/decision", Bearer: staff, Body: object{"state": state, "reason": "Nog geen lid"}})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	}
	heard := func(to, word string) {
		t.Helper()
		soon(t, s, func() bool {
			return slices.ContainsFunc(mailTo(t, s, to), func(m mail.Message) bool { return strings.Contains(fmt.Sprint(m.Mail), word) })
		})
	}
	member := s.Customer("beta", "wacht")
	// What buys or sells, and what does not.
	trades := []struct {
		method, path string
		body         object
	}{
		{http.MethodPost, "/offers", object{"participation_identifier": "P", "date": "2026-12-01", "number_of_shares": 1, "price": 40}},
		{http.MethodPost, "/transfers", object{"participation_identifier": "P", "date": "2026-12-01", "number_of_shares": 1, "buyer_email_address": "a@b.example"}},
		{http.MethodPost, "/activation/direct/ABCDEFGHJK2", nil},
		{http.MethodPost, "/basket", object{"offer": object{"identifier": "x", "reference": "x", "shares": 1, "project_code": "x", "address": place(1)}, "basket": object{"items": []any{}, "total_amount": 0}}},
		{http.MethodPost, "/basket/order", object{"waiveWithdrawalPeriod": true, "basket": object{"items": []any{}, "total_amount": 0}, "start_date": "2027-01-31"}},
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
	t.Run("6-market-access-approval,6-market-access-api", func(t *testing.T) {
		assert.Equal(t, "NONE", state("beta", member))
		shut(t)
		assert.Equal(t, "PENDING", fine[struct{ State string }](t, do("beta", member, http.MethodPost, "/access", nil), 200).State)
		assert.Equal(t, "PENDING", state("beta", member))
		shut(t)
		a := do("beta", member, http.MethodPost, "/access", nil)
		assert.Equal(t, []any{http.StatusConflict, problem.CodePending}, []any{a.Status, a.Code()})
		decideAccess("wacht", module.Rejected)
		assert.Equal(t, "REJECTED", state("beta", member))
		shut(t)
		heard("wacht@klant.example", "Nog geen lid")
		fine[object](t, do("beta", member, http.MethodPost, "/access", nil), 200)
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
		assert.Equal(t, "NONE", state("beta", s.Customer("beta", "ander")), "of this member only")
		assert.Equal(t, http.StatusConflict, do("beta", member, http.MethodPost, "/access", nil).Status)
	})
	t.Run("who may trade can come from the back office", func(t *testing.T) {
		target, _, err := s.Importer("beta")
		require.NoError(t, err)
		load := func(debtor, state string) []record.Refusal {
			refused, err := target(t.Context(), "market_access", []record.Row{{Line: 7, Data: []byte(fmt.Sprintf(`{"debtor_number":%q,"state":%q}`, debtor, state))}})
			require.NoError(t, err)
			return refused
		}
		old := s.Customer("beta", account.RelationID("beta", "77001"))
		assert.Equal(t, "NONE", state("beta", old))
		assert.Empty(t, load("77001", "APPROVED"))
		assert.Equal(t, "APPROVED", state("beta", old))
		assert.Empty(t, load("77001", "REJECTED"))
		fine[object](t, do("beta", old, http.MethodPost, "/access", nil), 200)
		assert.Empty(t, load("77001", "APPROVED"))
		assert.Equal(t, "PENDING", state("beta", old), "what waits for staff is theirs")
		assert.Equal(t, []record.Refusal{{Line: 7, Field: "state", Code: problem.CodeInvalid}}, load("77001", "OPEN"))
		assert.Equal(t, []record.Refusal{{Line: 7, Field: "debtor_number", Code: problem.CodeRequired}}, load("", "APPROVED"))
	})
	t.Run("asked by many at a time it is one wish", func(t *testing.T) {
		many := s.Customer("beta", "ongeduld")
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
