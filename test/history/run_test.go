package history_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"
)

// plan is what a history is made of. The seed decides what its callers do, and when processes are killed and paused.
type plan struct {
	seed          uint64
	calls         int // of each member
	kills, pauses int
}

// history is a run of a plan: what callers asked and were told.
type history struct {
	t       testing.TB
	plan    plan
	on      *cluster
	project string
	people  []person
	staff   string // token
	today   string
	later   string
	client  *http.Client
	begin   time.Time
	done    atomic.Int64 // calls that ended

	mu      sync.Mutex
	all     []porcupine.Operation
	offers  []seenOffer
	offerNo map[string]int
	orders  []seenOrder
	orderNo map[string]int

	kills, pauses, cut, failed, limited, stuck int // what went wrong
}

// person is a member, with the participation whose shares it sells.
type person struct{ token, participation string }

type seenOffer struct {
	id, reference string
	owner         int8
	approved      bool
}

type seenOrder struct {
	id     string
	owner  int8
	placed int64 // when it was asked for
}

// now returns the time in the history.
func (h *history) now() int64 { return time.Since(h.begin).Nanoseconds() }

// note adds what a caller was told. What was sent to a process that was killed has its effect before the connection breaks, or never; with
// a server of PostgreSQL, which goes on, within orphaned.
func (h *history) note(client int, q question, a answer, call, end int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if a.lost && len(h.on.running) > 1 {
		end += orphaned.Nanoseconds()
	}
	if q.what == "approve" && !a.lost && !a.refused {
		h.offers[q.offer].approved = true
	}
	h.all = append(h.all, porcupine.Operation{ClientId: client, Input: q, Output: a, Call: call, Return: end})
}

// orphaned is how long a server of PostgreSQL may take for a commit whose client is gone.
const orphaned = 500 * time.Millisecond

// ask makes a call to one of the processes. It waits while none accepts connections. status is 0 when the connection broke or the answer
// was a 5xx: then nobody knows what was done.
func (h *history) ask(at int, method, path, token string, body any, header ...string) (status int, raw []byte) {
	defer h.done.Add(1)
	for deadline := time.Now().Add(time.Minute); ; {
		status, raw, err := h.try(h.on.addr(at), method, path, token, body, header...)
		var dial *net.OpError
		switch {
		case errors.As(err, &dial) && dial.Op == "dial" || errors.Is(err, errNobody):
			if time.Now().After(deadline) {
				h.t.Errorf("no process accepts connections: %v", err)
				return 0, nil
			}
			at++
			<-time.After(2 * time.Millisecond)
			continue
		case err != nil:
			h.count(&h.cut)
			return 0, nil
		case status >= 500:
			h.count(&h.failed)
			return 0, raw
		case status == http.StatusTooManyRequests:
			h.count(&h.limited)
		}
		return status, raw
	}
}

// approved counts the offers that staff have approved.
func (h *history) approved() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, o := range h.offers {
		if o.approved {
			n++
		}
	}
	return n
}

func (h *history) count(what *int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*what++
}

var errNobody = errors.New("no process runs")

func (h *history) try(addr, method, path, token string, body any, header ...string) (int, []byte, error) {
	if addr == "" {
		return 0, nil, errNobody
	}
	text, kind := []byte{}, "application/json"
	switch b := body.(type) {
	case nil:
	case url.Values:
		text, kind = []byte(b.Encode()), "application/x-www-form-urlencoded"
	default:
		var err error
		if text, err = json.Marshal(b); err != nil {
			return 0, nil, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, "http://"+addr+"/api/v0"+path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	r.GetBody = nil // a broken connection is not tried again without the history knowing
	r.Host = "alpha.localhost"
	r.Header.Set("Content-Type", kind)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := h.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if to := res.Header.Get("Location"); to != "" {
		raw = []byte(to)
	}
	return res.StatusCode, raw, err
}

// openTimeout is how long members wait for the first offers, settleTimeout how long the transfers of paid orders may take once nobody
// calls any more.
const openTimeout, settleTimeout = 5 * time.Second, 20 * time.Second

// play runs the plan. It returns what callers were told, ready for the checker.
func (h *history) play() []porcupine.Operation {
	h.begin, h.offerNo, h.orderNo = time.Now(), map[string]int{}, map[string]int{}
	h.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer h.client.CloseIdleConnections()
	stop := make(chan struct{})
	var staff, wg sync.WaitGroup
	staff.Go(func() { h.caller(99, -1).decide(stop) })
	for i := range members {
		first := h.caller(i, int8(i))
		first.sell(1000)
	}
	for end := time.Now().Add(openTimeout); h.approved() < members && time.Now().Before(end); {
		<-time.After(time.Millisecond)
	}
	h.done.Store(0)
	for i := range members {
		wg.Go(h.caller(i, int8(i)).run)
	}
	wg.Go(h.caller(members, 0).run) // a member has a second device
	finished := make(chan struct{})
	faults := make(chan struct{})
	go func() { h.disturb(finished); close(faults) }()
	wg.Wait()
	close(finished)
	<-faults
	close(stop)
	staff.Wait()
	patience := settleTimeout
	if h.on.bug != "" {
		patience = 2 * time.Second
	}
	for end := time.Now().Add(patience); ; {
		waiting := 0
		for i := range members {
			waiting += h.caller(200+i, int8(i)).seeOrders()
		}
		if waiting == 0 || time.Now().After(end) {
			break
		}
		<-time.After(20 * time.Millisecond)
	}
	for i := range members {
		last := h.caller(300+i, int8(i))
		last.seeOrders()
		last.seeShares()
		last.seeMarket()
	}
	return h.withTransfers()
}

// disturb kills and pauses processes after numbers of calls that the seed decides.
func (h *history) disturb(finished <-chan struct{}) {
	r := rand.New(rand.NewPCG(h.plan.seed, 1<<32))
	total := h.plan.calls * (members + 1)
	todo := h.plan.kills + h.plan.pauses
	kinds := r.Perm(todo)
	for i := range todo {
		at := int64(total*(i+1)/(todo+1) + r.IntN(5))
		for h.done.Load() < at {
			select {
			case <-finished:
				return
			case <-time.After(time.Millisecond):
			}
		}
		place := r.IntN(len(h.on.running))
		if kinds[i] < h.plan.kills {
			h.on.kill(place)
			h.on.start(place)
			h.kills++
			continue
		}
		h.on.pause(place, time.Duration(20+r.IntN(80))*time.Millisecond)
		h.pauses++
	}
}

// withTransfers adds what the portal itself did: it transferred the shares of an order after that was asked for, and before somebody saw
// that it was done.
func (h *history) withTransfers() []porcupine.Operation {
	seen := map[int]int64{}
	for _, o := range h.all {
		for n, is := range o.Output.(answer).orders {
			if end, known := seen[n]; is == completed && (!known || o.Return < end) {
				seen[n] = o.Return
			}
		}
	}
	out := h.all
	for n, end := range seen {
		out = append(out, porcupine.Operation{ClientId: 400 + n, Input: question{what: "transfer", who: -1, order: n}, Output: answer{}, Call: h.orders[n].placed, Return: end})
	}
	return out
}

// overlaps counts the pairs of operations that were under way at the same time.
func overlaps(all []porcupine.Operation) (n int) {
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.Call < b.Return && b.Call < a.Return {
				n++
			}
		}
	}
	return n
}

// check returns whether what callers were told is possible.
func check(t testing.TB, all []porcupine.Operation) porcupine.CheckResult {
	t.Helper()
	result := porcupine.CheckOperationsTimeout(model, all, time.Minute)
	if result == porcupine.Unknown {
		for _, o := range all {
			t.Logf("%d %d %d %s", o.ClientId, o.Call/1000, o.Return/1000, describe(o.Input.(question), o.Output.(answer)))
		}
	}
	require.NotEqual(t, porcupine.Unknown, result, "the checker did not come to an end")
	return result
}
