package identity

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwk"
)

var emptySet = jwk.NewSet()

// TestHasher holds that an unknown user costs what a known one does, and that only so many hash at once.
func TestHasher(t *testing.T) {
	h := newHasher(Cost{Time: 2, Memory: 16 << 10, Threads: 1})
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
	dearer := newHasher(Cost{Time: 3, Memory: 16 << 10, Threads: 1})
	if ok, stale, _ := dearer.verify(ctx, "Correct-Horse-7", stored); !ok || !stale {
		t.Error("a hash of another cost must fit, and be made anew")
	}
	t.Run("8-id-wrong-credentials", func(t *testing.T) {
		for _, none := range []string{stored, "", "junk", "$argon2id$v=19$m=0,t=0,p=0$$", "$argon2i$v=19$m=65536,t=3,p=1$AA$AA"} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if ok, _, err := h.verify(ctx, "wrong", none); ok || err != nil {
				t.Error(none, ok, err)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used < 16<<20 { // a clock would tell on an idle machine only
				t.Errorf("%q costs %d bytes of memory: nothing was hashed", none, used)
			}
		}
	})
	t.Run("bound", func(t *testing.T) {
		h := &hasher{cost: TestCost, slots: make(chan struct{}, 1), waiting: make(chan struct{}, 2), dummy: h.dummy}
		h.slots <- struct{}{} // somebody hashes
		h.waiting <- struct{}{}
		quick, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, err := h.hash(quick, "x"); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
		for len(h.waiting) < 2 {
			time.Sleep(time.Millisecond)
		}
		if _, err := h.hash(ctx, "x"); !errors.Is(err, ErrUnavailable) {
			t.Error(err)
		}
		wait.Wait()
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

func TestUsername(t *testing.T) {
	t.Run("5.10-impersonator-prefix", func(t *testing.T) {
		for in, want := range map[string]string{"anna": "impersonator_anna", " Anna ": "impersonator_anna", "IMPERSONATOR_anna": "impersonator_anna"} {
			if got := ImpersonatorName(in); got != want {
				t.Errorf("%q: %q", in, got)
			}
		}
	})
}

func TestBox(t *testing.T) {
	b := &box{[]byte(strings.Repeat("k", 32))}
	sealed := b.seal("tokens", []byte("secret"), "1024", "id")
	if plain, err := b.open("tokens", sealed, "1024", "id"); err != nil || string(plain) != "secret" {
		t.Error(plain, err)
	}
	for _, try := range []func() ([]byte, error){
		func() ([]byte, error) { return b.open("signing", sealed, "1024", "id") },
		func() ([]byte, error) { return b.open("tokens", sealed, "1025", "id") },
		func() ([]byte, error) {
			return (&box{[]byte(strings.Repeat("l", 32))}).open("tokens", sealed, "1024", "id")
		},
		func() ([]byte, error) { return b.open("tokens", "", "1024", "id") },
		func() ([]byte, error) { return b.open("tokens", "?", "1024", "id") },
		func() ([]byte, error) { return b.open("tokens", sealed[:len(sealed)-4], "1024", "id") },
	} {
		if plain, err := try(); err == nil {
			t.Errorf("opened: %s", plain)
		}
	}
	dir := t.TempDir() + "/data"
	one, err := openBox("", dir)
	if err != nil {
		t.Fatal(err)
	}
	if two, err := openBox("", dir); err != nil || string(two.root) != string(one.root) {
		t.Error("another key", err)
	}
	if _, err := openBox("", ""); err == nil {
		t.Error("no key at all")
	}
}

func FuzzCookie(f *testing.F) {
	f.Add("")
	f.Add(".")
	f.Add(random(16) + "." + random(32))
	f.Add(random(16) + "." + random(32) + ".")
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
		if _, err := Parse(token, emptySet, "urn:wattle:1024", "1024", time.Now); !errors.Is(err, ErrUnauthorized) {
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
		n := NormaliseUsername(s)
		if wellFormed(n) && strings.ContainsAny(n, "\r\n\x00") {
			t.Errorf("%q", n)
		}
	})
}
