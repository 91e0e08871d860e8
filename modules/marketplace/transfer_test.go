package marketplace_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/test/fixture"
)

func codesOfOffers(t *testing.T, all *fixture.Members) {
	seller, buyer, other := all.With(t, 20), all.With(t, 0), all.With(t, 0)
	id, code := all.Offered(t, seller, 4, all.On(0))
	t.Run("7.6-activation-invalid,5.7-redeem-length", func(t *testing.T) {
		for _, invalid := range []string{"A", "ABCDEFGHJK", "ABCDEFGHJK23", "ABCDE%FGHJK2", "äbcdefghjk23"} {
			a := buyer.Redeem(invalid)
			assert.Equal(t, []any{http.StatusBadRequest, "marketplace.code_invalid"}, []any{a.Status, a.Code()}, invalid)
		}
		unknown := func(who fixture.Member, code, why string) {
			t.Helper()
			a := who.Redeem(code)
			assert.Equal(t, []any{http.StatusNotFound, "marketplace.code_unknown"}, []any{a.Status, a.Code()}, why)
		}
		unknown(buyer, "ABCDEFGHJK2", "nobody's")
		unknown(buyer, code, "not approved yet")
		fixture.Decide(t, seller.Customer, "marketplace.offer", module.Processed)
		unknown(seller, code, "one's own")
		foreign := all.Do(portaltest.Call{Method: http.MethodPost, Host: "gamma.localhost", Path: "/sustainable/activation/direct/" + code,
			Bearer: all.Customer("gamma", "vreemd").Bearer})
		assert.Equal(t, []any{http.StatusNotFound, "marketplace.code_unknown"}, []any{foreign.Status, foreign.Code()}, "of another label")
		fixture.Body[fixture.Object](t, other.Redeem(code), 200)
		unknown(buyer, code, "used by another")
	})
	t.Run("7.6-post-activation,7.6-activation-effect", func(t *testing.T) {
		id, code = all.Offered(t, seller, 5, all.On(0))
		fixture.Decide(t, seller.Customer, "marketplace.offer", module.Processed)
		assert.Empty(t, buyer.Personal(t))
		for _, entered := range []string{" " + strings.ToLower(code) + " ", code, code} {
			got := fixture.Body[struct{ Offer fixture.Object }](t, buyer.Redeem(entered), 200)
			assert.Equal(t, id, got.Offer["identifier"])
			assert.Equal(t, false, got.Offer["my_offer"])
			assert.Empty(t, got.Offer["direct_offer_code"], "the code is its owner's")
		}
		assert.Equal(t, []string{id}, buyer.Personal(t))
		assert.NotContains(t, other.Personal(t), id)
		assert.Equal(t, http.StatusNotFound, other.Redeem(code).Status)
	})
	t.Run("before its day it is there, and cannot be bought", func(t *testing.T) {
		id, code := all.Offered(t, seller, 1, all.On(5))
		fixture.Decide(t, seller.Customer, "marketplace.offer", module.Processed)
		assert.Equal(t, "APPROVED", fixture.Body[struct{ Offer fixture.Object }](t, buyer.Redeem(code), 200).Offer["status"])
		assert.Contains(t, buyer.Personal(t), id)
	})
	t.Run("of many at a time one gets it", func(t *testing.T) {
		_, code := all.Offered(t, seller, 1, all.On(0))
		fixture.Decide(t, seller.Customer, "marketplace.offer", module.Processed)
		many := make([]fixture.Member, 6)
		for i := range many {
			many[i] = all.With(t, 0)
		}
		got := make([]int, len(many))
		var sent sync.WaitGroup
		for i, m := range many {
			sent.Go(func() { got[i] = m.Redeem(code).Status })
		}
		sent.Wait()
		slices.Sort(got)
		assert.Equal(t, []int{200, 404, 404, 404, 404, 404}, got)
	})
	t.Run("a code whose offer is over", func(t *testing.T) {
		o := fixture.Body[struct {
			Reference string `json:"reference"`
			Code      string `json:"direct_offer_code"`
		}](t, seller.Post("/sustainable/offers", fixture.Object{"participation_identifier": seller.Participation, "date": all.On(0),
			"number_of_shares": 1, "price": 40, "buyer_email_address": "koper@leden.example"}), 201)
		fixture.Decide(t, seller.Customer, "marketplace.offer", module.Processed)
		fixture.Body[fixture.Object](t, seller.Post("/sustainable/offers/retract", fixture.Object{"reference": o.Reference}), 200)
		assert.Equal(t, http.StatusNotFound, buyer.Redeem(o.Code).Status)
	})
	t.Run("the code comes by mail", func(t *testing.T) {
		all.Portal.Eventually(func() bool {
			return slices.ContainsFunc(fixture.MailsTo(t, all.Portal, "koper@leden.example"),
				func(m portaltest.Mail) bool { return m.Mail.Code == code && strings.Contains(m.Mail.Button.Path, code) })
		})
	})
	t.Run("who tries code after code is stopped", func(t *testing.T) {
		guesser, got := all.With(t, 0), 0
		for range 61 {
			got = guesser.Redeem("ABCDEFGHJK2").Status
		}
		assert.Equal(t, http.StatusTooManyRequests, got)
	})
}

func transfersToMembers(t *testing.T, all *fixture.Members) {
	bystander, giver, receiver := all.Electric(t, all.With(t, 0)), all.With(t, 20), all.Electric(t, all.With(t, 0))
	home := 100 + all.Made
	t.Run("7.6-post-transfers,1-personal-transfer", func(t *testing.T) {
		o := fixture.Body[fixture.Object](t, giver.Post(transferPath, giver.Handing(6, strings.ToUpper(receiver.Email), all.On(3))), 201)
		assert.Equal(t, []any{"CREATED", "PRIVATE", true, 6.0, 0.0, all.On(3)},
			[]any{o["status"], o["offer_publication_type"], o["private_offer"], o["shares"], o["price_per_share"], o["date"]})
		assert.Equal(t, int64(6), giver.At(t, home-1).Offered)
		fixture.Decide(t, giver.Customer, "marketplace.offer", module.Processed)
		giver.HasMail(t, "Je overdracht is goedgekeurd")
		assert.Empty(t, receiver.Personal(t), "nothing to be bought")
		assert.Empty(t, receiver.Participations(t))
		all.Later(t, 2*24*time.Hour)
		receiver = all.Again(t, receiver)
		assert.Empty(t, receiver.Participations(t), "not before its day")
		all.Later(t, 24*time.Hour)
		giver, receiver = all.Again(t, giver), all.Again(t, receiver)
		all.Portal.Eventually(func() bool { return receiver.At(t, home).Share == 6 })
		assert.Equal(t, []int64{14, 0}, []int64{giver.At(t, home-1).Share, giver.At(t, home-1).Offered})
		assert.Empty(t, all.Again(t, bystander).Participations(t), "with another e-mail address")
		receiver.HasMail(t, "Je hebt delen gekregen", "Lid "+giver.Debtor, "6 delen", "Windpark Molenbocht")
		giver.HasMail(t, "Je delen zijn overgedragen", "6 delen")
	})
	t.Run("today, to who has shares already", func(t *testing.T) {
		fixture.Body[fixture.Object](t, giver.Post(transferPath, giver.Handing(14, receiver.Email, all.On(0))), 201)
		fixture.Decide(t, giver.Customer, "marketplace.offer", module.Processed)
		all.Portal.Eventually(func() bool { return receiver.At(t, home).Share == 20 })
		assert.Empty(t, giver.Participations(t))
		page := fixture.Body[struct{ Content []fixture.Object }](t, giver.Post("/sustainable/market",
			fixture.Object{"filters": fixture.Object{"my_offer": true}}), 200)
		require.NotEmpty(t, page.Content)
		assert.Equal(t, "TRANSFERRED", page.Content[0]["status"])
	})
	t.Run("what staff reject stays", func(t *testing.T) {
		one := all.With(t, 3)
		fixture.Body[fixture.Object](t, one.Post(transferPath, one.Handing(3, receiver.Email, all.On(0))), 201)
		rejectOffer(t, one.Customer)
		assert.Equal(t, int64(0), one.At(t, 100+all.Made).Offered)
		one.HasMail(t, "Je overdracht is niet goedgekeurd", "niet goedgekeurd")
	})
	t.Run("the receiver's contract ends before the day", func(t *testing.T) {
		one, to := all.With(t, 3), all.Electric(t, all.With(t, 0))
		fixture.Body[fixture.Object](t, one.Post(transferPath, one.Handing(3, to.Email, all.On(5))), 201)
		fixture.Decide(t, one.Customer, "marketplace.offer", module.Processed)
		require.Empty(t, fixture.Records(t, all.Portal, "agreement", fixture.With(fixture.EnergyAt(to.Customer, "E"+to.Debtor+"-1"),
			fixture.Object{"status": "TERMINATED", "period": fixture.Object{"from": "2024-01-01", "to": all.On(1)}})))
		all.Later(t, 5*24*time.Hour)
		one = all.Again(t, one)
		one.HasMail(t, "Je overdracht gaat niet door", "stroomcontract")
		assert.Equal(t, []int64{3, 0}, []int64{one.At(t, 100+all.Made-1).Share, one.At(t, 100+all.Made-1).Offered})
	})
}

// rejectOffer rejects the pending offer of a member, as staff.
func rejectOffer(t *testing.T, c fixture.Customer) {
	t.Helper()
	staff, id := c.Portal.Staff("alpha").Bearer, ""
	c.Portal.Eventually(func() bool {
		var list struct {
			Items []struct{ ID, Relation string }
		}
		c.Portal.Do(portaltest.Call{Path: "/staff/changes?state=PENDING&kind=marketplace.offer", Bearer: staff}).JSON(t, &list)
		for _, change := range list.Items {
			if change.Relation == c.Relation {
				id = change.ID
			}
		}
		return id != ""
	})
	a := c.Portal.Do(portaltest.Call{Method: http.MethodPost, Path: "/staff/changes/" + id + "/decision", Bearer: staff,
		Body: fixture.Object{"state": "REJECTED", "reason": "REJECTED_BY_PROVIDER"}})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
}

func transfersRefused(t *testing.T, all *fixture.Members) {
	giver, receiver := all.With(t, 20), all.Electric(t, all.With(t, 0))
	home := 100 + all.Made - 1
	today := all.On(0)
	hand := func(to string, changes fixture.Object) portaltest.Answer {
		return giver.Post(transferPath, fixture.With(giver.Handing(1, to, today), changes))
	}
	refused := func(a portaltest.Answer, status int, code string) {
		t.Helper()
		assert.Equal(t, []any{status, code}, []any{a.Status, a.Code()}, string(a.Body))
	}
	t.Run("7.6-transfers-payload", func(t *testing.T) {
		refused(hand("niemand@leden.example", nil), http.StatusNotFound, "marketplace.member_unknown")
		all.Staff("alpha")
		refused(hand("medewerker@alpha.example", nil), http.StatusNotFound, "marketplace.member_unknown")
		refused(hand(all.With(t, 0).Email, nil), http.StatusConflict, "marketplace.receiver_contract")
		got := fixture.Body[fixture.Object](t, hand(receiver.Email, nil), 201)
		assert.Equal(t, []any{1.0, today, giver.Participation}, []any{got["shares"], got["date"], got["participation_identifier"]})
	})
	t.Run("a couple with one address is nobody", func(t *testing.T) {
		one := all.Electric(t, all.With(t, 0))
		fixture.Body[fixture.Object](t, hand(one.Email, nil), 201)
		all.Login(t, all.With(t, 0).Debtor, one.Email)
		refused(hand(one.Email, nil), http.StatusNotFound, "marketplace.member_unknown")
	})
	t.Run("who has never signed in is nobody yet", func(t *testing.T) {
		all.AddAccount(portaltest.Account{Label: "alpha", Relation: account.RelationID("alpha", "9999001"), Username: "lid.slaapt",
			Email: "slaapt@leden.example", Name: "Slaper", Role: portaltest.RoleCustomer}, "Tijdelijk2026", true)
		refused(hand("slaapt@leden.example", nil), http.StatusNotFound, "marketplace.member_unknown")
	})
	t.Run("5.7-transfer-contract", func(t *testing.T) {
		none := all.With(t, 0)
		refused(hand(none.Email, nil), http.StatusConflict, "marketplace.receiver_contract")
		record := fixture.EnergyAt(none.Customer, "E"+none.Debtor+"-1")
		for _, ended := range []fixture.Object{{"status": "TERMINATED"}, {"period": fixture.Object{"from": "2024-01-01", "to": all.On(-1)}},
			{"period": fixture.Object{"from": all.On(1)}}, {"addresses": nil, "products": nil}} {
			require.Empty(t, fixture.Records(t, all.Portal, "agreement", fixture.With(record, ended)))
			refused(hand(none.Email, nil), http.StatusConflict, "marketplace.receiver_contract")
		}
		require.Empty(t, fixture.Records(t, all.Portal, "agreement", record))
		fixture.Body[fixture.Object](t, hand(none.Email, nil), 201)
	})
	t.Run("form", func(t *testing.T) {
		for want, changes := range map[string]fixture.Object{
			"participation_identifier marketplace.required":              {"participation_identifier": "", "number_of_shares": nil, "date": today},
			"participation_identifier marketplace.participation_unknown": {"participation_identifier": "P-nobody"},
			"number_of_shares marketplace.invalid_input":                 {"number_of_shares": 1.5},
			"number_of_shares marketplace.not_enough_shares":             {"number_of_shares": 21},
			"buyer_email_address marketplace.required":                   {"buyer_email_address": " "},
			"buyer_email_address marketplace.invalid_input":              {"buyer_email_address": "a@b.example\r\nBcc: c@d.example"},
			"buyer_email_address marketplace.receiver_self":              {"buyer_email_address": giver.Email},
			"date marketplace.date_range":                                {"date": all.On(-1)},
		} {
			assert.Contains(t, fixture.RefusedFields(t, hand(receiver.Email, changes)), want)
		}
		assert.Contains(t, fixture.RefusedFields(t, hand(receiver.Email, fixture.Object{"date": all.On(91)})), "date marketplace.date_range")
	})
	t.Run("sent again it is one transfer", func(t *testing.T) {
		before := giver.At(t, home).Offered
		send := func(shares int) portaltest.Answer {
			return giver.Portal.Do(portaltest.Call{Method: http.MethodPost, Path: transferPath, Bearer: giver.Bearer,
				Body: giver.Handing(shares, receiver.Email, today), Header: map[string]string{"Idempotency-Key": "t1"}})
		}
		first := fixture.Body[fixture.Object](t, send(2), 201)
		assert.Equal(t, first["identifier"], fixture.Body[fixture.Object](t, send(2), 201)["identifier"])
		assert.Equal(t, before+2, giver.At(t, home).Offered)
		assert.Equal(t, http.StatusUnprocessableEntity, send(3).Status)
	})
	t.Run("who looks for member after member is stopped", func(t *testing.T) {
		curious, got := all.With(t, 5), 0
		for i := range 21 {
			got = curious.Post(transferPath, curious.Handing(1, fmt.Sprintf("gok%d@leden.example", i), today)).Status
		}
		assert.Equal(t, http.StatusTooManyRequests, got)
	})
}

func historyOfShares(t *testing.T, all *fixture.Members) {
	m := all.With(t, 200)
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
	path := "/sustainable/participations/" + m.Participation
	fixture.Body[[]fixture.Move](t, m.Post(fixture.MoveShares, fixture.Moving(all.On(0), m.ToNew(2, fixture.Place(301)))), 200)
	coming := fixture.Body[[]fixture.Move](t, m.Post(fixture.MoveShares, fixture.Moving(all.On(1), m.ToNew(3, fixture.Place(302)))), 200)
	fixture.Body[fixture.Object](t, m.Do(http.MethodDelete, fixture.ComingMoves+"/"+coming[0].ID, nil), 204)
	fixture.Body[fixture.Object](t, m.Post("/sustainable/offers", fixture.Object{"participation_identifier": m.Participation,
		"date": all.On(0), "number_of_shares": 8, "price": 40}), 201)
	t.Run("newest first, each with what it led to", func(t *testing.T) {
		h := fixture.Body[history](t, m.Do(http.MethodGet, path+"/history", nil), 200)
		assert.Equal(t, []string{"5 OFFERED customer 0 198 8 0", "4 MOVE_CANCELLED customer 0 198 0 0", "3 MOVE_PLANNED customer 0 198 0 3",
			"2 MOVED_OUT customer -2 198 0 0",
			"1 ISSUED system 200 200 0 0"}, fixture.Spaced(h.Entries, func(e entry) string {
			return fmt.Sprintf("%d %s %s %d %d %d %d", e.Sequence, e.Kind, e.By, e.Change.Share, e.After.Share, e.After.Offered, e.After.Moving)
		}))
		assert.Zero(t, h.Next)
		assert.Len(t, h.Entries[0].Hash, 64)
	})
	t.Run("page by page", func(t *testing.T) {
		for i := range 60 {
			fixture.Body[[]fixture.Move](t, m.Post(fixture.MoveShares, fixture.Moving(all.On(0), m.ToNew(1, fixture.Place(400+i)))), 200)
		}
		first := fixture.Body[history](t, m.Do(http.MethodGet, path+"/history", nil), 200)
		require.Len(t, first.Entries, 50)
		second := fixture.Body[history](t, m.Do(http.MethodGet, fmt.Sprintf("%s/history?before=%d", path, first.Next), nil), 200)
		require.Len(t, second.Entries, 15)
		assert.Zero(t, second.Next)
		assert.Equal(t, first.Entries[49].Sequence-1, second.Entries[0].Sequence)
		assert.Equal(t, first.Entries[49].After.Share-first.Entries[49].Change.Share, second.Entries[0].After.Share)
		assert.Equal(t, int64(200), second.Entries[14].After.Share)
	})
	t.Run("as a file", func(t *testing.T) {
		a := m.Do(http.MethodGet, path+"/receipt", nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, "application/pdf", a.Header.Get("Content-Type"))
		assert.Contains(t, a.Header.Get("Content-Disposition"), "deelname-"+m.Participation+".pdf")
		assert.True(t, bytes.HasPrefix(a.Body, []byte("%PDF-")))
		assert.True(t, bytes.Contains(a.Body, []byte("/Count 2")), "65 lines are two pages")
		if keep := os.Getenv("KEEP_RECEIPT"); keep != "" {
			require.NoError(t, os.WriteFile(keep, a.Body, 0o600))
		}
	})
	t.Run("of others", func(t *testing.T) {
		stranger := all.With(t, 1)
		for _, what := range []string{"history", "receipt"} {
			assert.Equal(t, http.StatusNotFound, stranger.Do(http.MethodGet, path+"/"+what, nil).Status)
			assert.Equal(t, http.StatusNotFound, stranger.Do(http.MethodGet, "/sustainable/participations/nobody/"+what, nil).Status)
			assert.Equal(t, http.StatusUnauthorized, m.Portal.Do(portaltest.Call{Path: path + "/" + what}).Status)
		}
	})
}
