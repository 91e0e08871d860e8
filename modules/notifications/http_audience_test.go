package notifications_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/test/fixture"
)

// The readers of a notification are determined at its publication; later changes have no effect.
func TestReadersAtPublication(t *testing.T) {
	t.Parallel()
	eachSender(t, "", func(t *testing.T, w *sender) {
		titled := func(title string) fixture.Object {
			return fixture.Object{"title": fixture.Object{"nl": title, "en": title}}
		}
		stays, leaves := w.With(t, 5), w.With(t, 3)
		t.Run("9-notification-audience", func(t *testing.T) {
			w.send(t, w.order(toProject, titled("Eerste")))
			w.Later(t, time.Minute)
			require.Empty(t, fixture.Records(t, w.Portal, "participation", fixture.Object{"debtor_number": leaves.Debtor, "share": 0,
				"participation_identifier": leaves.Participation, "project_code": fixture.MarketProject, "address": fixture.Place(102)}))
			w.Later(t, time.Minute)
			sent := w.send(t, w.order(toProject, titled("Tweede")))
			assert.EqualValues(t, 1, sent["recipients"])
			assert.Equal(t, []string{"Tweede", "Eerste"}, titles(t, stays.Customer, ""))
			assert.Equal(t, []string{"Eerste"}, titles(t, leaves.Customer, ""), "no shares when the second was published")

			since := func(debtor, day string) fixture.Customer {
				require.Empty(t, fixture.Records(t, w.Portal, "relation", fixture.Object{"debtor_number": debtor, "relation_since": day}))
				return w.Login(t, debtor, debtor+"@leden.example")
			}
			today, later := since("30001", "2026-11-20"), since("30002", "2026-11-21")
			w.send(t, w.order(toAll, titled("Iedereen")))
			assert.Equal(t, []string{"Iedereen"}, titles(t, today, ""))
			assert.Empty(t, titles(t, later, ""), "a customer from tomorrow")
			w.Later(t, 24*time.Hour)
			w.staff = w.Staff("alpha").Bearer
			later = w.Login(t, "30002", "30002@leden.example")
			w.send(t, w.order(toAll, titled("Morgen")))
			assert.Equal(t, []string{"Morgen"}, titles(t, later, ""), "not what was published before")
		})
		t.Run("9-notification-sanitise", func(t *testing.T) {
			const hostile, harmless = `<p onclick="x()">Oud<script>x()</script><img src="https://elsewhere.example/a.png"></p>`, "<p>Oud</p>"
			both := func(html string) fixture.Object { return fixture.Object{"nl": html, "en": html} }
			id := w.send(t, w.order(toAll, fixture.Object{"message": both(hostile)}))["id"]
			var stored string
			require.NoError(t, w.DB().NewRaw("SELECT message_nl FROM notifications_notifications WHERE id = ?", id).Scan(t.Context(), &stored))
			assert.Equal(t, harmless, stored, "cleaned when it is stored")
			// as if it had been stored by a version that allowed more
			_, err := w.DB().ExecContext(t.Context(), "UPDATE notifications_notifications SET message_nl = ? WHERE id = ?", hostile, id)
			require.NoError(t, err)
			first := w.Again(t, stays).List(t, "/sustainable/notifications?locale=nl")[0]
			assert.Equal(t, []any{id, harmless, "Oud"}, []any{first["id"], first["message"], first["preview"]}, "and when it leaves")
			a := w.Do(portaltest.Call{Path: staffNotifications, Bearer: w.staff})
			listed := fixture.Body[fixture.Object](t, a, 200)["items"].([]any)[0].(fixture.Object)
			assert.Equal(t, both(harmless), listed["message"], "also to staff")
		})
	})
}
