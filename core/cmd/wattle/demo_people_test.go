package main_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/config"
	"github.com/wattle-portal/wattle/core/internal/demo"
	"github.com/wattle-portal/wattle/modules"
)

var shippedLabels = filepath.Join("..", "..", "..", "labels")

// Everybody of the shipped demo can do what the list of accounts says.
func TestDemoPeople(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Modules: modules.All, LabelsDir: shippedLabels, Config: config.Config{Demo: true}})
	people, err := demo.Accounts(s.Labels)
	require.NoError(t, err)
	seen := map[string]map[string]int{}
	for _, p := range people {
		if seen[p.Label] == nil {
			seen[p.Label] = map[string]int{}
		}
		seen[p.Label][p.Role]++
		require.NotEmpty(t, p.Note, p.Username)
		a := s.Do(apptest.Call{Method: http.MethodPost, Host: p.Host, Path: "/auth/sign-in", Body: map[string]string{"username": p.Username, "password": p.Password}})
		var in struct {
			Token     string `json:"id_token"`
			Challenge string `json:"challenge"`
		}
		if p.Role == "impersonator" {
			require.Equal(t, "impersonator_refused", a.Code(), p.Username)
			continue
		}
		require.Equal(t, http.StatusOK, a.Status, p.Username+" "+string(a.Body))
		a.JSON(t, &in)
		if in.Challenge != "" {
			seen[p.Label]["temporary"]++
			continue
		}
		if p.Role == "staff" {
			continue
		}
		get := func(path string) (out map[string]any) {
			a := s.Do(apptest.Call{Host: p.Host, Path: path, Bearer: in.Token})
			require.Equal(t, http.StatusOK, a.Status, p.Username+" "+path+" "+string(a.Body))
			a.JSON(t, &out)
			return out
		}
		if r := get("/relations"); r["company"] != nil {
			seen[p.Label]["company"]++
		}
		if get("/relations/email?request=status")["change_email"] != "" {
			seen[p.Label]["pending"]++
		}
	}
	require.GreaterOrEqual(t, len(seen), 3, "labels with a demo")
	for key, n := range seen {
		assert.GreaterOrEqual(t, n["customer"]+n["member"], 4, key)
		for _, what := range []string{"company", "pending", "temporary", "staff", "impersonator"} {
			assert.Positive(t, n[what], key+" "+what)
		}
	}
	require.NoError(t, s.Demo.Load(t.Context()), "a second start changes nothing")
}

// A test makes a customer of its own.
func TestDemoCustomer(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Config: config.Config{Demo: true}})
	made := func(body string) (out demo.Customer) {
		a := s.Do(apptest.Call{Method: http.MethodPost, Path: "/dev/customers", Body: body})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &out)
		return out
	}
	signIn := func(c demo.Customer) (out map[string]any) {
		a := s.Do(apptest.Call{Method: http.MethodPost, Host: c.Host, Path: "/auth/sign-in", Body: map[string]string{"username": c.Username, "password": c.Password}})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &out)
		return out
	}
	read := func(c demo.Customer, token any, path string) (out map[string]any) {
		a := s.Do(apptest.Call{Host: c.Host, Path: path, Bearer: token.(string)})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &out)
		return out
	}

	c := made(`{"company":true,"pending":true,"addresses":4}`)
	token := signIn(c)["id_token"]
	r := read(c, token, "/relations")
	assert.NotNil(t, r["company"])
	assert.Len(t, r["addresses"], 5, "the postal address and four for delivery")
	assert.Equal(t, "0687654321", read(c, token, "/relations/phonenumber?request=status")["phone_number"])

	assert.Equal(t, "NEW_PASSWORD_REQUIRED", signIn(made(`{"temporary":true}`))["challenge"])
	assert.Equal(t, "beta", made(`{"label":"beta"}`).Label)

	bare := made(`{"bare":true}`)
	a := s.Do(apptest.Call{Host: bare.Host, Path: "/relations", Bearer: signIn(bare)["id_token"].(string)})
	assert.Equal(t, http.StatusNotFound, a.Status)

	seen := made(`{"impersonator":true}`)
	a = s.Do(apptest.Call{Method: http.MethodPost, Host: seen.Host, Path: "/auth/impersonate", Body: map[string]string{"code": seen.Code}})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	var session map[string]any
	a.JSON(t, &session)
	assert.Equal(t, read(seen, signIn(seen)["id_token"], "/relations"), read(seen, session["id_token"], "/relations"))

	staff := made(`{"role":"staff"}`)
	a = s.Do(apptest.Call{Host: staff.Host, Path: "/staff/contacts", Bearer: signIn(staff)["id_token"].(string)})
	assert.Equal(t, http.StatusOK, a.Status)
}

func TestNoDemoCustomerOutsideOfTheDemo(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Modules: modules.All})
	a := s.Do(apptest.Call{Method: http.MethodPost, Path: "/dev/customers", Body: `{}`})
	assert.Equal(t, http.StatusNotFound, a.Status)
}

// The shipped labels with a sustainable market leave delivery addresses out of the account page, all others show them.
func TestShippingAddressesOfShippedLabels(t *testing.T) {
	t.Run("6-sustainable-skip-addresses", func(t *testing.T) {
		s := apptest.Start(t, apptest.Options{Modules: modules.All, LabelsDir: shippedLabels})
		for _, l := range s.Labels.All() {
			var portal struct {
				Settings struct {
					Account struct {
						Show *bool `json:"show_shipping_addresses"`
					} `json:"account"`
				} `json:"settings"`
			}
			s.Do(apptest.Call{Host: l.Hosts[0].Name, Path: "/portal"}).JSON(t, &portal)
			require.NotNil(t, portal.Settings.Account.Show, l.Key)
			assert.Equal(t, !slices.Contains([]string{"1060", "1024", "1071"}, l.Key), *portal.Settings.Account.Show, l.Key)
		}
	})
}
