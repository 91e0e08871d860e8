package marketplace

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Covers every reason to reject an offer that staff approve. Only an imported offer without a participation can match several, and it is
// checked during the import.
func TestRejectionAtApproval(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		one := member("1")
		id := value.StableID(moduletest.LabelOne, "imported participation", "P-1")
		closed := func(selling bool) string {
			var p m
			require.NoError(t, json.Unmarshal([]byte(projectRecordOf("WP")), &p))
			p["member_offer_settings"] = []m{{"from_date": "2026-01-01", "min_price": 50, "max_price": 250, "allow_selling": true},
				{"from_date": "2026-11-02", "min_price": 50, "max_price": 250, "allow_selling": selling}}
			return jsonOf(p)
		}
		shares := func(offered int) string {
			return fmt.Sprintf("UPDATE marketplace_participations SET offered = %d WHERE id = '%s'", offered, id)
		}
		owner := func(of string) string {
			return fmt.Sprintf("UPDATE marketplace_participations SET relation_id = '%s' WHERE id = '%s'", of, id)
		}
		for _, c := range []struct {
			reason   string
			do, undo func()
		}{
			{offer.RejectUnknown, func() { require.NoError(t, w.exec(owner(member("9").Relation))) },
				func() { require.NoError(t, w.exec(owner(one.Relation))) }},
			{offer.RejectShares, func() { require.NoError(t, w.exec(shares(2))) }, func() { require.NoError(t, w.exec(shares(3))) }},
			{offer.RejectSelling, func() { w.load("project", closed(false)) }, func() { w.load("project", closed(true)) }},
			{offer.RejectProvider, nil, nil},
			{"", nil, nil},
		} {
			t.Run("4-rejection-triggers", func(t *testing.T) {
				w := w.in(t)
				before := w.balance("P-1")
				id := call[offer.MarketOffer](w, 201, one, "POST", "/sustainable/offers", newOffer("P-1", 3)).Identifier
				change, state, said := w.changeOf(id), module.Processed, ""
				if c.reason == offer.RejectProvider { // the reason is chosen by staff
					state, said = module.Rejected, offer.RejectProvider
				}
				if c.do != nil {
					c.do()
				}
				// only possible in a manipulated database: the ledger holds the shares of an offer, and they cannot be returned then
				if c.reason == offer.RejectShares {
					status, _ := w.decide(change, state, said)
					assert.Equal(t, []any{409, "CREATED"}, []any{status, w.lifecycle(id)}, "two shares are not three")
					c.undo()
					call[offer.MarketOffer](w, 200, one, "POST", "/sustainable/offers/retract", m{"reference": w.reference(id)})
					return
				}
				status, decided := w.decide(change, state, said)
				if c.undo != nil {
					c.undo()
				}
				require.Equal(t, 200, status)
				var seen offer.MarketOffer
				for _, o := range call[operation.PageOf[offer.MarketOffer]](w, 200, one, "POST", "/sustainable/market?size=100",
					m{"filters": m{"my_offer": true}}).Content {
					if o.Identifier == id {
						seen = o
					}
				}
				if c.reason == "" {
					assert.Equal(t, []any{module.Processed, "AVAILABLE"}, []any{decided.State, seen.Status}, "nothing stands in its way")
					return
				}
				assert.Equal(t, []any{module.Rejected, c.reason, "CLOSED", c.reason, "REJECTED"},
					[]any{decided.State, decided.Reason, seen.Status, seen.Rejection, w.lifecycle(id)})
				assert.Equal(t, before, w.balance("P-1"), "the shares are the seller's")
			})
		}
		w.requireConsistent()
	})
}

func TestForbiddenMovesOfOffers(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		t.Run("4-offer-transitions,4-offer-lifecycle-enum", func(t *testing.T) { forbiddenMovesOfOffers(w.in(t)) })
		w.requireConsistent()
	})
}

// forbiddenMovesOfOffers tries over HTTP all transitions that offers do not have, on offers that reached their status through operations.
func forbiddenMovesOfOffers(w *world) {
	one, three := member("1"), member("3")
	w.load("participation", shareRecord("1", "P-F", "WP", 60))
	made := func(date string) offer.MarketOffer {
		return call[offer.MarketOffer](w, 201, one, "POST", "/sustainable/offers", newOffer("P-F", 2, "date", date))
	}
	approved := func(date string) offer.MarketOffer {
		o := made(date)
		status, _ := w.decide(w.changeOf(o.Identifier), module.Processed, "")
		require.Equal(w.t, 200, status)
		return o
	}
	today := w.today().String()
	reach := map[state.Status]func() offer.MarketOffer{
		offer.Created:  func() offer.MarketOffer { return made(today) },
		offer.Approved: func() offer.MarketOffer { return approved(w.on(30)) },
		offer.Active:   func() offer.MarketOffer { return approved(today) },
		offer.Sold: func() offer.MarketOffer {
			o := approved(today)
			w.buys(three, o.Identifier, 1, w.on(60))
			require.EqualValues(w.t, "ACTIVE", w.lifecycle(o.Identifier), "a share is left")
			w.buys(three, o.Identifier, 1, w.on(60))
			return o
		},
		offer.Rejected: func() offer.MarketOffer {
			o := made(today)
			w.decide(w.changeOf(o.Identifier), module.Rejected, offer.RejectProvider)
			return o
		},
		offer.Revoked: func() offer.MarketOffer {
			o := approved(today)
			call[offer.MarketOffer](w, 200, one, "POST", "/sustainable/offers/retract", m{"reference": o.Reference})
			return o
		},
	}
	for from, get := range reach {
		o := get()
		require.EqualValues(w.t, from, w.lifecycle(o.Identifier))
		if from != offer.Created { // staff can decide only once
			for _, state := range []string{module.Processed, module.Rejected} {
				status, _ := w.decide(w.changeOf(o.Identifier), state, offer.RejectProvider)
				assert.Equal(w.t, 409, status, "%s from %s", state, from)
			}
		}
		wanted := m{"offer": m{"identifier": o.Identifier, "shares": 1, "address": home(7)}}
		if from != offer.Active { // nobody can buy an offer that is not for sale
			w.refused(409, offer.CodeUnavailable, three, "POST", "/sustainable/basket", wanted)
		} else {
			call[any](w, 200, three, "POST", "/sustainable/basket", wanted)
			call[any](w, 200, three, "DELETE", "/sustainable/basket/"+o.Identifier, nil)
		}
		if from == offer.Sold || from == offer.Rejected || from == offer.Revoked { // an offer that has ended cannot be retracted
			w.refused(409, state.CodeTransition, one, "POST", "/sustainable/offers/retract", m{"reference": o.Reference})
			w.refused(409, state.CodeTransition, one, "POST", "/sustainable/offers/retract", m{"reference": o.Reference, "shares": 1})
		}
		assert.EqualValues(w.t, from, w.lifecycle(o.Identifier), "nothing of it has changed anything")
		if from == offer.Created { // reaching its date does not activate an offer
			require.NoError(w.t, w.s.sweep(w.system(), module.Event{}))
			assert.EqualValues(w.t, offer.Created, w.lifecycle(o.Identifier))
		}
	}
}
