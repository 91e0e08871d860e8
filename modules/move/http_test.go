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

// listenerModule records move events.
type listenerModule struct {
	module.Router
	mu     sync.Mutex
	events []module.Event
}

// Handle records the event.
func (h *listenerModule) Handle(_ context.Context, e module.Event) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, e)
	return nil
}

// typesFor returns the event types recorded for a relation.
func (h *listenerModule) typesFor(relation string) (types []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events {
		if strings.Contains(string(e.Data), `"relation":"`+relation+`"`) && !slices.Contains(types, e.Type) {
			types = append(types, e.Type)
		}
	}
	return types
}

var listener = module.Manifest{Key: "listener", Version: "0.1.0", Settings: "#Settings: {}",
	Handles: []string{"move.requested", "move.processed", "move.rejected"}}

func TestMove(t *testing.T) {
	t.Parallel()
	h := &listenerModule{Router: module.NewRouter(listener)}
	modules := append(slices.Clone(moveModules), module.New(listener, func() module.Instance { return h }))
	portaltest.Each(t, portaltest.Options{Modules: modules}, func(t *testing.T, s *portaltest.Portal) {
		c := &fixture.Customers{Portal: s, T: t}
		t.Run("lookups", func(t *testing.T) { testLookups(t, c) })
		t.Run("request", func(t *testing.T) { testRequest(t, c, h) })
		t.Run("refused", func(t *testing.T) { testRefused(t, c) })
		t.Run("not movable", func(t *testing.T) { testNotMovable(t, c) })
		t.Run("calendar", func(t *testing.T) { testCalendar(t, c) })
		t.Run("data of others", func(t *testing.T) { testOthers(t, c) })
		t.Run("limits", func(t *testing.T) { testLimits(t, c) })
		t.Run("time zone of the label", func(t *testing.T) { testTimeZone(t, c) })
	})
}

var moveModules = []module.Module{account.Module, address.Module, billing.Module, move.Module}

// A request that is repeated, even concurrently, files one move.
func TestMoveIsIdempotent(t *testing.T) {
	t.Parallel()
	portaltest.Each(t, portaltest.Options{Modules: moveModules, AtOnce: true}, func(t *testing.T, s *portaltest.Portal) {
		testIdempotency(t, &fixture.Customers{Portal: s, T: t})
	})
}

// movableCustomer creates a customer with an agreement that can be moved, and returns the id of the agreement.
func movableCustomer(c *fixture.Customers) (fixture.Customer, string) {
	c.T.Helper()
	made := c.New()
	id := "V" + made.Debtor + "-1"
	require.Empty(c.T, fixture.Records(c.T, c.Portal, "agreement", fixture.EnergyAt(made, id)))
	return made, id
}

// validMove returns a request that is valid on 20 November.
func validMove(changes fixture.Object) fixture.Object {
	return fixture.With(fixture.Object{"commodities": []string{"GAS", "ELECTRICITY"}, "old_address": fixture.HomeAddress,
		"new_address": fixture.Object{"zip_code": "9731 ab", "house_number": 7, "street": "Lindelaan", "city": "Groningen"},
		"start_date":  "2026-12-01", "stop_date": "2026-12-03", "is_residential": true, "address_type": "SHIPPING"}, changes)
}

func sendMove(c fixture.Customer, request fixture.Object) portaltest.Answer {
	return c.Do(http.MethodPut, "/move", request)
}

// requireMove sends a request that must succeed.
func requireMove(c fixture.Customer, t *testing.T, request fixture.Object) {
	t.Helper()
	a := sendMove(c, request)
	require.Equal(t, http.StatusNoContent, a.Status, string(a.Body))
	require.Empty(t, a.Body)
}

func testRequest(t *testing.T, all *fixture.Customers, h *listenerModule) {
	c, id := movableCustomer(all)
	t.Run("7.3-put-move,7.3-put-move-status", func(t *testing.T) {
		assert.Empty(t, c.List(t, "/moves"))
		requireMove(c, t, validMove(fixture.Object{"commodities": []string{"GAS"},
			"new_postal_address": fixture.Object{"zip_code": "9731AB", "house_number": "7"},
			"new_address":        fixture.Object{"zip_code": "9731 ab", "house_number": 7, "street": "Verzonnenlaan", "city": "Nergenshuizen"}}))
		require.Len(t, c.List(t, "/moves"), 1)
	})
	t.Run("3-move-request-fields,3-move-commodities,3-move-extra-addresses", func(t *testing.T) {
		got := c.List(t, "/moves")[0]
		to := fixture.Object{"street": "Lindelaan", "house_number": "7", "house_number_extension": "", "zip_code": "9731AB", "city": "Groningen"}
		assert.Regexp(t, "^2026-11-20T10:0", got["filed"])
		assert.Equal(t, fixture.Object{"id": got["id"], "state": "PENDING", "filed": got["filed"], "decided": nil, "reason": "",
			"agreement_identifier_with_sequence": id, "commodities": []any{"ELECTRICITY", "GAS"}, "old_address": fixture.HomeAddress,
			"new_address": to,
			"start_date":  "2026-12-01", "stop_date": "2026-12-03", "is_residential": true, "address_type": "SHIPPING", "new_postal_address": to,
			"unchecked": false}, got)
	})
	t.Run("3-move-request-fields,3-move-extra-addresses", func(t *testing.T) { // other values and the optional fields
		c, id := movableCustomer(all)
		requireMove(c, t, fixture.Object{"commodities": []string{"ELECTRICITY"}, "old_address": fixture.HomeAddress, "start_date": "2026-12-24",
			"new_address":    fixture.Object{"zip_code": "3512KL", "house_number": "24", "unchecked": true},
			"is_residential": false, "address_type": "INVOICE", "new_invoice_address": fixture.Object{"zip_code": "3512 kl", "house_number": 24}})
		got := c.List(t, "/moves")[0]
		to := got["new_address"].(fixture.Object)
		assert.Equal(t, []any{"3512KL", "24"}, []any{to["zip_code"], to["house_number"]})
		assert.Equal(t, fixture.Object{"id": got["id"], "state": "PENDING", "filed": got["filed"], "decided": nil, "reason": "",
			"agreement_identifier_with_sequence": id, "commodities": []any{"ELECTRICITY", "GAS"}, "old_address": fixture.HomeAddress,
			"new_address": to, "start_date": "2026-12-24", "stop_date": nil, "is_residential": false, "address_type": "INVOICE",
			"new_invoice_address": to, "unchecked": false}, got)
	})
	t.Run("a second request for a pending agreement is refused", func(t *testing.T) {
		a := sendMove(c, validMove(nil))
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, problem.CodePending, a.Code())
	})
	t.Run("staff see the request", func(t *testing.T) {
		var page struct{ Items []fixture.Object }
		c.Portal.Eventually(func() bool {
			c.Portal.Do(portaltest.Call{Path: "/staff/changes?kind=move.request&q=" + id, Bearer: c.Portal.Staff("alpha").Bearer}).JSON(t, &page)
			return len(page.Items) > 0
		})
		assert.Equal(t, "2026-12-01", page.Items[0]["effective"])
		assert.Equal(t, id, page.Items[0]["key"])
		assert.Equal(t, "Lindelaan", page.Items[0]["data"].(fixture.Object)["new_address"].(fixture.Object)["street"])
	})
	requireMail := func(c fixture.Customer, words ...string) {
		t.Helper()
		c.Portal.Eventually(func() bool {
			return slices.ContainsFunc(fixture.MailsTo(t, c.Portal, "fenna@voorbeeld.example"), func(m portaltest.Mail) bool {
				return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(fmt.Sprint(m.Mail), w) })
			})
		})
	}
	t.Run("the customer gets mails about request and decision", func(t *testing.T) {
		requireMail(c, "ontvangen", "Lindelaan 7, 9731AB Groningen", "01-12-2026", "03-12-2026")
		fixture.Decide(t, c, "move.request", module.Processed)
		got := c.List(t, "/moves")[0]
		assert.Equal(t, "PROCESSED", got["state"])
		assert.NotNil(t, got["decided"])
		assert.Equal(t, "Telefonisch bevestigd", got["reason"])
		requireMail(c, "geregeld", "Lindelaan 7, 9731AB Groningen")
	})
	t.Run("a decided agreement can be moved again; the mail of a rejection contains the reason", func(t *testing.T) {
		requireMove(c, t, fixture.With(validMove(fixture.Object{"new_address": fixture.Object{"zip_code": "3512KL", "house_number": "24"}}),
			fixture.Object{"stop_date": nil}))
		fixture.Decide(t, c, "move.request", module.Rejected)
		list := c.List(t, "/moves")
		require.Len(t, list, 2)
		assert.Equal(t, []any{"REJECTED", "PROCESSED"}, []any{list[0]["state"], list[1]["state"]}, "newest first")
		assert.Nil(t, list[0]["stop_date"])
		assert.Equal(t, "Telefonisch bevestigd", list[0]["reason"])
		requireMail(c, "niet verwerken", "Kastanjeplein 24", "Telefonisch bevestigd")
	})
	t.Run("events", func(t *testing.T) {
		c.Portal.Eventually(func() bool { return len(h.typesFor(c.Relation)) == 3 })
	})
	t.Run("the mail about a decision goes to the mailbox of then, as it has the new address", func(t *testing.T) {
		for _, state := range []string{module.Processed, module.Rejected} {
			c, id := movableCustomer(all)
			previous, current := "eerst."+c.Debtor+"@voorbeeld.example", "nu."+c.Debtor+"@voorbeeld.example"
			setMailbox := func(address string) {
				require.Empty(t, c.Portal.Import("alpha", "relation", strings.ReplaceAll(fmt.Sprintf(fixture.RelationRecord, c.Debtor),
					"fenna@voorbeeld.example", address)))
			}
			setMailbox(previous)
			requireMove(c, t, validMove(fixture.Object{"agreement_identifier_with_sequence": id}))
			setMailbox(current)
			fixture.Decide(t, c, "move.request", state)
			got := fixture.MailsTo(t, c.Portal, current)
			c.Portal.Deliver()
			require.Len(t, got, 1)
			assert.Contains(t, fmt.Sprint(got), "Lindelaan 7", state)
			assert.Len(t, c.Portal.Mails(previous), 1, "%s: only that of the request", state)
		}
	})
	t.Run("3-move-residential-default,5.2-stop-optional", func(t *testing.T) {
		for _, x := range []struct {
			sent fixture.Object
			want bool
		}{{fixture.Object{"is_residential": nil, "stop_date": nil}, true}, {fixture.Object{"is_residential": false, "stop_date": ""}, false}} {
			c, id := movableCustomer(all)
			requireMove(c, t, fixture.With(validMove(fixture.Object{"agreement_identifier_with_sequence": id}), x.sent))
			got := c.List(t, "/moves")[0]
			assert.Equal(t, x.want, got["is_residential"])
			assert.Nil(t, got["stop_date"])
		}
	})
}

func testRefused(t *testing.T, all *fixture.Customers) {
	c, id := movableCustomer(all)
	refused := func(rows string, want map[string]string, requests ...fixture.Object) {
		t.Helper()
		t.Run(rows, func(t *testing.T) {
			for _, request := range requests {
				a := sendMove(c, request)
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
		return validMove(fixture.Object{"new_address": fixture.With(fixture.Object{"zip_code": "9731AB", "house_number": "7"}, changes)})
	}
	refused("5.2-old-address-required", errors{"old_address": "move.required"}, validMove(fixture.Object{"old_address": nil}),
		validMove(fixture.Object{"old_address": fixture.Object{"city": "Grootegast"}}),
		validMove(fixture.Object{"old_address": fixture.With(fixture.HomeAddress, fixture.Object{"zip_code": ""})}),
		validMove(fixture.Object{"old_address": fixture.With(fixture.HomeAddress, fixture.Object{"house_number": nil})}))
	refused("5.2-new-address-required", errors{"new_address.zip_code": "move.required"}, to(fixture.Object{"zip_code": nil}),
		to(fixture.Object{"zip_code": "  "}))
	refused("5.2-new-address-required", errors{"new_address.house_number": "move.required"}, to(fixture.Object{"house_number": nil}),
		to(fixture.Object{"house_number": ""}))
	refused("5.2-start-required", errors{"start_date": "move.required"}, validMove(fixture.Object{"start_date": nil}),
		validMove(fixture.Object{"start_date": ""}))
	refused("5.2-date-invalid,7.3-put-move-status", errors{"start_date": "move.dateFormat"}, validMove(fixture.Object{"start_date": "31-12-2026"}),
		validMove(fixture.Object{"start_date": "2026-02-30", "stop_date": nil}))
	refused("5.2-date-invalid", errors{"stop_date": "move.dateFormat"}, validMove(fixture.Object{"stop_date": "morgen"}),
		validMove(fixture.Object{"stop_date": "2026-11-31"}))
	refused("5.2-date-past", errors{"start_date": "move.noPastDate"}, validMove(fixture.Object{"start_date": "2026-11-19"}),
		validMove(fixture.Object{"start_date": "1926-12-01"}))
	refused("5.2-date-past", errors{"stop_date": "move.noPastDate"}, validMove(fixture.Object{"stop_date": "2026-11-19"}))
	refused("5.2-start-min-two-days,5.2-past-precedence-reconcile", errors{"start_date": "move.minTwoDays"},
		validMove(fixture.Object{"start_date": "2026-11-20"}), validMove(fixture.Object{"start_date": "2026-11-21"}))
	refused("5.2-past-precedence-reconcile", errors{"start_date": "move.noPastDate"}, validMove(fixture.Object{"start_date": "2026-11-18"}))
	refused("5.2-start-before-stop,7.3-put-move-status", errors{"stop_date": "move.startBeforeStop"}, validMove(fixture.Object{"stop_date": "2026-11-30"}))
	refused("7.3-put-move-status", errors{"start_date": "move.minTwoDays", "stop_date": "move.noPastDate", "old_address": "move.required",
		"new_address.house_number": "move.required"},
		fixture.Object{"new_address": fixture.Object{"zip_code": "9731AB"}, "start_date": "2026-11-21", "stop_date": "2026-11-19"})
	for _, field := range []string{"new_invoice_address", "new_postal_address"} {
		refused("3-move-extra-addresses", errors{field: "invalid"}, validMove(fixture.Object{field: fixture.HomeAddress}))
	}
	refused("an unknown address type", errors{"address_type": "invalid"}, validMove(fixture.Object{"address_type": "POST"}))
	refused("an unknown address", errors{"new_address.zip_code": "move.address_unknown", "new_address.house_number": "move.address_unknown"},
		to(fixture.Object{"house_number": "8"}),
		to(fixture.Object{"zip_code": "9999ZZ", "unchecked": true, "street": "Verzonnenlaan", "city": "Nergenshuizen"}))
	refused("an unknown extension", errors{"new_address.zip_code": "move.address_unknown", "new_address.house_number": "move.address_unknown",
		"new_address.house_number_extension": "move.address_unknown"}, to(fixture.Object{"house_number_extension": "Z"}))
	refused("several addresses", errors{"new_address.house_number_extension": "move.multiple_addresses"},
		to(fixture.Object{"zip_code": "9711CD", "house_number": "12"}),
		to(fixture.Object{"zip_code": "2513RZ", "house_number": "200", "house_number_extension": ""}))
	refused("2.2-offline-existing-agreement", errors{"new_address": "move.existing_agreement"},
		validMove(fixture.Object{"new_address": fixture.Object{"zip_code": "9861gt", "house_number": "18"}}))
	refused("several connections", errors{"new_address": "move.multiple_connections"},
		to(fixture.Object{"zip_code": "9723HG", "house_number": "3"}))
	refused("4-move-connections-match", errors{"new_address": "move.different_connections"},
		to(fixture.Object{"zip_code": "9746TE", "house_number": "21"}),
		validMove(fixture.Object{"commodities": []string{"ELECTRICITY"}, "new_address": fixture.Object{"zip_code": "9746TE",
			"house_number": "21"}}))
	refused("an unknown agreement", errors{"agreement_identifier_with_sequence": "move.agreement_unknown"},
		validMove(fixture.Object{"agreement_identifier_with_sequence": "Z-1"}))
	refused("an unknown old address", errors{"old_address": "move.agreement_unknown"},
		validMove(fixture.Object{"old_address": fixture.Object{"zip_code": "9731AB", "house_number": "7"}}),
		validMove(fixture.Object{"agreement_identifier_with_sequence": id, "old_address": fixture.With(fixture.HomeAddress,
			fixture.Object{"house_number_extension": "A"})}))
	t.Run("malformed requests", func(t *testing.T) {
		for _, body := range []string{"", "[]", "null", `"x"`, `{"new_address":7}`, `{"new_address":{"house_number":{}}}`,
			`{"start_date":20261201}`, `{"is_residential":"ja"}`} {
			a := c.Do(http.MethodPut, "/move", body)
			assert.GreaterOrEqual(t, a.Status, 400, body)
			assert.Less(t, a.Status, 500, "%s: %s", body, a.Body)
		}
		assert.Empty(t, c.List(t, "/moves"))
	})
	t.Run("5.2-start-min-two-days,5.2-start-before-stop,4-move-connections-match", func(t *testing.T) { // the earliest valid days
		requireMove(c, t, validMove(fixture.Object{"start_date": "2026-11-22", "stop_date": "2026-11-22"}))
		power := all.New()
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.With(fixture.EnergyAt(power, "E-"+power.Debtor),
			fixture.Object{"addresses": []fixture.Object{fixture.With(fixture.HomeAddress, fixture.Object{"address_type": "SHIPPING",
				"connections": []fixture.Object{{"ean_code": "871600000000000017", "commodity": "ELECTRICITY"}}})}})))
		requireMove(power, t, validMove(fixture.Object{"new_address": fixture.Object{"zip_code": "9746te", "house_number": "21"}}))
		assert.Equal(t, []any{"ELECTRICITY"}, power.List(t, "/moves")[0]["commodities"])
	})
}

func testNotMovable(t *testing.T, all *fixture.Customers) {
	shop := fixture.With(fixture.HomeAddress, fixture.Object{"zip_code": "9981AJ", "house_number": "122", "house_number_extension": "A",
		"address_type": "SHIPPING", "connections": []fixture.Object{}})
	refused := func(what string, code string, changes fixture.Object, more ...fixture.Object) {
		t.Helper()
		t.Run(what, func(t *testing.T) {
			c := all.New()
			id := "N" + c.Debtor + "-1"
			require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.With(fixture.EnergyAt(c, id), changes)))
			for n, other := range more {
				require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.With(fixture.EnergyAt(c, fmt.Sprintf("O%s-%d", c.Debtor, n)),
					other)))
			}
			for _, named := range []any{id, nil} {
				a := sendMove(c, validMove(fixture.Object{"agreement_identifier_with_sequence": named,
					"new_address": fixture.Object{"zip_code": "9981AJ", "house_number": "122", "house_number_extension": "A"}}))
				assert.Equal(t, http.StatusBadRequest, a.Status, string(a.Body))
				require.Len(t, fixture.ProblemOf(t, a).Errors, 1)
				assert.Equal(t, code, fixture.ProblemOf(t, a).Errors[0].Code)
			}
			assert.Empty(t, c.List(t, "/moves"))
		})
	}
	refused("2.2-exclude-server,2.2-exclude-ended", "move.agreement_ended", fixture.Object{"status": "TERMINATED"})
	refused("2.2-exclude-server,2.2-exclude-ended", "move.agreement_ended", fixture.Object{"status": "CANCELLED"})
	refused("2.2-exclude-server", "move.agreement_daughter", fixture.Object{"company_name": "Molen Dochter B.V."})
	refused("2.2-exclude-server", "move.bad_situation",
		fixture.Object{"addresses": []fixture.Object{fixture.With(fixture.HomeAddress, fixture.Object{"address_type": "SHIPPING"}), shop}})
	refused("2.2-exclude-server,2.2-offline-existing-agreement", "move.existing_agreement", nil,
		fixture.Object{"status": "FUTURE", "addresses": []fixture.Object{shop}})
	t.Run("2.2-offline-existing-agreement", func(t *testing.T) { // an agreement that has ended has no effect
		c, _ := movableCustomer(all)
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.With(fixture.EnergyAt(c, "X"+c.Debtor),
			fixture.Object{"status": "TERMINATED", "addresses": []fixture.Object{shop}})))
		requireMove(c, t, validMove(fixture.Object{"new_address": fixture.Object{"zip_code": "9981AJ", "house_number": "122",
			"house_number_extension": "a"}}))
	})
	t.Run("an id is required if two agreements can be moved from the address", func(t *testing.T) {
		c, id := movableCustomer(all)
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.EnergyAt(c, "Y"+c.Debtor)))
		a := sendMove(c, validMove(nil))
		assert.Equal(t, []problem.FieldError{{Field: "agreement_identifier_with_sequence", Code: "move.required"}},
			fixture.ProblemOf(t, a).Errors)
		requireMove(c, t, validMove(fixture.Object{"agreement_identifier_with_sequence": id}))
		requireMove(c, t, validMove(fixture.Object{"agreement_identifier_with_sequence": "Y" + c.Debtor}))
		assert.Len(t, c.List(t, "/moves"), 2)
	})
}

func testIdempotency(t *testing.T, all *fixture.Customers) {
	send := func(c fixture.Customer, key string, request fixture.Object) portaltest.Answer {
		return c.Portal.Do(portaltest.Call{Method: http.MethodPut, Path: "/move", Bearer: c.Bearer, Body: request,
			Header: map[string]string{"Idempotency-Key": key}})
	}
	t.Run("a repeated request files one move", func(t *testing.T) {
		c, _ := movableCustomer(all)
		for range 3 {
			a := send(c, "abc-1", validMove(nil))
			require.Equal(t, http.StatusNoContent, a.Status, string(a.Body))
		}
		require.Len(t, c.List(t, "/moves"), 1)
		fixture.Decide(t, c, "move.request", module.Processed)
		assert.Equal(t, http.StatusNoContent, send(c, "abc-1", validMove(nil)).Status, "also after the decision")
		require.Len(t, c.List(t, "/moves"), 1)

		other := send(c, "abc-1", validMove(fixture.Object{"start_date": "2026-12-24", "stop_date": nil}))
		assert.Equal(t, http.StatusUnprocessableEntity, other.Status)
		assert.Equal(t, "move.key_reused", other.Code())
		assert.Equal(t, http.StatusNoContent, send(c, "abc-2", validMove(nil)).Status, "another key files another move")
		assert.Len(t, c.List(t, "/moves"), 2)
		for _, key := range []string{strings.Repeat("k", 65), "a b", "é"} {
			assert.Equal(t, http.StatusBadRequest, send(c, key, validMove(nil)).Status, key)
		}
	})
	t.Run("keys are separate per customer", func(t *testing.T) {
		for range 2 {
			c, _ := movableCustomer(all)
			assert.Equal(t, http.StatusNoContent, send(c, "same", validMove(nil)).Status)
			assert.Len(t, c.List(t, "/moves"), 1)
		}
	})
	t.Run("a refused request does not store its key", func(t *testing.T) {
		c, _ := movableCustomer(all)
		assert.Equal(t, http.StatusBadRequest, send(c, "k", validMove(fixture.Object{"start_date": ""})).Status)
		assert.Equal(t, http.StatusNoContent, send(c, "k", validMove(nil)).Status)
	})
	t.Run("one key for two agreements concurrently", func(t *testing.T) {
		c, id := movableCustomer(all)
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.EnergyAt(c, "Y"+c.Debtor)))
		statuses := make([]int, 2)
		var wg sync.WaitGroup
		for i, agreement := range []string{id, "Y" + c.Debtor} {
			wg.Go(func() {
				statuses[i] = send(c, "both", validMove(fixture.Object{"agreement_identifier_with_sequence": agreement})).Status
			})
		}
		wg.Wait()
		slices.Sort(statuses)
		assert.Equal(t, []int{http.StatusNoContent, http.StatusUnprocessableEntity}, statuses)
		assert.Len(t, c.List(t, "/moves"), 1)
	})
	for _, key := range []string{"clicked", ""} {
		t.Run("concurrently, key "+key, func(t *testing.T) {
			c, _ := movableCustomer(all)
			statuses := make([]int, 8)
			var wg sync.WaitGroup
			for i := range statuses {
				wg.Go(func() {
					if key == "" {
						statuses[i] = sendMove(c, validMove(nil)).Status
						return
					}
					statuses[i] = send(c, key, validMove(nil)).Status
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

func testCalendar(t *testing.T, all *fixture.Customers) {
	c, _ := movableCustomer(all)
	requireMove(c, t, validMove(nil))
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
	second := read()
	for i := range 2 {
		assert.Equal(t, first.Events()[i].Props.Get(ical.PropUID).Value, second.Events()[i].Props.Get(ical.PropUID).Value)
		assert.Equal(t, "CONFIRMED", second.Events()[i].Props.Get(ical.PropStatus).Value)
	}
	requireMove(c, t, validMove(nil))
	fixture.Decide(t, c, "move.request", module.Rejected)
	assert.Equal(t, http.StatusNotFound, c.Do(http.MethodGet, "/moves/"+c.List(t, "/moves")[0]["id"].(string)+"/calendar", nil).Status)
	assert.Equal(t, http.StatusNotFound, c.Do(http.MethodGet, "/moves/nowhere/calendar", nil).Status)
}

func testOthers(t *testing.T, all *fixture.Customers) {
	c, id := movableCustomer(all)
	requireMove(c, t, validMove(nil))
	path := "/moves/" + c.List(t, "/moves")[0]["id"].(string) + "/calendar"
	t.Run("6-customer-own-data,6-customer-own-data-status", func(t *testing.T) {
		stranger, _ := movableCustomer(all)
		assert.Empty(t, stranger.List(t, "/moves"))
		a := stranger.Do(http.MethodGet, path, nil)
		assert.Equal(t, http.StatusNotFound, a.Status)
		assert.JSONEq(t, string(stranger.Do(http.MethodGet, "/moves/nowhere/calendar", nil).Body), string(a.Body))
		a = sendMove(stranger, validMove(fixture.Object{"agreement_identifier_with_sequence": id}))
		assert.Equal(t, "move.agreement_unknown", fixture.ProblemOf(t, a).Errors[0].Code)
	})
	t.Run("6-impersonator-api", func(t *testing.T) {
		impersonator := fixture.Customer{Caller: c.Portal.Impersonator("alpha", c.Relation)}
		assert.Len(t, impersonator.List(t, "/moves"), 1)
		assert.Equal(t, http.StatusForbidden, sendMove(impersonator, validMove(nil)).Status)
	})
	t.Run("every operation requires a token", func(t *testing.T) {
		for _, p := range []string{"/moves", path, "/address?zipCode=9731AB&houseNumber=7"} {
			assert.Equal(t, http.StatusUnauthorized, c.Portal.Do(portaltest.Call{Path: p}).Status, p)
		}
		assert.Equal(t, http.StatusUnauthorized, c.Portal.Do(portaltest.Call{Method: http.MethodPut, Path: "/move", Body: validMove(nil)}).Status)
	})
	t.Run("an account without a relation", func(t *testing.T) {
		nobody := all.Account("405", "nog.niemand.7")
		assert.Equal(t, "move.agreement_unknown", fixture.ProblemOf(t, sendMove(nobody, validMove(nil))).Errors[0].Code)
	})
}

// testTimeZone sends requests when the next day has begun in the label's time zone.
func testTimeZone(t *testing.T, all *fixture.Customers) {
	at := time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC)
	all.Advance(at.Sub(all.Now()))
	c, _ := movableCustomer(all)
	t.Run("5.2-start-min-two-days", func(t *testing.T) {
		a := sendMove(c, validMove(fixture.Object{"start_date": "2026-11-22", "stop_date": nil}))
		assert.Equal(t, []problem.FieldError{{Field: "start_date", Code: "move.minTwoDays"}}, fixture.ProblemOf(t, a).Errors)
		requireMove(c, t, validMove(fixture.Object{"start_date": "2026-11-23", "stop_date": nil}))
	})
}
