package move_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-ical"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/address"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/move"
	"github.com/wattle-portal/wattle/test/fixture"
)

// heard is a module that hears what becomes of moves.
type heard struct {
	module.Router
	mu     sync.Mutex
	events []module.Event
}

// Handle remembers.
func (h *heard) Handle(_ context.Context, e module.Event) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, e)
	return nil
}

// about are the types of the events about a relation.
func (h *heard) about(relation string) (types []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events {
		if strings.Contains(string(e.Data), `"relation":"`+relation+`"`) && !slices.Contains(types, e.Type) {
			types = append(types, e.Type)
		}
	}
	return types
}

var listener = module.Manifest{Key: "listener", Version: "0.1.0", Settings: "#Settings: {}", Handles: []string{"move.requested", "move.processed", "move.rejected"}}

func TestMove(t *testing.T) {
	t.Parallel()
	h := &heard{Router: module.NewRouter(listener)}
	modules := append(slices.Clone(withMove), module.New(listener, func() module.Instance { return h }))
	portaltest.Each(t, portaltest.Options{Modules: modules}, func(t *testing.T, s *portaltest.Portal) {
		c := &fixture.Customers{Portal: s, T: t}
		t.Run("lookups", func(t *testing.T) { lookups(t, c) })
		t.Run("request", func(t *testing.T) { moveRequest(t, c, h) })
		t.Run("refused", func(t *testing.T) { moveRefused(t, c) })
		t.Run("not to be moved", func(t *testing.T) { notToBeMoved(t, c) })
		t.Run("calendar", func(t *testing.T) { moveCalendar(t, c) })
		t.Run("others", func(t *testing.T) { movesOfOthers(t, c) })
		t.Run("lookups without end", func(t *testing.T) { tooManyLookups(t, c) })
		t.Run("late in the evening", func(t *testing.T) { moveAtNight(t, c) })
	})
}

var withMove = []module.Module{account.Module, address.Module, billing.Module, move.Module}

// A move that is sent again, or several times at once, is one move.
func TestMoveSentTwice(t *testing.T) {
	t.Parallel()
	portaltest.Each(t, portaltest.Options{Modules: withMove, AtOnce: true}, func(t *testing.T, s *portaltest.Portal) {
		movedOnce(t, &fixture.Customers{Portal: s, T: t})
	})
}

// atHome makes a customer who can move.
func atHome(c *fixture.Customers) (fixture.Customer, string) {
	c.T.Helper()
	made := c.New()
	id := "V" + made.Debtor + "-1"
	require.Empty(c.T, fixture.Records(c.T, c.Portal, "agreement", fixture.EnergyAt(made, id)))
	return made, id
}

// aMove is a request that is fine, on 20 November.
func aMove(changes fixture.Object) fixture.Object {
	return fixture.With(fixture.Object{"commodities": []string{"GAS", "ELECTRICITY"}, "old_address": fixture.HomeAddress, "new_address": fixture.Object{"zip_code": "9731 ab", "house_number": 7, "street": "Lindelaan", "city": "Groningen"},
		"start_date": "2026-12-01", "stop_date": "2026-12-03", "is_residential": true, "address_type": "SHIPPING"}, changes)
}

func askMove(c fixture.Customer, request fixture.Object) portaltest.Answer {
	return c.Do(http.MethodPut, "/move", request)
}

// moved asks for a move that is fine.
func moved(c fixture.Customer, t *testing.T, request fixture.Object) {
	t.Helper()
	a := askMove(c, request)
	require.Equal(t, http.StatusNoContent, a.Status, string(a.Body))
	require.Empty(t, a.Body)
}

func moveRequest(t *testing.T, all *fixture.Customers, h *heard) {
	c, id := atHome(all)
	t.Run("7.3-put-move,7.3-put-move-status", func(t *testing.T) {
		assert.Empty(t, c.List(t, "/moves"))
		moved(c, t, aMove(fixture.Object{"commodities": []string{"GAS"}, "new_postal_address": fixture.Object{"zip_code": "9731AB", "house_number": "7"},
			"new_address": fixture.Object{"zip_code": "9731 ab", "house_number": 7, "street": "Verzonnenlaan", "city": "Nergenshuizen"}}))
		require.Len(t, c.List(t, "/moves"), 1)
	})
	t.Run("3-move-request-fields,3-move-commodities,3-move-extra-addresses", func(t *testing.T) {
		got := c.List(t, "/moves")[0]
		to := fixture.Object{"street": "Lindelaan", "house_number": "7", "house_number_extension": "", "zip_code": "9731AB", "city": "Groningen"}
		assert.Regexp(t, "^2026-11-20T10:0", got["filed"])
		assert.Equal(t, fixture.Object{"id": got["id"], "state": "PENDING", "filed": got["filed"], "decided": nil, "reason": "",
			"agreement_identifier_with_sequence": id, "commodities": []any{"ELECTRICITY", "GAS"}, "old_address": fixture.HomeAddress, "new_address": to,
			"start_date": "2026-12-01", "stop_date": "2026-12-03", "is_residential": true, "address_type": "SHIPPING", "new_postal_address": to,
			"unchecked": false}, got)
	})
	t.Run("a second while the first is pending", func(t *testing.T) {
		a := askMove(c, aMove(nil))
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, problem.CodePending, a.Code())
	})
	t.Run("staff see what is asked", func(t *testing.T) {
		var page struct{ Items []fixture.Object }
		c.Portal.Eventually(func() bool {
			c.Portal.Do(portaltest.Call{Path: "/staff/changes?kind=move.request&q=" + id, Bearer: c.Portal.Staff("alpha").Bearer}).JSON(t, &page)
			return len(page.Items) > 0
		})
		assert.Equal(t, "2026-12-01", page.Items[0]["effective"])
		assert.Equal(t, id, page.Items[0]["key"])
		assert.Equal(t, "Lindelaan", page.Items[0]["data"].(fixture.Object)["new_address"].(fixture.Object)["street"])
	})
	receipt := func(c fixture.Customer, words ...string) {
		t.Helper()
		c.Portal.Eventually(func() bool {
			return slices.ContainsFunc(fixture.MailsTo(t, c.Portal, "fenna@voorbeeld.example"), func(m portaltest.Mail) bool {
				return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(fmt.Sprint(m.Mail), w) })
			})
		})
	}
	t.Run("a receipt, and what became of it", func(t *testing.T) {
		receipt(c, "ontvangen", "Lindelaan 7, 9731AB Groningen", "01-12-2026", "03-12-2026")
		fixture.Decide(t, c, "move.request", module.Processed)
		got := c.List(t, "/moves")[0]
		assert.Equal(t, "PROCESSED", got["state"])
		assert.NotNil(t, got["decided"])
		assert.Equal(t, "Telefonisch bevestigd", got["reason"])
		receipt(c, "geregeld", "Lindelaan 7, 9731AB Groningen")
	})
	t.Run("after a decision another may be asked for; a rejection is told with its reason", func(t *testing.T) {
		moved(c, t, fixture.With(aMove(fixture.Object{"new_address": fixture.Object{"zip_code": "3512KL", "house_number": "24"}}), fixture.Object{"stop_date": nil}))
		fixture.Decide(t, c, "move.request", module.Rejected)
		list := c.List(t, "/moves")
		require.Len(t, list, 2)
		assert.Equal(t, []any{"REJECTED", "PROCESSED"}, []any{list[0]["state"], list[1]["state"]}, "newest first")
		assert.Nil(t, list[0]["stop_date"])
		assert.Equal(t, "Telefonisch bevestigd", list[0]["reason"])
		receipt(c, "niet verwerken", "Kastanjeplein 24", "Telefonisch bevestigd")
	})
	t.Run("events", func(t *testing.T) {
		c.Portal.Eventually(func() bool { return len(h.about(c.Relation)) == 3 })
	})
	t.Run("3-move-residential-default,5.2-stop-optional", func(t *testing.T) {
		for _, x := range []struct {
			sent fixture.Object
			want bool
		}{{fixture.Object{"is_residential": nil, "stop_date": nil}, true}, {fixture.Object{"is_residential": false, "stop_date": ""}, false}} {
			c, id := atHome(all)
			moved(c, t, fixture.With(aMove(fixture.Object{"agreement_identifier_with_sequence": id}), x.sent))
			got := c.List(t, "/moves")[0]
			assert.Equal(t, x.want, got["is_residential"])
			assert.Nil(t, got["stop_date"])
		}
	})
}

func moveRefused(t *testing.T, all *fixture.Customers) {
	c, id := atHome(all)
	refused := func(rows string, want map[string]string, requests ...fixture.Object) {
		t.Helper()
		t.Run(rows, func(t *testing.T) {
			for _, request := range requests {
				a := askMove(c, request)
				require.Equal(t, http.StatusBadRequest, a.Status, "%v: %s", request, a.Body)
				got := map[string]string{}
				for _, e := range fixture.ProblemOf(t, a).Errors {
					got[e.Field] = e.Code
				}
				assert.Equal(t, want, got, "%v", request)
			}
			assert.Empty(t, c.List(t, "/moves"), "nothing is stored")
		})
	}
	type errors = map[string]string
	to := func(changes fixture.Object) fixture.Object {
		return aMove(fixture.Object{"new_address": fixture.With(fixture.Object{"zip_code": "9731AB", "house_number": "7"}, changes)})
	}
	refused("5.2-old-address-required", errors{"old_address": "move.required"}, aMove(fixture.Object{"old_address": nil}), aMove(fixture.Object{"old_address": fixture.Object{"city": "Grootegast"}}))
	refused("5.2-new-address-required", errors{"new_address.zip_code": "move.required"}, to(fixture.Object{"zip_code": nil}), to(fixture.Object{"zip_code": "  "}))
	refused("5.2-new-address-required", errors{"new_address.house_number": "move.required"}, to(fixture.Object{"house_number": nil}), to(fixture.Object{"house_number": ""}))
	refused("5.2-start-required", errors{"start_date": "move.required"}, aMove(fixture.Object{"start_date": nil}), aMove(fixture.Object{"start_date": ""}))
	refused("5.2-date-invalid", errors{"start_date": "move.dateFormat"}, aMove(fixture.Object{"start_date": "31-12-2026"}), aMove(fixture.Object{"start_date": "2026-02-30", "stop_date": nil}))
	refused("5.2-date-invalid", errors{"stop_date": "move.dateFormat"}, aMove(fixture.Object{"stop_date": "morgen"}), aMove(fixture.Object{"stop_date": "2026-11-31"}))
	refused("5.2-date-past", errors{"start_date": "move.noPastDate"}, aMove(fixture.Object{"start_date": "2026-11-19"}), aMove(fixture.Object{"start_date": "1926-12-01"}))
	refused("5.2-date-past", errors{"stop_date": "move.noPastDate"}, aMove(fixture.Object{"stop_date": "2026-11-19"}))
	refused("5.2-start-min-two-days,5.2-past-precedence-reconcile", errors{"start_date": "move.minTwoDays"}, aMove(fixture.Object{"start_date": "2026-11-20"}), aMove(fixture.Object{"start_date": "2026-11-21"}))
	refused("5.2-past-precedence-reconcile", errors{"start_date": "move.noPastDate"}, aMove(fixture.Object{"start_date": "2026-11-18"}))
	refused("5.2-start-before-stop", errors{"stop_date": "move.startBeforeStop"}, aMove(fixture.Object{"stop_date": "2026-11-30"}))
	refused("7.3-put-move-status", errors{"start_date": "move.minTwoDays", "stop_date": "move.noPastDate", "old_address": "move.required", "new_address.house_number": "move.required"},
		fixture.Object{"new_address": fixture.Object{"zip_code": "9731AB"}, "start_date": "2026-11-21", "stop_date": "2026-11-19"})
	refused("3-move-extra-addresses", errors{"new_invoice_address": "invalid"}, aMove(fixture.Object{"new_invoice_address": fixture.HomeAddress}))
	refused("an address type that is none", errors{"address_type": "invalid"}, aMove(fixture.Object{"address_type": "POST"}))
	refused("an address that is not there", errors{"new_address.zip_code": "move.address_unknown", "new_address.house_number": "move.address_unknown"},
		to(fixture.Object{"house_number": "8"}), to(fixture.Object{"zip_code": "9999ZZ", "unchecked": true, "street": "Verzonnenlaan", "city": "Nergenshuizen"}))
	refused("an extension that is not there", errors{"new_address.zip_code": "move.address_unknown", "new_address.house_number": "move.address_unknown",
		"new_address.house_number_extension": "move.address_unknown"}, to(fixture.Object{"house_number_extension": "Z"}))
	refused("several addresses", errors{"new_address.house_number_extension": "move.multiple_addresses"}, to(fixture.Object{"zip_code": "9711CD", "house_number": "12"}),
		to(fixture.Object{"zip_code": "2513RZ", "house_number": "200", "house_number_extension": ""}))
	refused("2.2-offline-existing-agreement", errors{"new_address": "move.existing_agreement"}, aMove(fixture.Object{"new_address": fixture.Object{"zip_code": "9861gt", "house_number": "18"}}))
	refused("several connections", errors{"new_address": "move.multiple_connections"}, to(fixture.Object{"zip_code": "9723HG", "house_number": "3"}))
	refused("4-move-connections-match", errors{"new_address": "move.different_connections"}, to(fixture.Object{"zip_code": "9746TE", "house_number": "21"}),
		aMove(fixture.Object{"commodities": []string{"ELECTRICITY"}, "new_address": fixture.Object{"zip_code": "9746TE", "house_number": "21"}}))
	refused("an agreement of nobody", errors{"agreement_identifier_with_sequence": "move.agreement_unknown"}, aMove(fixture.Object{"agreement_identifier_with_sequence": "Z-1"}))
	refused("an old address of nobody", errors{"old_address": "move.agreement_unknown"}, aMove(fixture.Object{"old_address": fixture.Object{"zip_code": "9731AB", "house_number": "7"}}),
		aMove(fixture.Object{"agreement_identifier_with_sequence": id, "old_address": fixture.With(fixture.HomeAddress, fixture.Object{"house_number_extension": "A"})}))
	t.Run("what is no request at all", func(t *testing.T) {
		for _, body := range []string{"", "[]", "null", `"x"`, `{"new_address":7}`, `{"new_address":{"house_number":{}}}`, `{"start_date":20261201}`, `{"is_residential":"ja"}`} {
			a := c.Do(http.MethodPut, "/move", body)
			assert.GreaterOrEqual(t, a.Status, 400, body)
			assert.Less(t, a.Status, 500, "%s: %s", body, a.Body)
		}
		assert.Empty(t, c.List(t, "/moves"))
	})
	t.Run("5.2-start-min-two-days,5.2-start-before-stop,4-move-connections-match", func(t *testing.T) { // what is just right
		moved(c, t, aMove(fixture.Object{"start_date": "2026-11-22", "stop_date": "2026-11-22"}))
		power := all.New()
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.With(fixture.EnergyAt(power, "E-"+power.Debtor), fixture.Object{"addresses": []fixture.Object{fixture.With(fixture.HomeAddress, fixture.Object{"address_type": "SHIPPING",
			"connections": []fixture.Object{{"ean_code": "871600000000000017", "commodity": "ELECTRICITY"}}})}})))
		moved(power, t, aMove(fixture.Object{"new_address": fixture.Object{"zip_code": "9746te", "house_number": "21"}}))
		assert.Equal(t, []any{"ELECTRICITY"}, power.List(t, "/moves")[0]["commodities"])
	})
}

func notToBeMoved(t *testing.T, all *fixture.Customers) {
	shop := fixture.With(fixture.HomeAddress, fixture.Object{"zip_code": "9981AJ", "house_number": "122", "house_number_extension": "A", "address_type": "SHIPPING", "connections": []fixture.Object{}})
	try := func(what string, code string, changes fixture.Object, more ...fixture.Object) {
		t.Helper()
		t.Run(what, func(t *testing.T) {
			c := all.New()
			id := "N" + c.Debtor + "-1"
			require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.With(fixture.EnergyAt(c, id), changes)))
			for n, other := range more {
				require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.With(fixture.EnergyAt(c, fmt.Sprintf("O%s-%d", c.Debtor, n)), other)))
			}
			for _, named := range []any{id, nil} {
				a := askMove(c, aMove(fixture.Object{"agreement_identifier_with_sequence": named, "new_address": fixture.Object{"zip_code": "9981AJ", "house_number": "122", "house_number_extension": "A"}}))
				assert.Equal(t, http.StatusBadRequest, a.Status, string(a.Body))
				require.Len(t, fixture.ProblemOf(t, a).Errors, 1)
				assert.Equal(t, code, fixture.ProblemOf(t, a).Errors[0].Code)
			}
			assert.Empty(t, c.List(t, "/moves"))
		})
	}
	try("2.2-exclude-server,2.2-exclude-ended", "move.agreement_ended", fixture.Object{"status": "TERMINATED"})
	try("2.2-exclude-server,2.2-exclude-ended", "move.agreement_ended", fixture.Object{"status": "CANCELLED"})
	try("2.2-exclude-server", "move.agreement_daughter", fixture.Object{"company_name": "Molen Dochter B.V."})
	try("2.2-exclude-server", "move.bad_situation", fixture.Object{"addresses": []fixture.Object{fixture.With(fixture.HomeAddress, fixture.Object{"address_type": "SHIPPING"}), shop}})
	try("2.2-exclude-server,2.2-offline-existing-agreement", "move.existing_agreement", nil, fixture.Object{"status": "FUTURE", "addresses": []fixture.Object{shop}})
	t.Run("2.2-offline-existing-agreement", func(t *testing.T) { // one that has ended is no hindrance
		c, _ := atHome(all)
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.With(fixture.EnergyAt(c, "X"+c.Debtor), fixture.Object{"status": "TERMINATED", "addresses": []fixture.Object{shop}})))
		moved(c, t, aMove(fixture.Object{"new_address": fixture.Object{"zip_code": "9981AJ", "house_number": "122", "house_number_extension": "a"}}))
	})
	t.Run("two that can be moved from one address: which?", func(t *testing.T) {
		c, id := atHome(all)
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.EnergyAt(c, "Y"+c.Debtor)))
		a := askMove(c, aMove(nil))
		assert.Equal(t, []problem.FieldError{{Field: "agreement_identifier_with_sequence", Code: "move.required"}}, fixture.ProblemOf(t, a).Errors)
		moved(c, t, aMove(fixture.Object{"agreement_identifier_with_sequence": id}))
		moved(c, t, aMove(fixture.Object{"agreement_identifier_with_sequence": "Y" + c.Debtor}))
		assert.Len(t, c.List(t, "/moves"), 2)
	})
}

func movedOnce(t *testing.T, all *fixture.Customers) {
	send := func(c fixture.Customer, key string, request fixture.Object) portaltest.Answer {
		return c.Portal.Do(portaltest.Call{Method: http.MethodPut, Path: "/move", Bearer: c.Bearer, Body: request, Header: map[string]string{"Idempotency-Key": key}})
	}
	t.Run("the same request again is the same move", func(t *testing.T) {
		c, _ := atHome(all)
		for range 3 {
			a := send(c, "abc-1", aMove(nil))
			require.Equal(t, http.StatusNoContent, a.Status, string(a.Body))
		}
		require.Len(t, c.List(t, "/moves"), 1)
		fixture.Decide(t, c, "move.request", module.Processed)
		assert.Equal(t, http.StatusNoContent, send(c, "abc-1", aMove(nil)).Status, "however late it comes")
		require.Len(t, c.List(t, "/moves"), 1)

		other := send(c, "abc-1", aMove(fixture.Object{"start_date": "2026-12-24", "stop_date": nil}))
		assert.Equal(t, http.StatusUnprocessableEntity, other.Status)
		assert.Equal(t, "move.key_reused", other.Code())
		assert.Equal(t, http.StatusNoContent, send(c, "abc-2", aMove(nil)).Status, "another key, another move")
		assert.Len(t, c.List(t, "/moves"), 2)
		for _, key := range []string{strings.Repeat("k", 65), "a b", "é"} {
			assert.Equal(t, http.StatusBadRequest, send(c, key, aMove(nil)).Status, key)
		}
	})
	t.Run("a key is of one customer", func(t *testing.T) {
		for range 2 {
			c, _ := atHome(all)
			assert.Equal(t, http.StatusNoContent, send(c, "same", aMove(nil)).Status)
			assert.Len(t, c.List(t, "/moves"), 1)
		}
	})
	t.Run("a refused request uses up no key", func(t *testing.T) {
		c, _ := atHome(all)
		assert.Equal(t, http.StatusBadRequest, send(c, "k", aMove(fixture.Object{"start_date": ""})).Status)
		assert.Equal(t, http.StatusNoContent, send(c, "k", aMove(nil)).Status)
	})
	t.Run("one key for two agreements at a time", func(t *testing.T) {
		c, id := atHome(all)
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.EnergyAt(c, "Y"+c.Debtor)))
		statuses := make([]int, 2)
		var wg sync.WaitGroup
		for i, agreement := range []string{id, "Y" + c.Debtor} {
			wg.Go(func() {
				statuses[i] = send(c, "both", aMove(fixture.Object{"agreement_identifier_with_sequence": agreement})).Status
			})
		}
		wg.Wait()
		slices.Sort(statuses)
		assert.Equal(t, []int{http.StatusNoContent, http.StatusUnprocessableEntity}, statuses)
		assert.Len(t, c.List(t, "/moves"), 1)
	})
	for _, key := range []string{"clicked", ""} {
		t.Run("by many at a time, key "+key, func(t *testing.T) {
			c, _ := atHome(all)
			statuses := make([]int, 8)
			var wg sync.WaitGroup
			for i := range statuses {
				wg.Go(func() {
					if key == "" {
						statuses[i] = askMove(c, aMove(nil)).Status
						return
					}
					statuses[i] = send(c, key, aMove(nil)).Status
				})
			}
			wg.Wait()
			slices.Sort(statuses)
			want := slices.Repeat([]int{http.StatusNoContent}, 8)
			if key == "" {
				want = append([]int{http.StatusNoContent}, slices.Repeat([]int{http.StatusConflict}, 7)...)
			}
			assert.Equal(t, want, statuses)
			assert.Len(t, c.List(t, "/moves"), 1)
		})
	}
}

func moveCalendar(t *testing.T, all *fixture.Customers) {
	c, _ := atHome(all)
	moved(c, t, aMove(nil))
	path := "/moves/" + c.List(t, "/moves")[0]["id"].(string) + "/calendar"
	read := func() *ical.Calendar {
		a := c.Do(http.MethodGet, path, nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, "text/calendar; charset=utf-8", a.Header.Get("Content-Type"))
		assert.Contains(t, a.Header.Get("Content-Disposition"), `attachment; filename="verhuizing-2026-12-01.ics"`)
		out, err := ical.NewDecoder(bytes.NewReader(a.Body)).Decode()
		require.NoError(t, err)
		return out
	}
	first := read()
	require.Len(t, first.Events(), 2)
	assert.Equal(t, "20261201", first.Events()[0].Props.Get(ical.PropDateTimeStart).Value)
	assert.Equal(t, "20261203", first.Events()[1].Props.Get(ical.PropDateTimeStart).Value)
	fixture.Decide(t, c, "move.request", module.Processed)
	again := read()
	for i := range 2 {
		assert.Equal(t, first.Events()[i].Props.Get(ical.PropUID).Value, again.Events()[i].Props.Get(ical.PropUID).Value)
		assert.Equal(t, "CONFIRMED", again.Events()[i].Props.Get(ical.PropStatus).Value)
	}
	moved(c, t, aMove(nil))
	fixture.Decide(t, c, "move.request", module.Rejected)
	assert.Equal(t, http.StatusNotFound, c.Do(http.MethodGet, "/moves/"+c.List(t, "/moves")[0]["id"].(string)+"/calendar", nil).Status)
	assert.Equal(t, http.StatusNotFound, c.Do(http.MethodGet, "/moves/nowhere/calendar", nil).Status)
}

func movesOfOthers(t *testing.T, all *fixture.Customers) {
	c, id := atHome(all)
	moved(c, t, aMove(nil))
	path := "/moves/" + c.List(t, "/moves")[0]["id"].(string) + "/calendar"
	t.Run("6-customer-own-data", func(t *testing.T) {
		stranger, _ := atHome(all)
		assert.Empty(t, stranger.List(t, "/moves"))
		assert.Equal(t, http.StatusNotFound, stranger.Do(http.MethodGet, path, nil).Status)
		a := askMove(stranger, aMove(fixture.Object{"agreement_identifier_with_sequence": id}))
		assert.Equal(t, "move.agreement_unknown", fixture.ProblemOf(t, a).Errors[0].Code)
	})
	t.Run("6-impersonator-api", func(t *testing.T) {
		guest := fixture.Customer{Caller: c.Portal.Impersonator("alpha", c.Relation)}
		assert.Len(t, guest.List(t, "/moves"), 1)
		assert.Equal(t, http.StatusForbidden, askMove(guest, aMove(nil)).Status)
	})
	t.Run("nothing without a token", func(t *testing.T) {
		for _, p := range []string{"/moves", path, "/address?zipCode=9731AB&houseNumber=7"} {
			assert.Equal(t, http.StatusUnauthorized, c.Portal.Do(portaltest.Call{Path: p}).Status, p)
		}
		assert.Equal(t, http.StatusUnauthorized, c.Portal.Do(portaltest.Call{Method: http.MethodPut, Path: "/move", Body: aMove(nil)}).Status)
	})
	t.Run("nobody of whom nothing is known", func(t *testing.T) {
		nobody := all.Account("405", "nog.niemand.7")
		assert.Equal(t, "move.agreement_unknown", fixture.ProblemOf(t, askMove(nobody, aMove(nil))).Errors[0].Code)
	})
}

// moveAtNight asks when it is tomorrow already where the label is.
func moveAtNight(t *testing.T, all *fixture.Customers) {
	at := time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC)
	all.Pass(at.Sub(all.Now()))
	c, _ := atHome(all)
	t.Run("5.2-start-min-two-days", func(t *testing.T) {
		a := askMove(c, aMove(fixture.Object{"start_date": "2026-11-22", "stop_date": nil}))
		assert.Equal(t, []problem.FieldError{{Field: "start_date", Code: "move.minTwoDays"}}, fixture.ProblemOf(t, a).Errors)
		moved(c, t, aMove(fixture.Object{"start_date": "2026-11-23", "stop_date": nil}))
	})
}
