//go:build linux

package cluster_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/test/history"
)

type object = map[string]any

// call is a call through the balancer, or a command.
type call struct {
	kind         string
	began, ended time.Time
	failed       bool // no response, or a 5xx
}

// callTimeout is the maximum time that a caller waits.
const callTimeout = 15 * time.Second

func (w *world) record(kind string, began time.Time, failed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, call{kind, began, time.Now(), failed})
}

// request makes a call through the balancer. status is 0 when the connection broke.
func (w *world) request(kind, host, method, path, token string, body any) (status int, raw []byte) {
	began := time.Now()
	status, raw = w.try(callTimeout, kind, host, method, path, token, body)
	w.record(kind, began, status == 0 || status >= 500)
	return status, raw
}

func (w *world) try(timeout time.Duration, kind, host, method, path, token string, body any) (int, []byte) {
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Error(err)
		return 0, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, "http://"+w.balancer+"/api/v0"+path, bytes.NewReader(text))
	if err != nil {
		w.t.Error(err)
		return 0, nil
	}
	r.GetBody, r.Host = nil, host+".localhost"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.0.%d.%d", len(kind), kind[0]))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := w.client.Do(r)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, nil
	}
	return res.StatusCode, raw
}

// session is a user who signs in, and signs in again before the token expires.
type session struct {
	w              *world
	host, username string
	mu             sync.Mutex
	value          string
	at             time.Time
}

const tokenAge = 4 * time.Minute

func (w *world) session(host, username string) *session {
	return &session{w: w, host: host, username: username}
}

func (s *session) token() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for end := time.Now().Add(time.Minute); time.Since(s.at) > tokenAge && time.Now().Before(end); {
		began := time.Now()
		status, raw := s.w.request("sign in", s.host, http.MethodPost, "/auth/sign-in", "",
			object{"username": s.username, "password": portaltest.Password})
		var out struct {
			Token string `json:"id_token"`
		}
		if status == http.StatusOK && json.Unmarshal(raw, &out) == nil && out.Token != "" {
			s.value, s.at = out.Token, began
			break
		}
		if status > 0 && status < 500 && status != http.StatusTooManyRequests {
			s.w.t.Errorf("%s cannot sign in: %d %s", s.username, status, raw)
			break
		}
		<-time.After(200 * time.Millisecond)
	}
	return s.value
}

// acks are the confirmed writes of one kind.
type acks struct {
	mu  sync.Mutex
	all []string
}

func (a *acks) add(what ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, what...)
}

func (a *acks) missing(in string) (out []string) {
	for _, x := range a.all {
		if !strings.Contains(in, x) {
			out = append(out, x)
		}
	}
	return out
}

func ok(status int) bool { return status >= 200 && status < 300 }

// customers reads pages as a customer and requests changes of the phone number, on which staff decide.
func (w *world) customers(n int) {
	who := w.session("alpha", w.names[n])
	r := rand.New(rand.NewPCG(w.seed, uint64(100+n)))
	for i := 0; !w.stopped(); i++ {
		for _, page := range []string{"/relations", "/relations/addresses", "/relations/phonenumber", "/sustainable/notifications"} {
			if status, raw := w.request("page", "alpha", http.MethodGet, page, who.token(), nil); status >= 400 && status < 500 {
				w.t.Errorf("%s: %d %s", page, status, raw)
			}
		}
		number := fmt.Sprintf("06%01d%07d", n+1, i+1)
		status, raw := w.request("change of details", "alpha", http.MethodPut, "/relations/phonenumber", who.token(),
			object{"phone_number": number})
		switch {
		case ok(status):
			w.phones.add(number[1:])
		case status >= 400 && status < 500 && status != http.StatusConflict: // 409: the previous change is still pending
			w.t.Errorf("%s: %d %s", number, status, raw)
		}
		<-time.After(time.Duration(300+r.IntN(400)) * time.Millisecond)
	}
}

// staffDecide approves the phone number changes as staff.
func (w *world) staffDecide() {
	for !w.stopped() {
		status, raw := w.request("queue of staff", "alpha", http.MethodGet, "/staff/changes?state=PENDING&kind=account.phone&limit=50",
			w.staff.token(), nil)
		var list struct{ Items []struct{ ID string } }
		if ok(status) && json.Unmarshal(raw, &list) == nil {
			for _, x := range list.Items {
				w.request("decision", "alpha", http.MethodPost, "/staff/changes/"+x.ID+"/decision", w.staff.token(), object{"state": "PROCESSED"})
			}
		}
		<-time.After(300 * time.Millisecond)
	}
}

// notes saves notes through the plugin, which stores them in its own database schema.
func (w *world) notes() {
	who := w.session("beta", w.noter)
	for i := 0; !w.stopped(); i++ {
		w.note(who, fmt.Sprintf("n%05d", i))
		<-time.After(150 * time.Millisecond)
	}
}

func (w *world) note(who *session, id string) bool {
	status, raw := w.request("note of the plugin", "beta", http.MethodPut, "/fixture/notes/"+id, who.token(), object{"text": id})
	if status >= 400 && status < 500 {
		w.t.Errorf("note: %d %s", status, raw)
	}
	if ok(status) {
		w.written.add(`"` + id + `"`)
	}
	return ok(status)
}

// mails publishes notifications as staff, which are also emailed. Repeating a request with the same id sends nothing.
func (w *world) mails() {
	for i := 0; !w.stopped(); i++ {
		title := fmt.Sprintf("Bericht %05d", i)
		for !w.stopped() {
			status, raw := w.request("notification", "alpha", http.MethodPost, "/staff/notifications", w.staff.token(),
				object{"id": fmt.Sprint("crm-", i), "kind": "contract",
					"audience": object{"kind": "selection", "relations": []string{w.debtors[i%len(w.debtors)]}}, "mail": true, "publish_at": nil,
					"title": object{"nl": title, "en": title}, "message": object{"nl": "<p>Hallo</p>", "en": "<p>Hello</p>"}})
			if ok(status) {
				w.sent.add(title)
				break
			}
			if status >= 400 && status < 500 {
				w.t.Errorf("notification: %d %s", status, raw)
				break
			}
			<-time.After(200 * time.Millisecond)
		}
		<-time.After(300 * time.Millisecond)
	}
}

// imports runs the import command, as a back office does at night.
func (w *world) imports() {
	const size = 20
	for i := 0; !w.stopped(); i++ {
		var text strings.Builder
		var debtors []string
		for n := range size {
			debtor := fmt.Sprintf("7%04d%03d", i, n)
			debtors = append(debtors, debtor)
			fmt.Fprintf(&text, `{"debtor_number":%q,"salutation":"MR","initials":"J.","last_name":"Import%s","email":"i%s@leden.example"}`+"\n",
				debtor, debtor, debtor)
		}
		file := filepath.Join(w.folder, "import.ndjson")
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			w.t.Error(err)
			return
		}
		began := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		out, err := exec.CommandContext(ctx, w.binary, append([]string{"import", "--label", "alpha", "--kind", "relation", file},
			w.flags...)...).CombinedOutput()
		cancel()
		w.record("import of 20 records", began, err != nil)
		if err == nil {
			w.imported.add(debtors...)
		} else {
			w.importErrors = append(w.importErrors, string(out))
		}
		<-time.After(2 * time.Second)
	}
}

// labels changes the page title on disk, and measures how long it takes until all running portals show it.
func (w *world) labels() {
	file := filepath.Join(w.labelsDir, "alpha", "label.cue")
	text, err := os.ReadFile(file)
	if err != nil {
		w.t.Error(err)
		return
	}
	for i := 0; !w.stopped(); i++ {
		title := fmt.Sprintf("Mijn Alpha %d", i)
		err := os.WriteFile(file+".new", bytes.Replace(text, []byte("Mijn Alpha"), []byte(title), 1), 0o600)
		if err := errors.Join(err, os.Rename(file+".new", file)); err != nil {
			w.t.Error(err)
			return
		}
		began := time.Now()
		live := w.shown(title, 10*time.Second)
		w.record("label edit, live everywhere", began, !live)
		<-time.After(time.Second)
	}
}

// shown waits until every portal shows a title, and reports whether it did.
func (w *world) shown(title string, within time.Duration) bool {
	for end := time.Now().Add(within); time.Now().Before(end); <-time.After(100 * time.Millisecond) {
		shown := 0
		for _, p := range w.portals {
			r, err := http.NewRequest(http.MethodGet, "http://"+p.addr+"/api/v0/portal", nil)
			if err != nil {
				return false
			}
			r.Host = "alpha.localhost"
			res, err := (&http.Client{Timeout: time.Second}).Do(r)
			if err != nil {
				continue
			}
			raw, _ := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if bytes.Contains(raw, []byte(title)) {
				shown++
			}
		}
		if shown == len(w.portals) {
			return true
		}
	}
	return false
}

// buyers plays histories of buying and selling, one after the other, and checks each.
func (w *world) buyers() {
	for n := 0; !w.stopped() && n < len(w.projects); n++ {
		o := history.Options{Seed: w.seed + uint64(n), Calls: 30, Addr: func(int) string { return w.balancer }, Project: w.projects[n],
			Staff: w.staff.token,
			// The effect of a broken call may exist only on the standby, and appear when that is promoted.
			Orphaned: 8 * time.Second, Pause: time.Second, Think: 100 * time.Millisecond, Settle: 20 * time.Second}
		for i, m := range w.members {
			o.People = append(o.People, history.Person{Token: m.token, Participation: fmt.Sprintf("%s-%d", o.Project, i)})
		}
		h := history.New(w.t, o)
		all := h.Play()
		w.histories++
		w.operations += len(all)
		w.lost += h.Cut + h.Failed
		assert.Zero(w.t, h.Stuck, "calls that never got an answer")
		for k, v := range history.Count(all) {
			w.trade[k] += v
		}
		w.checks.Go(func() {
			switch result := history.Within(time.Minute, all); result {
			case porcupine.Unknown:
				w.mu.Lock()
				w.undecided++
				w.mu.Unlock()
			case porcupine.Illegal:
				w.t.Errorf("seed %d: members were told what cannot be\n%s", o.Seed, strings.Join(history.Describe(all), "\n"))
			}
		})
	}
}

// fault is a fault that the test made.
type fault struct {
	what string
	at   time.Time
}

// failed returns the time of the last failed call between two times, and the number of failed calls. An import is a whole command and is
// repeated as one: its start counts. An edit of a label does not count: it waits for every portal, also for one that is down.
func (w *world) failed(from, to time.Time) (last time.Time, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.calls {
		if !c.failed || c.ended.Before(from) || c.ended.After(to) || strings.HasPrefix(c.kind, "label") {
			continue
		}
		n++
		at := c.ended
		if strings.HasPrefix(c.kind, "import") {
			at = c.began
		}
		if at.After(last) {
			last = at
		}
	}
	return last, n
}

// calm waits until all kinds of calls have succeeded for a while, so that a recovery time belongs to one fault only.
func (w *world) calm(since time.Time) {
	const quiet = 2 * time.Second
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); <-time.After(100 * time.Millisecond) {
		last, n := w.failed(since, time.Now())
		if time.Since(since) > quiet && (n == 0 || time.Since(last) > quiet) {
			return
		}
	}
}

// kinds are the faults of a round. A portal is killed first, so that the deliveries that it had claimed are released before a short run
// ends.
var kinds = []string{"kill a portal", "stop the primary, promote the standby", "pause a portal for 3 s", "kill a portal",
	"kill PgBouncer, start it again", "kill a plugin"}

// disturb makes faults until a time, each kind at least once, and waits until the last one is over.
func (w *world) disturb(until time.Time) {
	r := rand.New(rand.NewPCG(w.seed, 1))
	<-time.After(2 * time.Second)
	for round := 0; ; round++ {
		order := slices.Clone(kinds)
		if round > 0 {
			r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		for _, kind := range order {
			if round > 0 && time.Now().After(until) {
				return
			}
			f := fault{kind, time.Now()}
			w.fault(kind, r)
			w.faults = append(w.faults, f)
			w.calm(f.at)
			<-time.After(time.Duration(1000+r.IntN(1000)) * time.Millisecond)
		}
	}
}

func (w *world) fault(kind string, r *rand.Rand) {
	switch kind {
	case kinds[0]:
		n := w.kills % len(w.portals)
		w.kills++
		p := w.portals[n]
		p.end(9)
		binary := w.binary
		if n == len(w.portals)-1 { // this portal alternates between both versions
			w.isPrevious = !w.isPrevious
			if w.isPrevious {
				binary = w.previous
			}
		}
		assert.NoError(w.t, p.serve(binary))
		assert.NoError(w.t, p.ready(time.Minute))
	case kinds[1]:
		w.rebuilt.Wait() // the standby must be complete before its promotion
		old, err := w.db.failover(w.pooler)
		assert.NoError(w.t, err)
		w.rebuilt.Go(func() { assert.NoError(w.t, w.db.clone(old)) })
	case kinds[2]:
		w.portals[r.IntN(len(w.portals))].pause(3 * time.Second)
	case kinds[4]:
		w.pooler.end(9)
		<-time.After(500 * time.Millisecond)
		assert.NoError(w.t, w.pooler.start())
	case kinds[5]:
		assert.True(w.t, w.portals[r.IntN(len(w.portals))].killPlugin(), "the process of the plugin is found")
	}
}
