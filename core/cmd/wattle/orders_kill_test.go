package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
)

// TestKillDuringOrders kills the program in the middle of 64 buyers of one offer. Afterwards every order that a buyer was told of is
// there, the ledger is whole, no share was sold twice, and the orders go on by themselves: they can be paid.
func TestKillDuringOrders(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the program several times")
	}
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Labels: []apptest.Label{{Key: "alpha", CUE: `modules: marketplace: payment: provider: "sandbox"`}}})
	all := &shop{members: &members{customers: &customers{Server: s, t: t}}}
	all.project()
	const buyers, stock = 64, 1000
	seller := all.with(t, stock)
	offer := all.offer(t, seller, stock, 40, nil)
	tokens := make([]string, buyers)
	for n := range buyers {
		all.login(t, fmt.Sprintf("30240%03d", n), fmt.Sprintf("koper%d@leden.example", n))
	}
	s.Staff("alpha")
	require.NoError(t, s.Stop(t.Context()))
	place := []string{"--labels", s.Config.Labels, "--data", s.Config.Data}
	quiet := append(place, "--log-level", "error", "--demo") // sandbox payments are for a demo
	told := 0
	const rounds = 3
	for round := range rounds {
		p := run(t, quiet...)
		var wg sync.WaitGroup
		for n := range buyers {
			if round == 0 { // the clock of the test stood on another day than the program's
				tokens[n] = p.signIn(fmt.Sprintf("lid.30240%03d", n))
			}
		}
		start := value.DayOf(time.Now()).AddDays(40).String()
		var known sync.Map
		var count atomic.Int64
		for n := range buyers {
			wg.Go(func() {
				for {
					add := object{"offer": object{"identifier": offer, "shares": 1, "address": object{"street_name": "Dam", "house_number": "1", "house_postfix": "", "postal_code": "1012JS", "city": "Amsterdam"}}}
					if status := p.call(http.MethodPost, "/sustainable/basket", tokens[n], add, nil); status != http.StatusOK {
						return
					}
					var placed placedShown
					if !p.tries(http.MethodPost, "/sustainable/basket/order", tokens[n], object{"waiveWithdrawalPeriod": true, "start_date": start}, &placed) {
						return
					}
					if placed.Status == "SUCCESS" {
						known.Store(placed.Order.ID, n)
						count.Add(1)
					}
				}
			})
		}
		for began := time.Now(); count.Load() < int64(20+30*round) && time.Since(began) < 20*time.Second; {
			time.Sleep(time.Millisecond)
		}
		p.kill()
		wg.Wait()
		told += int(count.Load())

		audit := exec.Command(os.Args[0], append([]string{"marketplace", "audit"}, place...)...)
		audit.Env = append(os.Environ(), "WATTLE_TEST_AS_PROGRAM=1")
		out, err := audit.CombinedOutput()
		require.NoError(t, err, string(out))

		p = run(t, quiet...)
		there := map[string]string{}
		for n := range buyers {
			var mine []orderShown
			p.call(http.MethodGet, "/sustainable/orders", tokens[n], nil, &mine)
			for _, o := range mine {
				there[o.ID] = o.Status
			}
		}
		known.Range(func(id, n any) bool {
			require.Contains(t, there, id, "buyer %d was told of an order that is not there", n)
			return true
		})
		require.LessOrEqual(t, len(there), stock)
		staff := p.signIn("medewerker@alpha.example")
		require.Eventually(t, func() bool {
			var page struct{ TotalElements int }
			p.call(http.MethodGet, "/sustainable/staff/orders?status=CREATED", staff, nil, &page)
			return page.TotalElements == 0
		}, 60*time.Second, 200*time.Millisecond, "orders hang")
		p.kill()
	}
	t.Logf("%d orders were told of before %d kills", told, rounds)
	require.Positive(t, told)
}

// tries is a call that may be cut off, or refused; true when it was answered with 200.
func (p *program) tries(method, path, bearer string, in, out any) bool {
	body, err := json.Marshal(in)
	if err != nil {
		return false
	}
	r, err := http.NewRequest(method, "http://"+p.addr+"/api/v0"+path, bytes.NewReader(body))
	if err != nil {
		return false
	}
	r.Host = "alpha.localhost"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+bearer)
	res, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return false
	}
	defer func() { _ = res.Body.Close() }()
	return res.StatusCode == http.StatusOK && json.NewDecoder(res.Body).Decode(out) == nil
}
