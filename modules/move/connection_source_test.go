package move

import (
	"context"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
)

// A label uses the source that its settings select, and there is one source per URL.
func TestProvidersOfALabel(t *testing.T) {
	open := func(t *testing.T, set Settings) (*service, context.Context) {
		nothing := func(huma.API) {}
		w := moduletest.Open(t, module.New(manifest, newService), moduletest.Options{Settings: set,
			Siblings: []module.Module{moduletest.Fake("account", nothing), moduletest.Fake("address", nothing),
				moduletest.Fake("billing", nothing)}}, false)
		ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, manifest.Key)
		require.True(t, ok)
		return w.Registry.Snapshot().Modules[manifest.Key].Instance.(*service), ctx
	}
	home := Address{"Lindelaan", "7", "", "9731AB", "Groningen"}
	t.Run("embedded source", func(t *testing.T) {
		s, ctx := open(t, Settings{Connections: Provider{Name: "embedded"}})
		found, err := s.connections(ctx, home)
		require.NoError(t, err)
		assert.Len(t, found, 2)
	})
	t.Run("HTTP source", func(t *testing.T) {
		outside := newTestProvider(t, respond(200, `{"connections":[{"ean_code":"871600000000000017","commodity":"GAS"}]}`))
		s, ctx := open(t, Settings{Connections: Provider{"http", outside.URL}})
		s.sources.host = outside.host()
		found, err := s.connections(ctx, home)
		require.NoError(t, err)
		assert.Equal(t, []Connection{{EAN: "871600000000000017", Commodity: "GAS"}}, found)
		assert.Same(t, s.sources.forURL(outside.URL), s.sources.forURL(outside.URL), "one source per URL")
	})
}

// outbox collects the emails of a transaction.
type outbox struct {
	module.Tx
	sent []module.Mail
}

func (o *outbox) Mail(_ context.Context, m module.Mail) error {
	o.sent = append(o.sent, m)
	return nil
}

// A customer without an email address can also request a move.
func TestMailOfAMove(t *testing.T) {
	m := Move{Old: Address{"Lindelaan", "7", "", "9731AB", "Groningen"}, New: Address{"Torenstraat", "12", "", "2513RZ", "Den Haag"},
		Start: day(t, "2026-12-01")}
	var tx outbox
	require.NoError(t, recipient{Locale: "nl"}.mail(t.Context(), &tx, mailRequested, m, ""))
	assert.Empty(t, tx.sent)
	require.NoError(t, recipient{"anna@example.nl", "en"}.mail(t.Context(), &tx, mailRequested, m, ""))
	require.Len(t, tx.sent, 1)
	assert.Equal(t, []string{"anna@example.nl", "en", "We have received your move"},
		[]string{tx.sent[0].To, tx.sent[0].Locale, tx.sent[0].Subject})
}
