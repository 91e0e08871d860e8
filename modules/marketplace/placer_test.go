package marketplace

import (
	"context"
	"encoding/json"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
)

// sets changes the settings of a label, as saving its file does. Calls that began before keep the old settings.
func (w *world) sets(set Settings) {
	w.t.Helper()
	raw, err := json.Marshal(set)
	require.NoError(w.t, err)
	l := *w.Labels.ByKey(moduletest.LabelOne)
	l.Settings = maps.Clone(l.Settings)
	fresh := newOf(l.Settings[manifest.Key])
	fresh.Raw = raw
	l.Settings[manifest.Key] = fresh
	w.Labels.Put(&l)
}

func newOf[T any](*T) *T { return new(T) }

// pending returns the pending order for the basket of a member.
func (w *world) pending(buyer module.Scope, start int) *order.PendingOrder {
	buyer.Label = moduletest.LabelOne
	return &order.PendingOrder{By: buyer, Request: order.OrderRequest{Waived: true, Start: w.today().AddDays(start), Buyer: buyer.Relation}}
}

// Orders that arrive continuously are placed by one worker. It uses the label settings of the newest one.
func TestSettingsReachOrdersUnderLoad(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		offered := w.offered(member("1"), jsonOf(newOffer("P-1", 12))).Identifier
		for _, who := range []string{"2", "3"} {
			call[order.Basket](w, 200, member(who), "POST", "/sustainable/basket",
				m{"offer": m{"identifier": offered, "shares": 1, "address": home(7)}})
		}
		begun, goOn := make(chan struct{}, 9), make(chan struct{})
		placer := order.NewPlacer(w.s.host.DB, w.s.host.Now, func(context.Context, module.Querier, []string) (order.Charges, error) {
			begun <- struct{}{}
			<-goOn
			return nil, nil
		})
		placed := make(chan error, 1)
		first := w.system()
		go func() {
			_, err := placer.Place(first, w.pending(member("2"), 40))
			placed <- err
		}()
		<-begun // the worker is running
		set := testSettings()
		set.Order.ReservationDays = 1
		w.sets(set)
		gone, leave := context.WithCancel(w.system())
		leave()
		_, err := placer.Place(gone, w.pending(member("3"), 40)) // placed in its turn, although its caller has left
		require.ErrorIs(t, err, context.Canceled)
		close(goOn)
		require.NoError(t, <-placed)
		out, err := placer.Place(w.system(), w.pending(member("4"), 40)) // placed after it
		require.NoError(t, err)
		require.Nil(t, out.Order, "an empty basket")
		for who, days := range map[string]int{"2": 14, "3": 1} {
			all := call[[]order.Order](w, 200, member(who), "GET", "/sustainable/orders", nil)
			require.Len(t, all, 1)
			assert.WithinDuration(t, w.Clock.Now().Add(time.Duration(days)*24*time.Hour), all[0].Expires, time.Minute, "member %s", who)
		}
	})
}

// A change that another device makes to a basket while another replica orders it takes effect either before or after the order. SQLite has
// one writer.
func TestBasketThatChangesWhileItIsOrdered(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		if o.Database == "" {
			t.Skip("one writer")
		}
		w := openMarket(t, o, testSettings())
		first, second := w.offered(member("1"), jsonOf(newOffer("P-1", 12))).Identifier,
			w.offered(member("1"), jsonOf(newOffer("P-2", 5))).Identifier
		three := member("3")
		call[order.Basket](w, 200, three, "POST", "/sustainable/basket", m{"offer": m{"identifier": first, "shares": 1, "address": home(7)}})
		put := make(chan error, 1)
		early := false
		// the rows of the basket are locked now
		placer := order.NewPlacer(w.s.host.DB, w.s.host.Now, func(context.Context, module.Querier, []string) (order.Charges, error) {
			go func() {
				status, body := w.do(three, "POST", "/sustainable/basket", m{"offer": m{"identifier": second, "shares": 2, "address": home(7)}})
				if status != 200 {
					assert.Fail(t, string(body))
				}
				put <- nil
			}()
			for waits := 0; waits == 0; { // until it waits for the order, or is done
				select {
				case <-put:
					early = true
					put <- nil
					return nil, nil
				default:
				}
				if err := moduletest.Raw(w.s.host.DB).NewRaw("SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())").Scan(t.Context(), &waits); err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
		out, err := placer.Place(w.system(), w.pending(three, 40))
		require.NoError(t, err)
		require.NotNil(t, out.Order)
		<-put
		assert.False(t, early, "put into the basket before the order was placed, and neither ordered nor in its answer")
		basket := call[order.Basket](w, 200, three, "GET", "/sustainable/basket", nil)
		require.Len(t, basket.Items, 1)
		assert.Equal(t, second, basket.Items[0].Identifier)
	})
}
