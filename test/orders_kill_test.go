package test_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/test/fixture"
)

// TestKillDuringOrders kills the program while 64 buyers order shares of one offer. Afterwards every order with a success response exists,
// the ledger is consistent, no share was sold twice, and processing of the orders continues: they can be paid.
func TestKillDuringOrders(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: starts the program several times")
	}
	s := portaltest.Start(t, portaltest.Options{Modules: modules.All, CUE: fixture.SandboxPayments,
		Labels: []portaltest.Label{{Key: "alpha"}}})
	all := &fixture.Shop{Members: &fixture.Members{Customers: &fixture.Customers{Portal: s, T: t}}}
	all.Project()
	const buyers, stock = 64, 1000
	seller := all.With(t, stock)
	offer := all.Offer(t, seller, stock, 40, nil)
	tokens := make([]string, buyers)
	for n := range buyers {
		all.Login(t, fmt.Sprintf("30240%03d", n), fmt.Sprintf("koper%d@leden.example", n))
	}
	s.Staff("alpha")
	s.Stop()
	confirmed := 0
	const rounds = 3
	for round := range rounds {
		p := fixture.Serve(t, s, "--demo") // sandbox payments need a demo
		var wg sync.WaitGroup
		for n := range buyers {
			if round == 0 { // the clock of the test showed another date than that of the program
				tokens[n] = p.SignIn(fmt.Sprintf("lid.30240%03d", n))
			}
		}
		start := value.DayOf(time.Now()).AddDays(40).String()
		var known sync.Map
		var count atomic.Int64
		for n := range buyers {
			wg.Go(func() {
				for {
					add := fixture.Object{"offer": fixture.Object{"identifier": offer, "shares": 1,
						"address": fixture.Object{"street_name": "Dam", "house_number": "1", "house_postfix": "", "postal_code": "1012JS",
							"city": "Amsterdam"}}}
					if status := p.Call(http.MethodPost, "/sustainable/basket", tokens[n], add, nil); status != http.StatusOK {
						return
					}
					var placed fixture.Placed
					if !p.Try(http.MethodPost, "/sustainable/basket/order", tokens[n], fixture.Object{"waiveWithdrawalPeriod": true, "start_date": start},
						&placed) {
						return
					}
					if placed.Status == "SUCCESS" {
						known.Store(placed.Order.ID, n)
						count.Add(1)
					}
				}
			})
		}
		require.Eventually(t, func() bool { return count.Load() >= int64(20+30*round) }, 20*time.Second, time.Millisecond, "orders are placed")
		p.Kill()
		wg.Wait()
		confirmed += int(count.Load())

		fixture.Command(t, s, "marketplace", "audit")

		p = fixture.Serve(t, s, "--demo")
		found := map[string]string{}
		for n := range buyers {
			var mine []fixture.Order
			p.Call(http.MethodGet, "/sustainable/orders", tokens[n], nil, &mine)
			for _, o := range mine {
				found[o.ID] = o.Status
			}
		}
		known.Range(func(id, n any) bool {
			require.Contains(t, found, id, "buyer %d received a 200 for a missing order", n)
			return true
		})
		require.LessOrEqual(t, len(found), stock)
		staff := p.SignIn("medewerker@alpha.example")
		require.Eventually(t, func() bool {
			var page struct{ TotalElements int }
			p.Call(http.MethodGet, "/sustainable/staff/orders?status=CREATED", staff, nil, &page)
			return page.TotalElements == 0
		}, 60*time.Second, 200*time.Millisecond, "orders hang")
		p.Kill()
	}
	t.Logf("%d orders had a 200 before %d kills", confirmed, rounds)
	require.Positive(t, confirmed)
}
