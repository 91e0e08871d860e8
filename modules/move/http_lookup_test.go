package move_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

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

func testLookups(t *testing.T, all *fixture.Customers) {
	c := all.New()
	found := func(street, number, extension, zip, city string) fixture.Object {
		return fixture.Object{"street": street, "house_number": number, "extension": extension, "zip_code": zip, "city": city}
	}
	none := fixture.Object{"GAS": []any{}, "ELECTRICITY": []any{}}
	t.Run("7.3-get-address,3-address-lookup-fields,3-address-lookup-eans-shape,5.2-zip-normalise,7.3-two-lookups-reconcile", func(t *testing.T) {
		want := fixture.Object{"address": found("Lindelaan", "7", "", "9731AB", "Groningen"), "alternatives": []any{}}
		for _, query := range []string{"zipCode=9731AB&houseNumber=7", "zipCode=9731%20ab&houseNumber=7",
			"zipCode=9731ab&houseNumber=+7+&houseNumberExtension="} {
			got := c.Get(t, "/address?"+query)
			want["eansPerCommodity"] = got["eansPerCommodity"]
			assert.Equal(t, want, got, query)
			for _, commodity := range []string{"ELECTRICITY", "GAS"} {
				assert.Len(t, got["eansPerCommodity"].(fixture.Object)[commodity], 1)
				assert.Regexp(t, `^\d{18}$`, got["eansPerCommodity"].(fixture.Object)[commodity].([]any)[0])
			}
			assert.Len(t, got["eansPerCommodity"], 2)
		}
		for _, query := range []string{"zipCode=9999ZZ&houseNumber=1", "zipCode=9731AB&houseNumber=8",
			"zipCode=9731AB&houseNumber=7&houseNumberExtension=Z",
			"zipCode=97&houseNumber=7", "zipCode=9731AB&houseNumber=7%20OR%201=1"} {
			a := c.Do(http.MethodGet, "/address?"+query, nil)
			assert.Equal(t, http.StatusNotFound, a.Status, query)
			assert.Equal(t, "move.address_unknown", a.Code(), query)
		}
		assert.Equal(t, http.StatusBadRequest, c.Do(http.MethodGet, "/address?houseNumber=7", nil).Status)
	})
	t.Run("3-address-lookup-fields,7.3-get-address-extension-name", func(t *testing.T) {
		alternatives := []any{fixture.Object{"houseNumberExtension": ""}, fixture.Object{"houseNumberExtension": "A"},
			fixture.Object{"houseNumberExtension": "B"}, fixture.Object{"houseNumberExtension": "bis"}}
		assert.Equal(t, fixture.Object{"address": nil, "alternatives": alternatives, "eansPerCommodity": none},
			c.Get(t, "/address?zipCode=9711CD&houseNumber=12"))
		for entered, want := range map[string]string{"b": "B", "BIS": "bis", "": ""} {
			got := c.Get(t, "/address?zipCode=9711CD&houseNumber=12&houseNumberExtension="+entered)
			assert.Equal(t, found("Havenstraat", "12", want, "9711CD", "Groningen"), got["address"])
			assert.Empty(t, got["alternatives"])
			assert.NotEqual(t, none, got["eansPerCommodity"])
		}
	})
	t.Run("7.3-post-postcode,3-address-validation-fields,7.3-two-lookups-reconcile,5.2-zip-normalise", func(t *testing.T) {
		ask := func(zip string, number any, extension string) portaltest.Answer { // without a session
			return c.Portal.Do(portaltest.Call{Method: http.MethodPost, Path: "/lambda/address-validation/postcode",
				Body: fixture.Object{"zipCode": zip, "houseNumber": number, "houseNumberExtension": extension}})
		}
		for _, x := range []struct {
			number          any
			extension, want string
		}{{12, "b", "B"}, {"12", "", ""}, {" 12", "BIS", "bis"}} {
			a := ask("9711 cd", x.number, x.extension)
			require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			var got fixture.Object
			a.JSON(t, &got)
			assert.Equal(t, fixture.Object{"street": "Havenstraat", "houseNumber": "12", "houseNumberAddition": x.want, "city": "Groningen",
				"postcode": "9711CD"}, got)
		}
		for _, a := range []portaltest.Answer{ask("9999ZZ", 1, ""), ask("9711CD", 12, "Z"), ask("2513RZ", 200, ""), ask("x", -1, "")} {
			assert.Equal(t, http.StatusNotFound, a.Status)
			assert.Equal(t, "move.address_unknown", a.Code())
		}
		a := c.Portal.Do(portaltest.Call{Method: http.MethodPost, Path: "/lambda/address-validation/postcode",
			Body: fixture.Object{"houseNumberExtension": "A"}})
		assert.Equal(t, http.StatusBadRequest, a.Status)
		assert.Len(t, fixture.ProblemOf(t, a).Errors, 2)
	})
}

func testLimits(t *testing.T, all *fixture.Customers) {
	c := all.New()
	last := func(call portaltest.Call) (status, after int) {
		for n := range 100 {
			if a := c.Portal.Do(call); a.Status != http.StatusOK {
				assert.Equal(t, problem.CodeTooManyCalls, a.Code())
				return a.Status, n
			}
		}
		return http.StatusOK, 100
	}
	status, after := last(portaltest.Call{Path: "/address?zipCode=9731AB&houseNumber=7", Bearer: c.Bearer})
	assert.Equal(t, http.StatusTooManyRequests, status)
	assert.Equal(t, 60, after)
	status, after = last(portaltest.Call{Method: http.MethodPost, Path: "/lambda/address-validation/postcode",
		Body: fixture.Object{"zipCode": "9731AB", "houseNumber": 7}})
	assert.Equal(t, http.StatusTooManyRequests, status)
	assert.Less(t, after, 61, "earlier tests count too")
	t.Run("move requests", func(t *testing.T) {
		for n := range 61 {
			a := sendMove(c, validMove(nil)) // an unknown agreement
			want := http.StatusBadRequest
			if n == 60 {
				want = http.StatusTooManyRequests
			}
			require.Equal(t, want, a.Status, n)
		}
		assert.Equal(t, "move.required", fixture.ProblemOf(t, sendMove(c, validMove(fixture.Object{"start_date": ""}))).Errors[0].Code,
			"requests with an invalid form are not counted")
	})
	other := all.New()
	assert.Equal(t, http.StatusOK, other.Do(http.MethodGet, "/address?zipCode=9731AB&houseNumber=7", nil).Status, "another account")
	c.Portal.SetClock(c.Portal.Now().Add(11 * time.Minute))
	assert.Equal(t, http.StatusOK, c.Portal.Do(portaltest.Call{Method: http.MethodPost, Path: "/lambda/address-validation/postcode",
		Body: fixture.Object{"zipCode": "9731AB", "houseNumber": 7}}).Status)
}

// Providers are called over HTTP. A customer can also request a move while they fail.
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
	registerOK := text(http.StatusOK, `{"response":{"numFound":1,"start":0,"docs":[{"type":"adres","straatnaam":"Bolstraat","woonplaatsnaam":"Utrecht","postcode":"3581WS","huisnummer":1,"huis_nlt":"1"}]}}`)
	connectionsOK := text(http.StatusOK, `{"connections":[{"ean_code":"871600000000900017","commodity":"ELECTRICITY"},{"ean_code":"871600000000900024","commodity":"GAS"}]}`)
	const lookup = "/address?zipCode=3581ws&houseNumber=1"
	manual := fixture.Object{"zip_code": "3581 ws", "house_number": "1", "street": " Bolstraat ", "city": "Utrecht", "unchecked": true}

	start := func(t *testing.T, register, connections http.HandlerFunc, log *fixture.Output) (*fixture.Customers, fixture.Customer) {
		cue := fmt.Sprintf("modules: {address: register: {provider: \"pdok\", url: %q}, move: connections: {provider: \"http\", url: %q}}",
			portaltest.ExternalService(t, register)+"/v3_1", portaltest.ExternalService(t, connections)+"/at")
		s := portaltest.Start(t, portaltest.Options{Modules: []module.Module{account.Module, address.Module, billing.Module, move.Module},
			Labels: []portaltest.Label{{Key: "alpha", CUE: cue}},
			Demo:   true, Log: log}) // a demo may call local addresses
		all := &fixture.Customers{Portal: s, T: t}
		c, _ := movableCustomer(all)
		return all, c
	}
	t.Run("7.3-get-address,7.3-post-postcode", func(t *testing.T) { // over HTTP
		_, c := start(t, registerOK, connectionsOK, &fixture.Output{})
		got := c.Get(t, lookup)
		assert.Equal(t, "Bolstraat", got["address"].(fixture.Object)["street"])
		assert.Equal(t, fixture.Object{"ELECTRICITY": []any{"871600000000900017"}, "GAS": []any{"871600000000900024"}}, got["eansPerCommodity"])
		requireMove(c, t, validMove(fixture.Object{"new_address": fixture.With(manual, fixture.Object{"street": "Verzonnenlaan"})}))
		m := c.List(t, "/moves")[0]
		assert.Equal(t, "Bolstraat", m["new_address"].(fixture.Object)["street"], "the street of the register is used")
		assert.Equal(t, false, m["unchecked"])
	})
	for name, fault := range faults {
		t.Run("register, "+name, func(t *testing.T) {
			var log fixture.Output
			_, c := start(t, fault, connectionsOK, &log)
			t.Run("4-addr-lookup-down", func(t *testing.T) {
				for range 3 {
					a := c.Do(http.MethodGet, lookup, nil)
					assert.Equal(t, http.StatusServiceUnavailable, a.Status)
					assert.Equal(t, "move.register_down", a.Code())
				}
				a := c.Portal.Do(portaltest.Call{Method: http.MethodPost, Path: "/lambda/address-validation/postcode",
					Body: fixture.Object{"zipCode": "3581WS", "houseNumber": 1}})
				assert.Equal(t, http.StatusServiceUnavailable, a.Status)
				assert.Equal(t, "move.register_down", a.Code())

				a = sendMove(c, validMove(fixture.Object{"new_address": fixture.With(manual, fixture.Object{"street": "", "city": nil})}))
				assert.Equal(t, []problem.FieldError{{Field: "new_address.street", Code: "move.required"},
					{Field: "new_address.city", Code: "move.required"}}, fixture.ProblemOf(t, a).Errors)
				a = sendMove(c, validMove(fixture.Object{"new_address": fixture.With(manual,
					fixture.Object{"zip_code": "9861GT", "house_number": "18", "house_number_extension": " "})}))
				assert.Equal(t, "move.existing_agreement", fixture.ProblemOf(t, a).Errors[0].Code, "this check needs no register")
				requireMove(c, t, validMove(fixture.Object{"new_address": manual}))
				m := c.List(t, "/moves")[0]
				assert.Equal(t, true, m["unchecked"])
				assert.Equal(t, fixture.Object{"street": "Bolstraat", "house_number": "1", "house_number_extension": "", "zip_code": "3581WS",
					"city": "Utrecht"}, m["new_address"])
				c.Portal.Eventually(func() bool {
					a := c.Portal.Do(portaltest.Call{Path: "/staff/changes?kind=move.request", Bearer: c.Portal.Staff("alpha").Bearer})
					var page struct{ Items []fixture.Object }
					a.JSON(t, &page)
					return len(page.Items) == 1 && page.Items[0]["data"].(fixture.Object)["unchecked"] == true
				})
				assert.Contains(t, log.String(), "the source does not respond", "the failure is logged")
				assert.NotContains(t, strings.ToUpper(log.String()), "3581WS", "the log contains no address")
			})
		})
	}
	t.Run("connections, 500", func(t *testing.T) {
		_, c := start(t, registerOK, faults["500"], &fixture.Output{})
		t.Run("4-addr-lookup-down", func(t *testing.T) {
			a := c.Do(http.MethodGet, lookup, nil)
			assert.Equal(t, http.StatusServiceUnavailable, a.Status)
			assert.Equal(t, "move.register_down", a.Code())
			requireMove(c, t, validMove(fixture.Object{"new_address": fixture.With(manual, fixture.Object{"street": nil, "city": nil})}))
			m := c.List(t, "/moves")[0]
			assert.Equal(t, true, m["unchecked"], "the connections are unchecked")
			assert.Equal(t, "Bolstraat", m["new_address"].(fixture.Object)["street"], "the street of the register is used")
		})
	})
}
