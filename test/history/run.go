package history

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
)

// Options define a history.
type Options struct {
	Seed  uint64 // determines what the callers do
	Calls int    // for each member
	// address of the n-th process, or of another one if that one does not run; empty while none runs
	Addr     func(n int) string
	Project  string                                 // only these members trade its shares; each starts with Begun
	People   []Person                               // as many as Members
	Staff    func() string                          // returns a token
	Orphaned time.Duration                          // maximum delay of the effect of a call whose connection broke
	Pause    time.Duration                          // after a call without a response
	Think    time.Duration                          // average time between two calls of a member
	Settle   time.Duration                          // maximum time for the transfers of paid orders after the last call
	Disturb  func(h *History, done <-chan struct{}) // makes faults until done is closed; nil: none
	// the payment provider sends no notifications: the history sends them, also late, twice, in another order or never
	Silent bool
}

// History records the calls of a run and their responses.
type History struct {
	Options
	t      testing.TB
	today  string
	later  string
	client *http.Client
	begin  time.Time
	done   atomic.Int64 // calls that have ended

	mu      sync.Mutex
	all     []porcupine.Operation
	offers  []seenOffer
	offerNo map[string]int
	orders  []seenOrder
	orderNo map[string]int
	paid    []*paidOrder
	late    []*paidOrder // payments whose notification is sent later, or again

	// Numbers of calls whose connection broke, that returned a 5xx, that returned a 429, and that never got a response.
	Cut, Failed, Limited, Stuck int
	// Number of payments whose notification was never sent, sent late, or sent more than once.
	Disordered int
}

// Person is a member, with the participation whose shares the member sells.
type Person struct {
	Token         func() string
	Participation string
}

// New returns a history that can be played. It empties the baskets of the members.
func New(t testing.TB, o Options) *History {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	today := value.DayOf(time.Now().In(zone))
	h := &History{Options: o, t: t, today: today.String(), later: today.AddDays(40).String(), offerNo: map[string]int{},
		orderNo: map[string]int{}}
	h.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for i := range o.People {
		h.emptyBasket(i)
	}
	return h
}

// emptyBasket removes what an earlier history left in the basket of a member.
func (h *History) emptyBasket(who int) {
	for status := 0; status != http.StatusOK; {
		var raw []byte
		if status, raw = h.request(0, http.MethodGet, "/sustainable/basket", h.People[who].Token(), nil); status >= 400 {
			h.t.Errorf("basket: %d %s", status, raw)
			return
		}
		if status != http.StatusOK {
			continue
		}
		for _, x := range decode[struct{ Items []struct{ Identifier string } }](h, raw).Items {
			if gone, _ := h.request(0, http.MethodDelete, "/sustainable/basket/"+x.Identifier, h.People[who].Token(), nil); gone == 0 {
				status = 0
			}
		}
	}
}

type seenOffer struct {
	id, reference string
	owner         int8
	approved      bool
}

type seenOrder struct {
	id     string
	owner  int8
	placed int64 // time of the request
}

// paidOrder is a payment at a provider that is Silent.
type paidOrder struct {
	order   int
	payment string
	at      int64
	known   int64 // when the portal confirmed the notification; 0: it did not
}

// now returns the time since the start of the history, in nanoseconds.
func (h *History) now() int64 { return time.Since(h.begin).Nanoseconds() }

// note records a call and its response. A call to a killed process takes effect before its connection breaks, or never; a PostgreSQL
// server may still commit its changes within Orphaned.
func (h *History) note(client int, q question, a answer, call, end int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if a.lost {
		end += h.Orphaned.Nanoseconds()
	}
	if q.what == "approve" && !a.lost && !a.refused {
		h.offers[q.offer].approved = true
	}
	h.all = append(h.all, porcupine.Operation{ClientId: client, Input: q, Output: a, Call: call, Return: end})
}

// request makes a call to one of the processes. It waits while no process accepts connections. status is 0 when the connection broke or the
// response was a 5xx: then it is unknown whether the call was executed.
func (h *History) request(at int, method, path, token string, body any, header ...string) (status int, raw []byte) {
	defer h.done.Add(1)
	for deadline := time.Now().Add(time.Minute); ; {
		status, raw, err := h.try(h.Addr(at), method, path, token, body, header...)
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
			h.count(&h.Cut)
			<-time.After(h.Pause)
			return 0, nil
		case status >= 500:
			h.count(&h.Failed)
			<-time.After(h.Pause)
			return 0, raw
		case status == http.StatusTooManyRequests:
			h.count(&h.Limited)
		}
		return status, raw
	}
}

// approved returns the number of offers that staff have approved.
func (h *History) approved() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, o := range h.offers {
		if o.approved {
			n++
		}
	}
	return n
}

func (h *History) count(what *int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*what++
}

var errNobody = errors.New("no process runs")

func (h *History) try(addr, method, path, token string, body any, header ...string) (int, []byte, error) {
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
	r.GetBody = nil // the client must not retry a broken connection by itself: the history would not record it
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

// openTimeout is the maximum time that members wait for the first offers.
const openTimeout = 5 * time.Second

// Play makes the calls. It returns the calls with their responses, ready for Check.
func (h *History) Play() []porcupine.Operation {
	h.begin = time.Now()
	defer h.client.CloseIdleConnections()
	stop := make(chan struct{})
	var staff, wg sync.WaitGroup
	staff.Go(func() { h.caller(99, -1).decide(stop) })
	for i := range Members {
		first := h.caller(i, int8(i))
		first.sell(1000)
	}
	for end := time.Now().Add(openTimeout); h.approved() < Members && time.Now().Before(end); {
		<-time.After(time.Millisecond)
	}
	h.done.Store(0)
	for i := range Members {
		wg.Go(h.caller(i, int8(i)).run)
	}
	wg.Go(h.caller(Members, 0).run) // a member has a second device
	finished := make(chan struct{})
	faults := make(chan struct{})
	go func() {
		defer close(faults)
		if h.Disturb != nil {
			h.Disturb(h, finished)
		}
	}()
	wg.Wait()
	close(finished)
	<-faults
	close(stop)
	staff.Wait()
	h.settle()
	for end := time.Now().Add(h.Settle); ; {
		waiting := 0
		for i := range Members {
			waiting += h.caller(200+i, int8(i)).seeOrders()
		}
		if waiting == 0 || time.Now().After(end) {
			break
		}
		<-time.After(20 * time.Millisecond)
	}
	for i := range Members {
		last := h.caller(300+i, int8(i))
		last.seeOrders()
		last.seeShares()
		last.seeMarket()
	}
	return append(h.withTransfers(), h.payments()...)
}

// settle sends the late notifications. For a lost one, the buyer requests the payment link again, so that the portal checks the payment at
// the provider. The portal does not do so for a canceled order, whose payment is found by the sweep of the next day.
func (h *History) settle() {
	last := h.caller(500, 0)
	for len(h.late) > 0 {
		last.notifyLate()
	}
	for i, p := range h.paid {
		buyer := h.caller(501+i, h.orders[p.order].owner)
		for p.known == 0 {
			if status, _ := buyer.request(http.MethodPost, "/sustainable/orders/"+h.orders[p.order].id+"/paylink", nil); status != 0 &&
				status != http.StatusTooManyRequests {
				h.knows(p)
			}
		}
	}
}

// knows records that the portal has processed a payment.
func (h *History) knows(p *paidOrder) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := h.now(); p.known == 0 || now < p.known {
		p.known = now
	}
}

// payments returns the payments at a provider that is Silent. The portal applied each of them after it was made, and before it confirmed
// the notification or a response showed the order as bought.
func (h *History) payments() (out []porcupine.Operation) {
	seen := map[int]int64{}
	for _, o := range h.all {
		for n, is := range o.Output.(answer).orders {
			if end, known := seen[n]; (is == bought || is == completed) && (!known || o.Return < end) {
				seen[n] = o.Return
			}
		}
	}
	for i, p := range h.paid {
		end := p.known
		if at, ok := seen[p.order]; ok && at > p.at && at < end {
			end = at
		}
		out = append(out, porcupine.Operation{ClientId: 600 + i, Input: question{what: "pay", who: h.orders[p.order].owner, order: p.order},
			Output: answer{}, Call: p.at, Return: end})
	}
	return out
}

// withTransfers adds the transfers that the portal made. Each took place after the order was requested, and before a response showed it.
func (h *History) withTransfers() []porcupine.Operation {
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
		out = append(out, porcupine.Operation{ClientId: 400 + n, Input: question{what: "transfer", who: -1, order: n}, Output: answer{},
			Call: h.orders[n].placed, Return: end})
	}
	return out
}

// overlaps counts the pairs of operations that overlap in time.
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

// Check returns whether the responses are possible.
func Check(t testing.TB, all []porcupine.Operation) porcupine.CheckResult {
	t.Helper()
	result := Within(time.Minute, all)
	if result == porcupine.Unknown {
		t.Log(strings.Join(Describe(all), "\n"))
	}
	require.NotEqual(t, porcupine.Unknown, result, "the checker did not come to an end")
	return result
}

// Within is like Check, but may end without a result: each call without a response doubles the number of possibilities.
func Within(d time.Duration, all []porcupine.Operation) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(model, all, d)
}

// Count counts the operations by kind and outcome.
func Count(all []porcupine.Operation) map[string]int {
	out := map[string]int{}
	for _, o := range all {
		a := o.Output.(answer)
		name := o.Input.(question).what
		switch {
		case a.lost:
			name += " (no answer)"
		case a.refused:
			name += " (refused)"
		case a.outcome != "":
			name += " " + a.outcome
		}
		out[name]++
	}
	return out
}

// Listed formats counts as one line.
func Listed(counts map[string]int) string {
	out := []string{}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(out, ", ")
}

// Describe formats operations as readable lines, in the order of their requests.
func Describe(all []porcupine.Operation) (out []string) {
	all = slices.SortedFunc(slices.Values(all), func(a, b porcupine.Operation) int { return cmp.Compare(a.Call, b.Call) })
	for _, o := range all {
		out = append(out, fmt.Sprintf("%d to %d µs, client %d: %s", o.Call/1000, o.Return/1000, o.ClientId,
			describe(o.Input.(question), o.Output.(answer))))
	}
	return out
}
