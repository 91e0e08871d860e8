package ticket_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/http/ticket"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

const (
	pdf     = "%PDF-1.7 an invoice"
	invoice = "/fixture/file?name=invoices%2F2026%2Fa.pdf&as=Factuur%20%E2%82%AC%201"
)

func options() apptest.Options { return apptest.Options{Modules: []module.Module{fixture.Module}} }

func start(t *testing.T, o apptest.Options) *apptest.Server {
	t.Helper()
	s := apptest.Start(t, o)
	putFiles(t, s)
	return s
}

func putFiles(t *testing.T, s *apptest.Server) {
	t.Helper()
	for name, text := range map[string]string{"invoices/2026/a.pdf": pdf, "b.csv": strings.Repeat("a;b\n", 1000)} {
		require.NoError(t, s.Files.Put(t.Context(), "alpha", name, strings.NewReader(text)))
	}
}

// requestTicket requests a ticket. It returns the ticket's address below /api/v0, and the response.
func requestTicket(s *apptest.Server, bearer, path string) (string, apptest.Answer) {
	a := s.Do(apptest.Call{Method: http.MethodPost, Path: "/downloads", Bearer: bearer, Body: map[string]string{"path": path}})
	var out struct{ URL string }
	_ = json.Unmarshal(a.Body, &out)
	return strings.TrimPrefix(out.URL, "/api/v0"), a
}

func attachment(t *testing.T, a apptest.Answer) string {
	t.Helper()
	kind, params, err := mime.ParseMediaType(a.Header.Get("Content-Disposition"))
	require.NoError(t, err)
	require.Equal(t, "attachment", kind)
	return params["filename"]
}

// A file, a ZIP that is sent while it is created, and a file that is downloaded with a ticket all have the name to save them under.
func TestNamesOfFiles(t *testing.T) {
	s := start(t, options())
	anna := s.Customer("alpha", "anna")
	t.Run("7-file-downloads,7-file-name-header,11-security-policy", func(t *testing.T) {
		a := s.Do(apptest.Call{Path: invoice, Bearer: anna})
		require.Equal(t, 200, a.Status, string(a.Body))
		require.Equal(t, pdf, string(a.Body))
		require.Equal(t, "Factuur € 1.pdf", attachment(t, a))
		require.Equal(t, `attachment; filename="Factuur _ 1.pdf"; filename*=UTF-8''Factuur%20%E2%82%AC%201.pdf`,
			a.Header.Get("Content-Disposition"))
		require.Equal(t, "application/pdf", a.Header.Get("Content-Type"))
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
		require.Equal(t, "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'", a.Header.Get("Content-Security-Policy"))

		a = s.Do(apptest.Call{Path: "/fixture/file?name=b.csv&as=" + url.QueryEscape("../..\\x\r\ny\"z"), Bearer: anna})
		require.Equal(t, "-..-x y-z.csv", attachment(t, a), "no path, no line break, no quote")
		require.Equal(t, "text/csv", a.Header.Get("Content-Type"))

		a = s.Do(apptest.Call{Path: "/fixture/archive?names=invoices/2026/a.pdf,b.csv", Bearer: anna})
		require.Equal(t, 200, a.Status, string(a.Body))
		require.Equal(t, "Archief van anna.zip", attachment(t, a))
		const policy = "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
		require.Equal(t, policy, a.Header.Get("Content-Security-Policy"))
		z, err := zip.NewReader(bytes.NewReader(a.Body), int64(len(a.Body)))
		require.NoError(t, err)
		require.Len(t, z.File, 2)

		address, a := requestTicket(s, anna, "/api/v0"+invoice)
		require.Equal(t, 200, a.Status, string(a.Body))
		a = s.Do(apptest.Call{Path: address})
		require.Equal(t, "Factuur € 1.pdf", attachment(t, a))
		require.Equal(t, policy, a.Header.Get("Content-Security-Policy"))
	})
	for path, want := range map[string]string{
		"/fixture/file?name=nowhere.pdf":       "404 file_not_found",
		"/fixture/file?name=..%2Fbeta%2Fa.pdf": "400 file_name_invalid",
		"/fixture/file?name=a.html":            "400 file_name_invalid",
		"/fixture/archive?names=nowhere.pdf":   "404 file_not_found",
	} {
		a := s.Do(apptest.Call{Path: path, Bearer: anna})
		require.Equal(t, want, strconv.Itoa(a.Status)+" "+a.Code(), path)
		require.Empty(t, a.Header.Get("Content-Disposition"), path)
	}
	require.Equal(t, 401, s.Do(apptest.Call{Path: invoice}).Status)
	require.Equal(t, 404, s.Do(apptest.Call{Path: "/files/b.csv", Bearer: anna}).Status, "the file store is for modules only")
	bob := s.Customer("beta", "bob")
	require.Equal(t, "file_not_found", s.Do(apptest.Call{Host: "beta.localhost", Path: invoice, Bearer: bob}).Code(), "another label")
}

func TestATicketIsGoodOnce(t *testing.T) {
	apptest.Each(t, options(), func(t *testing.T, s *apptest.Server) {
		putFiles(t, s)
		anna := s.Customer("alpha", "anna")
		address, a := requestTicket(s, anna, "/api/v0"+invoice)
		require.Equal(t, 200, a.Status, string(a.Body))
		require.Contains(t, string(a.Body), `"expires_in":60`)
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))

		// There are 20 calls at the same time, on two replicas.
		other := apptest.NewReplica(t, s.Config, []module.Module{fixture.Module})
		require.NoError(t, other.Serve(t.Context()))
		t.Cleanup(func() { require.NoError(t, other.Stop(context.Background())) })
		replica := *s
		replica.URL = "http://" + other.Addr().String()
		replicas := []*apptest.Server{s, &replica}
		var mu sync.Mutex
		count := map[int]int{}
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				a := replicas[i%2].Do(apptest.Call{Path: address})
				mu.Lock()
				defer mu.Unlock()
				count[a.Status]++
				if a.Status == 200 {
					require.Equal(t, pdf, string(a.Body))
				} else {
					require.Equal(t, ticket.CodeExpired, a.Code())
				}
			})
		}
		all.Wait()
		require.Equal(t, map[int]int{200: 1, 410: 19}, count)
	})
}

func TestATicketEnds(t *testing.T) {
	s := start(t, options())
	gone := func(address, why string) {
		t.Helper()
		a := s.Do(apptest.Call{Path: address})
		require.Equal(t, 410, a.Status, why)
		require.Equal(t, ticket.CodeExpired, a.Code())
		require.Empty(t, a.Header.Get("Content-Disposition"))
	}
	anna := s.Customer("alpha", "anna")

	address, _ := requestTicket(s, anna, invoice)
	require.Equal(t, 200, s.Do(apptest.Call{Path: address}).Status, "without the prefix too")
	gone(address, "used")
	gone("/downloads/"+strings.Repeat("x", 43), "unknown")
	gone("/downloads/x", "unknown")

	address, _ = requestTicket(s, anna, invoice)
	a := s.Do(apptest.Call{Host: "beta.localhost", Path: address})
	require.Equal(t, 410, a.Status, "another label")
	require.Equal(t, 200, s.Do(apptest.Call{Path: address}).Status, "the other label did not use the ticket up")

	address, _ = requestTicket(s, anna, invoice)
	s.Clock.Advance(ticket.Lifetime)
	gone(address, "too old")

	// The ticket expires when its session signs out; another browser of the same customer stays signed in.
	in := s.Do(apptest.Call{Method: http.MethodPost, Path: "/auth/sign-in",
		Body: map[string]string{"username": "anna@klant.example", "password": apptest.Password}})
	require.Equal(t, 200, in.Status)
	cookie, _, _ := strings.Cut(in.Header.Get("Set-Cookie"), ";")
	var session struct {
		IDToken string `json:"id_token"`
	}
	in.JSON(t, &session)
	address, a = requestTicket(s, session.IDToken, invoice)
	require.Equal(t, 200, a.Status, string(a.Body))
	otherAddress, _ := requestTicket(s, anna, invoice)
	out := s.Do(apptest.Call{Method: http.MethodPost, Path: "/auth/sign-out", Header: map[string]string{"Cookie": cookie}})
	require.Less(t, out.Status, 300, string(out.Body))
	gone(address, "signed out")
	require.Equal(t, 200, s.Do(apptest.Call{Path: otherAddress}).Status, "the ticket of the other browser")
	_, a = requestTicket(s, session.IDToken, invoice)
	require.Equal(t, 401, a.Status, "an ended session gets no ticket")

}

func TestTicketsRequireAccessToTheDownload(t *testing.T) {
	s := start(t, options())
	anna, staff := s.Customer("alpha", "anna"), s.Staff("alpha")
	helper := s.Impersonator("alpha", "anna")
	for _, c := range []struct {
		who, bearer, path, want string
	}{
		{"customer", anna, invoice, "200 "},
		{"impersonator", helper, invoice, "200 "},
		{"nobody", "", invoice, "401 unauthorized"},
		{"staff", staff, "/fixture/staff-file?name=b.csv", "200 "},
		{"customer", anna, "/fixture/staff-file?name=b.csv", "403 forbidden"},
		{"staff", staff, invoice, "403 forbidden"},
		{"customer", anna, "/fixture/notes", "400 invalid"}, // not a download
		{"customer", anna, "/fixture/state", "400 invalid"}, // a sibling operation
		{"customer", anna, "/files/b.csv", "400 invalid"},   // a sibling operation
		{"customer", anna, "/downloads/abc", "400 invalid"}, // a ticket for a ticket
		{"customer", anna, "/nowhere", "400 invalid"},
		{"customer", anna, "https://evil.example" + invoice, "400 invalid"},
		{"customer", anna, "//evil.example" + invoice, "400 invalid"},
		{"customer", anna, "fixture/file", "400 invalid"},
		{"customer", anna, "/api/v0", "400 invalid"},
		{"customer", anna, invoice + "#x", "400 invalid"},
	} {
		address, a := requestTicket(s, c.bearer, c.path)
		require.Equal(t, c.want, strconv.Itoa(a.Status)+" "+a.Code(), "%s %s", c.who, c.path)
		if a.Status == 200 {
			require.Equal(t, 200, s.Do(apptest.Call{Path: address}).Status, "%s %s", c.who, c.path)
		}
	}
	key, err := s.Identity.AddKey(t.Context(), "alpha", "office")
	require.NoError(t, err)
	_, a := requestTicket(s, key, invoice)
	require.Equal(t, 403, a.Status, "a back office has no session")

	// A change between creation and use of a ticket takes effect.
	address, _ := requestTicket(s, anna, invoice)
	apptest.WriteLabel(t, s.Config.Labels, apptest.Label{Key: "alpha"}, nil)
	require.NoError(t, s.Labels.Reload())
	require.Equal(t, "module_not_enabled", s.Do(apptest.Call{Path: address}).Code())

}

func TestATicketEndsWithTheImpersonation(t *testing.T) {
	s := start(t, options())
	s.Customer("alpha", "anna")
	helper := s.Impersonator("alpha", "anna")
	s.Clock.Advance(29*time.Minute + 40*time.Second)
	address, a := requestTicket(s, helper, invoice)
	require.Equal(t, 200, a.Status, string(a.Body))
	s.Clock.Advance(30 * time.Second)
	require.Equal(t, ticket.CodeExpired, s.Do(apptest.Call{Path: address}).Code())
}

func TestATicketEndsWithTheAccount(t *testing.T) {
	s := start(t, options())
	address, _ := requestTicket(s, s.Customer("alpha", "anna"), invoice)
	require.NoError(t, s.Store.Tx(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		for _, q := range []string{"DELETE FROM identity_usernames", "DELETE FROM identity_accounts"} {
			if _, err := tx.NewRaw(q).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	}))
	require.Equal(t, ticket.CodeExpired, s.Do(apptest.Call{Path: address}).Code())
}

func TestTicketsOfASessionAreLimited(t *testing.T) {
	s := start(t, options())
	anna, bert := s.Customer("alpha", "anna"), s.Customer("alpha", "bert")
	for range 100 {
		_, a := requestTicket(s, anna, invoice)
		require.Equal(t, 200, a.Status)
	}
	_, a := requestTicket(s, anna, invoice)
	require.Equal(t, 429, a.Status)
	_, a = requestTicket(s, bert, invoice)
	require.Equal(t, 200, a.Status, "each session has its own limit")
	s.Clock.Advance(time.Hour)
	require.NoError(t, s.Jobs.RunDue(t.Context()))
	n, err := s.Store.Read().NewSelect().Table("ticket_tickets").Count(t.Context())
	require.NoError(t, err)
	require.Zero(t, n, "old ones are swept")
}

// For a minute, the address gives access to the file, so neither the database nor the log contains it.
func TestTicketsAreNeitherStoredNorLogged(t *testing.T) {
	var log safeBuffer
	o := options()
	o.Log = &log
	s := start(t, o)
	anna := s.Customer("alpha", "anna")
	address, _ := requestTicket(s, anna, invoice)
	secret := strings.TrimPrefix(address, "/downloads/")
	require.Len(t, secret, 43)
	var hashes []string
	require.NoError(t, s.Store.Read().NewSelect().Table("ticket_tickets").Column("hash").Scan(t.Context(), &hashes))
	require.Len(t, hashes, 1)
	require.NotContains(t, hashes[0], secret)
	a := s.Do(apptest.Call{Path: address})
	require.Equal(t, 200, a.Status)
	require.Equal(t, "no-referrer", a.Header.Get("Referrer-Policy"))
	require.Equal(t, 410, s.Do(apptest.Call{Path: address}).Status)
	require.Contains(t, log.String(), "core.download")
	require.NotContains(t, log.String(), secret)
	require.NotContains(t, log.String(), "invoices/2026")
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}
func (s *safeBuffer) String() string { s.mu.Lock(); defer s.mu.Unlock(); return s.b.String() }

// A ZIP is sent uncompressed while it is created, and the work stops when the caller disconnects. A ZIP that fails halfway does not look
// complete.
func TestAnArchiveStreamsThroughATicket(t *testing.T) {
	s := start(t, options())
	anna := s.Customer("alpha", "anna")
	address, a := requestTicket(s, anna, "/fixture/archive?names=b.csv&then=hang")
	require.Equal(t, 200, a.Status, string(a.Body))
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/api/v0"+address, nil)
	require.NoError(t, err)
	r.Host = "alpha.localhost"
	r.Header.Set("Accept-Encoding", "gzip, br")
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer res.Body.Close()
	require.Empty(t, res.Header.Get("Content-Encoding"))
	start, err := bufio.NewReader(res.Body).Peek(100)
	require.NoError(t, err, "what has been written arrives before the end")
	require.Equal(t, "PK", string(start[:2]))
	leave()

	address, _ = requestTicket(s, anna, "/fixture/archive?names=b.csv&then=break")
	r, err = http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/v0"+address, nil)
	require.NoError(t, err)
	r.Host = "alpha.localhost"
	res, err = http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer res.Body.Close()
	_, err = io.ReadAll(res.Body)
	require.Error(t, err, "an incomplete archive looks complete")
}
