package identity

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwk"

	"github.com/wattle-portal/wattle/core/internal/storage/token"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

var emptySet = jwk.NewSet()

// TestHasher checks that an unknown user takes as much work as a known one, and that the number of parallel hashes is bounded.
func TestHasher(t *testing.T) {
	h := newHasher(Cost{Time: 2, Memory: 16 << 10, Threads: 1}, 0, nil)
	ctx := t.Context()
	stored, err := h.hash(ctx, "Correct-Horse-7")
	if err != nil {
		t.Fatal(err)
	}
	if ok, stale, err := h.verify(ctx, "Correct-Horse-7", stored); !ok || stale || err != nil {
		t.Error(ok, stale, err)
	}
	if ok, _, err := h.verify(ctx, "correct-horse-7", stored); ok || err != nil {
		t.Error(ok, err)
	}
	dearer := newHasher(Cost{Time: 3, Memory: 16 << 10, Threads: 1}, 0, nil)
	if ok, stale, _ := dearer.verify(ctx, "Correct-Horse-7", stored); !ok || !stale {
		t.Error("a hash of another cost must match and be stale")
	}
	t.Run("8-id-wrong-credentials", func(t *testing.T) {
		for _, none := range []string{stored, "", "junk", "$argon2id$v=19$m=0,t=0,p=0$$", "$argon2i$v=19$m=65536,t=3,p=1$AA$AA"} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if ok, _, err := h.verify(ctx, "wrong", none); ok || err != nil {
				t.Error(none, ok, err)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used < 16<<20 { // time would be reliable only on an idle machine
				t.Errorf("%q costs %d bytes of memory: nothing was hashed", none, used)
			}
		}
	})
}

// TestGate checks that the number of parallel hashes is limited, with a lower limit while other requests are served, and that callers run
// in order of arrival.
func TestGate(t *testing.T) {
	t.Run("5.5-password-cores", func(t *testing.T) {
		all, others := runtime.GOMAXPROCS(0), true
		h := newHasher(TestCost, 0, func() bool { return others })
		if got := h.limiter.bound(); got != max(all/2, 1) {
			t.Errorf("%d of %d cores while others are served", got, all)
		}
		others = false
		if got := h.limiter.bound(); got != all {
			t.Errorf("%d of %d cores when nobody is served", got, all)
		}
		for cores, want := range map[int]int{1: 1, all: all, all + 1: all} { // cores configured by the operator
			if got := newHasher(TestCost, cores, func() bool { return true }).limiter.bound(); got != want {
				t.Errorf("%d of %d cores, %d are set", got, all, cores)
			}
		}
		for cores, want := range map[int]int{0: max(all/2, 1), all: all} { // as the service gets them
			s, err := New(Deps{Dir: t.TempDir(), Cores: cores, Busy: func() bool { return true }})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.providers.local.hasher.limiter.bound(); got != want {
				t.Errorf("the service uses %d cores, not %d", got, want)
			}
		}
		if h.limiter.max != 32*all {
			t.Errorf("%d may wait on %d cores", h.limiter.max, all)
		}

		busy := true
		g := &limiter{max: 8, bound: func() int { // simulates four cores on any machine
			if busy {
				return 1
			}
			return 4
		}}
		entered := make(chan func(), 8)
		state := func() (running, waiting int) {
			g.mu.Lock()
			defer g.mu.Unlock()
			return g.running, g.queue.Len()
		}
		waiting := func(n int) {
			for _, w := state(); w != n; _, w = state() {
				runtime.Gosched()
			}
		}
		for n := range 6 {
			go func() {
				leave, err := g.enter(context.Background())
				if err != nil {
					t.Error(err)
				}
				entered <- leave
			}()
			waiting(n)
		}
		leave := <-entered
		if running, _ := state(); running != 1 || len(entered) != 0 {
			t.Errorf("%d at once while others are served", running)
		}
		busy = false
		leave() // a caller that leaves admits as many callers as the bound now allows
		for range 4 {
			leaves := <-entered
			defer leaves()
		}
		waiting(1)
		if running, _ := state(); running != 4 {
			t.Errorf("%d at once", running)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		g.max = 6 // one more than the callers that run and wait now
		if _, err := g.enter(gone); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		waiting(1)
		g.max = 5 // as many as the callers that run and wait now
		if _, err := g.enter(t.Context()); !errors.Is(err, ErrUnavailable) || problem.Of(err).Status != http.StatusServiceUnavailable {
			t.Error("an unbounded queue", err)
		}
	})
}

func TestParseCost(t *testing.T) {
	t.Run("5.5-password-cost", func(t *testing.T) {
		if DefaultCost != (Cost{Time: 2, Memory: 19456, Threads: 1}) || DefaultCost.String() != "m=19456,t=2,p=1" {
			t.Error(DefaultCost)
		}
		for _, owasp := range []string{"m=47104,t=1,p=1", "m=19456,t=2,p=1", "m=12288,t=3,p=1", "m=9216,t=4,p=1", "m=7168,t=5,p=1",
			"m=65536,t=3,p=1"} {
			if c, err := ParseCost(owasp); err != nil || c.String() != owasp {
				t.Error(owasp, c, err)
			}
		}
		// The weakest OWASP configuration uses 7168 KiB five times.
		for _, weaker := range []string{"m=7167,t=5,p=1", "m=7167,t=6,p=1", "m=7168,t=4,p=1", "m=35839,t=1,p=1"} {
			if _, err := ParseCost(weaker); err == nil || !strings.Contains(err.Error(), "weaker than m=7168,t=5,p=1") {
				t.Error(weaker, err)
			}
		}
		if _, err := ParseCost("m=35840,t=1,p=1"); err != nil {
			t.Error(err)
		}
		for _, bad := range []string{"", "19", "m=19456,t=1,p=1", "m=4096,t=20,p=1", "m=19456,t=2,p=0", "m=19456,t=2,p=1 ", "m=19,t=2,p=1",
			"m=9999999,t=1,p=1", "m=19456,t=99,p=1", "m=19456,t=2,p=64", "m=-1,t=2,p=1"} {
			if _, err := ParseCost(bad); err == nil {
				t.Errorf("%q", bad)
			}
		}
	})
}

func TestPasswordPolicy(t *testing.T) {
	t.Run("5.5-password-length-reconcile", func(t *testing.T) {
		for password, good := range map[string]bool{"Abcdef1": false, "Abcdefg1": true, "abcdefg1": false, "ABCDEFG1": false, "Abcdefgh": false,
			"Áâçdéfg1": true, "": false, "Abcdef1 with blanks": true} {
			if got := CheckPassword(password) == nil; got != good {
				t.Errorf("%q: %v", password, got)
			}
		}
		for range 100 {
			if p := newPassword(); CheckPassword(p) != nil || strings.ContainsAny(p, "0O1lI") {
				t.Error(p)
			}
		}
	})
}

func TestNewPassword(t *testing.T) {
	type given struct {
		Password string
		Owner    Owner
	}
	judge := func(g given, _ value.Day, _ struct{}) []string {
		return append([]string{}, CheckNewPassword(g.Password, g.Owner)...)
	}
	for _, row := range []string{"5.5-password-common", "5.5-password-personal"} {
		t.Run(row, func(t *testing.T) { moduletest.RunCases(t, "../../../../schemas/rules/"+row+".json", judge) })
	}
	t.Run("5.5-password-common", func(t *testing.T) {
		before := ""
		for line := range strings.Lines(commonPasswords()) {
			line = strings.TrimSuffix(line, "\n")
			if line <= before || !isListed(line) || isListed(line+"~") || foldString(line) != line {
				t.Fatalf("%q after %q", line, before)
			}
			before = line
		}
		if isListed("") || isListed("#") || !isListed("wachtwoord") || !isListed("123qwe") {
			t.Error("not as in the list")
		}
	})
}

func TestUsername(t *testing.T) {
	t.Run("5.10-impersonator-prefix", func(t *testing.T) {
		for in, want := range map[string]string{"anna": "impersonator_anna", " Anna ": "impersonator_anna",
			"IMPERSONATOR_anna": "impersonator_anna"} {
			if got := ImpersonatorName(in); got != want {
				t.Errorf("%q: %q", in, got)
			}
		}
	})
}

func FuzzCookie(f *testing.F) {
	f.Add("")
	f.Add(".")
	f.Add(token.Random(16) + "." + token.Random(32))
	f.Add(token.Random(16) + "." + token.Random(32) + ".")
	f.Fuzz(func(t *testing.T, value string) {
		family, secret, ok := parseCookie(value)
		if ok && family+"."+secret != value {
			t.Errorf("%q became %q.%q", value, family, secret)
		}
	})
}

func FuzzBearer(f *testing.F) {
	f.Add("")
	f.Add("a.b.c")
	f.Add("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.")
	f.Add(`{"iss":"urn:wattle:1024"}`)
	f.Fuzz(func(t *testing.T, token string) {
		_ = keyID(token) // must not panic
		if _, err := Parse(token, emptySet, "urn:wattle:1024", "1024", time.Now()); !errors.Is(err, ErrUnauthorized) {
			t.Errorf("%q: %v", token, err)
		}
	})
}

func FuzzPHC(f *testing.F) {
	f.Add("$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA")
	f.Fuzz(func(t *testing.T, s string) {
		if c, _, sum, ok := parsePHC(s); ok && (c.Time == 0 || c.Threads == 0 || len(sum) != hashLen) {
			t.Error(s)
		}
	})
}

func FuzzUsername(f *testing.F) {
	f.Add(" Anna\n")
	f.Add("\xff")
	f.Fuzz(func(t *testing.T, s string) {
		n := NormalizeUsername(s)
		if isWellFormed(n) && strings.ContainsAny(n, "\r\n\x00") {
			t.Errorf("%q", n)
		}
	})
}
