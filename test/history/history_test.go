// Tests of the program with histories of calls, recorded outside of the portal while its processes are killed and paused.
//
// WATTLE_HISTORIES is the number of seeds for each engine; 2 by default.
package history

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/test/fixture"
)

// setting is a portal with members who have shares of some projects: one project for each history.
type setting struct {
	t        testing.TB
	portal   *portaltest.Portal
	binary   string
	replicas int
	silent   bool     // buildSilent built the binary
	people   []string // their tokens
	staff    string
	projects []string
}

// prepare fills a portal, stops it, and signs its members in to the program, which continues with the same data.
func prepare(t *testing.T, p *portaltest.Portal, binary string, histories int) *setting {
	s := &setting{t: t, portal: p, binary: binary, replicas: 1}
	if p.CanReplicate() {
		s.replicas = 2
	}
	all := &fixture.Members{Customers: &fixture.Customers{Portal: p, T: t}}
	projects, shares := []fixture.Object{}, []fixture.Object{}
	names := make([]string, Members)
	for i := range Members {
		m := all.With(t, 0)
		names[i] = m.Username
		for n := range histories {
			code := fmt.Sprintf("H%03d", n)
			shares = append(shares, fixture.Object{"debtor_number": m.Debtor, "participation_identifier": fmt.Sprintf("%s-%d", code, i),
				"project_code": code, "share": Begun, "address": Home(int8(i))})
		}
	}
	for n := range histories {
		s.projects = append(s.projects, fmt.Sprintf("H%03d", n))
		projects = append(projects, fixture.Object{"project_code": s.projects[n], "project_name": "Windpark " + s.projects[n],
			"project_type":          "WIND",
			"member_offer_settings": []fixture.Object{{"from_date": "2024-01-01", "min_price": 20, "max_price": 60, "allow_selling": true}}})
	}
	require.Empty(t, fixture.Records(t, p, "project", projects...))
	require.Empty(t, fixture.Records(t, p, "participation", shares...))
	p.Staff("alpha")
	p.Stop()
	c := s.serve("")
	defer c.stop()
	h := &History{Options: Options{Addr: c.addr}, t: t, client: http.DefaultClient}
	signIn := func(name string) string {
		status, raw := h.request(0, http.MethodPost, "/auth/sign-in", "", object{"username": name, "password": portaltest.Password})
		require.Equal(t, http.StatusOK, status, string(raw))
		return decode[struct {
			Token string `json:"id_token"`
		}](h, raw).Token
	}
	for _, name := range names {
		s.people = append(s.people, signIn(name))
	}
	s.staff = signIn("medewerker@alpha.example")
	return s
}

// serve starts the processes, with a planted bug or, if bug is empty, without.
func (s *setting) serve(bug string) *cluster {
	c := &cluster{t: s.t, binary: s.binary, flags: s.portal.Flags(), bug: bug}
	for i := range s.replicas {
		c.start(i)
	}
	return c
}

// plan defines a history of these tests. The seed also determines when processes are killed and paused.
type plan struct {
	seed          uint64
	calls         int
	kills, pauses int
}

// settleTimeout is the maximum time for the transfers of paid orders after the last call.
const settleTimeout = 20 * time.Second

// orphaned is the maximum time in which a PostgreSQL server may still commit for a client that is gone.
const orphaned = 500 * time.Millisecond

// play records a history, as defined by a plan, on running processes.
func (s *setting) play(t testing.TB, on *cluster, p plan) (*History, []porcupine.Operation) {
	o := Options{Seed: p.seed, Calls: p.calls, Addr: on.addr, Project: s.projects[0], Staff: func() string { return s.staff },
		Settle: settleTimeout, Silent: s.silent, Disturb: func(h *History, finished <-chan struct{}) { on.disturb(h, p, finished) }}
	if on.bug != "" {
		o.Settle = 2 * time.Second
	}
	if len(on.running) > 1 {
		o.Orphaned = orphaned
	}
	s.projects = s.projects[1:]
	for i, token := range s.people {
		o.People = append(o.People, Person{func() string { return token }, fmt.Sprintf("%s-%d", o.Project, i)})
	}
	on.kills, on.pauses = 0, 0
	h := New(t, o)
	all := h.Play()
	if name := os.Getenv("WATTLE_HISTORY"); name != "" { // writes a page that shows the last history
		require.NoError(t, porcupine.VisualizePath(model, visual(all), name))
	}
	return h, all
}

// visual returns porcupine's view of a history.
func visual(all []porcupine.Operation) porcupine.LinearizationInfo {
	_, info := porcupine.CheckOperationsVerbose(model, all, time.Minute)
	return info
}

func skip(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: starts the program several times")
	}
}

// options returns the options of a portal in which shares can be transferred on the day of the order.
func options() portaltest.Options {
	return portaltest.Options{Modules: modules.All, CUE: fixture.SandboxPayments,
		Labels: []portaltest.Label{{Key: "alpha", CUE: "modules: marketplace: transfer: earliest_days: 0"}}}
}

// seeds returns the number of histories for each engine.
func seeds(t testing.TB) int {
	t.Helper()
	text := os.Getenv("WATTLE_HISTORIES")
	if text == "" {
		return 2
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

func TestHistories(t *testing.T) {
	skip(t)
	binary := build(t, filepath.Join(t.TempDir(), "wattle"))
	shipped, err := os.ReadFile(binary)
	require.NoError(t, err)
	t.Run("11-history-planted", func(t *testing.T) {
		assert.False(t, bytes.Contains(shipped, []byte("WATTLE_PLANTED")), "the program that is shipped has no switch for bugs")
		for _, b := range bugs {
			assert.False(t, bytes.Contains(shipped, []byte(b.name)), b.name)
		}
	})
	binary = buildSilent(t)
	portaltest.Each(t, options(), func(t *testing.T, p *portaltest.Portal) {
		n := seeds(t)
		s := prepare(t, p, binary, n)
		s.silent = true
		t.Run("11-history-linearizable", func(t *testing.T) {
			total, pairs, kills, pauses, cut, disordered := map[string]int{}, 0, 0, 0, 0, 0
			on := s.serve("")
			defer on.stop()
			for seed := range uint64(n) {
				h, all := s.play(t, on, plan{seed: seed, calls: 40, kills: 2, pauses: 2})
				began := time.Now()
				if !assert.Equal(t, porcupine.Ok, Check(t, all), "seed %d: members were told what cannot be", seed) {
					t.Log(strings.Join(Describe(all), "\n"))
				}
				assert.Zero(t, h.Stuck, "seed %d: calls that never got an answer", seed)
				assert.Equal(t, 2, on.kills, "seed %d", seed)
				assert.Equal(t, 2, on.pauses, "seed %d", seed)
				over := overlaps(all)
				t.Logf("seed %d: %d operations, %d pairs at once, %d connections cut by %d kills, %d pauses, %d answers of 5xx, %d of 429, checked in %v",
					seed, len(all), over, h.Cut, on.kills, on.pauses, h.Failed, h.Limited, time.Since(began).Round(time.Millisecond))
				pairs, kills, pauses, cut = pairs+over, kills+on.kills, pauses+on.pauses, cut+h.Cut
				disordered += h.Disordered
				for k, v := range Count(all) {
					total[k] += v
				}
			}
			t.Logf("%d histories: %s", n, Listed(total))
			for what, least := range map[string]int{"sell": 4, "approve": 4, "fill": 10, "place SUCCESS": 8, "place OFFER_UNAVAILABLE": 1,
				"place BASKET_EMPTY": 1, "pay": 4, "cancel": 4,
				"cancel (refused)": 1, "transfer": 1, "my orders": 10, "my shares": 10, "market": 10} {
				assert.GreaterOrEqual(t, total[what], least*n/2, what)
			}
			assert.Greater(t, pairs, 100*n, "pairs of operations at once")
			assert.Equal(t, 2*n, kills)
			assert.Equal(t, 2*n, pauses)
			assert.Positive(t, cut, "connections that a kill cut")
			assert.Positive(t, disordered, "payments that were notified late, twice, in another order or never")
		})
		out, err := exec.Command(binary, append([]string{"marketplace", "audit"}, p.Flags()...)...).CombinedOutput()
		require.NoError(t, err, string(out))
	})
}

// Each planted bug makes the history of its seed impossible.
func TestPlanted(t *testing.T) {
	skip(t)
	text := fmt.Sprint(edits)
	for _, b := range bugs {
		require.Contains(t, text, strconv.Quote(b.name), "a bug that is nowhere planted")
	}
	require.GreaterOrEqual(t, len(bugs), 15)
	binary := buildPlanted(t)
	portaltest.Each(t, options(), func(t *testing.T, p *portaltest.Portal) {
		s := prepare(t, p, binary, maxFinds*len(bugs))
		t.Run("11-history-planted", func(t *testing.T) {
			for _, b := range bugs {
				if b.postgres != p.CanReplicate() {
					continue
				}
				t.Run(b.name, func(t *testing.T) { s.find(t, b) })
			}
		})
	})
}

// maxFinds is how often the history of a seed is played to detect a bug.
const maxFinds = 5

// find fails unless a bug is detected. Scheduling does not depend on the seed, so a history may miss a bug that it usually detects.
func (s *setting) find(t *testing.T, b bug) {
	on := s.serve(b.name)
	defer on.stop()
	for try := range maxFinds {
		h, all := s.play(t, on, plan{seed: b.seed, calls: 40, kills: min(try, 1), pauses: 1})
		if Check(t, all) == porcupine.Illegal {
			t.Logf("found by seed %d at try %d in %d operations: %s", b.seed, try+1, len(all), b.what)
			return
		}
		t.Logf("seed %d did not find it: %d operations, %d pairs at once, %d stuck: %s", b.seed, len(all), overlaps(all), h.Stuck,
			Listed(Count(all)))
	}
	t.Errorf("seed %d does not find %s: %s", b.seed, b.name, b.what)
}
