package main_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-ical"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/config"
	"github.com/wattle-portal/wattle/core/internal/mail"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/address"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/move"
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
	modules := []module.Module{account.Module, address.Module, billing.Module, move.Module, module.New(listener, func() module.Instance { return h })}
	apptest.Each(t, apptest.Options{Modules: modules}, func(t *testing.T, s *apptest.Server) {
		c := &customers{Server: s, t: t}
		t.Run("lookups", func(t *testing.T) { lookups(t, c) })
		t.Run("request", func(t *testing.T) { moveRequest(t, c, h) })
		t.Run("refused", func(t *testing.T) { moveRefused(t, c) })
		t.Run("not to be moved", func(t *testing.T) { notToBeMoved(t, c) })
		t.Run("sent twice", func(t *testing.T) { movedOnce(t, c) })
		t.Run("calendar", func(t *testing.T) { moveCalendar(t, c) })
		t.Run("others", func(t *testing.T) { movesOfOthers(t, c) })
		t.Run("lookups without end", func(t *testing.T) { tooManyLookups(t, c) })
		t.Run("late in the evening", func(t *testing.T) { moveAtNight(t, c) })
	})
}

// home is where the customers of these tests live.
var home = object{"street": "Molenweg", "house_number": "18", "house_number_extension": "", "zip_code": "9861GT", "city": "Grootegast"}

// energyAt is an agreement for electricity and gas at home.
func energyAt(c customer, id string) object {
	return with(agreementRecord(c, id), object{"periodical": nil, "tariff_sheets": nil, "addresses": []object{with(home, object{"address_type": "SHIPPING", "connections": []object{
		{"ean_code": "871600000000000024", "commodity": "GAS"}, {"ean_code": "871600000000000017", "commodity": "ELECTRICITY"}}})}})
}

// atHome makes a customer who can move.
func (c *customers) atHome() (customer, string) {
	c.t.Helper()
	made := c.new()
	id := "V" + made.debtor + "-1"
	require.Empty(c.t, records(c.t, c.Server, "agreement", energyAt(made, id)))
	return made, id
}

// aMove is a request that is fine, on 20 November.
func aMove(changes object) object {
	return with(object{"commodities": []string{"GAS", "ELECTRICITY"}, "old_address": home, "new_address": object{"zip_code": "9731 ab", "house_number": 7, "street": "Lindelaan", "city": "Groningen"},
		"start_date": "2026-12-01", "stop_date": "2026-12-03", "is_residential": true, "address_type": "SHIPPING"}, changes)
}

func (c customer) move(request object) apptest.Answer { return c.do(http.MethodPut, "/move", request) }

// moved asks for a move that is fine.
func (c customer) moved(t *testing.T, request object) {
	t.Helper()
	a := c.move(request)
	require.Equal(t, http.StatusNoContent, a.Status, string(a.Body))
	require.Empty(t, a.Body)
}

func lookups(t *testing.T, all *customers) {
	c := all.new()
	found := func(street, number, extension, zip, city string) object {
		return object{"street": street, "house_number": number, "extension": extension, "zip_code": zip, "city": city}
	}
	none := object{"GAS": []any{}, "ELECTRICITY": []any{}}
	t.Run("7.3-get-address,3-address-lookup-fields,3-address-lookup-eans-shape,5.2-zip-normalise", func(t *testing.T) {
		want := object{"address": found("Lindelaan", "7", "", "9731AB", "Groningen"), "alternatives": []any{}}
		for _, query := range []string{"zipCode=9731AB&houseNumber=7", "zipCode=9731%20ab&houseNumber=7", "zipCode=9731ab&houseNumber=+7+&houseNumberExtension="} {
			got := c.get(t, "/address?"+query)
			want["eansPerCommodity"] = got["eansPerCommodity"]
			assert.Equal(t, want, got, query)
			for _, commodity := range []string{"ELECTRICITY", "GAS"} {
				assert.Len(t, got["eansPerCommodity"].(object)[commodity], 1)
				assert.Regexp(t, `^\d{18}$`, got["eansPerCommodity"].(object)[commodity].([]any)[0])
			}
			assert.Len(t, got["eansPerCommodity"], 2)
		}
		for _, query := range []string{"zipCode=9999ZZ&houseNumber=1", "zipCode=9731AB&houseNumber=8", "zipCode=9731AB&houseNumber=7&houseNumberExtension=Z",
			"zipCode=97&houseNumber=7", "zipCode=9731AB&houseNumber=7%20OR%201=1"} {
			a := c.do(http.MethodGet, "/address?"+query, nil)
			assert.Equal(t, http.StatusNotFound, a.Status, query)
			assert.Equal(t, "move.address_unknown", a.Code(), query)
		}
		assert.Equal(t, http.StatusBadRequest, c.do(http.MethodGet, "/address?houseNumber=7", nil).Status)
	})
	t.Run("3-address-lookup-fields,7.3-get-address-extension-name", func(t *testing.T) {
		alternatives := []any{object{"houseNumberExtension": ""}, object{"houseNumberExtension": "A"}, object{"houseNumberExtension": "B"}, object{"houseNumberExtension": "bis"}}
		assert.Equal(t, object{"address": nil, "alternatives": alternatives, "eansPerCommodity": none}, c.get(t, "/address?zipCode=9711CD&houseNumber=12"))
		for entered, want := range map[string]string{"b": "B", "BIS": "bis", "": ""} {
			got := c.get(t, "/address?zipCode=9711CD&houseNumber=12&houseNumberExtension="+entered)
			assert.Equal(t, found("Havenstraat", "12", want, "9711CD", "Groningen"), got["address"])
			assert.Empty(t, got["alternatives"])
			assert.NotEqual(t, none, got["eansPerCommodity"])
		}
	})
	t.Run("7.3-post-postcode,3-address-validation-fields,7.3-two-lookups-reconcile,5.2-zip-normalise", func(t *testing.T) {
		ask := func(zip string, number any, extension string) apptest.Answer { // by nobody in particular
			return c.s.Do(apptest.Call{Method: http.MethodPost, Path: "/lambda/address-validation/postcode",
				Body: object{"zipCode": zip, "houseNumber": number, "houseNumberExtension": extension}})
		}
		for _, x := range []struct {
			number          any
			extension, want string
		}{{12, "b", "B"}, {"12", "", ""}, {" 12", "BIS", "bis"}} {
			a := ask("9711 cd", x.number, x.extension)
			require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			var got object
			a.JSON(t, &got)
			assert.Equal(t, object{"street": "Havenstraat", "houseNumber": "12", "houseNumberAddition": x.want, "city": "Groningen", "postcode": "9711CD"}, got)
		}
		for _, a := range []apptest.Answer{ask("9999ZZ", 1, ""), ask("9711CD", 12, "Z"), ask("2513RZ", 200, ""), ask("x", -1, "")} {
			assert.Equal(t, http.StatusNotFound, a.Status)
			assert.Equal(t, "move.address_unknown", a.Code())
		}
		a := c.s.Do(apptest.Call{Method: http.MethodPost, Path: "/lambda/address-validation/postcode", Body: object{"houseNumberExtension": "A"}})
		assert.Equal(t, http.StatusBadRequest, a.Status)
		assert.Len(t, problemOf(t, a).Errors, 2)
	})
}

func moveRequest(t *testing.T, all *customers, h *heard) {
	c, id := all.atHome()
	t.Run("7.3-put-move,7.3-put-move-status", func(t *testing.T) {
		assert.Empty(t, c.list(t, "/moves"))
		c.moved(t, aMove(object{"commodities": []string{"GAS"}, "new_postal_address": object{"zip_code": "9731AB", "house_number": "7"},
			"new_address": object{"zip_code": "9731 ab", "house_number": 7, "street": "Verzonnenlaan", "city": "Nergenshuizen"}}))
		require.Len(t, c.list(t, "/moves"), 1)
	})
	t.Run("3-move-request-fields,3-move-commodities,3-move-extra-addresses", func(t *testing.T) {
		got := c.list(t, "/moves")[0]
		to := object{"street": "Lindelaan", "house_number": "7", "house_number_extension": "", "zip_code": "9731AB", "city": "Groningen"}
		assert.Regexp(t, "^2026-11-20T10:0", got["filed"])
		assert.Equal(t, object{"id": got["id"], "state": "PENDING", "filed": got["filed"], "decided": nil, "reason": "",
			"agreement_identifier_with_sequence": id, "commodities": []any{"ELECTRICITY", "GAS"}, "old_address": home, "new_address": to,
			"start_date": "2026-12-01", "stop_date": "2026-12-03", "is_residential": true, "address_type": "SHIPPING", "new_postal_address": to,
			"unchecked": false}, got)
	})
	t.Run("a second while the first is pending", func(t *testing.T) {
		a := c.move(aMove(nil))
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, problem.CodePending, a.Code())
	})
	t.Run("staff see what is asked", func(t *testing.T) {
		var page struct{ Items []object }
		soon(t, c.s, func() bool {
			c.s.Do(apptest.Call{Path: "/staff/changes?kind=move.request&q=" + id, Bearer: c.s.Staff("alpha")}).JSON(t, &page)
			return len(page.Items) > 0
		})
		assert.Equal(t, "2026-12-01", page.Items[0]["effective"])
		assert.Equal(t, id, page.Items[0]["key"])
		assert.Equal(t, "Lindelaan", page.Items[0]["data"].(object)["new_address"].(object)["street"])
	})
	receipt := func(c customer, words ...string) {
		t.Helper()
		soon(t, c.s, func() bool {
			return slices.ContainsFunc(mailTo(t, c.s, "fenna@voorbeeld.example"), func(m mail.Message) bool {
				return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(fmt.Sprint(m.Mail), w) })
			})
		})
	}
	t.Run("a receipt, and what became of it", func(t *testing.T) {
		receipt(c, "ontvangen", "Lindelaan 7, 9731AB Groningen", "01-12-2026", "03-12-2026")
		decide(t, c, "move.request", module.Processed)
		got := c.list(t, "/moves")[0]
		assert.Equal(t, "PROCESSED", got["state"])
		assert.NotNil(t, got["decided"])
		assert.Equal(t, "Telefonisch bevestigd", got["reason"])
		receipt(c, "geregeld", "Lindelaan 7, 9731AB Groningen")
	})
	t.Run("after a decision another may be asked for; a rejection is told with its reason", func(t *testing.T) {
		c.moved(t, with(aMove(object{"new_address": object{"zip_code": "3512KL", "house_number": "24"}}), object{"stop_date": nil}))
		decide(t, c, "move.request", module.Rejected)
		list := c.list(t, "/moves")
		require.Len(t, list, 2)
		assert.Equal(t, []any{"REJECTED", "PROCESSED"}, []any{list[0]["state"], list[1]["state"]}, "newest first")
		assert.Nil(t, list[0]["stop_date"])
		assert.Equal(t, "Telefonisch bevestigd", list[0]["reason"])
		receipt(c, "niet verwerken", "Kastanjeplein 24", "Telefonisch bevestigd")
	})
	t.Run("events", func(t *testing.T) {
		soon(t, c.s, func() bool { return len(h.about(c.relation)) == 3 })
	})
	t.Run("3-move-residential-default,5.2-stop-optional", func(t *testing.T) {
		for _, x := range []struct {
			sent object
			want bool
		}{{object{"is_residential": nil, "stop_date": nil}, true}, {object{"is_residential": false, "stop_date": ""}, false}} {
			c, id := all.atHome()
			c.moved(t, with(aMove(object{"agreement_identifier_with_sequence": id}), x.sent))
			got := c.list(t, "/moves")[0]
			assert.Equal(t, x.want, got["is_residential"])
			assert.Nil(t, got["stop_date"])
		}
	})
}

func moveRefused(t *testing.T, all *customers) {
	c, id := all.atHome()
	refused := func(rows string, want map[string]string, requests ...object) {
		t.Helper()
		t.Run(rows, func(t *testing.T) {
			for _, request := range requests {
				a := c.move(request)
				require.Equal(t, http.StatusBadRequest, a.Status, "%v: %s", request, a.Body)
				got := map[string]string{}
				for _, e := range problemOf(t, a).Errors {
					got[e.Field] = e.Code
				}
				assert.Equal(t, want, got, "%v", request)
			}
			assert.Empty(t, c.list(t, "/moves"), "nothing is stored")
		})
	}
	type errors = map[string]string
	to := func(changes object) object {
		return aMove(object{"new_address": with(object{"zip_code": "9731AB", "house_number": "7"}, changes)})
	}
	refused("5.2-old-address-required", errors{"old_address": "move.required"}, aMove(object{"old_address": nil}), aMove(object{"old_address": object{"city": "Grootegast"}}))
	refused("5.2-new-address-required", errors{"new_address.zip_code": "move.required"}, to(object{"zip_code": nil}), to(object{"zip_code": "  "}))
	refused("5.2-new-address-required", errors{"new_address.house_number": "move.required"}, to(object{"house_number": nil}), to(object{"house_number": ""}))
	refused("5.2-start-required", errors{"start_date": "move.required"}, aMove(object{"start_date": nil}), aMove(object{"start_date": ""}))
	refused("5.2-date-invalid", errors{"start_date": "move.dateFormat"}, aMove(object{"start_date": "31-12-2026"}), aMove(object{"start_date": "2026-02-30", "stop_date": nil}))
	refused("5.2-date-invalid", errors{"stop_date": "move.dateFormat"}, aMove(object{"stop_date": "morgen"}), aMove(object{"stop_date": "2026-11-31"}))
	refused("5.2-date-past", errors{"start_date": "move.noPastDate"}, aMove(object{"start_date": "2026-11-19"}), aMove(object{"start_date": "1926-12-01"}))
	refused("5.2-date-past", errors{"stop_date": "move.noPastDate"}, aMove(object{"stop_date": "2026-11-19"}))
	refused("5.2-start-min-two-days,5.2-past-precedence-reconcile", errors{"start_date": "move.minTwoDays"}, aMove(object{"start_date": "2026-11-20"}), aMove(object{"start_date": "2026-11-21"}))
	refused("5.2-past-precedence-reconcile", errors{"start_date": "move.noPastDate"}, aMove(object{"start_date": "2026-11-18"}))
	refused("5.2-start-before-stop", errors{"stop_date": "move.startBeforeStop"}, aMove(object{"stop_date": "2026-11-30"}))
	refused("7.3-put-move-status", errors{"start_date": "move.minTwoDays", "stop_date": "move.noPastDate", "old_address": "move.required", "new_address.house_number": "move.required"},
		object{"new_address": object{"zip_code": "9731AB"}, "start_date": "2026-11-21", "stop_date": "2026-11-19"})
	refused("3-move-extra-addresses", errors{"new_invoice_address": "invalid"}, aMove(object{"new_invoice_address": home}))
	refused("an address type that is none", errors{"address_type": "invalid"}, aMove(object{"address_type": "POST"}))
	refused("an address that is not there", errors{"new_address.zip_code": "move.address_unknown", "new_address.house_number": "move.address_unknown"},
		to(object{"house_number": "8"}), to(object{"zip_code": "9999ZZ", "unchecked": true, "street": "Verzonnenlaan", "city": "Nergenshuizen"}))
	refused("an extension that is not there", errors{"new_address.zip_code": "move.address_unknown", "new_address.house_number": "move.address_unknown",
		"new_address.house_number_extension": "move.address_unknown"}, to(object{"house_number_extension": "Z"}))
	refused("several addresses", errors{"new_address.house_number_extension": "move.multiple_addresses"}, to(object{"zip_code": "9711CD", "house_number": "12"}),
		to(object{"zip_code": "2513RZ", "house_number": "200", "house_number_extension": ""}))
	refused("2.2-offline-existing-agreement", errors{"new_address": "move.existing_agreement"}, aMove(object{"new_address": object{"zip_code": "9861gt", "house_number": "18"}}))
	refused("several connections", errors{"new_address": "move.multiple_connections"}, to(object{"zip_code": "9723HG", "house_number": "3"}))
	refused("4-move-connections-match", errors{"new_address": "move.different_connections"}, to(object{"zip_code": "9746TE", "house_number": "21"}),
		aMove(object{"commodities": []string{"ELECTRICITY"}, "new_address": object{"zip_code": "9746TE", "house_number": "21"}}))
	refused("an agreement of nobody", errors{"agreement_identifier_with_sequence": "move.agreement_unknown"}, aMove(object{"agreement_identifier_with_sequence": "Z-1"}))
	refused("an old address of nobody", errors{"old_address": "move.agreement_unknown"}, aMove(object{"old_address": object{"zip_code": "9731AB", "house_number": "7"}}),
		aMove(object{"agreement_identifier_with_sequence": id, "old_address": with(home, object{"house_number_extension": "A"})}))
	t.Run("what is no request at all", func(t *testing.T) {
		for _, body := range []string{"", "[]", "null", `"x"`, `{"new_address":7}`, `{"new_address":{"house_number":{}}}`, `{"start_date":20261201}`, `{"is_residential":"ja"}`} {
			a := c.do(http.MethodPut, "/move", body)
			assert.GreaterOrEqual(t, a.Status, 400, body)
			assert.Less(t, a.Status, 500, "%s: %s", body, a.Body)
		}
		assert.Empty(t, c.list(t, "/moves"))
	})
	t.Run("5.2-start-min-two-days,5.2-start-before-stop,4-move-connections-match", func(t *testing.T) { // what is just right
		c.moved(t, aMove(object{"start_date": "2026-11-22", "stop_date": "2026-11-22"}))
		power := all.new()
		require.Empty(t, records(t, c.s, "agreement", with(energyAt(power, "E-"+power.debtor), object{"addresses": []object{with(home, object{"address_type": "SHIPPING",
			"connections": []object{{"ean_code": "871600000000000017", "commodity": "ELECTRICITY"}}})}})))
		power.moved(t, aMove(object{"new_address": object{"zip_code": "9746te", "house_number": "21"}}))
		assert.Equal(t, []any{"ELECTRICITY"}, power.list(t, "/moves")[0]["commodities"])
	})
}

func notToBeMoved(t *testing.T, all *customers) {
	shop := with(home, object{"zip_code": "9981AJ", "house_number": "122", "house_number_extension": "A", "address_type": "SHIPPING", "connections": []object{}})
	try := func(what string, code string, changes object, more ...object) {
		t.Helper()
		t.Run(what, func(t *testing.T) {
			c := all.new()
			id := "N" + c.debtor + "-1"
			require.Empty(t, records(t, c.s, "agreement", with(energyAt(c, id), changes)))
			for n, other := range more {
				require.Empty(t, records(t, c.s, "agreement", with(energyAt(c, fmt.Sprintf("O%s-%d", c.debtor, n)), other)))
			}
			for _, named := range []any{id, nil} {
				a := c.move(aMove(object{"agreement_identifier_with_sequence": named, "new_address": object{"zip_code": "9981AJ", "house_number": "122", "house_number_extension": "A"}}))
				assert.Equal(t, http.StatusBadRequest, a.Status, string(a.Body))
				require.Len(t, problemOf(t, a).Errors, 1)
				assert.Equal(t, code, problemOf(t, a).Errors[0].Code)
			}
			assert.Empty(t, c.list(t, "/moves"))
		})
	}
	try("2.2-exclude-server,2.2-exclude-ended", "move.agreement_ended", object{"status": "TERMINATED"})
	try("2.2-exclude-server,2.2-exclude-ended", "move.agreement_ended", object{"status": "CANCELLED"})
	try("2.2-exclude-server", "move.agreement_daughter", object{"company_name": "Molen Dochter B.V."})
	try("2.2-exclude-server", "move.bad_situation", object{"addresses": []object{with(home, object{"address_type": "SHIPPING"}), shop}})
	try("2.2-exclude-server,2.2-offline-existing-agreement", "move.existing_agreement", nil, object{"status": "FUTURE", "addresses": []object{shop}})
	t.Run("2.2-offline-existing-agreement", func(t *testing.T) { // one that has ended is no hindrance
		c, _ := all.atHome()
		require.Empty(t, records(t, c.s, "agreement", with(energyAt(c, "X"+c.debtor), object{"status": "TERMINATED", "addresses": []object{shop}})))
		c.moved(t, aMove(object{"new_address": object{"zip_code": "9981AJ", "house_number": "122", "house_number_extension": "a"}}))
	})
	t.Run("two that can be moved from one address: which?", func(t *testing.T) {
		c, id := all.atHome()
		require.Empty(t, records(t, c.s, "agreement", energyAt(c, "Y"+c.debtor)))
		a := c.move(aMove(nil))
		assert.Equal(t, []problem.FieldError{{Field: "agreement_identifier_with_sequence", Code: "move.required"}}, problemOf(t, a).Errors)
		c.moved(t, aMove(object{"agreement_identifier_with_sequence": id}))
		c.moved(t, aMove(object{"agreement_identifier_with_sequence": "Y" + c.debtor}))
		assert.Len(t, c.list(t, "/moves"), 2)
	})
}

func movedOnce(t *testing.T, all *customers) {
	send := func(c customer, key string, request object) apptest.Answer {
		return c.s.Do(apptest.Call{Method: http.MethodPut, Path: "/move", Bearer: c.token, Body: request, Header: map[string]string{"Idempotency-Key": key}})
	}
	t.Run("the same request again is the same move", func(t *testing.T) {
		c, _ := all.atHome()
		for range 3 {
			a := send(c, "abc-1", aMove(nil))
			require.Equal(t, http.StatusNoContent, a.Status, string(a.Body))
		}
		require.Len(t, c.list(t, "/moves"), 1)
		decide(t, c, "move.request", module.Processed)
		assert.Equal(t, http.StatusNoContent, send(c, "abc-1", aMove(nil)).Status, "however late it comes")
		require.Len(t, c.list(t, "/moves"), 1)

		other := send(c, "abc-1", aMove(object{"start_date": "2026-12-24", "stop_date": nil}))
		assert.Equal(t, http.StatusUnprocessableEntity, other.Status)
		assert.Equal(t, "move.key_reused", other.Code())
		assert.Equal(t, http.StatusNoContent, send(c, "abc-2", aMove(nil)).Status, "another key, another move")
		assert.Len(t, c.list(t, "/moves"), 2)
		for _, key := range []string{strings.Repeat("k", 65), "a b", "é"} {
			assert.Equal(t, http.StatusBadRequest, send(c, key, aMove(nil)).Status, key)
		}
	})
	t.Run("a key is of one customer", func(t *testing.T) {
		for range 2 {
			c, _ := all.atHome()
			assert.Equal(t, http.StatusNoContent, send(c, "same", aMove(nil)).Status)
			assert.Len(t, c.list(t, "/moves"), 1)
		}
	})
	t.Run("a refused request uses up no key", func(t *testing.T) {
		c, _ := all.atHome()
		assert.Equal(t, http.StatusBadRequest, send(c, "k", aMove(object{"start_date": ""})).Status)
		assert.Equal(t, http.StatusNoContent, send(c, "k", aMove(nil)).Status)
	})
	t.Run("one key for two agreements at a time", func(t *testing.T) {
		c, id := all.atHome()
		require.Empty(t, records(t, c.s, "agreement", energyAt(c, "Y"+c.debtor)))
		statuses := make([]int, 2)
		var wg sync.WaitGroup
		for i, agreement := range []string{id, "Y" + c.debtor} {
			wg.Go(func() {
				statuses[i] = send(c, "both", aMove(object{"agreement_identifier_with_sequence": agreement})).Status
			})
		}
		wg.Wait()
		slices.Sort(statuses)
		assert.Equal(t, []int{http.StatusNoContent, http.StatusUnprocessableEntity}, statuses)
		assert.Len(t, c.list(t, "/moves"), 1)
	})
	for _, key := range []string{"clicked", ""} {
		t.Run("by many at a time, key "+key, func(t *testing.T) {
			c, _ := all.atHome()
			statuses := make([]int, 8)
			var wg sync.WaitGroup
			for i := range statuses {
				wg.Go(func() {
					if key == "" {
						statuses[i] = c.move(aMove(nil)).Status
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
			assert.Len(t, c.list(t, "/moves"), 1)
		})
	}
}

func moveCalendar(t *testing.T, all *customers) {
	c, _ := all.atHome()
	c.moved(t, aMove(nil))
	path := "/moves/" + c.list(t, "/moves")[0]["id"].(string) + "/calendar"
	read := func() *ical.Calendar {
		a := c.do(http.MethodGet, path, nil)
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
	decide(t, c, "move.request", module.Processed)
	again := read()
	for i := range 2 {
		assert.Equal(t, first.Events()[i].Props.Get(ical.PropUID).Value, again.Events()[i].Props.Get(ical.PropUID).Value)
		assert.Equal(t, "CONFIRMED", again.Events()[i].Props.Get(ical.PropStatus).Value)
	}
	c.moved(t, aMove(nil))
	decide(t, c, "move.request", module.Rejected)
	assert.Equal(t, http.StatusNotFound, c.do(http.MethodGet, "/moves/"+c.list(t, "/moves")[0]["id"].(string)+"/calendar", nil).Status)
	assert.Equal(t, http.StatusNotFound, c.do(http.MethodGet, "/moves/nowhere/calendar", nil).Status)
}

func movesOfOthers(t *testing.T, all *customers) {
	c, id := all.atHome()
	c.moved(t, aMove(nil))
	path := "/moves/" + c.list(t, "/moves")[0]["id"].(string) + "/calendar"
	t.Run("6-customer-own-data", func(t *testing.T) {
		stranger, _ := all.atHome()
		assert.Empty(t, stranger.list(t, "/moves"))
		assert.Equal(t, http.StatusNotFound, stranger.do(http.MethodGet, path, nil).Status)
		a := stranger.move(aMove(object{"agreement_identifier_with_sequence": id}))
		assert.Equal(t, "move.agreement_unknown", problemOf(t, a).Errors[0].Code)
	})
	t.Run("6-impersonator-api", func(t *testing.T) {
		guest := customer{s: c.s, token: c.s.Impersonator("alpha", c.relation)}
		assert.Len(t, guest.list(t, "/moves"), 1)
		assert.Equal(t, http.StatusForbidden, guest.move(aMove(nil)).Status)
	})
	t.Run("nothing without a token", func(t *testing.T) {
		for _, p := range []string{"/moves", path, "/address?zipCode=9731AB&houseNumber=7"} {
			assert.Equal(t, http.StatusUnauthorized, c.s.Do(apptest.Call{Path: p}).Status, p)
		}
		assert.Equal(t, http.StatusUnauthorized, c.s.Do(apptest.Call{Method: http.MethodPut, Path: "/move", Body: aMove(nil)}).Status)
	})
	t.Run("nobody of whom nothing is known", func(t *testing.T) {
		nobody := all.account("405", "nog.niemand.7")
		assert.Equal(t, "move.agreement_unknown", problemOf(t, nobody.move(aMove(nil))).Errors[0].Code)
	})
}

func tooManyLookups(t *testing.T, all *customers) {
	c := all.new()
	last := func(call apptest.Call) (status, after int) {
		for n := range 100 {
			if a := c.s.Do(call); a.Status != http.StatusOK {
				assert.Equal(t, problem.CodeTooManyCalls, a.Code())
				return a.Status, n
			}
		}
		return http.StatusOK, 100
	}
	status, after := last(apptest.Call{Path: "/address?zipCode=9731AB&houseNumber=7", Bearer: c.token})
	assert.Equal(t, http.StatusTooManyRequests, status)
	assert.Equal(t, 60, after)
	status, after = last(apptest.Call{Method: http.MethodPost, Path: "/lambda/address-validation/postcode", Body: object{"zipCode": "9731AB", "houseNumber": 7}})
	assert.Equal(t, http.StatusTooManyRequests, status)
	assert.Less(t, after, 61, "with those of the tests before")
	t.Run("requests without end", func(t *testing.T) {
		for n := range 61 {
			a := c.move(aMove(nil)) // of an agreement that there is not
			want := http.StatusBadRequest
			if n == 60 {
				want = http.StatusTooManyRequests
			}
			require.Equal(t, want, a.Status, n)
		}
		assert.Equal(t, "move.required", problemOf(t, c.move(aMove(object{"start_date": ""}))).Errors[0].Code, "what asks nobody is not counted")
	})
	other := all.new()
	assert.Equal(t, http.StatusOK, other.do(http.MethodGet, "/address?zipCode=9731AB&houseNumber=7", nil).Status, "another account")
	c.s.Clock.Advance(11 * time.Minute)
	assert.Equal(t, http.StatusOK, c.s.Do(apptest.Call{Method: http.MethodPost, Path: "/lambda/address-validation/postcode", Body: object{"zipCode": "9731AB", "houseNumber": 7}}).Status)
}

// moveAtNight asks when it is tomorrow already where the label is.
func moveAtNight(t *testing.T, all *customers) {
	at := time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC)
	require.NoError(t, all.Advance(t.Context(), at.Sub(all.Clock.Now())))
	c, _ := all.atHome()
	t.Run("5.2-start-min-two-days", func(t *testing.T) {
		a := c.move(aMove(object{"start_date": "2026-11-22", "stop_date": nil}))
		assert.Equal(t, []problem.FieldError{{Field: "start_date", Code: "move.minTwoDays"}}, problemOf(t, a).Errors)
		c.moved(t, aMove(object{"start_date": "2026-11-23", "stop_date": nil}))
	})
}

// provider is a register, or a service that knows connections, outside of the portal.
func provider(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL
}

// TestMoveWithProviders asks providers over HTTP: those that answer, and those that do not. The wizard stays of use with any.
func TestMoveWithProviders(t *testing.T) {
	t.Parallel()
	text := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	faults := map[string]http.HandlerFunc{
		"500":   text(http.StatusInternalServerError, "oops"),
		"junk":  text(http.StatusOK, "<!doctype html>Onderhoud"),
		"empty": text(http.StatusOK, ""),
		"time-out": func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		},
	}
	knows := text(http.StatusOK, `{"response":{"numFound":1,"start":0,"docs":[{"type":"adres","straatnaam":"Bolstraat","woonplaatsnaam":"Utrecht","postcode":"3581WS","huisnummer":1,"huis_nlt":"1"}]}}`)
	lies := text(http.StatusOK, `{"connections":[{"ean_code":"871600000000900017","commodity":"ELECTRICITY"},{"ean_code":"871600000000900024","commodity":"GAS"}]}`)
	const lookup = "/address?zipCode=3581ws&houseNumber=1"
	byHand := object{"zip_code": "3581 ws", "house_number": "1", "street": " Bolstraat ", "city": "Utrecht", "unchecked": true}

	start := func(t *testing.T, register, connections http.HandlerFunc, log *safeBuffer) (*customers, customer) {
		cue := fmt.Sprintf("modules: move: {register: {provider: \"pdok\", url: %q}, connections: {provider: \"http\", url: %q}}",
			provider(t, register)+"/v3_1", provider(t, connections)+"/at")
		s := apptest.Start(t, apptest.Options{Modules: []module.Module{account.Module, address.Module, billing.Module, move.Module}, Labels: []apptest.Label{{Key: "alpha", CUE: cue}},
			Config: config.Config{Demo: true}, Log: log}) // a demo may call this machine
		all := &customers{Server: s, t: t}
		c, _ := all.atHome()
		return all, c
	}
	t.Run("7.3-get-address,7.3-post-postcode", func(t *testing.T) { // over HTTP
		_, c := start(t, knows, lies, &safeBuffer{})
		got := c.get(t, lookup)
		assert.Equal(t, "Bolstraat", got["address"].(object)["street"])
		assert.Equal(t, object{"ELECTRICITY": []any{"871600000000900017"}, "GAS": []any{"871600000000900024"}}, got["eansPerCommodity"])
		c.moved(t, aMove(object{"new_address": with(byHand, object{"street": "Verzonnenlaan"})}))
		m := c.list(t, "/moves")[0]
		assert.Equal(t, "Bolstraat", m["new_address"].(object)["street"], "the register is back: it knows better")
		assert.Equal(t, false, m["unchecked"])
	})
	for name, fault := range faults {
		t.Run("register, "+name, func(t *testing.T) {
			var log safeBuffer
			_, c := start(t, fault, lies, &log)
			t.Run("4-addr-lookup-down", func(t *testing.T) {
				for range 3 {
					a := c.do(http.MethodGet, lookup, nil)
					assert.Equal(t, http.StatusServiceUnavailable, a.Status)
					assert.Equal(t, "move.register_down", a.Code())
				}
				a := c.s.Do(apptest.Call{Method: http.MethodPost, Path: "/lambda/address-validation/postcode", Body: object{"zipCode": "3581WS", "houseNumber": 1}})
				assert.Equal(t, http.StatusServiceUnavailable, a.Status)
				assert.Equal(t, "move.register_down", a.Code())

				a = c.move(aMove(object{"new_address": with(byHand, object{"street": "", "city": nil})}))
				assert.Equal(t, []problem.FieldError{{Field: "new_address.street", Code: "move.required"}, {Field: "new_address.city", Code: "move.required"}}, problemOf(t, a).Errors)
				a = c.move(aMove(object{"new_address": with(byHand, object{"zip_code": "9861GT", "house_number": "18", "house_number_extension": " "})}))
				assert.Equal(t, "move.existing_agreement", problemOf(t, a).Errors[0].Code, "that is known without a register")
				c.moved(t, aMove(object{"new_address": byHand}))
				m := c.list(t, "/moves")[0]
				assert.Equal(t, true, m["unchecked"])
				assert.Equal(t, object{"street": "Bolstraat", "house_number": "1", "house_number_extension": "", "zip_code": "3581WS", "city": "Utrecht"}, m["new_address"])
				soon(t, c.s, func() bool {
					a := c.s.Do(apptest.Call{Path: "/staff/changes?kind=move.request", Bearer: c.s.Staff("alpha")})
					var page struct{ Items []object }
					a.JSON(t, &page)
					return len(page.Items) == 1 && page.Items[0]["data"].(object)["unchecked"] == true
				})
				assert.Contains(t, log.String(), "the source gives no answer", "the operator hears of it")
				assert.NotContains(t, strings.ToUpper(log.String()), "3581WS", "but not who moves where")
			})
		})
	}
	t.Run("connections, 500", func(t *testing.T) {
		_, c := start(t, knows, faults["500"], &safeBuffer{})
		t.Run("4-addr-lookup-down", func(t *testing.T) {
			a := c.do(http.MethodGet, lookup, nil)
			assert.Equal(t, http.StatusServiceUnavailable, a.Status)
			assert.Equal(t, "move.register_down", a.Code())
			c.moved(t, aMove(object{"new_address": with(byHand, object{"street": nil, "city": nil})}))
			m := c.list(t, "/moves")[0]
			assert.Equal(t, true, m["unchecked"], "its connections are")
			assert.Equal(t, "Bolstraat", m["new_address"].(object)["street"], "its street is the register's all the same")
		})
	})
}
