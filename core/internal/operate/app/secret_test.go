package app_test

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/module"
)

// payer returns a module that requests a secret from core in the scope of its caller.
func payer(key, settings string) module.Module {
	m := module.Manifest{Key: key, Version: "1.0.0", Settings: settings}
	return module.New(m, func(h module.Host) module.Instance {
		r := module.NewRouter(m)
		type in struct {
			Name string `query:"name"`
		}
		type out struct {
			Body struct{ Value, URL string }
		}
		module.Route(r.API, huma.Operation{OperationID: "ask", Method: http.MethodGet, Path: "/" + key}, module.Public, module.Read,
			func(ctx context.Context, in *in) (*out, error) {
				got, err := coreapi.New(h.Client).Secret(ctx, in.Name)
				o := &out{}
				o.Body.Value, o.Body.URL = got.Value, module.ScopeOf(ctx).URL
				return o, err
			})
		return probeInstance{r}
	})
}

type probeInstance struct{ module.Router }

func (probeInstance) Handle(context.Context, module.Event) error { return nil }

func TestAModuleGetsTheSecretsOfItsOwnSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secrets")
	require.NoError(t, os.WriteFile(file, []byte("ALPHA_KEY=test_alpha\nBETA_KEY=test_beta\nOTHER_KEY=other\nWATTLE_DATABASE=postgres://hunter2\n"), 0o600))
	c := config.Default()
	c.SecretFile = file
	t.Setenv("FROM_ENV", "env")
	c.Addr, c.Labels, c.Demo = "127.0.0.1:0", t.TempDir(), true
	require.NoError(t, c.Check())
	const settings = `#Settings: {payment?: {provider: string, key?: string, also?: [...string]}}`
	s := apptest.Start(t, apptest.Options{Config: c, Modules: []module.Module{payer("payer", settings), payer("other", settings)},
		Labels: []apptest.Label{
			{Key: "alpha", CUE: `modules: payer: payment: {provider: "mollie", key: "ALPHA_KEY", also: ["FROM_ENV", "WATTLE_DATABASE", "NOWHERE"]}
			modules: other: payment: {provider: "x", key: "OTHER_KEY"}`},
			{Key: "beta", CUE: `modules: payer: payment: {provider: "mollie", key: "BETA_KEY"}`}}})
	ask := func(label, module, name string) apptest.Answer {
		return s.Do(apptest.Call{Host: label + ".localhost", Path: "/" + module + "?name=" + url.QueryEscape(name)})
	}
	for _, c := range []struct{ label, module, name, want string }{
		{"alpha", "payer", "ALPHA_KEY", "test_alpha"}, {"alpha", "payer", "FROM_ENV", "env"},
		{"beta", "payer", "BETA_KEY", "test_beta"}, {"alpha", "other", "OTHER_KEY", "other"},
	} {
		var got struct{ Value, URL string }
		a := ask(c.label, c.module, c.name)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &got)
		require.Equal(t, c.want, got.Value)
		require.Equal(t, s.Labels.ByKey(c.label).URL, got.URL, "the label's own, whatever the caller's Host header")
	}
	for name, a := range map[string]apptest.Answer{
		"another label's":            ask("alpha", "payer", "BETA_KEY"),
		"another module's":           ask("alpha", "payer", "OTHER_KEY"),
		"one that is not set":        ask("alpha", "payer", "NOWHERE"),
		"the portal's own":           ask("alpha", "payer", "WATTLE_DATABASE"),
		"a key of the settings":      ask("alpha", "payer", "payment"),
		"none":                       ask("alpha", "payer", " "),
		"of settings that name none": ask("beta", "other", "OTHER_KEY"),
	} {
		require.Equal(t, http.StatusNotFound, a.Status, name)
		require.NotContains(t, string(a.Body), "hunter2", name)
	}
	require.Equal(t, http.StatusNotFound, s.Do(apptest.Call{Path: "/secrets/ALPHA_KEY"}).Status, "never from outside")
}
