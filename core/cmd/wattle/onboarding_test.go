package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
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

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/mail"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/internal/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/address"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/move"
	"github.com/wattle-portal/wattle/modules/onboarding"
)

// onboardingOptions are two labels that let people register, and one that does not; "gamma" wants an address of who reactivates.
func onboardingOptions() apptest.Options {
	return apptest.Options{Modules: []module.Module{account.Module, address.Module, billing.Module, move.Module, onboarding.Module}, Labels: []apptest.Label{
		{Key: "alpha", CUE: "modules: onboarding: registration: true"},
		{Key: "beta", Kind: label.KindParticipant},
		{Key: "gamma", CUE: "modules: onboarding: {registration: true, reactivation_address: true}"},
	}}
}

// visitor is somebody without an account, at a label and a network address of his own.
type visitor struct {
	s     *apptest.Server
	label string
}

func (v visitor) post(path string, body any) apptest.Answer {
	return v.s.Do(apptest.Call{Method: http.MethodPost, Host: v.label + ".localhost", Path: path, Body: body})
}

// applicant is a good registration of an e-mail address, at an address of the embedded register.
func applicant(email string) object {
	return object{"initials": "N.", "preferred_name": "Renée", "prefix": "van der", "last_name": "Smit-D'Ancona", "gender": "FEMALE", "birth_date": "2008-02-29",
		"phone_number": "+31 6-12345678", "email": " " + email, "zip_code": "9731 ab", "house_number": 7, "bank_account_number": "nl91 abna 0417 1643 00",
		"bank_account_name": "R. Smit"}
}

// fresh lets limits that count per network address or e-mail address begin anew.
func fresh(t *testing.T, s *apptest.Server) {
	t.Helper()
	_, err := s.Store.DB().ExecContext(t.Context(), "DELETE FROM limit_attempts")
	require.NoError(t, err)
}

func staffList(t *testing.T, s *apptest.Server, labelKey, path string) (out []object) {
	t.Helper()
	a := s.Do(apptest.Call{Host: labelKey + ".localhost", Path: path, Bearer: s.Staff(labelKey)})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	if bytes.HasPrefix(a.Body, []byte("[")) {
		a.JSON(t, &out)
		return out
	}
	var page struct{ Items []object }
	a.JSON(t, &page)
	return page.Items
}

// pathIn is the path of the button of a mail.
func pathIn(t *testing.T, m mail.Message, prefix string) string {
	t.Helper()
	require.NotNil(t, m.Mail.Button, m.Subject)
	rest, ok := strings.CutPrefix(m.Mail.Button.Path, prefix)
	require.True(t, ok, m.Mail.Button.Path)
	return rest
}

// nthMail waits until an address has got n mails and gives the last of them.
func nthMail(t *testing.T, s *apptest.Server, address string, n int) (m mail.Message) {
	t.Helper()
	var all []mail.Message
	soon(t, s, func() bool { all = mailTo(t, s, address); return len(all) >= n })
	require.Len(t, all, n)
	return all[0]
}

// applied registers, follows the mailed link and gives the change that staff now see.
func applied(t *testing.T, v visitor, form object, mails int) object {
	t.Helper()
	a := v.post("/account/request", form)
	require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	email := strings.TrimSpace(form["email"].(string))
	token := pathIn(t, nthMail(t, v.s, email, mails), "/verify/")
	a = v.post("/emailverification/verify/"+token, nil)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	var change object
	soon(t, v.s, func() bool {
		for _, c := range staffList(t, v.s, v.label, "/staff/changes?state=PENDING&kind=onboarding.application") {
			if c["data"].(object)["email"] == email {
				change = c
			}
		}
		return change != nil
	})
	return change
}

func decideApplication(t *testing.T, v visitor, id any, state, reason string) {
	t.Helper()
	a := v.s.Do(apptest.Call{Method: http.MethodPost, Host: v.label + ".localhost", Path: fmt.Sprintf("/staff/changes/%s/decision", id),
		Bearer: v.s.Staff(v.label), Body: object{"state": state, "reason": reason}})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
}

func TestOnboarding(t *testing.T) {
	t.Parallel()
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		o := onboardingOptions()
		log := &bytes.Buffer{}
		o.Store, o.Log = &c, log
		s := apptest.Start(t, o)
		t.Run("registration", func(t *testing.T) { registration(t, s) })
		t.Run("approval", func(t *testing.T) { approval(t, s, log) })
		t.Run("abuse", func(t *testing.T) { abuse(t, s) })
		t.Run("reactivation", func(t *testing.T) { reactivation(t, s) })
		t.Run("reactivation with an address", func(t *testing.T) { reactivationAddress(t, s) })
	})
}

func registration(t *testing.T, s *apptest.Server) {
	v := visitor{s, "alpha"}
	waiting := func(labelKey string) int { return len(staffList(t, s, labelKey, "/staff/applications")) }

	t.Run("7.1-account-request-use,7.5-register-submit,3-registration-fields,5.9-names,5.9-phone-rule", func(t *testing.T) {
		form := with(applicant("velden@klant.example"), object{"house_number": "15", "house_number_extension": " a ", "zip_code": "5021dp", "label_key": "alpha"})
		a := v.post("/account/request", form)
		require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
		assert.Equal(t, 1, waiting("alpha"))
		token := pathIn(t, nthMail(t, s, "velden@klant.example", 1), "/verify/")
		require.Equal(t, http.StatusOK, v.post("/emailverification/verify/"+token, nil).Status)
		require.Equal(t, http.StatusPreconditionFailed, v.post("/emailverification/verify/"+token, nil).Status, "a link works once")
		nthMail(t, s, "velden@klant.example", 2)
		assert.Equal(t, 0, waiting("alpha"))
		list := staffList(t, s, "alpha", "/staff/changes?kind=onboarding.application")
		require.Len(t, list, 1)
		assert.Equal(t, object{"initials": "N.", "preferred_name": "Renée", "prefix": "van der", "last_name": "Smit-D'Ancona", "gender": "FEMALE",
			"birth_date": "2008-02-29", "phone_number": "0612345678", "email": "velden@klant.example", "locale": "nl",
			"bank_account_number": "NL91ABNA0417164300", "bank_account_name": "R. Smit",
			"address": object{"street": "Merelstraat", "house_number": "15", "house_number_extension": "A", "zip_code": "5021DP", "city": "Tilburg"}}, list[0]["data"])
	})
	t.Run("an answer that was lost: what is sent again is the same registration", func(t *testing.T) {
		fresh(t, s)
		before := waiting("alpha")
		send := func(key string, form object) apptest.Answer {
			return s.Do(apptest.Call{Method: http.MethodPost, Host: "alpha.localhost", Path: "/account/request", Body: form, Header: map[string]string{"Idempotency-Key": key}})
		}
		const email = "nogmaals@klant.example"
		statuses := make([]int, 8)
		var all sync.WaitGroup
		for i := range statuses { // several at a time, and each with work of its own, as after a page that waited long
			all.Go(func() {
				form := applicant(email)
				if i%2 == 0 {
					form["prefix"] = "  van   der "
				}
				statuses[i] = send("form-1", form).Status
			})
		}
		all.Wait()
		assert.Equal(t, slices.Repeat([]int{http.StatusCreated}, 8), statuses)
		assert.Equal(t, http.StatusCreated, send("form-1", applicant(email)).Status, "and later; more often than an address gets mail")
		assert.Equal(t, before+1, waiting("alpha"))
		nthMail(t, s, email, 1)
		assert.Equal(t, http.StatusCreated, send("form-1", with(applicant(email), object{"last_name": "Smit"})).Status)
		assert.Equal(t, before+2, waiting("alpha"), "a mended form of the same page")
		assert.Equal(t, http.StatusCreated, send("form-2", applicant(email)).Status)
		assert.Equal(t, before+3, waiting("alpha"), "somebody who begins anew, perhaps because the mail got lost")
		nthMail(t, s, email, 3)
		elsewhere := s.Do(apptest.Call{Method: http.MethodPost, Host: "gamma.localhost", Path: "/account/request", Body: applicant(email), Header: map[string]string{"Idempotency-Key": "form-1"}})
		assert.Equal(t, http.StatusCreated, elsewhere.Status)
		assert.Equal(t, 1, waiting("gamma"), "another label's key is another key")
		assert.Equal(t, http.StatusBadRequest, send(strings.Repeat("x", 65), applicant(email)).Status)
		_, err := s.Store.DB().ExecContext(t.Context(), "DELETE FROM onboarding_applications WHERE email = ?", email)
		require.NoError(t, err)
		fresh(t, s)
	})
	t.Run("5.9-label-key-reconcile", func(t *testing.T) {
		for _, key := range []any{nil, "", "alpha"} {
			a := v.post("/account/request", with(applicant("sleutel@klant.example"), object{"label_key": key}))
			assert.Equal(t, http.StatusCreated, a.Status, string(a.Body))
		}
		before := waiting("alpha")
		a := v.post("/account/request", with(applicant("sleutel@klant.example"), object{"label_key": "gamma"}))
		assert.Equal(t, http.StatusForbidden, a.Status, "another label's key")
		assert.Equal(t, "onboarding.registration_closed", a.Code())
		assert.Equal(t, before, waiting("alpha"))
		assert.Equal(t, 0, waiting("gamma"))
	})
	t.Run("a label that does not allow it stores nothing", func(t *testing.T) {
		shut := visitor{s, "beta"}
		for _, form := range []object{applicant("dicht@klant.example"), {}, with(applicant("dicht@klant.example"), object{"label_key": "alpha"})} {
			a := shut.post("/account/request", form)
			assert.Equal(t, http.StatusForbidden, a.Status)
			assert.Equal(t, "onboarding.registration_closed", a.Code())
		}
		assert.Equal(t, http.StatusForbidden, shut.post("/account/request/challenge", nil).Status)
		assert.Equal(t, 0, waiting("beta"))
		mails, err := s.Mail.List(t.Context())
		require.NoError(t, err)
		assert.False(t, slices.ContainsFunc(mails, func(m mail.Message) bool { return m.Mail.To == "dicht@klant.example" }))
	})
	t.Run("7.1-account-request-use", func(t *testing.T) {
		before := waiting("alpha")
		a := v.post("/account/request", object{})
		var p problem.Problem
		a.JSON(t, &p)
		assert.Equal(t, http.StatusBadRequest, a.Status)
		assert.Len(t, p.Errors, 11)
		a = v.post("/account/request", with(applicant("nergens@klant.example"), object{"zip_code": "1234XX", "house_number_extension": "1 hoog"}))
		p = problem.Problem{}
		a.JSON(t, &p)
		assert.Equal(t, http.StatusNotFound, a.Status)
		assert.Equal(t, "onboarding.address_unknown", p.Code)
		assert.Equal(t, []problem.FieldError{{Field: "zip_code", Code: p.Code}, {Field: "house_number", Code: p.Code}, {Field: "house_number_extension", Code: p.Code}}, p.Errors)
		for _, broken := range []string{`{"email":`, `[]`, `{"email":1}`} {
			assert.Equal(t, http.StatusBadRequest, v.post("/account/request", broken).Status, broken)
		}
		assert.Equal(t, before, waiting("alpha"))
	})
	for row, wrong := range map[string]object{ // each rule at its own field, by the server too
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
		"5.9-birth-range":     {"birth_date": "1899-12-31"},
		"5.9-age":             {"birth_date": "2008-11-21"},
	} {
		t.Run(row, func(t *testing.T) {
			a := v.post("/account/request", with(applicant("fout@klant.example"), wrong))
			var p problem.Problem
			a.JSON(t, &p)
			require.Equal(t, http.StatusBadRequest, a.Status, string(a.Body))
			fields := []string{}
			for _, e := range p.Errors {
				fields = append(fields, e.Field)
			}
			assert.ElementsMatch(t, slices.Collect(maps.Keys(wrong)), fields)
		})
	}
	t.Run("5.9-optional", func(t *testing.T) {
		a := v.post("/account/request", with(applicant("kort@klant.example"), object{"prefix": nil, "house_number_extension": nil, "label_key": nil}))
		assert.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	})
	t.Run("5.9-age", func(t *testing.T) {
		a := v.post("/account/request", with(applicant("jarig@klant.example"), object{"birth_date": "2008-11-20"}))
		assert.Equal(t, http.StatusCreated, a.Status, "18 today")
	})
}

func approval(t *testing.T, s *apptest.Server, log *bytes.Buffer) {
	fresh(t, s)
	v := visitor{s, "alpha"}
	const email = "Renee@klant.example"

	t.Run("4-access-approval", func(t *testing.T) {
		change := applied(t, v, applicant(email), 1)
		again := applicant(strings.ToUpper(email))
		require.Equal(t, http.StatusCreated, v.post("/account/request", again).Status, "a second application is answered alike")
		token := pathIn(t, nthMail(t, s, strings.ToUpper(email), 1), "/verify/")
		require.Equal(t, http.StatusOK, v.post("/emailverification/verify/"+token, nil).Status)
		soon(t, s, func() bool {
			return !slices.ContainsFunc(staffList(t, s, "alpha", "/staff/applications"), func(a object) bool { return a["email"] == strings.ToUpper(email) })
		})
		pending := 0
		for _, c := range staffList(t, s, "alpha", "/staff/changes?state=PENDING&kind=onboarding.application") {
			if strings.EqualFold(c["data"].(object)["email"].(string), email) {
				pending++
			}
		}
		assert.Equal(t, 1, pending, "one application of a mailbox")

		decideApplication(t, v, change["id"], "PROCESSED", "")
		m := nthMail(t, s, email, 3)
		password := m.Mail.Code
		require.NotEmpty(t, password)
		assert.Contains(t, strings.Join(m.Mail.Lines, "\n"), "renee@klant.example")

		a := v.post("/auth/sign-in", object{"username": " RENEE@klant.example", "password": password})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		var in struct{ Challenge, Session string }
		a.JSON(t, &in)
		require.Equal(t, "NEW_PASSWORD_REQUIRED", in.Challenge)
		a = v.post("/auth/new-password", object{"session": in.Session, "new_password": "Zonnebloem7"})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		var out struct {
			IDToken string `json:"id_token"`
		}
		a.JSON(t, &out)
		me := customer{s: s, token: out.IDToken}
		soon(t, s, func() bool { return me.do(http.MethodGet, "/relations", nil).Status == http.StatusOK })
		r := me.get(t, "/relations")
		assert.Equal(t, onboarding.DebtorNumber(change["id"].(string)), r["debtor_number"])
		assert.Equal(t, []any{"Smit-D'Ancona", "MRS", "2026-11-20", "NL91ABNA0417164300", email},
			[]any{r["last_name"], r["salutation"], r["relation_since"], r["bank_account_number"], r["email"]})
		assert.Len(t, r["addresses"], 2)

		// The password was nowhere but in the mail: not in the database and its log, and in no line of ours.
		require.NoError(t, s.Outbox.Work(t.Context()))
		assert.NotContains(t, log.String(), password)
		require.NoError(t, filepath.WalkDir(s.Config.Data, func(file string, d fs.DirEntry, err error) error {
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
		require.NoError(t, s.Store.Read().NewRaw("SELECT payload FROM outbox_messages").Scan(t.Context(), &payloads))
		assert.NotContains(t, strings.Join(payloads, "\n"), password)
	})
	t.Run("an account that is there hears so, and only in its mailbox", func(t *testing.T) {
		a := v.post("/account/request", applicant(email))
		require.Equal(t, http.StatusCreated, a.Status)
		require.Empty(t, a.Body)
		token := pathIn(t, nthMail(t, s, email, 4), "/verify/")
		require.Equal(t, http.StatusOK, v.post("/emailverification/verify/"+token, nil).Status)
		assert.Equal(t, "Je hebt al een account", nthMail(t, s, email, 5).Subject)
	})
	t.Run("4-access-approval", func(t *testing.T) { // the other way it can end
		change := applied(t, v, applicant("nee@klant.example"), 1)
		decideApplication(t, v, change["id"], "REJECTED", "Geen lid van de coöperatie")
		m := nthMail(t, s, "nee@klant.example", 3)
		assert.Contains(t, strings.Join(m.Mail.Lines, "\n"), "Geen lid van de coöperatie")
		assert.Empty(t, m.Mail.Code)
		a := v.post("/auth/sign-in", object{"username": "nee@klant.example", "password": "Zonnebloem7"})
		assert.Equal(t, http.StatusUnauthorized, a.Status)
		applied(t, v, applicant("nee@klant.example"), 4) // who was rejected may apply again
	})
	t.Run("a username that somebody took", func(t *testing.T) {
		change := applied(t, v, applicant("bezet@klant.example"), 1)
		s.SignIn(identity.Account{Label: "alpha", Relation: "r-bezet", Username: "bezet@klant.example", Email: "ander@klant.example", Role: identity.Customer})
		decideApplication(t, v, change["id"], "PROCESSED", "")
		m := nthMail(t, s, "bezet@klant.example", 3)
		assert.Contains(t, strings.Join(m.Mail.Lines, "\n"), strings.ToLower(onboarding.DebtorNumber(change["id"].(string))))
	})
	t.Run("4-addr-lookup-down", func(t *testing.T) {
		down := visitor{downRegister(t), "alpha"}
		form := with(applicant("storing@klant.example"), object{"street": "Lindelaan", "city": "Groningen"})
		data := applied(t, down, form, 1)["data"].(object)
		assert.Equal(t, true, data["unchecked"])
		assert.Equal(t, object{"street": "Lindelaan", "house_number": "7", "house_number_extension": "", "zip_code": "9731AB", "city": "Groningen"}, data["address"])
	})
}

// downRegister is a portal whose address register cannot be reached.
func downRegister(t *testing.T) *apptest.Server {
	o := onboardingOptions()
	o.Labels = []apptest.Label{{Key: "alpha", CUE: `modules: onboarding: registration: true
modules: move: {register: {provider: "pdok", url: "http://127.0.0.1:1"}, connections: {provider: "http", url: "http://127.0.0.1:1"}}`}}
	return apptest.Start(t, o)
}

func abuse(t *testing.T, s *apptest.Server) {
	v := visitor{s, "alpha"}
	waiting := func() int { return len(staffList(t, s, "alpha", "/staff/applications")) }
	challenge := func() (c onboarding.Challenge) {
		a := v.post("/account/request/challenge", nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &c)
		return c
	}
	t.Run("a filled trap is taken and thrown away", func(t *testing.T) {
		fresh(t, s)
		before := waiting()
		a := v.post("/account/request", with(applicant("robot@klant.example"), object{"website": "https://spam.example"}))
		assert.Equal(t, http.StatusCreated, a.Status)
		assert.Empty(t, a.Body)
		assert.Equal(t, before, waiting())
	})
	t.Run("work is asked of who comes often, and is good once", func(t *testing.T) {
		fresh(t, s)
		for i := range 10 {
			a := v.post("/account/request", applicant(fmt.Sprintf("vaak%d@klant.example", i)))
			require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
		}
		before := waiting()
		a := v.post("/account/request", applicant("vaak@klant.example"))
		assert.Equal(t, http.StatusPreconditionRequired, a.Status)
		assert.Equal(t, "onboarding.proof_needed", a.Code())
		c := challenge()
		solved := with(applicant("vaak@klant.example"), object{"challenge": c.Challenge, "solution": onboarding.Solve(c.Challenge, c.Bits)})
		wrong := with(solved, object{"solution": "x"})
		assert.Equal(t, "onboarding.proof_invalid", v.post("/account/request", wrong).Code())
		elsewhere := visitor{s, "gamma"}.post("/account/request", solved)
		assert.Equal(t, "onboarding.proof_invalid", elsewhere.Code(), "of another label")
		refused := v.post("/account/request", with(solved, object{"zip_code": "1234XX"}))
		assert.Equal(t, http.StatusNotFound, refused.Status)
		require.Equal(t, before, waiting())
		a = v.post("/account/request", solved)
		require.Equal(t, http.StatusCreated, a.Status, "a form that was refused is mended and sent with the same proof")
		assert.Equal(t, "onboarding.proof_invalid", v.post("/account/request", solved).Code(), "used")
		late := challenge()
		late.Challenge = strings.Replace(late.Challenge, ".1", ".2", 1)
		solved = with(applicant("vaak@klant.example"), object{"challenge": late.Challenge, "solution": onboarding.Solve(late.Challenge, late.Bits)})
		assert.Equal(t, "onboarding.proof_invalid", v.post("/account/request", solved).Code(), "made to last longer")
		assert.Equal(t, before+1, waiting())
	})
	t.Run("an e-mail address is not flooded", func(t *testing.T) {
		fresh(t, s)
		for range 5 {
			require.Equal(t, http.StatusCreated, v.post("/account/request", applicant("vol@klant.example")).Status)
		}
		a := v.post("/account/request", applicant("VOL@klant.example"))
		assert.Equal(t, http.StatusTooManyRequests, a.Status)
		assert.Equal(t, problem.CodeTooManyCalls, a.Code())
		for range 5 {
			require.Equal(t, http.StatusAccepted, v.post("/reactivate/begin", object{"email": "vol@klant.example"}).Status)
		}
		assert.Equal(t, http.StatusTooManyRequests, v.post("/reactivate/begin", object{"email": " VOL@klant.example "}).Status)
	})
	t.Run("a network address asks so often and no more", func(t *testing.T) {
		fresh(t, s)
		last := 0
		for i := range 61 {
			last = v.post("/reactivate/begin", object{"email": fmt.Sprintf("golf%d@klant.example", i)}).Status
		}
		assert.Equal(t, http.StatusTooManyRequests, last)
		for range 61 {
			last = v.post("/reactivate/finish/verzonnen", nil).Status
		}
		assert.Equal(t, http.StatusTooManyRequests, last)
	})
	fresh(t, s)
}

// sleeper is a customer whose account has no password: he was moved here from elsewhere.
func sleeper(t *testing.T, s *apptest.Server, labelKey, name string) {
	t.Helper()
	relation := account.RelationID(labelKey, name)
	_, err := s.Identity.Upsert(t.Context(), identity.Account{Label: labelKey, Relation: relation, Username: name, Email: name + "@klant.example", Role: identity.Customer}, "", false)
	require.NoError(t, err)
	target, _, err := s.Importer(labelKey)
	require.NoError(t, err)
	data, err := json.Marshal(object{"debtor_number": name, "email": name + "@klant.example",
		"addresses": []object{{"address_type": "SHIPPING", "street": "Lindelaan", "house_number": "7", "zip_code": "9731AB", "city": "Groningen"}}})
	require.NoError(t, err)
	refused, err := target(t.Context(), "relation", []record.Row{{Line: 1, Data: data}})
	require.NoError(t, err)
	require.Empty(t, refused)
}

func reactivation(t *testing.T, s *apptest.Server) {
	v := visitor{s, "alpha"}
	sleeper(t, s, "alpha", "slaper")
	s.SignIn(identity.Account{Label: "alpha", Relation: "r-wakker", Username: "wakker", Email: "wakker@klant.example", Role: identity.Customer})
	begin := func(body object) apptest.Answer { return v.post("/reactivate/begin", body) }

	t.Run("7.5-reactivate-begin,7.5-reactivate-begin-privacy", func(t *testing.T) {
		known := begin(object{"email": "Slaper@klant.example ", "labelKey": "alpha"})
		unknown := begin(object{"email": "niemand@klant.example", "labelKey": "alpha"})
		require.Equal(t, http.StatusAccepted, known.Status, string(known.Body))
		assert.Equal(t, known.Status, unknown.Status)
		assert.Equal(t, known.Body, unknown.Body)
		nthMail(t, s, "slaper@klant.example", 1)
		all, err := s.Mail.List(t.Context())
		require.NoError(t, err)
		assert.False(t, slices.ContainsFunc(all, func(m mail.Message) bool { return m.Mail.To == "niemand@klant.example" }))
		n, err := s.Store.Read().NewSelect().TableExpr("onboarding_reactivations").Where("email = ?", "niemand@klant.example").Count(t.Context())
		require.NoError(t, err)
		assert.Zero(t, n, "nothing is kept of an address that nobody has")
	})
	t.Run("7.5-reactivate-begin", func(t *testing.T) {
		for _, wrong := range []object{{}, {"email": "x"}, {"email": " "}} {
			assert.Equal(t, http.StatusBadRequest, begin(wrong).Status)
		}
		assert.Equal(t, problem.CodeLabelMismatch, begin(object{"email": "slaper@klant.example", "labelKey": "beta"}).Code())
	})
	t.Run("7.5-reactivate-finish,7.5-reactivate-finish-reconcile", func(t *testing.T) {
		token := pathIn(t, nthMail(t, s, "slaper@klant.example", 1), "/reactivation/")
		var hashes []string
		require.NoError(t, s.Store.Read().NewRaw("SELECT hash FROM onboarding_reactivations WHERE hash IS NOT NULL").Scan(t.Context(), &hashes))
		assert.NotContains(t, hashes, token, "stored hashed")
		assert.Equal(t, http.StatusGone, visitor{s, "beta"}.post("/reactivate/finish/"+token, nil).Status, "another label's token")
		assert.Equal(t, http.StatusMethodNotAllowed, s.Do(apptest.Call{Path: "/reactivate/finish/" + token}).Status)
		a := v.post("/reactivate/finish/"+token, nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		password := nthMail(t, s, "slaper@klant.example", 2).Mail.Code
		in := v.post("/auth/sign-in", object{"username": "slaper", "password": password})
		assert.Contains(t, string(in.Body), "NEW_PASSWORD_REQUIRED")
		a = v.post("/reactivate/finish/"+token, nil)
		assert.Equal(t, http.StatusPreconditionFailed, a.Status)
		assert.Equal(t, "onboarding.already_reactivated", a.Code())
		nthMail(t, s, "slaper@klant.example", 2)
	})
	t.Run("7.5-reactivate-finish", func(t *testing.T) {
		begin(object{"email": "wakker@klant.example"})
		token := pathIn(t, nthMail(t, s, "wakker@klant.example", 1), "/reactivation/")
		assert.Equal(t, http.StatusPreconditionFailed, v.post("/reactivate/finish/"+token, nil).Status, "an account that can be signed in with")
		in := v.post("/auth/sign-in", object{"username": "wakker", "password": apptest.Password})
		assert.Equal(t, http.StatusOK, in.Status, "keeps its password")

		begin(object{"email": "slaper@klant.example"})
		token = pathIn(t, nthMail(t, s, "slaper@klant.example", 3), "/reactivation/")
		s.Clock.Advance(24 * time.Hour)
		for _, bad := range []string{token, "verzonnen", strings.Repeat("a", 43)} {
			a := v.post("/reactivate/finish/"+bad, nil)
			assert.Equal(t, http.StatusGone, a.Status)
			assert.Equal(t, "onboarding.token_invalid", a.Code())
		}
	})
	t.Run("7.5-reactivate-begin-extended", func(t *testing.T) {
		extended := with(applicant("slaper@klant.example"), object{"labelKey": "alpha"})
		require.Equal(t, http.StatusAccepted, begin(extended).Status)
		for _, email := range []string{"slaper@klant.example", "niemand@klant.example"} {
			a := begin(with(extended, object{"email": email, "zip_code": "1234XX"}))
			assert.Equal(t, http.StatusNotFound, a.Status)
			assert.Equal(t, "onboarding.address_unknown", a.Code())
		}
		token := pathIn(t, nthMail(t, s, "slaper@klant.example", 4), "/reactivation/")
		assert.Equal(t, http.StatusOK, v.post("/reactivate/finish/"+token, nil).Status)
		other := with(extended, object{"zip_code": "3512KL", "house_number": "24"})
		require.Equal(t, http.StatusAccepted, begin(other).Status)
		token = pathIn(t, nthMail(t, s, "slaper@klant.example", 6), "/reactivation/")
		assert.Equal(t, http.StatusNotFound, v.post("/reactivate/finish/"+token, nil).Status, "not where this customer lives")
	})
}

func reactivationAddress(t *testing.T, s *apptest.Server) {
	fresh(t, s)
	v := visitor{s, "gamma"}
	sleeper(t, s, "gamma", "thuis")
	const email = "thuis@klant.example"
	t.Run("2.4-reactivation-address-reconcile", func(t *testing.T) {
		require.Equal(t, http.StatusAccepted, v.post("/reactivate/begin", object{"email": email, "labelKey": "gamma"}).Status)
		token := pathIn(t, nthMail(t, s, email, 1), "/reactivation/")
		a := v.post("/reactivate/finish/"+token, nil)
		var p problem.Problem
		a.JSON(t, &p)
		require.Equal(t, http.StatusNotFound, a.Status)
		assert.Equal(t, []problem.FieldError{{Field: "zip_code", Code: "onboarding.address_unknown"}, {Field: "house_number", Code: "onboarding.address_unknown"}}, p.Errors)
		with := func(zip, number string) apptest.Answer {
			return v.post("/reactivate/begin", object{"token": token, "labelKey": "gamma", "zip_code": zip, "house_number": number})
		}
		assert.Equal(t, http.StatusBadRequest, with("", "7").Status)
		assert.Equal(t, http.StatusNotFound, with("1234XX", "7").Status, "no such address")
		assert.Equal(t, http.StatusNotFound, with("3512KL", "24").Status, "somebody else's")
		a = with("9731 ab", "7")
		require.Equal(t, http.StatusAccepted, a.Status, string(a.Body))
		password := nthMail(t, s, email, 2).Mail.Code
		assert.Contains(t, string(v.post("/auth/sign-in", object{"username": "thuis", "password": password}).Body), "NEW_PASSWORD_REQUIRED")
		assert.Equal(t, http.StatusPreconditionFailed, with("9731 ab", "7").Status)
	})
}

// What is counted is counted for all replicas together.
func TestOnboardingLimitsHoldAcrossReplicas(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		if c.URL == "" {
			t.Skip("SQLite has one process")
		}
		o := onboardingOptions()
		o.Store = &c
		one, two := visitor{apptest.Start(t, o), "alpha"}, visitor{apptest.Start(t, o), "alpha"}
		for i := range 5 {
			require.Equal(t, http.StatusAccepted, []visitor{one, two}[i%2].post("/reactivate/begin", object{"email": "golf@klant.example"}).Status)
		}
		for _, v := range []visitor{one, two} {
			assert.Equal(t, http.StatusTooManyRequests, v.post("/reactivate/begin", object{"email": "golf@klant.example"}).Status)
		}
	})
}

// The labels that ship: one of them takes registrations.
func TestRegistrationPerLabel(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, LabelsDir: "../../../labels"})
	stored := func() int64 {
		n, err := s.Store.Read().NewSelect().TableExpr("onboarding_applications").Count(t.Context())
		require.NoError(t, err)
		return n
	}
	all := s.Labels.All()
	require.Greater(t, len(all), 3)
	t.Run("1-register-label,1-register-label-api", func(t *testing.T) {
		for _, l := range all {
			v, before := visitor{s, l.Key}, stored()
			a := v.post("/account/request", with(applicant("nieuw@klant.example"), object{"label_key": l.Key}))
			if l.Key == "1024" {
				require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
				require.Equal(t, before+1, stored())
				continue
			}
			require.Equal(t, http.StatusForbidden, a.Status, "%s: %s", l.Key, a.Body)
			require.Equal(t, "onboarding.registration_closed", a.Code())
			a = visitor{s, "1024"}.post("/account/request", with(applicant("nieuw@klant.example"), object{"label_key": l.Key}))
			require.Equal(t, http.StatusForbidden, a.Status, "%s at 1024: %s", l.Key, a.Body)
			require.Equal(t, before, stored())
		}
	})
}

// What nobody confirmed is not kept.
func TestOnboardingForgets(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, onboardingOptions())
	v := visitor{s, "alpha"}
	require.Equal(t, http.StatusCreated, v.post("/account/request", applicant("vergeten@klant.example")).Status)
	token := pathIn(t, nthMail(t, s, "vergeten@klant.example", 1), "/verify/")
	left := func() int { return len(staffList(t, s, "alpha", "/staff/applications")) }
	require.NoError(t, s.Jobs.Pass(t.Context())) // from here on the schedule counts
	require.NoError(t, s.Advance(t.Context(), 6*24*time.Hour))
	require.Equal(t, 1, left())
	require.NoError(t, s.Advance(t.Context(), 2*24*time.Hour))
	soon(t, s, func() bool { return left() == 0 })
	require.Equal(t, http.StatusGone, v.post("/emailverification/verify/"+token, nil).Status)
}
