package whole_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/demo"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/test/fixture"
)

var shippedLabels = filepath.Join("..", "..", "..", "..", "labels")

// Every account of the shipped demo can do what the account list says.
func TestDemoPeople(t *testing.T) {
	t.Parallel()
	storetest.EachConfig(t, func(t *testing.T, db store.Config) { demoPeople(t, &db) })
}

func demoPeople(t *testing.T, db *store.Config) {
	s := apptest.Start(t, apptest.Options{Modules: modules.All, LabelsDir: shippedLabels, Store: db, Config: config.Config{Demo: true}})
	people, err := demo.Accounts(s.Labels)
	require.NoError(t, err)
	seen, settled, compared := map[string]map[string]int{}, 0, map[string]int{}
	today := value.DayOf(s.Clock.Now())
	for _, p := range people {
		if seen[p.Label] == nil {
			seen[p.Label] = map[string]int{}
		}
		seen[p.Label][p.Role]++
		require.NotEmpty(t, p.Note, p.Username)
		require.NotEmpty(t, p.Shows, p.Username)
		require.NotEmpty(t, p.Name, p.Username)
		demoSignIn(t, s, p)
		a := s.Do(apptest.Call{Method: http.MethodPost, Host: p.Host, Path: "/auth/sign-in",
			Body: map[string]string{"username": p.Username, "password": p.Password}})
		var in struct {
			Token     string `json:"id_token"`
			Challenge string `json:"challenge"`
		}
		if p.Role == "impersonator" {
			require.Equal(t, "impersonator_refused", a.Code(), p.Username)
			continue
		}
		require.Equal(t, http.StatusOK, a.Status, p.Username+" "+string(a.Body))
		a.JSON(t, &in)
		if in.Challenge != "" {
			seen[p.Label]["temporary"]++
			continue
		}
		if p.Role == "staff" {
			continue
		}
		get := func(path string) (out map[string]any) {
			a := s.Do(apptest.Call{Host: p.Host, Path: path, Bearer: in.Token})
			require.Equal(t, http.StatusOK, a.Status, p.Username+" "+path+" "+string(a.Body))
			a.JSON(t, &out)
			return out
		}
		if r := get("/relations"); r["company"] != nil {
			seen[p.Label]["company"]++
		}
		if get("/relations/email?request=status")["change_email"] != "" {
			seen[p.Label]["pending"]++
		}
		for _, path := range []string{"/agreements", "/connections"} { // nobody has an empty portal
			var list []any
			a := s.Do(apptest.Call{Host: p.Host, Path: path, Bearer: in.Token})
			require.Equal(t, http.StatusOK, a.Status, p.Username+" "+path+" "+string(a.Body))
			a.JSON(t, &list)
			assert.NotEmpty(t, list, p.Username+" "+path)
		}
		settled += demoYields(t, s, p, in.Token)
		t.Run("9-figures-agree", func(t *testing.T) {
			(&figures{t: t, s: s, host: p.Host, token: in.Token, name: p.Label + " " + p.Username, today: today, count: compared}).all()
		})
	}
	t.Run("9-figures-agree", func(t *testing.T) {
		for _, relation := range relationsOfDemo {
			t.Logf("%4d × %s", compared[relation], relation)
			assert.Positive(t, compared[relation], relation)
		}
	})
	assert.GreaterOrEqual(t, settled, 15, "projects of members that were compared")
	full := 0
	for key, n := range seen {
		assert.Positive(t, n["customer"]+n["member"], key)
		if n["staff"] == 0 {
			continue // needs a label with a customer to impersonate
		}
		full++
		assert.GreaterOrEqual(t, n["customer"]+n["member"], 4, key)
		for _, what := range []string{"company", "pending", "temporary", "staff", "impersonator"} {
			assert.Positive(t, n[what], key+" "+what)
		}
	}
	require.GreaterOrEqual(t, full, 3, "labels with all sorts of people")
	require.NoError(t, s.Demo.Load(t.Context()), "a second start changes nothing")
}

// demoYields checks that the yields of last year in the records of a person's participations equal the measured yields of the same shares,
// and returns the number of projects.
func demoYields(t *testing.T, s *apptest.Server, p demo.Login, token string) (compared int) {
	t.Run("9-production-demo", func(t *testing.T) {
		get := func(path string, out any) bool {
			a := s.Do(apptest.Call{Host: p.Host, Path: path, Bearer: token})
			if a.Status == http.StatusNotFound { // a label without a marketplace
				return false
			}
			require.Equal(t, http.StatusOK, a.Status, p.Username+" "+path+" "+string(a.Body))
			a.JSON(t, out)
			return true
		}
		var projects []struct {
			Code           string `json:"project_code"`
			Participations []struct {
				Production struct {
					Peak    *float64 `json:"peak"`
					OffPeak *float64 `json:"off_peak"`
				} `json:"production"`
			} `json:"participations"`
		}
		var yields []struct {
			Code     string   `json:"project_code"`
			LastYear *float64 `json:"last_year_production"`
		}
		if !get("/sustainable/projects", &projects) || !get("/sustainable/yields", &yields) {
			return
		}
		measured := map[string]*float64{}
		for _, y := range yields {
			measured[y.Code] = y.LastYear
		}
		for _, project := range projects {
			sum, known := 0.0, len(project.Participations) > 0
			for _, x := range project.Participations {
				if known = known && x.Production.Peak != nil && x.Production.OffPeak != nil; known {
					sum += *x.Production.Peak + *x.Production.OffPeak
				}
			}
			if !known {
				continue
			}
			require.NotNil(t, measured[project.Code], p.Username+" "+project.Code)
			assert.InDelta(t, *measured[project.Code], sum, 0.03, p.Username+" "+project.Code)
			compared++
		}
	})
	return compared
}

// demoSignIn signs in as a person of the demo, like a browser that opens the link on the demo's page.
func demoSignIn(t *testing.T, s *apptest.Server, p demo.Login) {
	t.Helper()
	const row = "9-demo-sign-in"
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	send := func(method, path, mode string, cookies []*http.Cookie) (*http.Response, string) {
		r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, nil)
		require.NoError(t, err)
		r.Host = p.Host
		if mode != "" {
			r.Header.Set("Sec-Fetch-Mode", mode)
		}
		for _, c := range cookies {
			r.AddCookie(c)
		}
		a, err := browser.Do(r)
		require.NoError(t, err)
		defer a.Body.Close()
		body, err := io.ReadAll(a.Body)
		require.NoError(t, err)
		return a, string(body)
	}
	path := "/dev/sign-in?username=" + url.QueryEscape(p.Username)
	a, _ := send(http.MethodGet, path, "no-cors", nil)
	require.Equal(t, http.StatusNotFound, a.StatusCode, row+": an image signs nobody in")
	require.Empty(t, a.Cookies())
	a, body := send(http.MethodGet, path, "navigate", nil)
	if p.Role == "impersonator" {
		require.Equal(t, http.StatusNotFound, a.StatusCode, row+": "+p.Username)
		require.Empty(t, a.Cookies())
		return
	}
	require.Equal(t, http.StatusSeeOther, a.StatusCode, row+": "+p.Username+" "+body)
	require.Equal(t, "/", a.Header.Get("Location"))
	if p.Temporary {
		require.Empty(t, a.Cookies(), row+": a temporary password is changed first")
		return
	}
	require.NotEmpty(t, a.Cookies(), row+": "+p.Username)
	a, body = send(http.MethodPost, "/api/v0/auth/refresh", "", a.Cookies())
	require.Equal(t, http.StatusOK, a.StatusCode, row+": "+p.Username+" "+body)
	require.Contains(t, body, `"`+p.Username+`"`, row)
}

// The one-click sign-in and the list of people exist only in the demo.
func TestDemoSignIn(t *testing.T) {
	t.Parallel()
	t.Run("9-demo-sign-in", func(t *testing.T) {
		for _, isDemo := range []bool{true, false} {
			s := apptest.Start(t, apptest.Options{Modules: modules.All, Config: config.Config{Demo: isDemo}})
			s.Customer("alpha", "anna")
			want := map[bool][]int{true: {http.StatusOK, http.StatusSeeOther}, false: {http.StatusNotFound, http.StatusNotFound}}[isDemo]
			people := s.Do(apptest.Call{Path: "/dev/people"})
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/dev/sign-in?username=anna@klant.example", nil)
			require.NoError(t, err)
			r.Host = "alpha.localhost"
			a, err := http.DefaultTransport.RoundTrip(r)
			require.NoError(t, err)
			a.Body.Close()
			require.Equal(t, want, []int{people.Status, a.StatusCode}, string(people.Body))
			require.Equal(t, isDemo, len(a.Cookies()) > 0)
		}
	})
}

// A test creates its own customer.
func TestDemoCustomer(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Config: config.Config{Demo: true}})
	made := func(body string) (out demo.Customer) {
		a := s.Do(apptest.Call{Method: http.MethodPost, Path: "/dev/customers", Body: body})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &out)
		return out
	}
	signIn := func(c demo.Customer) (out map[string]any) {
		a := s.Do(apptest.Call{Method: http.MethodPost, Host: c.Host, Path: "/auth/sign-in",
			Body: map[string]string{"username": c.Username, "password": c.Password}})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &out)
		return out
	}
	read := func(c demo.Customer, token any, path string) (out map[string]any) {
		a := s.Do(apptest.Call{Host: c.Host, Path: path, Bearer: token.(string)})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &out)
		return out
	}

	c := made(`{"company":true,"pending":true,"addresses":4}`)
	token := signIn(c)["id_token"]
	r := read(c, token, "/relations")
	assert.NotNil(t, r["company"])
	assert.Len(t, r["addresses"], 5, "the postal address and four for delivery")
	assert.Equal(t, "0687654321", read(c, token, "/relations/phonenumber?request=status")["phone_number"])

	assert.Equal(t, "NEW_PASSWORD_REQUIRED", signIn(made(`{"temporary":true}`))["challenge"])
	assert.Equal(t, "beta", made(`{"label":"beta"}`).Label)

	bare := made(`{"bare":true}`)
	a := s.Do(apptest.Call{Host: bare.Host, Path: "/relations", Bearer: signIn(bare)["id_token"].(string)})
	assert.Equal(t, http.StatusNotFound, a.Status)

	seen := made(`{"impersonator":true}`)
	a = s.Do(apptest.Call{Method: http.MethodPost, Host: seen.Host, Path: "/auth/impersonate", Body: map[string]string{"code": seen.Code}})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	var session map[string]any
	a.JSON(t, &session)
	assert.Equal(t, read(seen, signIn(seen)["id_token"], "/relations"), read(seen, session["id_token"], "/relations"))

	staff := made(`{"role":"staff"}`)
	a = s.Do(apptest.Call{Host: staff.Host, Path: "/staff/contacts", Bearer: signIn(staff)["id_token"].(string)})
	assert.Equal(t, http.StatusOK, a.Status)
}

// A test defines the records of its customer and the calls that are made on the customer's behalf.
func TestDemoCustomerWithRecords(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Config: config.Config{Demo: true}})
	make := func(body string) apptest.Answer {
		return s.Do(apptest.Call{Method: http.MethodPost, Path: "/dev/customers", Body: body})
	}
	var c demo.Customer
	a := make(`{"records":[{"kind":"relation","data":{"debtor_number":"{{debtor}}","relation_since":"{{year -3}}-04-01","last_name":"Vermeer",
		"initials":"{{(day 0).Format \"January\"}}","email":"{{id}}@voorbeeld.example","addresses":[]}}],
		"calls":[{"module":"account","path":"/relations/email","body":{"change_email":"nieuw-{{id}}@voorbeeld.example"}}]}`)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, &c)
	require.Len(t, c.Records, 1)
	assert.Equal(t, map[string]any{"debtor_number": c.Debtor, "relation_since": "2023-04-01", "last_name": "Vermeer", "initials": "November",
		"email": c.Key + "@voorbeeld.example", "addresses": []any{}}, c.Records[0].Data)
	var in struct {
		Token string `json:"id_token"`
	}
	s.Do(apptest.Call{Method: http.MethodPost, Host: c.Host, Path: "/auth/sign-in",
		Body: map[string]string{"username": c.Username, "password": c.Password}}).JSON(t, &in)
	var relation, pending map[string]any
	s.Do(apptest.Call{Host: c.Host, Path: "/relations", Bearer: in.Token}).JSON(t, &relation)
	assert.Equal(t, "Vermeer", relation["last_name"])
	s.Do(apptest.Call{Host: c.Host, Path: "/relations/email?request=status", Bearer: in.Token}).JSON(t, &pending)
	assert.Equal(t, "nieuw-"+c.Key+"@voorbeeld.example", pending["change_email"])

	a = make(`{"sample":true,"label":"beta"}`)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, &c)
	s.Do(apptest.Call{Method: http.MethodPost, Host: c.Host, Path: "/auth/sign-in",
		Body: map[string]string{"username": c.Username, "password": c.Password}}).JSON(t, &in)
	for path, want := range map[string]int{"/agreements": 2, "/latestInvoices": 5, "/connections": 2, "/usage/latest": 2,
		"/sustainable/projects": 1} {
		var list []any
		s.Do(apptest.Call{Host: c.Host, Path: path, Bearer: in.Token}).JSON(t, &list)
		assert.Len(t, list, want, path)
	}

	a = make(`{"calls":[{"method":"GET","module":"account","path":"/relations","keep":{"town":"addresses.0.city"}},
		{"module":"account","path":"/relations/email","body":{"change_email":"{{kept \"town\"}}-{{id}}@voorbeeld.example"}}]}`)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, &c)
	s.Do(apptest.Call{Method: http.MethodPost, Host: c.Host, Path: "/auth/sign-in",
		Body: map[string]string{"username": c.Username, "password": c.Password}}).JSON(t, &in)
	s.Do(apptest.Call{Host: c.Host, Path: "/relations/email?request=status", Bearer: in.Token}).JSON(t, &pending)
	assert.Equal(t, "Groningen-"+c.Key+"@voorbeeld.example", pending["change_email"])

	for what, body := range map[string]string{
		"has no x.y":       `{"calls":[{"method":"GET","module":"account","path":"/relations","keep":{"a":"x.y"}}]}`,
		"no addresses.7":   `{"calls":[{"method":"GET","module":"account","path":"/relations","keep":{"a":"addresses.7"}}]}`,
		"kept as a":        `{"calls":[{"method":"GET","module":"account","path":"/{{kept \"a\"}}"}]}`,
		"was refused":      `{"records":[{"kind":"relation","data":{"debtor_number":"{{debtor}}","relation_since":"yesterday"}}]}`,
		"nowhere":          `{"records":[{"kind":"nowhere","data":{}}]}`,
		`"no" not defined`: `{"records":[{"kind":"relation","data":{"debtor_number":"{{no}}"}}]}`,
		"status 400":       `{"calls":[{"module":"account","path":"/relations/email","body":{"change_email":"x"}}]}`,
		"function \"no":    `{"calls":[{"module":"account","path":"/{{no}}"}]}`,
	} {
		a := make(body)
		assert.Equal(t, http.StatusUnprocessableEntity, a.Status, what)
		assert.Contains(t, strings.ReplaceAll(string(a.Body), `\"`, `"`), what)
	}
}

// The new demo data of a release is added to a database that the previous release has filled, and visitors' changes are kept.
func TestDemoOfTheNextRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole demos")
	}
	t.Parallel()
	labels := t.TempDir()
	require.NoError(t, os.CopyFS(labels, os.DirFS(shippedLabels)))
	folder := filepath.Join(labels, "1042", "demo")
	relations := filepath.Join(folder, "relation.ndjson")
	now, err := os.ReadFile(relations)
	require.NoError(t, err)
	first, rest, _ := bytes.Cut(now, []byte("\n"))
	require.NoError(t, os.WriteFile(relations, rest, 0o600)) // the previous release did not have the first relation
	s := apptest.Start(t, apptest.Options{Modules: modules.All, LabelsDir: labels, Config: config.Config{Demo: true}})
	var in struct {
		Token string `json:"id_token"`
	}
	signIn := func(s *apptest.Server, username string) string {
		s.Do(apptest.Call{Method: http.MethodPost, Host: "1042.localhost", Path: "/auth/sign-in",
			Body: map[string]string{"username": username, "password": demo.Password}}).JSON(t, &in)
		return in.Token
	}
	get := func(s *apptest.Server, token, path string, out any) int {
		a := s.Do(apptest.Call{Host: "1042.localhost", Path: path, Bearer: token})
		if out != nil && a.Status == http.StatusOK {
			a.JSON(t, out)
		}
		return a.Status
	}
	assert.Equal(t, http.StatusNotFound, get(s, signIn(s, "baris.sahin"), "/relations", nil))
	mieke := signIn(s, "mieke.vandenbroek")
	a := s.Do(apptest.Call{Method: http.MethodPut, Host: "1042.localhost", Path: "/relations/phonenumber", Bearer: mieke,
		Body: `{"phone_number":"0687654321"}`})
	require.Less(t, a.Status, 300, string(a.Body))
	require.NoError(t, s.Stop(t.Context()))

	require.NoError(t, os.WriteFile(relations, append(append(first, '\n'), rest...), 0o600))
	next := apptest.NewReplica(t, s.Config, modules.All)
	require.NoError(t, next.Serve(t.Context()))
	t.Cleanup(func() { require.NoError(t, next.Stop(t.Context())) })
	s = (&apptest.Server{App: next, URL: "http://" + next.Addr().String()}).For(t)
	assert.Equal(t, http.StatusOK, get(s, signIn(s, "baris.sahin"), "/relations", nil))
	pending := map[string]any{}
	require.Equal(t, http.StatusOK, get(s, signIn(s, "mieke.vandenbroek"), "/relations/phonenumber?request=status", &pending))
	assert.Equal(t, "0687654321", pending["phone_number"])
}

func TestNoDemoCustomerOutsideOfTheDemo(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Modules: modules.All})
	a := s.Do(apptest.Call{Method: http.MethodPost, Path: "/dev/customers", Body: `{}`})
	assert.Equal(t, http.StatusNotFound, a.Status)
}

// The shipped labels with a sustainable market hide delivery addresses on the account page, and show orders, moves and payment data of the
// relation there. All other labels show only the addresses.
func TestAccountSectionsOfShippedLabels(t *testing.T) {
	t.Parallel()
	t.Run("6-sustainable-skip-addresses,6-sustainable-account-sections", func(t *testing.T) {
		s := apptest.Start(t, apptest.Options{Modules: modules.All, LabelsDir: shippedLabels})
		for _, l := range s.Labels.All() {
			var portal struct {
				Settings struct {
					Account struct {
						Show *bool `json:"show_shipping_addresses"`
					} `json:"account"`
					Billing struct {
						Details *bool `json:"bank_account_details"`
					} `json:"billing"`
				} `json:"settings"`
			}
			s.Do(apptest.Call{Host: l.Hosts[0].Name, Path: "/portal"}).JSON(t, &portal)
			require.NotNil(t, portal.Settings.Account.Show, l.Key)
			require.NotNil(t, portal.Settings.Billing.Details, l.Key)
			_, sells := l.Modules["marketplace"]
			market := slices.Contains([]string{"1060", "1024", "1071"}, l.Key)
			assert.Equal(t, []bool{!market, !market, market}, []bool{*portal.Settings.Account.Show, *portal.Settings.Billing.Details, sells}, l.Key)
		}
	})
}

// Two applicants wait for approval, and staff can approve them.
func TestDemoApplicants(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole demos")
	}
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, LabelsDir: shippedLabels, Config: config.Config{Demo: true}})
	var list []fixture.Object
	s.Portal().Eventually(func() bool {
		list = fixture.StaffList(t, s.Portal(), "1024", "/staff/changes?state=PENDING&kind=onboarding.application")
		return len(list) == 2
	})
	fixture.DecideApplication(t, fixture.Visitor{Portal: s.Portal(), Label: "1024"}, list[1]["id"], module.Processed, "")
	email := list[1]["data"].(fixture.Object)["email"].(string)
	s.Portal().Eventually(func() bool {
		return slices.ContainsFunc(fixture.MailsTo(t, s.Portal(), email), func(m portaltest.Mail) bool { return m.Mail.Code != "" })
	})
}

// everyPage returns all pages of a market list for staff.
func everyPage(t *testing.T, s *apptest.Server, labelKey, path string) (out []fixture.Object) {
	t.Helper()
	for n := 0; ; n++ {
		var page struct {
			Content []fixture.Object `json:"content"`
		}
		a := s.Do(apptest.Call{Host: labelKey + ".localhost", Path: fmt.Sprintf("%s?page=%d", path, n), Bearer: s.Staff(labelKey)})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &page)
		if len(page.Content) == 0 {
			return out
		}
		out = append(out, page.Content...)
	}
}

// The market of a demo has offers and orders in every lasting status, with creation dates in the past.
func TestDemoMarket(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, LabelsDir: shippedLabels, Config: config.Config{Demo: true}})
	t.Run("9-demo-orders", func(t *testing.T) {
		zone, err := time.LoadLocation("Europe/Amsterdam")
		require.NoError(t, err)
		hasTime := func(at any, what any) {
			made, err := time.Parse(time.RFC3339, at.(string))
			require.NoError(t, err)
			assert.NotEqual(t, "00:00", made.In(zone).Format("15:04"), "%v", what)
		}
		orders := map[any]int{}
		s.Portal().Eventually(func() bool { // the payments of the newest orders are created after the start
			clear(orders)
			for _, o := range everyPage(t, s, "1024", "/sustainable/staff/orders") {
				orders[o["status"]]++
			}
			return orders["CREATED"] == 0
		})
		for _, status := range []string{"AWAITING_PAYMENT", "BOUGHT", "COMPLETED", "EXPIRED", "CANCELLED"} {
			assert.Positive(t, orders[status], "%s: %v", status, orders)
		}
		for _, o := range everyPage(t, s, "1024", "/sustainable/staff/orders") {
			hasTime(o["placed"], o["deal_reference"])
		}
		offers := map[any]int{}
		for _, o := range everyPage(t, s, "1024", "/sustainable/staff/offers") {
			offers[o["lifecycle"]]++
			hasTime(o["created"], o["reference"])
		}
		for _, status := range []string{"CREATED", "APPROVED", "ACTIVE", "SOLD", "REJECTED", "REVOKED"} {
			assert.Positive(t, offers[status], "%s: %v", status, offers)
		}
	})
}

// A visitor has changed the term amount, and the next release has different demo data for everybody.
func TestDemoKeepsWhatVisitorsDid(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole demos")
	}
	t.Parallel()
	storetest.EachConfig(t, func(t *testing.T, db store.Config) {
		labels := t.TempDir()
		require.NoError(t, os.CopyFS(labels, os.DirFS(shippedLabels)))
		s := apptest.Start(t, apptest.Options{Modules: modules.All, LabelsDir: labels, Store: &db, Config: config.Config{Demo: true}})
		as := func(s *apptest.Server, username, path string) portaltest.Answer {
			var in struct {
				Token string `json:"id_token"`
			}
			s.Do(apptest.Call{Method: http.MethodPost, Host: "1042.localhost", Path: "/auth/sign-in",
				Body: map[string]string{"username": username, "password": demo.Password}}).JSON(t, &in)
			return s.Do(apptest.Call{Host: "1042.localhost", Path: path, Bearer: in.Token})
		}
		amount := func(s *apptest.Server, username, agreement string) any {
			var all []fixture.Object
			as(s, username, "/periodicalPayments").JSON(t, &all)
			i := slices.IndexFunc(all, func(p fixture.Object) bool { return p["agreement_identifier_with_sequence"] == agreement })
			require.GreaterOrEqual(t, i, 0, "%v", all)
			return all[i]["current_amount"]
		}
		const consent = "/smartmeterreadings/historicaldata"
		require.Contains(t, string(as(s, "pieter.degroot", consent).Body), `"consentPresent":false`)
		before := amount(s, "baris.sahin", "1042000102-1").(float64)
		var in struct {
			Token string `json:"id_token"`
		}
		s.Do(apptest.Call{Method: http.MethodPost, Host: "1042.localhost", Path: "/auth/sign-in",
			Body: map[string]string{"username": "mieke.vandenbroek", "password": demo.Password}}).JSON(t, &in)
		a := s.Do(apptest.Call{Method: http.MethodPut, Host: "1042.localhost", Path: "/periodicalPayments/1042000201-2", Bearer: in.Token,
			Body: fixture.Object{"request_periodical_payment_amount": 90}})
		require.Less(t, a.Status, 300, string(a.Body))
		var changes []fixture.Object
		s.Portal().Eventually(func() bool {
			changes = fixture.StaffList(t, s.Portal(), "1042", "/staff/changes?state=PENDING&kind=billing.term_amount")
			return len(changes) == 1
		})
		fixture.DecideApplication(t, fixture.Visitor{Portal: s.Portal(), Label: "1042"}, changes[0]["id"], module.Processed, "")
		s.Portal().Eventually(func() bool { return amount(s, "mieke.vandenbroek", "1042000201-2") == 90.0 })
		require.NoError(t, s.Stop(t.Context()))

		folder := filepath.Join(labels, "1042", "demo")
		edit := func(name string, change func(text string) string) {
			file := filepath.Join(folder, name)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, []byte(change(string(text))), 0o600))
		}
		another := "" // a contract of somebody who has one
		edit("agreement.ndjson", func(text string) string {
			text = regexp.MustCompile(`"current_amount":(\d+)`).ReplaceAllString(text, `"current_amount":1$1`)
			for line := range strings.Lines(text) {
				switch {
				case strings.Contains(line, `"1042000102-1"`):
					text += strings.NewReplacer("1042000102-1", "1042000102-9", "104200010201", "104200010209").Replace(line)
				case strings.Contains(line, `"1042000201-2"`):
					another = strings.NewReplacer("1042000201-2", "1042000201-9", "104200020102", "104200020109").Replace(line)
				}
			}
			return text
		})
		require.NoError(t, os.WriteFile(filepath.Join(folder, "agreement.later.ndjson"), []byte(another), 0o600))
		edit("people.json", func(text string) string {
			return strings.Replace(text, `"pieter.degroot": {`, `"pieter.degroot": {"calls": [{"method": "GET", "module": "usage", `+
				`"path": "/smartmeterreadings/historicaldata?consentGiven=true"}], `, 1)
		})
		next := apptest.NewReplica(t, s.Config, modules.All)
		require.NoError(t, next.Serve(t.Context()))
		t.Cleanup(func() { require.NoError(t, next.Stop(t.Context())) })
		s = (&apptest.Server{App: next, URL: "http://" + next.Addr().String()}).For(t)
		t.Run("9-demo-kept", func(t *testing.T) {
			assert.Equal(t, 90.0, amount(s, "mieke.vandenbroek", "1042000201-2"), "what a visitor asked for and got")
			assert.Equal(t, 1000+before, amount(s, "baris.sahin", "1042000102-1"), "of a customer whom nobody touched")
			assert.Equal(t, 1000+before, amount(s, "baris.sahin", "1042000102-9"), "a new record in a file that was loaded")
			assert.Positive(t, amount(s, "mieke.vandenbroek", "1042000201-9"), "a new file, also for somebody whose records stay")
			assert.Contains(t, string(as(s, "pieter.degroot", consent).Body), `"consentPresent":true`, "a new call")
		})
	})
}
