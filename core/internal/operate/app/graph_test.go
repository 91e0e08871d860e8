package app

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

type needy struct{ module.Instance }

// The graph is complete with and without a module, and a constructor with a missing dependency is reported before anything runs.
func TestGraph(t *testing.T) {
	c := config.Default()
	require.NoError(t, fx.ValidateApp(options(c, nil, &parts{}, &opened{})))
	fine := module.New(module.Manifest{Key: "fine"}, func(module.Host) module.Instance { return nil })
	require.NoError(t, fx.ValidateApp(options(c, []module.Module{fine}, &parts{}, &opened{})))
	needy := module.New(module.Manifest{Key: "needy"}, func(module.Host, chan string) module.Instance { return needy{} })
	require.ErrorContains(t, fx.ValidateApp(options(c, []module.Module{fine, needy}, &parts{}, &opened{})), "chan string")
}

func TestErrorsOfTheStartAreShort(t *testing.T) {
	c := config.Default()
	c.Data, c.SMTP = t.TempDir(), "nowhere"
	_, err := New(c, nil)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "could not build arguments", "an operator needs no account of the graph")
	require.Contains(t, err.Error(), "smtp://")
}

// Everything that was opened before a constructor failed is closed: another process can open it, and nothing is written any more.
func TestAFailedStartLeavesNothingOpen(t *testing.T) {
	c := config.Default()
	c.Data, c.SMTP = t.TempDir(), "nowhere"
	var built []*store.Store
	_, err := New(c, nil, fx.Decorate(func(s *store.Store) *store.Store { built = append(built, s); return s }))
	require.ErrorContains(t, err, "smtp://")
	require.NotEmpty(t, built)
	for _, s := range built {
		require.Error(t, s.Read().PingContext(t.Context()), "the database is closed")
	}
}
