package whole_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
)

const (
	people         = 16 // number of people who sign in at the same time
	benchPassword  = "Proef-Wachtwoord-7"
	earlierCost    = "m=65536,t=3,p=1" // the default cost before OWASP's, on every core
	pocketBaseCost = 10                // cost of bcrypt
)

// BenchmarkSignIn compares the number of sign-ins per second, 16 at once, with a bare handler that compares a bcrypt hash of PocketBase's
// cost, and with the previous default hash cost. It also compares the throughput of a page of 10 invoices while those 16 people keep
// signing in with the throughput when they do not.
func BenchmarkSignIn(b *testing.B) {
	now, before := startSignIns(b, "", 0), startSignIns(b, earlierCost, runtime.GOMAXPROCS(0))
	stored, err := bcrypt.GenerateFromPassword([]byte(benchPassword), pocketBaseCost)
	require.NoError(b, err)
	pocketBase := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Password string }
		if json.NewDecoder(r.Body).Decode(&in) != nil || bcrypt.CompareHashAndPassword(stored, []byte(in.Password)) != nil {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer pocketBase.Close()

	var rate, earlier, pocket, alone, during, duringEarlier []float64
	for b.Loop() {
		for range 3 { // alternating, so that load on the machine affects all of them
			rate = append(rate, signIns(b, now.URL, 2*round))
			pocket = append(pocket, signIns(b, pocketBase.URL, 2*round))
			earlier = append(earlier, signIns(b, before.URL, 2*round))
			alone = append(alone, now.list(b))
			during = append(during, now.listDuringSignIns(b))
			duringEarlier = append(duringEarlier, before.listDuringSignIns(b))
		}
	}
	best := slices.Max[[]float64]
	b.ReportMetric(0, "ns/op") // a round has a fixed duration
	b.ReportMetric(best(rate), "sign-ins/s")
	b.ReportMetric(100*best(rate)/best(pocket), "%of-bcrypt-10(budget>=100)")
	b.ReportMetric(100*best(earlier)/best(pocket), "%of-bcrypt-10-before")
	b.ReportMetric(100*best(during)/best(alone), "%list-beside-16")
	b.ReportMetric(100*best(duringEarlier)/best(alone), "%list-beside-16-before")
}

type signInPortal struct {
	*apptest.Server
	page, bearer string
	want         []byte
}

// startSignIns starts a portal with the accounts of 16 people and the invoices of a few customers.
func startSignIns(b *testing.B, cost string, cores int) signInPortal {
	db := storetest.SQLiteConfig(b)
	s := apptest.Start(b, apptest.Options{Modules: modules.All, Labels: []apptest.Label{{Key: "alpha"}}, Store: &db, Durable: true,
		Config: config.Config{PasswordHash: cost, HashCores: cores}})
	manyInvoices(b, s, 20)
	for n := range people {
		_, err := s.Identity.Upsert(b.Context(), identity.Account{Label: "alpha", Username: fmt.Sprint("person", n), Role: identity.Customer,
			Relation: value.StableID("alpha", "relation", fmt.Sprintf("D%06d", n))}, benchPassword, false)
		require.NoError(b, err)
	}
	p := signInPortal{s, "/agreements/D000001-1/invoices?per_page=10&page=1",
		s.Customer("alpha", value.StableID("alpha", "relation", "D000001")), nil}
	a := s.Do(apptest.Call{Path: p.page, Bearer: p.bearer})
	require.Equal(b, http.StatusOK, a.Status, string(a.Body))
	p.want = a.Body
	return p
}

// list returns how many invoice pages per second the portal serves.
func (p signInPortal) list(b *testing.B) float64 {
	return load(b, p.URL+"/api/v0"+p.page, "alpha.localhost", p.bearer, p.want).perSecond
}

// listDuringSignIns is like list, while 16 people sign in.
func (p signInPortal) listDuringSignIns(b *testing.B) float64 {
	ctx, stop := context.WithCancel(b.Context())
	var began, wg sync.WaitGroup
	began.Add(people)
	for n := range people {
		wg.Go(func() {
			began.Done()
			for ctx.Err() == nil { // the last sign-in completes, so that no attempt remains open
				signIn(b, http.DefaultClient, p.URL, n)
			}
		})
	}
	began.Wait()
	perSecond := p.list(b)
	stop()
	wg.Wait()
	return perSecond
}

// signIns returns the number of sign-ins per second of 16 people.
func signIns(b *testing.B, url string, length time.Duration) float64 {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: people}}
	defer client.CloseIdleConnections()
	var done atomic.Int64
	var wg sync.WaitGroup
	began := time.Now()
	for n := range people {
		wg.Go(func() {
			for time.Since(began) < length {
				signIn(b, client, url, n)
				done.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(done.Load()) / time.Since(began).Seconds()
}

func signIn(b *testing.B, client *http.Client, url string, n int) {
	body, _ := json.Marshal(map[string]string{"username": fmt.Sprint("person", n), "password": benchPassword})
	r, _ := http.NewRequestWithContext(b.Context(), http.MethodPost, url+"/api/v0/auth/sign-in", bytes.NewReader(body))
	r.Host = "alpha.localhost"
	r.Header.Set("Content-Type", "application/json")
	res, err := client.Do(r)
	if err != nil {
		b.Error(err)
		return
	}
	defer res.Body.Close()
	if answer, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusOK {
		b.Errorf("%d %s", res.StatusCode, answer)
	}
}
