package outbox

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"
)

// Lanes that are no modules.
const (
	mailLane     = "mail"
	securityLane = "mail:security" // of mails that a person waits for, or that warn a person
	webhookLane  = "webhook:"      // before the webhook's id
)

const (
	workers         = 4                      // attempts of a lane at once
	securityWorkers = 2                      // of the lane for security mail, in addition to those of other mail
	maxAhead        = 16                     // deliveries that are claimed for each worker at most
	maxAsked        = 4 * maxAhead * workers // labels in one order: some may have nothing, because another process has it
	quickAttempt    = 50 * time.Millisecond  // attempts that are quicker are collected, and more than one is claimed for each worker
	// slowAttempt is how long an attempt at a module occupies a worker: after that it waits for another system, so its worker continues
	// with other labels. A label has at most as many attempts under way as a lane has workers.
	slowAttempt = time.Second
)

// lane makes the due deliveries to one subscriber. The labels take turns.
type lane struct {
	o          *Outbox
	subscriber string
	workers    int
	passesSlow bool // slow attempts occupy no worker

	labels []string // with something to claim, the next one first; guarded by o.mu

	queue   []delivery     // claimed, and not yet begun
	held    map[string]int // claimed deliveries of each label
	running map[string]int // attempts of each label
	slowest time.Duration  // of the last attempts
	busy    atomic.Int64   // workers that are occupied
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

// offer gives labels with something due to the lane of a subscriber that is running, or starts one.
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

// run delivers until nothing is left to claim. It claims nothing more when stop ends or after an error, and cancels running attempts when
// ctx ends. It returns the number of deliveries that were claimed.
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

// order is a request of a lane for deliveries: at most a number of each label, in this order, until there are enough.
type order struct {
	labels []string
	most   map[string]int
	enough int
}

// claimed is the result of an order.
type claimed struct {
	batch   []delivery
	unasked []string // labels whose turn did not come
	more    []string // labels that may have more
}

// plan decides what to claim: what can be begun at once, or within moments while attempts are quick. Labels take turns. It takes the labels
// of the order out of the lane; take puts back those that have more.
func (l *lane) plan() order {
	busy, turn := int(l.busy.Load()), l.ahead()
	free, ofLabel := turn*l.workers, turn*l.workers
	if free -= busy; busy >= l.workers { // otherwise the queue has only deliveries of labels with enough attempts under way
		free -= len(l.queue)
	}
	l.o.mu.Lock()
	defer l.o.mu.Unlock()
	want := order{most: map[string]int{}, enough: free}
	if free <= 0 || len(l.labels) == 0 {
		return want
	}
	turn = max(turn, free/len(l.labels))
	l.labels = slices.DeleteFunc(l.labels, func(key string) bool {
		n := min(turn, ofLabel-l.held[key])
		if n <= 0 || len(want.labels) >= maxAsked {
			return false
		}
		want.labels, want.most[key] = append(want.labels, key), n
		return true
	})
	return want
}

// isQuick reports whether the last attempts were quick.
func (l *lane) isQuick() bool { return l.slowest < l.o.quickAttempt }

// ahead returns the number of deliveries to claim for each worker: those that it can attempt within a quickAttempt. So a claim, which
// takes a statement for each label, is not made for each delivery.
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
	offered := l.labels // meanwhile
	l.labels = got.unasked
	l.add(offered)
	l.add(got.more)
}

// begin starts the attempts for which there is a worker.
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

// wait returns attempts that have ended, or nothing when there may be more to claim. While attempts are quick it collects them for a
// moment, so that they are stored together.
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

// close reports whether the lane ends, because nothing is left to claim or in any case. Labels that are offered later start another one.
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
