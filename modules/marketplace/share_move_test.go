package marketplace_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/test/fixture"
)

func movesOfShares(t *testing.T, all *fixture.Members) {
	m := all.With(t, 20)
	home := m.Participations(t)
	require.Len(t, home, 1)
	t.Run("7.6-post-move-shares,7.6-move-shares-path,3-move-shares-fields,5.8-new-address", func(t *testing.T) {
		at := fixture.Place(1)
		got := fixture.Body[[]fixture.Move](t, m.Post(fixture.MoveShares, fixture.Moving("2026-11-20", m.ToNew(5, at))), 200)
		require.Len(t, got, 1)
		assert.Equal(t, int64(5), got[0].Shares)
		assert.Equal(t, at, got[0].Address)
		has := m.Participations(t)
		assert.Equal(t, int64(5), has["Molenweg 1"].Share)
		assert.Equal(t, int64(15), has[fmt.Sprint("Molenweg ", 100+all.Made)].Share)
	})
	t.Run("5.8-existing-address,7.6-post-move-shares", func(t *testing.T) {
		other := m.Participations(t)["Molenweg 1"].Identifier
		fixture.Body[[]fixture.Move](t, m.Post(fixture.MoveShares, fixture.Moving("2026-11-20",
			fixture.Object{"participationIdentifier": m.Participation, "shares": 15, "toParticipationIdentifier": other})), 200)
		has := m.Participations(t)
		assert.Len(t, has, 1, "a participation without shares is not shown")
		assert.Equal(t, int64(20), has["Molenweg 1"].Share)
	})
}

func movesToCome(t *testing.T, all *fixture.Members) {
	m := all.With(t, 20)
	home := 100 + all.Made
	day := all.On(10)
	var coming []fixture.Move
	t.Run("3-future-move-fields,7.6-get-future-moves,3-mixed-case-reconcile", func(t *testing.T) {
		assert.Empty(t, fixture.Body[[]fixture.Move](t, m.Do(http.MethodGet, fixture.ComingMoves, nil), 200))
		fixture.Body[[]fixture.Move](t, m.Post(fixture.MoveShares, fixture.Moving(all.On(20), m.ToNew(2, fixture.Place(3)))), 200)
		// made immediately, so it is not a planned move
		fixture.Body[[]fixture.Move](t, m.Post(fixture.MoveShares, fixture.Moving(all.On(0), m.ToNew(1, fixture.Place(4)))), 200)
		fixture.Body[[]fixture.Move](t, m.Post(fixture.MoveShares, fixture.Moving(day,
			m.ToNew(5, fixture.With(fixture.Place(2), fixture.Object{"house_postfix": "bis"})))), 200)
		coming = fixture.Body[[]fixture.Move](t, m.Do(http.MethodGet, fixture.ComingMoves, nil), 200)
		require.Len(t, coming, 2, "the next one first")
		want := fixture.Place(home)
		assert.Equal(t, []any{m.Participation, day, int64(5), fixture.With(fixture.Place(2), fixture.Object{"house_postfix": "bis"}), want},
			[]any{coming[0].Participation, coming[0].Date, coming[0].Shares, coming[0].Address, coming[0].Old})
		assert.Equal(t, all.On(20), coming[1].Date)
		assert.Empty(t, fixture.Body[[]fixture.Move](t, all.With(t, 1).Do(http.MethodGet, fixture.ComingMoves, nil), 200), "of others")
	})
	t.Run("shares on their way are not free, and still there", func(t *testing.T) {
		assert.Equal(t, []int64{19, 7}, []int64{m.At(t, home).Share, m.At(t, home).Moving})
		a := m.Post(fixture.MoveShares, fixture.Moving(all.On(0), m.ToNew(13, fixture.Place(5))))
		assert.Equal(t, []any{http.StatusConflict, "marketplace.shares_offered"}, []any{a.Status, a.Code()})
	})
	t.Run("a move to come can be taken back, once and again", func(t *testing.T) {
		stranger := all.With(t, 1)
		assert.Equal(t, http.StatusNotFound, stranger.Do(http.MethodDelete, fixture.ComingMoves+"/"+coming[1].ID, nil).Status)
		for range 2 {
			assert.Equal(t, http.StatusNoContent, m.Do(http.MethodDelete, fixture.ComingMoves+"/"+coming[1].ID, nil).Status)
		}
		assert.Equal(t, int64(5), m.At(t, home).Moving)
		assert.Len(t, fixture.Body[[]fixture.Move](t, m.Do(http.MethodGet, fixture.ComingMoves, nil), 200), 1)
		assert.Equal(t, http.StatusNotFound, m.Do(http.MethodDelete, fixture.ComingMoves+"/nothing", nil).Status)
	})
	t.Run("on its day it is made, once", func(t *testing.T) {
		all.Later(t, 9*24*time.Hour)
		m = all.Again(t, m)
		assert.Equal(t, int64(19), m.At(t, home).Share, "not before its day")
		all.Later(t, 24*time.Hour)
		m = all.Again(t, m)
		m.Portal.Eventually(func() bool { return m.At(t, 2).Share == 5 })
		assert.Equal(t, []int64{14, 0}, []int64{m.At(t, home).Share, m.At(t, home).Moving})
		all.Later(t, time.Hour) // the sweep does not make it again
		m = all.Again(t, m)
		assert.Equal(t, int64(5), m.At(t, 2).Share)
		assert.Empty(t, fixture.Body[[]fixture.Move](t, m.Do(http.MethodGet, fixture.ComingMoves, nil), 200))
		a := m.Do(http.MethodDelete, fixture.ComingMoves+"/"+coming[0].ID, nil)
		assert.Equal(t, []any{http.StatusConflict, "marketplace.transition"}, []any{a.Status, a.Code()})
		m.HasMail(t, "Je delen zijn verhuisd", "Windpark Molenbocht", "5 delen", "Molenweg 2 bis, 9861GT Grootegast")
	})
}

func movesRefused(t *testing.T, all *fixture.Members) {
	m := all.With(t, 20)
	home := 100 + all.Made
	today, tomorrow := all.On(0), all.On(1)
	move := func(date string, items ...fixture.Object) portaltest.Answer {
		return m.Post(fixture.MoveShares, fixture.Moving(date, items...))
	}
	t.Run("5.8-required", func(t *testing.T) {
		assert.Equal(t, []string{"date marketplace.required", "items.0.participationIdentifier marketplace.required",
			"items.0.shares marketplace.required", "items.0.address marketplace.required"}, fixture.RefusedFields(t, move("", fixture.Object{})))
		assert.Equal(t, []string{"items marketplace.required"}, fixture.RefusedFields(t, move(today)))
	})
	t.Run("5.8-existing-address,5.8-new-address,3-move-shares-address-type", func(t *testing.T) {
		neither := fixture.Object{"participationIdentifier": m.Participation, "shares": 1}
		assert.Equal(t, []string{"items.0.address marketplace.required"}, fixture.RefusedFields(t, move(today, neither)))
		assert.Equal(t, []string{"items.0.address marketplace.required"}, fixture.RefusedFields(t,
			move(today, fixture.With(neither, fixture.Object{"toParticipationIdentifier": ""}))))
		assert.Equal(t, []string{"items.0.toParticipationIdentifier marketplace.participation_unknown"},
			fixture.RefusedFields(t, move(today, fixture.With(neither, fixture.Object{"toParticipationIdentifier": all.With(t, 3).Participation}))),
			"another's")
		assert.Equal(t, []string{"items.0.address.postal_code marketplace.required", "items.0.address.house_number marketplace.required",
			"items.0.address.street_name marketplace.required", "items.0.address.city marketplace.required"},
			fixture.RefusedFields(t, move(today, m.ToNew(1, fixture.Object{}))))
		assert.Contains(t, fixture.RefusedFields(t, move(today, fixture.With(m.ToNew(1, fixture.Place(8)),
			fixture.Object{"toParticipationIdentifier": m.Participation}))), "items.0.address marketplace.invalid_input", "one or the other")
		assert.Equal(t, []string{"items.0.address marketplace.same_address"},
			fixture.RefusedFields(t, move(today, m.ToNew(1, fixture.With(fixture.Place(home), fixture.Object{"postal_code": "9861 gt"})))))
	})
	t.Run("5.8-shares-range", func(t *testing.T) {
		for _, n := range []any{0, -1, 21, 1.5, 1e12} {
			assert.Equal(t, []string{"items.0.shares marketplace.invalid_input"},
				fixture.RefusedFields(t, move(today, m.ToNew(n, fixture.Place(8)))), n)
		}
		assert.Equal(t, http.StatusBadRequest, move(today, m.ToNew("veel", fixture.Place(8))).Status)
	})
	t.Run("5.8-date-min", func(t *testing.T) {
		assert.Equal(t, []string{"date marketplace.date_past"}, fixture.RefusedFields(t, move(all.On(-1), m.ToNew(1, fixture.Place(8)))))
		assert.Equal(t, []string{"date marketplace.date_invalid"}, fixture.RefusedFields(t, move("2027-02-29", m.ToNew(1, fixture.Place(8)))))
	})
	t.Run("shares of others", func(t *testing.T) {
		other := all.With(t, 5)
		assert.Equal(t, []string{"items.0.participationIdentifier marketplace.participation_unknown"},
			fixture.RefusedFields(t, move(today, other.ToNew(1, fixture.Place(8)))))
		assert.Equal(t, int64(5), other.At(t, 100+all.Made).Share)
	})
	t.Run("5.8-shares-offered-reconcile", func(t *testing.T) {
		fixture.Body[fixture.Object](t, m.Post("/sustainable/offers", fixture.Object{"participation_identifier": m.Participation,
			"project_code": fixture.MarketProject, "date": tomorrow, "number_of_shares": 8, "price": 40}), 201)
		a := move(today, m.ToNew(13, fixture.Place(8)))
		assert.Equal(t, []any{http.StatusConflict, "marketplace.shares_offered"}, []any{a.Status, a.Code()})
		a = move(today, m.ToNew(6, fixture.Place(8)), m.ToNew(7, fixture.Place(9)))
		assert.Equal(t, []any{http.StatusConflict, "marketplace.shares_offered"}, []any{a.Status, a.Code()}, "together too many")
		assert.Len(t, m.Participations(t), 1, "nothing of it was done")
		fixture.Body[[]fixture.Move](t, move(today, m.ToNew(5, fixture.Place(8)), m.ToNew(7, fixture.Place(9))), 200)
		assert.Equal(t, []int64{8, 5, 7}, []int64{m.At(t, home).Share, m.At(t, 8).Share, m.At(t, 9).Share})
	})
	t.Run("sent again it is one move", func(t *testing.T) {
		send := func(key string, body fixture.Object) portaltest.Answer {
			return m.Portal.Do(portaltest.Call{Method: http.MethodPost, Path: fixture.MoveShares, Bearer: m.Bearer, Body: body,
				Header: map[string]string{"Idempotency-Key": key}})
		}
		from := m.At(t, 9).Identifier
		body := fixture.Moving(today, fixture.Object{"participationIdentifier": from, "shares": 2, "address": fixture.Place(10)},
			fixture.Object{"participationIdentifier": from, "shares": 1, "address": fixture.Place(11)})
		answers := make([]portaltest.Answer, 8)
		var sent sync.WaitGroup
		for i := range answers {
			sent.Go(func() { answers[i] = send("same", body) })
		}
		sent.Wait()
		for _, a := range answers {
			assert.Equal(t, fixture.Body[[]fixture.Move](t, answers[0], 200), fixture.Body[[]fixture.Move](t, a, 200))
		}
		assert.Equal(t, []int64{4, 2, 1}, []int64{m.At(t, 9).Share, m.At(t, 10).Share, m.At(t, 11).Share})
		a := send("same", fixture.Moving(today, fixture.Object{"participationIdentifier": from, "shares": 1, "address": fixture.Place(10)}))
		assert.Equal(t, []any{http.StatusUnprocessableEntity, "marketplace.key_reused"}, []any{a.Status, a.Code()})
		assert.Equal(t, http.StatusBadRequest, send("no good key", body).Status)
	})
	t.Run("of one participation by many at a time no share goes twice", func(t *testing.T) {
		one := all.With(t, 10)
		var sent sync.WaitGroup
		done := make([]int, 12)
		for i := range done {
			sent.Go(func() {
				done[i] = one.Post(fixture.MoveShares, fixture.Moving(today, one.ToNew(3, fixture.Place(200+i)))).Status
			})
		}
		sent.Wait()
		slices.Sort(done)
		assert.Equal(t, []int{200, 200, 200}, done[:3])
		for _, status := range done[3:] { // more than the participation has, or more than are left
			assert.Contains(t, []int{http.StatusBadRequest, http.StatusConflict}, status)
		}
		total := int64(0)
		for _, p := range one.Participations(t) {
			total += p.Share
		}
		assert.Equal(t, int64(10), total)
	})
	t.Run("what no address has", func(t *testing.T) {
		for field := range fixture.Place(1) {
			for _, bad := range []string{"a\nb", "\x7f", "\u202e12", strings.Repeat("x", 201)} {
				assert.Contains(t, fixture.RefusedFields(t, move(today, m.ToNew(1, fixture.With(fixture.Place(13), fixture.Object{field: bad})))),
					"items.0.address marketplace.invalid_input", "%s %q", field, bad)
			}
		}
		assert.Len(t, m.Participations(t), 5)
	})
	t.Run("names that cannot be", func(t *testing.T) {
		for _, name := range []string{"%00", "%ff", "..%2f..", "P'--", strings.Repeat("x", 101)} {
			for _, a := range []portaltest.Answer{m.Do(http.MethodGet, "/sustainable/participations/"+name+"/history", nil),
				m.Do(http.MethodGet, "/sustainable/participations/"+name+"/receipt", nil),
				m.Do(http.MethodDelete, fixture.ComingMoves+"/"+name, nil)} {
				assert.Contains(t, []int{http.StatusNotFound, http.StatusBadRequest}, a.Status, name)
			}
		}
		bad := fixture.Object{"participationIdentifier": "P\x7f", "shares": 1, "toParticipationIdentifier": "P\x7f"}
		assert.Equal(t, []string{"items.0.participationIdentifier marketplace.participation_unknown"}, fixture.RefusedFields(t, move(today, bad)))
		assert.Equal(t, []string{"participation_identifier marketplace.participation_unknown"},
			fixture.RefusedFields(t, m.Post(transferPath, fixture.With(m.Handing(1, "a@b.example", today),
				fixture.Object{"participation_identifier": "P\x7f"}))))
		assert.Contains(t, fixture.RefusedFields(t, m.Post(transferPath, m.Handing(1, "a\x7f@b.example", today))),
			"buyer_email_address marketplace.invalid_input")
		for _, a := range []portaltest.Answer{move(today, m.ToNew(1, fixture.With(fixture.Place(13), fixture.Object{"city": "a\x00b"}))),
			m.Post(transferPath, m.Handing(1, "a\x00@b.example", today))} {
			assert.Equal(t, http.StatusBadRequest, a.Status, "a NUL is refused at the door")
		}
	})
	t.Run("an impersonator moves nothing", func(t *testing.T) {
		helper := m.Portal.Impersonator("alpha", m.Relation)
		a := m.Portal.Do(portaltest.Call{Method: http.MethodPost, Path: fixture.MoveShares, Bearer: helper.Bearer,
			Body: fixture.Moving(today, m.ToNew(1, fixture.Place(12)))})
		assert.Equal(t, []any{http.StatusForbidden, problem.CodeReadOnly}, []any{a.Status, a.Code()})
		assert.Equal(t, http.StatusOK, m.Portal.Do(portaltest.Call{Path: fixture.ComingMoves, Bearer: helper.Bearer}).Status)
		assert.Equal(t, http.StatusUnauthorized, m.Portal.Do(portaltest.Call{Path: fixture.ComingMoves}).Status)
	})
}
