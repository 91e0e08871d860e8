package outbox

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"
)

// Lanes that do not belong to modules.
const (
	mailLane     = "mail"
	securityLane = "mail:security" // emails for which a person waits, and warnings to a person
	webhookLane  = "webhook:"      // prefix of the webhook's id
)

const (
	workers         = 4                      // parallel attempts of a lane
	securityWorkers = 2                      // parallel attempts of the lane for security emails, in addition to those for other emails
	maxAhead        = 16                     // maximum number of deliveries that are claimed per worker
	maxLabels       = 4 * maxAhead * workers // maximum number of labels in one order; some may have no free deliveries
	quickAttempt    = 50 * time.Millisecond  // limit below which results are stored together and several deliveries claimed per worker
	// slowAttempt is how long a delivery to a module occupies a worker. A longer attempt probably waits for another system, so its worker
	// continues with other labels. A label has at most as many attempts in progress as a lane has workers.
	slowAttempt = time.Second
)

// lane makes the due deliveries to one subscriber. Labels take turns.
type lane struct {
	o          *Outbox
	subscriber string
	workers    int
	passesSlow bool // slow attempts do not occupy a worker

	labels []string // labels with deliveries to claim, the next one first; guarded by o.mu

	queue   []delivery     // claimed deliveries whose attempt has not started
	held    map[string]int // claimed deliveries of each label
	running map[string]int // current attempts of each label
	slowest time.Duration  // longest duration of the last attempts
	busy    atomic.Int64   // occupied workers
	ended   chan outcome
	changed chan struct{} // holds one value after a label was offered or an attempt has become slow
}

func (o *Outbox) newLane(subscriber string, labels []string) *lane {
	l := &lane{o: o, subscriber: subscriber, workers: workers, passesSlow: !isMail(subscriber), labels: labels,
		slowest: o.quickAttempt, held: map[string]int{}, running: map[string]int{}, ended: make(chan outcome, maxAhead*workers),
		changed: make(chan struct{}, 1)}
	if subscriber == securityLane {
		l.workers = securityWorkers
	}
	return l
}

func isMail(subscriber string) bool { return subscriber == mailLane || subscriber == securityLane }

// offer passes labels with due deliveries to the running lane of a subscriber, or starts a lane.
func (o *Outbox) offer(subscriber string, labels []string, start func(*lane)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.lanes[subscriber]
	if l == nil {
		l = o.newLane(subscriber, labels)
		o.lanes[subscriber] = l
		start(l)
		return
	}
	l.add(labels)
	l.notify()
}

// add appends labels that the lane does not have yet. The caller holds o.mu.
func (l *lane) add(labels []string) {
	if len(labels) == 0 {
		return
	}
	known := make(map[string]bool, len(l.labels))
	for _, key := range l.labels {
		known[key] = true
	}
	for _, key := range labels {
		if !known[key] {
			l.labels = append(l.labels, key)
		}
	}
}

func (l *lane) notify() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// run delivers until nothing is left to claim. It stops claiming when stop ends or after an error, and cancels running attempts when ctx
// ends. It returns the number of claimed deliveries.
func (l *lane) run(stop, ctx context.Context) (n int, err error) {
	var all []outcome
	for {
		var want order
		if err == nil && stop.Err() == nil {
			want = l.plan()
		}
		if len(all)+len(want.labels) > 0 {
			got, failure := l.o.exchange(ctx, l.subscriber, all, want)
			if failure != nil {
				err = errors.Join(err, failure)
			}
			n += len(got.batch)
			l.take(got)
		}
		l.begin(ctx)
		if len(l.held) == 0 && l.close(err != nil || stop.Err() != nil) {
			return n, err
		}
		all = l.wait(ctx)
	}
}

// order is a lane's request for deliveries: at most maxPerLabel[label] of each label, in the order of labels, and at most maxTotal.
type order struct {
	labels      []string
	maxPerLabel map[string]int
	maxTotal    int
}

// claimed is the result of an order.
type claimed struct {
	batch     []delivery
	unqueried []string // labels that were not queried
	more      []string // labels that may have more deliveries
}

// plan decides what to claim: deliveries that can start at once or, while attempts are quick, very soon. Labels take turns. It removes the
// labels of the order from the lane; take adds those with more deliveries again.
func (l *lane) plan() order {
	busy, turn := int(l.busy.Load()), l.ahead()
	free, ofLabel := turn*l.workers, turn*l.workers
	if free -= busy; busy >= l.workers { // otherwise all queued deliveries are of labels with enough attempts in progress
		free -= len(l.queue)
	}
	l.o.mu.Lock()
	defer l.o.mu.Unlock()
	want := order{maxPerLabel: map[string]int{}, maxTotal: free}
	if free <= 0 || len(l.labels) == 0 {
		return want
	}
	turn = max(turn, free/len(l.labels))
	l.labels = slices.DeleteFunc(l.labels, func(key string) bool {
		n := min(turn, ofLabel-l.held[key])
		if n <= 0 || len(want.labels) >= maxLabels {
			return false
		}
		want.labels, want.maxPerLabel[key] = append(want.labels, key), n
		return true
	})
	return want
}

// isQuick reports whether the last attempts were quick.
func (l *lane) isQuick() bool { return l.slowest < l.o.quickAttempt }

// ahead returns the number of deliveries to claim for each worker, which is the number that it can attempt within quickAttempt. This
// reduces the number of claims, because a claim needs a statement per label.
func (l *lane) ahead() int {
	if !l.isQuick() {
		return 1
	}
	return int(min(maxAhead, l.o.quickAttempt/max(1, l.slowest)))
}

// take adds the claimed deliveries.
func (l *lane) take(got claimed) {
	for _, d := range got.batch {
		l.held[d.Label]++
	}
	l.queue = append(l.queue, got.batch...)
	l.o.mu.Lock()
	defer l.o.mu.Unlock()
	offered := l.labels // labels that were offered in the meantime
	l.labels = got.unqueried
	l.add(offered)
	l.add(got.more)
}

// begin starts attempts while workers are free.
func (l *lane) begin(ctx context.Context) {
	l.queue = slices.DeleteFunc(l.queue, func(d delivery) bool {
		if int(l.busy.Load()) >= l.workers || l.running[d.Label] >= l.workers {
			return false
		}
		l.running[d.Label]++
		l.busy.Add(1)
		go l.attempt(ctx, d)
		return true
	})
}

func (l *lane) attempt(ctx context.Context, d delivery) {
	began := time.Now()
	occupied := func() bool { return true }
	if l.passesSlow {
		occupied = time.AfterFunc(slowAttempt, func() { l.busy.Add(-1); l.notify() }).Stop
	}
	e := outcome{delivery: d}
	if e.lost = !l.o.renew(ctx, &e.delivery); !e.lost {
		e.failure = l.o.attempt(ctx, e.delivery)
	}
	e.took = time.Since(began)
	if occupied() {
		l.busy.Add(-1)
	}
	l.ended <- e
}

// wait returns attempts that have ended, or nothing when there may be more to claim. It collects quick attempts for at most quickAttempt,
// so that their results are stored together.
func (l *lane) wait(ctx context.Context) (all []outcome) {
	if len(l.held) == 0 {
		return nil
	}
	var moment <-chan time.Time
	wasQuick := l.isQuick()
	for goesOn := true; goesOn; {
		select {
		case e := <-l.ended:
			if len(all) == 0 {
				l.slowest = 0
			}
			l.slowest = max(l.slowest, e.took)
			drop(l.running, e.Label)
			drop(l.held, e.Label)
			all = append(all, e)
			l.begin(ctx)
			goesOn = len(l.ended) > 0 || wasQuick && l.isQuick() && len(l.running) > 0
		case <-l.changed:
			goesOn = false
		case <-moment:
			goesOn = false
		}
		if moment == nil {
			moment = time.After(l.o.quickAttempt)
		}
	}
	return slices.DeleteFunc(all, func(e outcome) bool { return e.lost })
}

func drop(counts map[string]int, key string) {
	counts[key]--
	maps.DeleteFunc(counts, func(_ string, n int) bool { return n == 0 })
}

// close reports whether the lane ends because no label is left to claim from, or because anyway is set. Labels that are offered later start
// another lane.
func (l *lane) close(anyway bool) bool {
	l.o.mu.Lock()
	defer l.o.mu.Unlock()
	if len(l.labels) > 0 && !anyway {
		return false
	}
	if l.o.lanes[l.subscriber] == l {
		delete(l.o.lanes, l.subscriber)
	}
	return true
}
