//go:build linux

// Package cluster_test runs a production setup: three portals behind a load balancer, PgBouncer in transaction mode, and PostgreSQL with a
// synchronous standby. Customers, buyers, staff, imports and label edits continue while processes are killed and paused, the primary is
// stopped and the standby promoted, and a previous version runs side by side with this one. Confirmed writes must not be lost.
//
// WATTLE_CLUSTER is the duration, extended until each fault was made once; without it the test is skipped. WATTLE_CLUSTER_SEED sets
// another seed, WATTLE_PREVIOUS the commit of the previous version.
package cluster_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/test/fixture"
	"github.com/wattle-portal/wattle/test/history"
)

// recovery is the maximum time from a fault to the last failed call (11-cluster-recovers).
const recovery = 10 * time.Second

// isLong reports whether this is a run of `make soak`, which has the machine to itself.
func (w *world) isLong() bool { return duration(w.t) >= 5*time.Minute }

// maxRecovery returns recovery in a long run, and a longer limit in a short one, which only detects hangs.
func (w *world) maxRecovery() time.Duration {
	if w.isLong() {
		return recovery
	}
	return 4 * recovery
}

// world is the cluster with its users and the responses that they received.
type world struct {
	t          testing.TB
	seed       uint64
	folder     string
	binary     string
	previous   string
	isPrevious bool // whether the last portal runs the previous version
	flags      []string
	client     *http.Client

	db        *database
	pooler    *pooler
	sink      *sink
	balancer  string
	portals   []*portal
	labelsDir string
	name      string // name of the database

	names, debtors, projects []string
	members                  []*session
	staff                    *session
	noter                    string

	done    chan struct{}
	checks  sync.WaitGroup
	rebuilt sync.WaitGroup

	mu     sync.Mutex
	calls  []call
	faults []fault
	kills  int

	phones, written, sent, imported acks
	importErrors                    []string
	histories, operations           int
	lost, undecided                 int
	trade                           map[string]int
}

func (w *world) stopped() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

func duration(t testing.TB) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(os.Getenv("WATTLE_CLUSTER"))
	require.NoError(t, err)
	return d
}

func TestCluster(t *testing.T) {
	if os.Getenv("WATTLE_CLUSTER") == "" {
		t.Skip("starts a cluster: make soak, or WATTLE_CLUSTER=1m")
	}
	bin, err := postgresPrograms()
	if err != nil {
		if os.Getenv("WATTLE_REQUIRE_POSTGRES") == "1" {
			t.Fatal("PostgreSQL is not installed (Debian: apt-get install postgresql)")
		}
		t.Skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
	}
	bouncer, err := exec.LookPath("pgbouncer")
	if err != nil {
		if bouncer = "/usr/sbin/pgbouncer"; exec.Command(bouncer, "--version").Run() != nil {
			t.Skip("PgBouncer is not installed (Debian: apt-get install pgbouncer)")
		}
	}
	as, err := unprivileged()
	require.NoError(t, err)
	w := &world{t: t, seed: 1, folder: t.TempDir(), done: make(chan struct{}), trade: map[string]int{},
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	if text := os.Getenv("WATTLE_CLUSTER_SEED"); text != "" {
		w.seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	started := time.Now()
	w.binary, err = filepath.Abs(filepath.Join(root, "bin", "wattle"))
	require.NoError(t, err)
	build(t, root, w.binary, "./core/cmd/wattle")
	var previousName string
	w.previous, previousName = buildPrevious(t, w.folder, w.binary, w.isLong())
	plugins := buildPlugin(t, w.binary, w.folder)
	w.db = startDatabase(t, bin, as)
	t.Setenv("WATTLE_TEST_POSTGRES", w.db.direct("postgres"))
	portaltest.Each(t, portaltest.Options{Modules: modules.All, CUE: fixture.SandboxPayments, Labels: []portaltest.Label{
		{Key: "alpha", CUE: "modules: marketplace: transfer: earliest_days: 0"}, {Key: "beta"}}}, func(t *testing.T, p *portaltest.Portal) {
		if !p.CanReplicate() {
			return
		}
		w.t = t
		w.prepare(t, p)
		p.Stop()
		w.pooler = startPooler(t, w.db, bouncer)
		w.sink = startSink(t)
		w.start(t, p, plugins)
		balanced := make([]string, len(w.portals))
		for i, one := range w.portals {
			balanced[i] = one.addr
		}
		var balancer string
		w.balancer, balancer = startBalancer(t, w.db, balanced)
		t.Logf("previous version: %s; balancer: %s; seed %d; set up in %s", previousName, balancer, w.seed,
			time.Since(started).Round(time.Second))
		began := time.Now()
		w.work(began.Add(duration(t)))
		took := time.Since(began)
		w.settle(t)
		t.Run("11-cluster-nothing-lost", w.nothingLost)
		t.Run("11-cluster-nothing-lost", w.noMailTwice)
		t.Run("11-cluster-not-oversold", w.notOversold)
		t.Run("11-cluster-recovers", func(t *testing.T) { w.recovers(t, took) })
		if !t.Failed() {
			t.Run("11-cluster-standby-gone", w.standbyGone)
			t.Run("11-cluster-asynchronous", w.asynchronous)
			t.Run("11-cluster-no-standby", w.noStandby)
		}
		if t.Failed() {
			w.logs(t)
		}
	})
}

// prepare fills the portal: customers, members with shares of many projects, staff.
func (w *world) prepare(t *testing.T, p *portaltest.Portal) {
	u, err := url.Parse(p.Flags()[len(p.Flags())-1])
	require.NoError(t, err)
	w.name = strings.TrimPrefix(u.Path, "/")
	w.labelsDir = p.LabelsDir()
	all := &fixture.Members{Customers: &fixture.Customers{Portal: p, T: t}}
	for range 3 {
		c := all.New()
		w.names, w.debtors = append(w.names, c.Username), append(w.debtors, c.Debtor)
	}
	projects, shares := []fixture.Object{}, []fixture.Object{}
	for n := range 8 + int(duration(t)/(4*time.Second)) {
		w.projects = append(w.projects, fmt.Sprintf("H%03d", n))
		projects = append(projects, fixture.Object{"project_code": w.projects[n], "project_name": "Windpark " + w.projects[n],
			"project_type":          "WIND",
			"member_offer_settings": []fixture.Object{{"from_date": "2024-01-01", "min_price": 20, "max_price": 60, "allow_selling": true}}})
	}
	for i := range history.Members {
		m := all.With(t, 0)
		w.members = append(w.members, w.session("alpha", m.Username))
		for _, code := range w.projects {
			shares = append(shares, fixture.Object{"debtor_number": m.Debtor, "participation_identifier": fmt.Sprintf("%s-%d", code, i),
				"project_code": code, "share": history.Begun, "address": history.Home(int8(i))})
		}
	}
	require.Empty(t, fixture.Records(t, p, "project", projects...))
	require.Empty(t, fixture.Records(t, p, "participation", shares...))
	p.Staff("alpha")
	w.staff = w.session("alpha", "medewerker@alpha.example")
	w.noter = "noter@klant.example"
	p.AddAccount(portaltest.Account{Label: "beta", Relation: "r1", Username: w.noter, Email: w.noter, Name: "Noter"}, portaltest.Password,
		false)
	// Added last, because the portal of the test has no plugins.
	file := filepath.Join(w.labelsDir, "beta", "label.cue")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(text, "modules: fixture: {}\n"...), 0o600))
}

// start starts the portals. The last one runs the previous version.
func (w *world) start(t *testing.T, p *portaltest.Portal, plugins string) {
	key, err := os.ReadFile(filepath.Join(p.DataDir(), "identity.key"))
	require.NoError(t, err)
	data := func(name string) string {
		folder := filepath.Join(w.folder, name)
		require.NoError(t, os.Mkdir(folder, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "identity.key"), key, 0o600))
		return folder
	}
	base := []string{"--labels", w.labelsDir, "--plugins", plugins, "--database", w.pooler.url(w.name), "--database-direct",
		w.db.direct(w.name)}
	w.flags = append(slices.Clone(base), "--data", data("command"))
	for i := range 3 {
		one := &portal{addr: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
		one.name, one.again = fmt.Sprint("portal", i), 2*time.Second // RestartSec of deploy/linux/wattle.service
		one.log = filepath.Join(w.folder, one.name+".log")
		one.args = append([]string{"", "serve", "--addr", one.addr, "--log-level", "warn", "--demo", "--unsafe", "--trusted-proxies",
			"127.0.0.0/8", "--smtp", "smtp://" + w.sink.addr + "?tls=none", "--data", data(one.name)}, base...)
		binary := w.binary
		if i == 2 {
			binary, w.isPrevious = w.previous, true
		}
		w.portals = append(w.portals, one)
		require.NoError(t, one.serve(binary))
		t.Cleanup(func() { one.end(syscall.SIGKILL) })
	}
	for _, one := range w.portals {
		require.NoError(t, one.ready(time.Minute))
	}
}

// work runs all users and makes faults until a time.
func (w *world) work(until time.Time) {
	var people sync.WaitGroup
	for n := range w.names {
		people.Go(func() { w.customers(n) })
	}
	for _, one := range []func(){w.staffDecide, w.notes, w.mails, w.imports, w.labels, w.buyers} {
		people.Go(one)
	}
	w.disturb(until)
	if left := time.Until(until); left > 0 {
		<-time.After(left)
	}
	close(w.done)
	people.Wait()
	w.rebuilt.Wait()
	w.checks.Wait()
}

// settle waits until all confirmed emails are sent. Emails that a killed portal had claimed are released after their lease.
func (w *world) settle(t *testing.T) {
	for end := time.Now().Add(90 * time.Second); time.Now().Before(end); <-time.After(100 * time.Millisecond) {
		got := map[string]bool{}
		for m := range w.sink.bySubject() {
			got[m.subject] = true
		}
		if !slices.ContainsFunc(w.sent.all, func(title string) bool { return !got[title] }) {
			return
		}
	}
	t.Error("mails that were confirmed have not arrived")
}

// stored returns a column of the primary as one string.
func (w *world) stored(t *testing.T, query string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := w.db.primary.superuser(ctx, w.name)
	require.NoError(t, err)
	defer func() { _ = c.Close(ctx) }() // the connection is no longer needed
	var text string
	require.NoError(t, c.QueryRow(ctx, "SELECT coalesce(string_agg(x, ' '), '') FROM ("+query+") AS t(x)").Scan(&text))
	return text
}

const notesQuery = `SELECT '"' || id || '"' FROM wattle_plugin_fixture.fixture_notes`

func (w *world) nothingLost(t *testing.T) {
	for what, x := range map[string]struct {
		acks  *acks
		least int
		in    string
	}{
		"changes of details": {&w.phones, 20, w.stored(t, "SELECT data::text FROM account_changes")},
		"notes of a plugin":  {&w.written, 50, w.stored(t, notesQuery)},
		"notifications":      {&w.sent, 30, w.stored(t, "SELECT title_nl FROM notifications_notifications")},
		"imported records":   {&w.imported, 60, w.stored(t, "SELECT debtor_number FROM account_relations")},
	} {
		missing := x.acks.missing(x.in)
		assert.Empty(t, missing, "%s that were confirmed are lost", what)
		assert.GreaterOrEqual(t, len(x.acks.all), x.least, what)
		t.Logf("%s: %d confirmed, %d lost", what, len(x.acks.all), len(missing))
	}
	out, err := exec.Command(w.binary, append([]string{"audit", "verify"}, w.flags...)...).CombinedOutput()
	assert.NoError(t, err, string(out))
}

func (w *world) noMailTwice(t *testing.T) {
	got := w.sink.bySubject()
	twice := 0
	for m, n := range got {
		if strings.HasPrefix(m.subject, "Bericht ") && n != 1 {
			twice++
			t.Errorf("%d different mails: %v", n, m)
		}
	}
	assert.Empty(t, w.sink.wrong)
	t.Logf("%d mails, %d of them twice, %d sent again with the same Message-ID", len(w.sink.taken), twice, w.sink.repeat)
}

func (w *world) notOversold(t *testing.T) {
	for what, least := range map[string]int{"place SUCCESS": 8, "pay": 4, "cancel": 2, "transfer": 1, "my orders": 5, "market": 5} {
		assert.GreaterOrEqual(t, w.trade[what], least, what)
	}
	assert.Positive(t, w.lost, "calls of buyers that faults cut")
	assert.GreaterOrEqual(t, w.histories-w.undecided, 2, "histories that were decided")
	assert.LessOrEqual(t, w.undecided, 1+w.histories/10, "histories that the checker could not decide within a minute")
	out, err := exec.Command(w.binary, append([]string{"marketplace", "audit"}, w.flags...)...).CombinedOutput()
	assert.NoError(t, err, string(out))
	t.Logf("%d histories (%d undecided) of %d operations, %d calls without an answer: %s", w.histories, w.undecided, w.operations, w.lost,
		history.Listed(w.trade))
}

func (w *world) recovers(t *testing.T, took time.Duration) {
	type row struct {
		n, failed int
		worst     time.Duration
	}
	faults := map[string]*row{}
	for i, f := range w.faults {
		next := time.Now()
		if i+1 < len(w.faults) {
			next = w.faults[i+1].at
		}
		last, n := w.failed(f.at, next)
		x := faults[f.what]
		if x == nil {
			x = &row{}
			faults[f.what] = x
		}
		x.n, x.failed = x.n+1, x.failed+n
		if n > 0 {
			x.worst = max(x.worst, last.Sub(f.at))
			assert.LessOrEqual(t, last.Sub(f.at), w.maxRecovery(), "fault %d, %s: calls failed", i, f.what)
		}
	}
	for _, kind := range kinds {
		assert.Contains(t, faults, kind, "a fault that was not made")
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n| fault | times | failed calls | longest until nothing failed |\n|---|---|---|---|\n", took.Round(time.Second))
	for _, kind := range slices.Sorted(maps.Keys(faults)) {
		x := faults[kind]
		fmt.Fprintf(&text, "| %s | %d | %d | %.1f s |\n", kind, x.n, x.failed, x.worst.Seconds())
	}
	calls := map[string]*row{}
	for _, c := range w.calls {
		if calls[c.kind] == nil {
			calls[c.kind] = &row{}
		}
		x := calls[c.kind]
		x.n++
		if c.failed {
			x.failed++
		}
		x.worst = max(x.worst, c.ended.Sub(c.began))
	}
	text.WriteString("| calls | made | failed | slowest |\n|---|---|---|---|\n")
	for _, kind := range slices.Sorted(maps.Keys(calls)) {
		x := calls[kind]
		fmt.Fprintf(&text, "| %s | %d | %d | %.1f s |\n", kind, x.n, x.failed, x.worst.Seconds())
	}
	t.Log(text.String())
	for kind, least := range map[string]int{"page": 100, "sign in": 8, "decision": 10, "label edit, live everywhere": 8} {
		if assert.Contains(t, calls, kind) {
			assert.GreaterOrEqual(t, calls[kind].n-calls[kind].failed, least, kind)
		}
	}
	for _, x := range w.importErrors {
		t.Log(x)
	}
	t.Logf("portals and pooler exited %d times of themselves", w.exits())
}

// exits counts how often portals and pooler exited by themselves.
func (w *world) exits() (n int) {
	for _, s := range []*server{&w.pooler.server, &w.portals[0].server, &w.portals[1].server, &w.portals[2].server} {
		s.mu.Lock()
		n += s.exits
		s.mu.Unlock()
	}
	return n
}

// disconnect stops the replication to the standby.
func (w *world) disconnect(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	c, err := w.db.standby.superuser(ctx, "postgres")
	require.NoError(t, err)
	defer func() { _ = c.Close(context.WithoutCancel(ctx)) }() // the connection is no longer needed
	for _, s := range []string{"ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"} {
		_, err = c.Exec(ctx, s)
		require.NoError(t, err)
	}
	require.NoError(t, w.db.primary.until("SELECT count(*) = 0 FROM pg_stat_replication"))
}

// standbyGone checks that the primary confirms nothing without its synchronous standby: callers wait until an operator gives the standby
// up.
func (w *world) standbyGone(t *testing.T) {
	who := w.session("beta", w.noter)
	who.token()
	w.disconnect(t)
	answered := make(chan bool, 1)
	go func() { answered <- w.note(who, "alone") }()
	require.NoError(t, w.db.primary.until("SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"),
		"that is how an operator sees it")
	select {
	case <-answered:
		t.Error("a write was confirmed that only one server has")
	case <-time.After(2 * time.Second):
	}
	status, raw := w.request("page", "alpha", http.MethodGet, "/relations", w.members[0].token(), nil)
	assert.Equal(t, http.StatusOK, status, "reads go on: %s", raw)
	for _, p := range w.portals {
		assert.NoError(t, p.ready(time.Second))
	}
	began := time.Now()
	require.NoError(t, w.db.synchronous(false))
	assert.True(t, <-answered)
	t.Logf("a write waited for the standby, and was confirmed %.1f s after synchronous_standby_names was emptied", time.Since(began).Seconds())
}

// asynchronous checks that only writes which the standby has not received are lost on promotion. It also proves that the test detects a
// loss.
func (w *world) asynchronous(t *testing.T) {
	who := w.session("beta", w.noter)
	for i := range 20 {
		require.True(t, w.note(who, fmt.Sprint("async-", i)))
	}
	alone := w.written.all[slices.Index(w.written.all, `"alone"`):] // confirmed while the standby was disconnected
	began := time.Now()
	_, err := w.db.failover(w.pooler)
	require.NoError(t, err)
	w.again(t, who, "async-again")
	missing := w.written.missing(w.stored(t, notesQuery))
	assert.Equal(t, alone, missing, "confirmed, and the standby did not receive it")
	t.Logf("%d confirmed writes were lost that an asynchronous standby had not received when it was promoted; the next write succeeded after %.1f s", len(missing), time.Since(began).Seconds())
}

// again repeats a write until it succeeds.
func (w *world) again(t *testing.T, who *session, id string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); <-time.After(50 * time.Millisecond) {
		if status, _ := w.try(callTimeout, "note", "beta", http.MethodPut, "/fixture/notes/"+id, who.token(), object{"text": id}); ok(status) {
			return
		}
	}
	t.Error("no write succeeds")
}

// noStandby checks that a single server that is started again still has everything that it confirmed.
func (w *world) noStandby(t *testing.T) {
	who := w.session("beta", w.noter)
	w.written.all = nil
	for i := range 20 {
		require.True(t, w.note(who, fmt.Sprint("single-", i)))
	}
	exits := w.exits()
	w.db.primary.end(syscall.SIGQUIT)
	<-time.After(2 * time.Second)
	res, err := http.Get("http://" + w.portals[0].addr + "/readyz")
	require.NoError(t, err)
	_ = res.Body.Close()
	assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
	began := time.Now()
	require.NoError(t, w.db.primary.start())
	w.again(t, who, "single-again")
	assert.Less(t, time.Since(began), w.maxRecovery())
	assert.Empty(t, w.written.missing(w.stored(t, notesQuery)))
	assert.Equal(t, exits, w.exits(), "no portal was started again")
	t.Logf("a single server that was killed and started again has all it confirmed; the next write succeeded %.1f s after its start",
		time.Since(began).Seconds())
}

// logs prints the end of the server logs.
func (w *world) logs(t *testing.T) {
	for _, s := range append([]*server{&w.db.primary.server, &w.pooler.server}, &w.portals[0].server, &w.portals[1].server,
		&w.portals[2].server) {
		raw, _ := os.ReadFile(s.log)
		t.Logf("%s:\n%s", s.name, bytes.ToValidUTF8(raw[max(0, len(raw)-3000):], nil))
	}
}
