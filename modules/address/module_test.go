package address

import (
	"context"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/address/addressapi"
)

// fakeCore sets no limit on look-ups.
func fakeCore(a huma.API) {
	type limit struct {
		Allowed bool `json:"allowed"`
	}
	type answer struct{ Body limit }
	type attempt struct {
		Body struct {
			Key    string `json:"key"`
			Max    int    `json:"max"`
			Window int    `json:"window_seconds"`
			Client bool   `json:"per_client,omitempty"`
		}
	}
	module.Route(a, huma.Operation{OperationID: "limit", Method: http.MethodPost, Path: "/limits"}, module.Sibling, module.Read,
		func(context.Context, *attempt) (*answer, error) { return &answer{limit{true}}, nil })
}

func TestConformance(t *testing.T) {
	var state []moduletest.Call
	for _, body := range []string{`{"zipCode":"9731 ab","houseNumber":7}`,
		`{"zipCode":"9711CD","houseNumber":"12","houseNumberExtension":"BIS"}`,
		`{"zipCode":"9999ZZ","houseNumber":"1"}`, `{"zipCode":"9799ZZ","houseNumber":"1"}`, `{}`} {
		state = append(state, moduletest.Call{Method: http.MethodPost, Path: "/lambda/address-validation/postcode", Body: body})
	}
	moduletest.Run(t, Module, moduletest.Options{
		Main:     "./plugin",
		Settings: Settings{Provider{Name: "embedded"}},
		Siblings: []module.Module{moduletest.Fake("core", fakeCore)},
		State:    state,
	})
}

// clientOf returns the generated client that siblings use.
func clientOf(client *http.Client) addressapi.Client { return addressapi.New(client) }

// Siblings get an address, or the extensions to choose from.
func TestFind(t *testing.T) {
	open := func(t *testing.T, set Settings) (find func(zip, number string, extension *string) (addressapi.Found, error), s *service) {
		var client *http.Client
		caller := module.New(module.Manifest{Key: "caller", Version: "1.0.0", Settings: "#Settings: {}",
			Uses: []string{"address"}}, func(h module.Host) module.Instance {
			client = h.Client
			r := module.NewRouter(module.Manifest{Key: "caller", Version: "1.0.0"})
			return &service{Router: r}
		})
		w := moduletest.Open(t, Module, moduletest.Options{Settings: set, Siblings: []module.Module{moduletest.Fake("core", fakeCore), caller}},
			false)
		ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, "caller")
		require.True(t, ok)
		return func(zip, number string, extension *string) (addressapi.Found, error) {
			return clientOf(client).FindAddress(ctx, addressapi.FindInputBody{ZipCode: zip, HouseNumber: number, HouseNumberExtension: extension})
		}, w.Registry.Snapshot().Modules[manifest.Key].Instance.(*service)
	}
	text := func(s string) *string { return &s }
	t.Run("embedded register", func(t *testing.T) {
		find, _ := open(t, Settings{Provider{Name: "embedded"}})
		t.Run("9-address-module", func(t *testing.T) {
			found, err := find("9731 ab", " 7", nil)
			require.NoError(t, err)
			require.NotNil(t, found.Address)
			assert.Equal(t, addressapi.FoundAddress{Street: "Lindelaan", HouseNumber: "7", ZipCode: "9731AB", City: "Groningen"}, *found.Address)
			assert.Empty(t, found.Alternatives)
			found, err = find("9711CD", "12", nil)
			require.NoError(t, err)
			assert.Nil(t, found.Address)
			assert.Equal(t, []string{"", "A", "B", "bis"}, found.Alternatives)
			found, err = find("9711CD", "12", text(""))
			require.NoError(t, err)
			require.NotNil(t, found.Address)
			assert.Empty(t, found.Address.HouseNumberExtension)
			found, err = find("9711CD", "12", text("BIS"))
			require.NoError(t, err)
			require.NotNil(t, found.Address)
			assert.Equal(t, addressapi.FoundAddress{Street: "Havenstraat", HouseNumber: "12", HouseNumberExtension: "bis", ZipCode: "9711CD",
				City: "Groningen"}, *found.Address)
			assert.Empty(t, found.Alternatives)
			var p *problem.Problem
			for _, none := range [][2]string{{"9999ZZ", "1"}, {"nonsense", "1"}} {
				_, err = find(none[0], none[1], nil)
				require.ErrorAs(t, err, &p)
				assert.Equal(t, []any{http.StatusNotFound, codeUnknown}, []any{p.Status, p.Code})
			}
			_, err = find("9799ZZ", "1", nil)
			require.ErrorIs(t, err, problem.ErrUnavailable)
		})
	})
	t.Run("PDOK", func(t *testing.T) {
		outside := newTestProvider(t, file(t, "testdata/pdok-several.json"))
		find, s := open(t, Settings{Provider{"pdok", outside.URL}})
		s.registers.host = outside.host()
		for range 2 {
			found, err := find("2513RZ", "12", nil)
			require.NoError(t, err)
			assert.Len(t, found.Alternatives, 4)
		}
		assert.EqualValues(t, 1, outside.calls.Load(), "all calls share one register and its cache")
	})
}
