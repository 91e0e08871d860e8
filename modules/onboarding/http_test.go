package onboarding_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/address"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/move"
	"github.com/wattle-portal/wattle/modules/onboarding"
	"github.com/wattle-portal/wattle/test/fixture"
)

// onboardingOptions contains two labels with registration and one without; "gamma" requires an address for reactivation.
func onboardingOptions() portaltest.Options {
	return portaltest.Options{Modules: []module.Module{account.Module, address.Module, billing.Module, move.Module, onboarding.Module},
		Labels: []portaltest.Label{
			{Key: "alpha", CUE: "modules: onboarding: registration: true"},
			{Key: "beta", Kind: portaltest.Participants},
			{Key: "gamma", CUE: "modules: onboarding: {registration: true, reactivation_address: true, gender_other: true}"},
		}}
}

func TestOnboarding(t *testing.T) {
	t.Parallel()
	o := onboardingOptions()
	log := &bytes.Buffer{}
	o.Log = log
	portaltest.Each(t, o, func(t *testing.T, s *portaltest.Portal) {
		t.Run("registration", func(t *testing.T) { testRegistration(t, s) })
		t.Run("approval", func(t *testing.T) { testApproval(t, s, log) })
		t.Run("abuse", func(t *testing.T) { testAbuse(t, s) })
		t.Run("reactivation", func(t *testing.T) { testReactivation(t, s) })
		t.Run("reactivation with an address", func(t *testing.T) { testReactivationAddress(t, s) })
	})
}

func testRegistration(t *testing.T, s *portaltest.Portal) {
	v := fixture.Visitor{Portal: s, Label: "alpha"}
	waiting := func(labelKey string) int { return len(fixture.StaffList(t, s, labelKey, "/staff/applications")) }

	t.Run("7.1-account-request-use,7.5-register-submit,3-registration-fields,5.9-names,5.9-phone-rule", func(t *testing.T) {
		form := fixture.With(fixture.Applicant("velden@klant.example"), fixture.Object{"house_number": "15", "house_number_extension": " a ",
			"zip_code": "5021dp", "label_key": "alpha"})
		a := v.Post("/account/request", form)
		require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
		assert.Equal(t, 1, waiting("alpha"))
		token := fixture.MailedToken(t, s, "velden@klant.example", 1, "/verify/")
		require.Equal(t, http.StatusOK, v.Post("/emailverification/verify/"+token, nil).Status)
		require.Equal(t, http.StatusPreconditionFailed, v.Post("/emailverification/verify/"+token, nil).Status, "a link works once")
		fixture.NthMail(t, s, "velden@klant.example", 2)
		assert.Equal(t, 0, waiting("alpha"))
		list := fixture.StaffList(t, s, "alpha", "/staff/changes?kind=onboarding.application")
		require.Len(t, list, 1)
		assert.Equal(t, fixture.Object{"initials": "N.", "preferred_name": "Renée", "prefix": "van der", "last_name": "Smit-D'Ancona",
			"gender": "FEMALE", "birth_date": "2008-02-29", "phone_number": "0612345678", "email": "velden@klant.example", "locale": "nl",
			"bank_account_number": "NL91ABNA0417164300", "bank_account_name": "R. Smit",
			"address": fixture.Object{"street": "Merelstraat", "house_number": "15", "house_number_extension": "A", "zip_code": "5021DP",
				"city": "Tilburg"}}, list[0]["data"])
	})
	t.Run("a repeated request is the same registration", func(t *testing.T) {
		fixture.ForgetLimits(t, s)
		before := waiting("alpha")
		send := func(key string, form fixture.Object) portaltest.Answer {
			return s.Do(portaltest.Call{Method: http.MethodPost, Host: "alpha.localhost", Path: "/account/request", Body: form,
				Header: map[string]string{"Idempotency-Key": key}})
		}
		const email = "nogmaals@klant.example"
		statuses := make([]int, 8)
		var all sync.WaitGroup
		for i := range statuses { // concurrent calls, each with its own proof, as when a page was open for a long time
			all.Go(func() {
				form := fixture.Applicant(email)
				if i%2 == 0 {
					form["prefix"] = "  van   der "
				}
				statuses[i] = send("form-1", form).Status
			})
		}
		all.Wait()
		assert.Equal(t, slices.Repeat([]int{http.StatusCreated}, 8), statuses)
		assert.Equal(t, http.StatusCreated, send("form-1", fixture.Applicant(email)).Status, "repetitions are not limited by mails per address")
		assert.Equal(t, before+1, waiting("alpha"))
		fixture.NthMail(t, s, email, 1)
		assert.Equal(t, http.StatusCreated, send("form-1", fixture.With(fixture.Applicant(email), fixture.Object{"last_name": "Smit"})).Status)
		assert.Equal(t, before+2, waiting("alpha"), "a corrected form with the same key")
		assert.Equal(t, http.StatusCreated, send("form-2", fixture.Applicant(email)).Status)
		assert.Equal(t, before+3, waiting("alpha"), "a new key, as after a lost mail")
		fixture.NthMail(t, s, email, 3)
		elsewhere := s.Do(portaltest.Call{Method: http.MethodPost, Host: "gamma.localhost", Path: "/account/request",
			Body: fixture.Applicant(email), Header: map[string]string{"Idempotency-Key": "form-1"}})
		assert.Equal(t, http.StatusCreated, elsewhere.Status)
		assert.Equal(t, 1, waiting("gamma"), "a key belongs to one label")
		assert.Equal(t, http.StatusBadRequest, send(strings.Repeat("x", 65), fixture.Applicant(email)).Status)
		_, err := s.DB().ExecContext(t.Context(), "DELETE FROM onboarding_applications WHERE email = ?", email)
		require.NoError(t, err)
		fixture.ForgetLimits(t, s)
	})
	t.Run("5.9-label-key-reconcile", func(t *testing.T) {
		before := waiting("alpha")
		for i, key := range []any{nil, "", "alpha"} {
			a := v.Post("/account/request", fixture.With(fixture.Applicant("sleutel@klant.example"), fixture.Object{"label_key": key}))
			assert.Equal(t, http.StatusCreated, a.Status, string(a.Body))
			assert.Equal(t, before+i+1, waiting("alpha"), "stored for the label of the host")
		}
		before = waiting("alpha")
		a := v.Post("/account/request", fixture.With(fixture.Applicant("sleutel@klant.example"), fixture.Object{"label_key": "gamma"}))
		assert.Equal(t, http.StatusForbidden, a.Status, "another label's key")
		assert.Equal(t, "onboarding.registration_closed", a.Code())
		assert.Equal(t, before, waiting("alpha"))
		assert.Equal(t, 0, waiting("gamma"))
	})
	t.Run("a label without registration stores nothing", func(t *testing.T) {
		shut := fixture.Visitor{Portal: s, Label: "beta"}
		for _, form := range []fixture.Object{fixture.Applicant("dicht@klant.example"), {},
			fixture.With(fixture.Applicant("dicht@klant.example"), fixture.Object{"label_key": "alpha"})} {
			a := shut.Post("/account/request", form)
			assert.Equal(t, http.StatusForbidden, a.Status)
			assert.Equal(t, "onboarding.registration_closed", a.Code())
		}
		assert.Equal(t, http.StatusForbidden, shut.Post("/account/request/challenge", nil).Status)
		assert.Equal(t, 0, waiting("beta"))
		mails := s.Mails("")
		assert.False(t, slices.ContainsFunc(mails, func(m portaltest.Mail) bool { return m.Mail.To == "dicht@klant.example" }))
	})
	t.Run("7.1-account-request-use", func(t *testing.T) {
		before := waiting("alpha")
		a := v.Post("/account/request", fixture.Object{})
		assert.Equal(t, []string{"initials required", "preferred_name required", "last_name required", "gender required", "birth_date required",
			"phone_number required", "email required", "zip_code required", "house_number required", "bank_account_number required",
			"bank_account_name required"}, fixture.RefusedFields(t, a))
		a = v.Post("/account/request", fixture.With(fixture.Applicant("nergens@klant.example"),
			fixture.Object{"zip_code": "1234XX", "house_number_extension": "1 hoog"}))
		p := fixture.ProblemOf(t, a)
		assert.Equal(t, http.StatusNotFound, a.Status)
		assert.Equal(t, "onboarding.address_unknown", p.Code)
		assert.Equal(t, []problem.FieldError{{Field: "zip_code", Code: p.Code}, {Field: "house_number", Code: p.Code},
			{Field: "house_number_extension", Code: p.Code}}, p.Errors)
		for _, broken := range []string{`{"email":`, `[]`, `{"email":1}`} {
			assert.Equal(t, http.StatusBadRequest, v.Post("/account/request", broken).Status, broken)
		}
		assert.Equal(t, before, waiting("alpha"))
	})
	codes := map[string]string{"preferred_name": "onboarding.name_invalid", "last_name": "onboarding.name_invalid", "initials": "required",
		"bank_account_name": "required", "gender": "onboarding.gender_invalid", "phone_number": "onboarding.phone_invalid",
		"email": "onboarding.email_invalid", "zip_code": "onboarding.zip_code_invalid", "bank_account_number": "onboarding.iban_invalid"}
	for row, invalid := range map[string]fixture.Object{ // the server returns each error at its field
		"5.9-names":           {"preferred_name": "2Fenna", "last_name": "Bo_er"},
		"5.9-names-reconcile": {"last_name": "van Dijk"},
		"5.9-required":        {"initials": nil, "bank_account_name": " "},
		"2.4-register-gender": {"gender": "X"},
		"5.9-phone":           {"phone_number": "+32470123456"},
		"5.9-phone-rule":      {"phone_number": "06.12345678"},
		"5.9-email":           {"email": "fenna@voorbeeld"},
		"5.9-email-extra":     {"email": "fenna..boer@voorbeeld.nl"},
		"5.9-zip-length":      {"zip_code": "9731A"},
		"5.9-iban":            {"bank_account_number": "NL92ABNA0417164300"},

		"5.1-iban-checksum-reconcile": {"bank_account_number": "NL5312340417164300"},
		"9-register-gender-other":     {"gender": "OTHER"}, // the label does not offer it
	} {
		t.Run(row, func(t *testing.T) {
			a := v.Post("/account/request", fixture.With(fixture.Applicant("fout@klant.example"), invalid))
			want := []string{}
			for field := range invalid {
				want = append(want, field+" "+codes[field])
			}
			assert.ElementsMatch(t, want, fixture.RefusedFields(t, a))
		})
	}
	t.Run("5.9-optional", func(t *testing.T) {
		a := v.Post("/account/request", fixture.With(fixture.Applicant("kort@klant.example"),
			fixture.Object{"prefix": nil, "house_number_extension": nil, "label_key": nil}))
		assert.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	})
	t.Run("5.9-birth-range,5.9-age", func(t *testing.T) {
		for born, code := range map[string]string{"1899-12-31": "birth_date_invalid", "2026-11-21": "birth_date_invalid",
			"2008-11-21": "too_young"} {
			a := v.Post("/account/request", fixture.With(fixture.Applicant("fout@klant.example"), fixture.Object{"birth_date": born}))
			assert.Equal(t, []string{"birth_date onboarding." + code}, fixture.RefusedFields(t, a), born)
		}
		a := v.Post("/account/request", fixture.With(fixture.Applicant("jarig@klant.example"), fixture.Object{"birth_date": "2008-11-20"}))
		assert.Equal(t, http.StatusCreated, a.Status, "18 today")
	})
}

// firstSignIn signs in with a temporary password and chooses another one. It returns the customer and the name by which the portal greets.
func firstSignIn(t *testing.T, v fixture.Visitor, username, password string) (fixture.Customer, string) {
	t.Helper()
	a := v.Post("/auth/sign-in", fixture.Object{"username": username, "password": password})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	var in struct{ Challenge, Session string }
	a.JSON(t, &in)
	require.Equal(t, "NEW_PASSWORD_REQUIRED", in.Challenge)
	a = v.Post("/auth/new-password", fixture.Object{"session": in.Session, "new_password": "Zonnebloem7"})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	var out struct {
		IDToken string `json:"id_token"`
		Session struct {
			PreferredName string `json:"preferred_name"`
		} `json:"session"`
	}
	a.JSON(t, &out)
	return fixture.Customer{Caller: v.Portal.As(v.Label, out.IDToken)}, out.Session.PreferredName
}

func testApproval(t *testing.T, s *portaltest.Portal, log *bytes.Buffer) {
	fixture.ForgetLimits(t, s)
	v := fixture.Visitor{Portal: s, Label: "alpha"}
	const email = "Renee@klant.example"

	t.Run("4-access-approval", func(t *testing.T) {
		change := fixture.Applied(t, v, fixture.Applicant(email), 1)
		second := fixture.Applicant(strings.ToUpper(email))
		require.Equal(t, http.StatusCreated, v.Post("/account/request", second).Status, "a second application gets the same response")
		token := fixture.MailedToken(t, s, strings.ToUpper(email), 1, "/verify/")
		require.Equal(t, http.StatusOK, v.Post("/emailverification/verify/"+token, nil).Status)
		s.Eventually(func() bool {
			return !slices.ContainsFunc(fixture.StaffList(t, s, "alpha", "/staff/applications"),
				func(a fixture.Object) bool { return a["email"] == strings.ToUpper(email) })
		})
		pending := 0
		for _, c := range fixture.StaffList(t, s, "alpha", "/staff/changes?state=PENDING&kind=onboarding.application") {
			if strings.EqualFold(c["data"].(fixture.Object)["email"].(string), email) {
				pending++
			}
		}
		assert.Equal(t, 1, pending, "a mailbox has one pending application")

		for _, m := range s.Mails(email) {
			assert.Empty(t, m.Mail.Code, "no login details before the approval")
		}
		fixture.DecideApplication(t, v, change["id"], "PROCESSED", "")
		m := fixture.MailWithCode(t, s, email, 3)
		password := m.Mail.Code
		require.NotEmpty(t, password)
		assert.Contains(t, strings.Join(m.Mail.Lines, "\n"), "renee@klant.example")

		me, preferred := firstSignIn(t, v, " RENEE@klant.example", password)
		assert.Equal(t, fixture.Applicant(email)["preferred_name"], preferred, "9-account-preferred")
		s.Eventually(func() bool { return me.Do(http.MethodGet, "/relations", nil).Status == http.StatusOK })
		r := me.Get(t, "/relations")
		assert.Equal(t, onboarding.DebtorNumber(change["id"].(string)), r["debtor_number"])
		assert.Equal(t, []any{"Smit-D'Ancona", "MRS", "2026-11-20", "NL91ABNA0417164300", email},
			[]any{r["last_name"], r["salutation"], r["relation_since"], r["bank_account_number"], r["email"]})
		assert.Len(t, r["addresses"], 2)

		// Only the email contains the password; the database, the write-ahead log and our log do not.
		s.Deliver()
		assert.NotContains(t, log.String(), password)
		require.NoError(t, filepath.WalkDir(s.DataDir(), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				if d != nil && d.Name() == "mailbox" {
					return fs.SkipDir
				}
				return err
			}
			content, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.False(t, bytes.Contains(content, []byte(password)), file)
			return nil
		}))
		var payloads []string
		require.NoError(t, s.DB().NewRaw("SELECT payload FROM outbox_messages").Scan(t.Context(), &payloads))
		assert.NotContains(t, strings.Join(payloads, "\n"), password)
	})
	t.Run("9-register-gender-other", func(t *testing.T) {
		v := fixture.Visitor{Portal: s, Label: "gamma"}
		const email = "noor@klant.example"
		change := fixture.Applied(t, v, fixture.With(fixture.Applicant(email), fixture.Object{"gender": "OTHER"}), 1)
		assert.Equal(t, "OTHER", change["data"].(fixture.Object)["gender"])
		fixture.DecideApplication(t, v, change["id"], "PROCESSED", "")
		me, _ := firstSignIn(t, v, email, fixture.MailWithCode(t, s, email, 3).Mail.Code)
		s.Eventually(func() bool { return me.Do(http.MethodGet, "/relations", nil).Status == http.StatusOK })
		r := me.Get(t, "/relations")
		assert.Equal(t, "Smit-D'Ancona", r["last_name"])
		assert.NotContains(t, r, "salutation")
	})
	t.Run("only the mailbox is notified that it already has an account", func(t *testing.T) {
		a := v.Post("/account/request", fixture.Applicant(email))
		require.Equal(t, http.StatusCreated, a.Status)
		require.Empty(t, a.Body)
		token := fixture.MailedToken(t, s, email, 4, "/verify/")
		require.Equal(t, http.StatusOK, v.Post("/emailverification/verify/"+token, nil).Status)
		assert.Equal(t, "Je hebt al een account", fixture.NthMail(t, s, email, 5).Subject)
	})
	t.Run("4-access-approval", func(t *testing.T) { // a rejection
		change := fixture.Applied(t, v, fixture.Applicant("nee@klant.example"), 1)
		fixture.DecideApplication(t, v, change["id"], "REJECTED", "Geen lid van de coöperatie")
		m := fixture.MailThatSays(t, s, "nee@klant.example", 3, "Geen lid van de coöperatie")
		assert.Empty(t, m.Mail.Code)
		a := v.Post("/auth/sign-in", fixture.Object{"username": "nee@klant.example", "password": "Zonnebloem7"})
		assert.Equal(t, http.StatusUnauthorized, a.Status)
		fixture.Applied(t, v, fixture.Applicant("nee@klant.example"), 4) // a rejected applicant may apply again
	})
	t.Run("if the username is taken, the debtor number is used", func(t *testing.T) {
		change := fixture.Applied(t, v, fixture.Applicant("bezet@klant.example"), 1)
		s.SignIn(portaltest.Account{Label: "alpha", Relation: "r-bezet", Username: "bezet@klant.example", Email: "ander@klant.example",
			Role: portaltest.RoleCustomer})
		fixture.DecideApplication(t, v, change["id"], "PROCESSED", "")
		fixture.MailThatSays(t, s, "bezet@klant.example", 3, strings.ToLower(onboarding.DebtorNumber(change["id"].(string))))
	})
	t.Run("4-addr-lookup-down", func(t *testing.T) {
		down := fixture.Visitor{Portal: downRegister(t), Label: "alpha"}
		form := fixture.With(fixture.Applicant("storing@klant.example"), fixture.Object{"street": "Lindelaan", "city": "Groningen"})
		data := fixture.Applied(t, down, form, 1)["data"].(fixture.Object)
		assert.Equal(t, true, data["unchecked"])
		assert.Equal(t, fixture.Object{"street": "Lindelaan", "house_number": "7", "house_number_extension": "", "zip_code": "9731AB",
			"city": "Groningen"}, data["address"])
	})
}

// downRegister returns a portal whose address register is down.
func downRegister(t *testing.T) *portaltest.Portal {
	o := onboardingOptions()
	o.Labels = []portaltest.Label{{Key: "alpha", CUE: `modules: onboarding: registration: true
modules: {address: register: {provider: "pdok", url: "http://127.0.0.1:1"}, move: connections: {provider: "http", url: "http://127.0.0.1:1"}}`}}
	return portaltest.Start(t, o)
}

func testAbuse(t *testing.T, s *portaltest.Portal) {
	v := fixture.Visitor{Portal: s, Label: "alpha"}
	waiting := func() int { return len(fixture.StaffList(t, s, "alpha", "/staff/applications")) }
	challenge := func() (c onboarding.Challenge) {
		a := v.Post("/account/request/challenge", nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &c)
		return c
	}
	t.Run("a filled hidden field requires a proof of work, which a bot does not have and a password manager does", func(t *testing.T) {
		fixture.ForgetLimits(t, s)
		filled := fixture.With(fixture.Applicant("manager@klant.example"), fixture.Object{"website": "https://filled.example"})
		a := v.Post("/account/request", filled)
		assert.Equal(t, http.StatusPreconditionRequired, a.Status)
		assert.Equal(t, "onboarding.proof_needed", a.Code())
		c := challenge()
		a = v.Post("/account/request", fixture.With(filled, fixture.Object{"challenge": c.Challenge,
			"solution": onboarding.Solve(c.Challenge, c.Bits)}))
		assert.Equal(t, http.StatusCreated, a.Status, string(a.Body))
		fixture.NthMail(t, s, "manager@klant.example", 1)
	})
	t.Run("frequent callers need a proof of work, which is valid once", func(t *testing.T) {
		fixture.ForgetLimits(t, s)
		for i := range 10 {
			a := v.Post("/account/request", fixture.Applicant(fmt.Sprintf("vaak%d@klant.example", i)))
			require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
		}
		before := waiting()
		a := v.Post("/account/request", fixture.Applicant("vaak@klant.example"))
		assert.Equal(t, http.StatusPreconditionRequired, a.Status)
		assert.Equal(t, "onboarding.proof_needed", a.Code())
		c := challenge()
		solved := fixture.With(fixture.Applicant("vaak@klant.example"), fixture.Object{"challenge": c.Challenge,
			"solution": onboarding.Solve(c.Challenge, c.Bits)})
		invalid := fixture.With(solved, fixture.Object{"solution": "x"})
		assert.Equal(t, "onboarding.proof_invalid", v.Post("/account/request", invalid).Code())
		elsewhere := fixture.Visitor{Portal: s, Label: "gamma"}.Post("/account/request", solved)
		assert.Equal(t, "onboarding.proof_invalid", elsewhere.Code(), "of another label")
		refused := v.Post("/account/request", fixture.With(solved, fixture.Object{"zip_code": "1234XX"}))
		assert.Equal(t, http.StatusNotFound, refused.Status)
		require.Equal(t, before, waiting())
		a = v.Post("/account/request", solved)
		require.Equal(t, http.StatusCreated, a.Status, "a corrected form may use the same proof")
		assert.Equal(t, "onboarding.proof_invalid", v.Post("/account/request", solved).Code(), "used")
		late := challenge()
		late.Challenge = strings.Replace(late.Challenge, ".1", ".2", 1)
		solved = fixture.With(fixture.Applicant("vaak@klant.example"), fixture.Object{"challenge": late.Challenge,
			"solution": onboarding.Solve(late.Challenge, late.Bits)})
		assert.Equal(t, "onboarding.proof_invalid", v.Post("/account/request", solved).Code(), "a changed time of expiry")
		assert.Equal(t, before+1, waiting())
	})
	t.Run("the number of mails to an address is limited", func(t *testing.T) {
		fixture.ForgetLimits(t, s)
		for range 5 {
			require.Equal(t, http.StatusCreated, v.Post("/account/request", fixture.Applicant("vol@klant.example")).Status)
		}
		a := v.Post("/account/request", fixture.Applicant("VOL@klant.example"))
		assert.Equal(t, http.StatusTooManyRequests, a.Status)
		assert.Equal(t, problem.CodeTooManyCalls, a.Code())
		for range 5 {
			require.Equal(t, http.StatusAccepted, v.Post("/reactivate/begin", fixture.Object{"email": "vol@klant.example"}).Status)
		}
		assert.Equal(t, http.StatusTooManyRequests, v.Post("/reactivate/begin", fixture.Object{"email": " VOL@klant.example "}).Status)
	})
	t.Run("the number of calls of a network address is limited", func(t *testing.T) {
		fixture.ForgetLimits(t, s)
		last := 0
		for i := range 61 {
			last = v.Post("/reactivate/begin", fixture.Object{"email": fmt.Sprintf("golf%d@klant.example", i)}).Status
		}
		assert.Equal(t, http.StatusTooManyRequests, last)
		for range 61 {
			last = v.Post("/reactivate/finish/verzonnen", nil).Status
		}
		assert.Equal(t, http.StatusTooManyRequests, last)
	})
	fixture.ForgetLimits(t, s)
}

// importPasswordless imports a customer whose account has no password, as after a migration from another portal.
func importPasswordless(t *testing.T, s *portaltest.Portal, labelKey, name string) {
	t.Helper()
	relation := account.RelationID(labelKey, name)
	s.AddAccount(portaltest.Account{Label: labelKey, Relation: relation, Username: name, Email: name + "@klant.example"}, "", false)
	require.Empty(t, s.Import(labelKey, "relation", fixture.Object{"debtor_number": name, "email": name + "@klant.example",
		"addresses": []fixture.Object{{"address_type": "SHIPPING", "street": "Lindelaan", "house_number": "7", "zip_code": "9731AB",
			"city": "Groningen"}}}))
}

func testReactivation(t *testing.T, s *portaltest.Portal) {
	v := fixture.Visitor{Portal: s, Label: "alpha"}
	importPasswordless(t, s, "alpha", "slaper")
	s.SignIn(portaltest.Account{Label: "alpha", Relation: "r-wakker", Username: "wakker", Email: "wakker@klant.example",
		Role: portaltest.RoleCustomer})
	begin := func(body fixture.Object) portaltest.Answer { return v.Post("/reactivate/begin", body) }

	t.Run("7.5-reactivate-begin,7.5-reactivate-begin-privacy", func(t *testing.T) {
		known := begin(fixture.Object{"email": "Slaper@klant.example ", "labelKey": "alpha"})
		unknown := begin(fixture.Object{"email": "niemand@klant.example", "labelKey": "alpha"})
		require.Equal(t, http.StatusAccepted, known.Status, string(known.Body))
		assert.Equal(t, known.Status, unknown.Status)
		assert.Equal(t, known.Body, unknown.Body)
		assert.NotEmpty(t, fixture.MailedToken(t, s, "slaper@klant.example", 1, "/reactivation/"))
		all := s.Mails("")
		assert.False(t, slices.ContainsFunc(all, func(m portaltest.Mail) bool { return m.Mail.To == "niemand@klant.example" }))
		n, err := s.DB().NewSelect().TableExpr("onboarding_reactivations").Where("email = ?", "niemand@klant.example").Count(t.Context())
		require.NoError(t, err)
		assert.Zero(t, n, "nothing is stored for an unknown address")
	})
	t.Run("7.5-reactivate-begin", func(t *testing.T) {
		for _, invalid := range []fixture.Object{{}, {"email": "x"}, {"email": " "}} {
			assert.Equal(t, http.StatusBadRequest, begin(invalid).Status)
		}
		assert.Equal(t, problem.CodeLabelMismatch, begin(fixture.Object{"email": "slaper@klant.example", "labelKey": "beta"}).Code())
	})
	t.Run("7.5-reactivate-finish,7.5-reactivate-finish-reconcile", func(t *testing.T) {
		token := fixture.MailedToken(t, s, "slaper@klant.example", 1, "/reactivation/")
		var hashes []string
		require.NoError(t, s.DB().NewRaw("SELECT hash FROM onboarding_reactivations WHERE hash IS NOT NULL").Scan(t.Context(), &hashes))
		assert.NotContains(t, hashes, token, "stored hashed")
		assert.Equal(t, http.StatusGone, fixture.Visitor{Portal: s, Label: "beta"}.Post("/reactivate/finish/"+token, nil).Status,
			"another label's token")
		assert.Equal(t, http.StatusMethodNotAllowed, s.Do(portaltest.Call{Path: "/reactivate/finish/" + token}).Status)
		a := v.Post("/reactivate/finish/"+token, nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		password := fixture.MailWithCode(t, s, "slaper@klant.example", 2).Mail.Code
		in := v.Post("/auth/sign-in", fixture.Object{"username": "slaper", "password": password})
		assert.Contains(t, string(in.Body), "NEW_PASSWORD_REQUIRED")
		a = v.Post("/reactivate/finish/"+token, nil)
		assert.Equal(t, http.StatusPreconditionFailed, a.Status)
		assert.Equal(t, "onboarding.already_reactivated", a.Code())
		fixture.NthMail(t, s, "slaper@klant.example", 2)
	})
	t.Run("7.5-reactivate-finish", func(t *testing.T) {
		begin(fixture.Object{"email": "wakker@klant.example"})
		token := fixture.MailedToken(t, s, "wakker@klant.example", 1, "/reactivation/")
		assert.Equal(t, http.StatusPreconditionFailed, v.Post("/reactivate/finish/"+token, nil).Status, "an account with a password")
		in := v.Post("/auth/sign-in", fixture.Object{"username": "wakker", "password": portaltest.Password})
		assert.Equal(t, http.StatusOK, in.Status, "the password is unchanged")

		begin(fixture.Object{"email": "slaper@klant.example"})
		token = fixture.MailedToken(t, s, "slaper@klant.example", 3, "/reactivation/")
		s.SetClock(s.Now().Add(24 * time.Hour))
		for _, bad := range []string{token, "verzonnen", strings.Repeat("a", 43)} {
			a := v.Post("/reactivate/finish/"+bad, nil)
			assert.Equal(t, http.StatusGone, a.Status)
			assert.Equal(t, "onboarding.token_invalid", a.Code())
		}
	})
	t.Run("7.5-reactivate-begin-extended", func(t *testing.T) {
		extended := fixture.With(fixture.Applicant("slaper@klant.example"), fixture.Object{"labelKey": "alpha"})
		require.Equal(t, http.StatusAccepted, begin(extended).Status)
		for _, email := range []string{"slaper@klant.example", "niemand@klant.example"} {
			a := begin(fixture.With(extended, fixture.Object{"email": email, "zip_code": "1234XX"}))
			assert.Equal(t, http.StatusNotFound, a.Status)
			assert.Equal(t, "onboarding.address_unknown", a.Code())
		}
		token := fixture.MailedToken(t, s, "slaper@klant.example", 4, "/reactivation/")
		assert.Equal(t, http.StatusOK, v.Post("/reactivate/finish/"+token, nil).Status)
		other := fixture.With(extended, fixture.Object{"zip_code": "3512KL", "house_number": "24"})
		require.Equal(t, http.StatusAccepted, begin(other).Status)
		token = fixture.MailedToken(t, s, "slaper@klant.example", 6, "/reactivation/")
		assert.Equal(t, http.StatusNotFound, v.Post("/reactivate/finish/"+token, nil).Status, "another address than the customer's")
	})
}

func testReactivationAddress(t *testing.T, s *portaltest.Portal) {
	fixture.ForgetLimits(t, s)
	v := fixture.Visitor{Portal: s, Label: "gamma"}
	importPasswordless(t, s, "gamma", "thuis")
	const email = "thuis@klant.example"
	t.Run("2.4-reactivation-address-reconcile", func(t *testing.T) {
		require.Equal(t, http.StatusAccepted, v.Post("/reactivate/begin", fixture.Object{"email": email, "labelKey": "gamma"}).Status)
		token := fixture.MailedToken(t, s, email, 1, "/reactivation/")
		a := v.Post("/reactivate/finish/"+token, nil)
		var p problem.Problem
		a.JSON(t, &p)
		require.Equal(t, http.StatusNotFound, a.Status)
		assert.Equal(t, []problem.FieldError{{Field: "zip_code", Code: "onboarding.address_unknown"},
			{Field: "house_number", Code: "onboarding.address_unknown"}}, p.Errors)
		with := func(zip, number string) portaltest.Answer {
			return v.Post("/reactivate/begin", fixture.Object{"token": token, "labelKey": "gamma", "zip_code": zip, "house_number": number})
		}
		assert.Equal(t, http.StatusBadRequest, with("", "7").Status)
		assert.Equal(t, http.StatusNotFound, with("1234XX", "7").Status, "an unknown address")
		assert.Equal(t, http.StatusNotFound, with("3512KL", "24").Status, "address of another customer")
		a = with("9731 ab", "7")
		require.Equal(t, http.StatusAccepted, a.Status, string(a.Body))
		password := fixture.MailWithCode(t, s, email, 2).Mail.Code
		assert.Contains(t, string(v.Post("/auth/sign-in", fixture.Object{"username": "thuis", "password": password}).Body),
			"NEW_PASSWORD_REQUIRED")
		assert.Equal(t, http.StatusPreconditionFailed, with("9731 ab", "7").Status)
	})
}

// Limits apply to the calls to all replicas together.
func TestOnboardingLimitsHoldAcrossReplicas(t *testing.T) {
	portaltest.Each(t, onboardingOptions(), func(t *testing.T, s *portaltest.Portal) {
		if !s.CanReplicate() {
			t.Skip("SQLite has one process")
		}
		one, two := fixture.Visitor{Portal: s, Label: "alpha"}, fixture.Visitor{Portal: s.Replica(), Label: "alpha"}
		for i := range 5 {
			require.Equal(t, http.StatusAccepted, []fixture.Visitor{one, two}[i%2].Post("/reactivate/begin",
				fixture.Object{"email": "golf@klant.example"}).Status)
		}
		for _, v := range []fixture.Visitor{one, two} {
			assert.Equal(t, http.StatusTooManyRequests, v.Post("/reactivate/begin", fixture.Object{"email": "golf@klant.example"}).Status)
		}
	})
}

// One of the labels in this repository accepts registrations.
func TestRegistrationPerLabel(t *testing.T) {
	t.Parallel()
	s := portaltest.Start(t, portaltest.Options{Modules: modules.All, LabelsDir: "../../labels"})
	stored := func() int64 {
		n, err := s.DB().NewSelect().TableExpr("onboarding_applications").Count(t.Context())
		require.NoError(t, err)
		return n
	}
	all := s.LabelKeys()
	require.Greater(t, len(all), 3)
	t.Run("1-register-label,1-register-label-api", func(t *testing.T) {
		for _, l := range all {
			v, before := fixture.Visitor{Portal: s, Label: l}, stored()
			a := v.Post("/account/request", fixture.With(fixture.Applicant("nieuw@klant.example"), fixture.Object{"label_key": l}))
			if l == "1024" {
				require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
				require.Equal(t, before+1, stored())
				continue
			}
			require.Equal(t, http.StatusForbidden, a.Status, "%s: %s", l, a.Body)
			require.Equal(t, "onboarding.registration_closed", a.Code())
			a = fixture.Visitor{Portal: s, Label: "1024"}.Post("/account/request",
				fixture.With(fixture.Applicant("nieuw@klant.example"), fixture.Object{"label_key": l}))
			require.Equal(t, http.StatusForbidden, a.Status, "%s at 1024: %s", l, a.Body)
			require.Equal(t, before, stored())
		}
	})
}

// Unverified registrations are deleted when they expire.
func TestUnconfirmedRegistrationsAreDeleted(t *testing.T) {
	t.Parallel()
	s := portaltest.Start(t, onboardingOptions())
	v := fixture.Visitor{Portal: s, Label: "alpha"}
	require.Equal(t, http.StatusCreated, v.Post("/account/request", fixture.Applicant("vergeten@klant.example")).Status)
	token := fixture.MailedToken(t, s, "vergeten@klant.example", 1, "/verify/")
	left := func() int { return len(fixture.StaffList(t, s, "alpha", "/staff/applications")) }
	s.RunSchedules() // from now on the schedule runs
	s.Advance(6 * 24 * time.Hour)
	require.Equal(t, 1, left())
	s.Advance(2 * 24 * time.Hour)
	s.Eventually(func() bool { return left() == 0 })
	require.Equal(t, http.StatusGone, v.Post("/emailverification/verify/"+token, nil).Status)
}
